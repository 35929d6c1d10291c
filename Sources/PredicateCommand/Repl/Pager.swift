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

    /// Whether text of so many lines does not fit on the screen together with a prompt.
    func isNeeded(for text: String) -> Bool {
        guard terminal.isInputTerminal, terminal.isOutputTerminal else { return false }
        let size = terminal.size
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.reduce(0) { $0 + max(1, ($1.count + size.columns - 1) / size.columns) } > size.lines - 2
    }

    /// Shows the text; false where there is no pager.
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

    /// `less -FRX`; an empty `$PAGER` and `cat` stand for no pager.
    private var command: String? {
        let own = terminal.environment["PAGER"]
        if own == "" || own == "cat" { return nil }
        return own ?? "less -FRX"
    }

    /// Whether the shell would find the program.
    private func isInstalled(_ program: String) -> Bool {
        if program.contains("/") { return access(program, X_OK) == 0 }
        let folders = (terminal.environment["PATH"] ?? "").split(separator: ":")
        return folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    }
}
