import PredicateSession

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Shows text that is longer than the screen through `$PAGER`, or `less`.
struct Pager {
    let terminal: Terminal

    /// Returns true if a text and a prompt do not fit on the screen.
    func isNeeded(for text: String) -> Bool {
        guard terminal.isInputTerminal, terminal.isOutputTerminal else { return false }
        let size = terminal.size
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.reduce(0) { $0 + max(1, ($1.count + size.columns - 1) / size.columns) } > size.lines - 2
    }

    /// Shows the text; returns false without a pager.
    func show(_ text: String) -> Bool {
        guard let command, let program = command.split(separator: " ").first, isInstalled(String(program)) else {
            return false
        }
        if terminal.environment["LESS"] == nil { setenv("LESS", "FRX", 1) }
        let former = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, former) }
        guard let pipe = popen(command, "w") else { return false }
        fputs(text + "\n", pipe)
        pclose(pipe)
        return true
    }

    /// The command of the pager, such as `less -FRX`; nil if `$PAGER` is empty or `cat`.
    private var command: String? {
        let own = terminal.environment["PAGER"]
        if own == "" || own == "cat" { return nil }
        return own ?? "less -FRX"
    }

    /// Returns true if the shell would find the program.
    private func isInstalled(_ program: String) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let folders = (terminal.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
