import PredicateData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal that the streams of the process are connected to.
struct Terminal: Sendable {
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool
    /// The environment variables that affect the command.
    var environment: [String: String]

    /// No terminal, as in tests and pipes.
    static let none = Terminal(
        isInputTerminal: false, isOutputTerminal: false, isErrorTerminal: false, environment: [:])

    static func ofProcess() -> Terminal {
        let names = ["NO_COLOR", "TERM", "PAGER", "LESS", "HOME", "XDG_STATE_HOME", "PATH"]
        let values = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return Terminal(
            isInputTerminal: isatty(STDIN_FILENO) == 1, isOutputTerminal: isatty(STDOUT_FILENO) == 1,
            isErrorTerminal: isatty(STDERR_FILENO) == 1,
            environment: Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }

    /// The columns and lines of the terminal; 80 and 24 without one.
    var size: (columns: Int, lines: Int) {
        var size = winsize()
        let terminals = [
            (isOutputTerminal, STDOUT_FILENO), (isErrorTerminal, STDERR_FILENO), (isInputTerminal, STDIN_FILENO),
        ]
        for (isTerminal, descriptor) in terminals
        where isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0 {
            return (Int(size.ws_col), Int(size.ws_row))
        }
        return (80, 24)
    }

    /// Returns true if output is coloured; NO_COLOR prevents it unless the command line requires it.
    func isColoured(_ choice: ColourChoice) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto: isOutputTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}

/// The values of `--color`.
enum ColourChoice: String, CaseIterable {
    case auto, always, never

    init(_ word: String?, in command: Command) throws(CommandFailure) {
        guard let word else {
            self = .auto
            return
        }
        guard let choice = ColourChoice(rawValue: word) else {
            throw .usage(UsageError("--color takes auto, always or never, found '\(word)'", in: command))
        }
        self = choice
    }
}
