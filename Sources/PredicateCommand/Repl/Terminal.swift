import PredicateData

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the three streams of the process are connected to.
struct Terminal: Sendable {
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool
    /// The variables of the environment that matter here.
    var environment: [String: String]

    /// No terminal at all: what tests and pipes have.
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

    /// The columns and lines of the terminal, or what terminals used to have.
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

    /// Whether output is to be coloured: never where NO_COLOR is set to anything, unless the command line asks for it.
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
