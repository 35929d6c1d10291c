/// The options of `predicate help`.
enum HelpOption: CommandOption {
    case man

    var declaration: OptionDeclaration {
        switch self {
        case .man: .init("man", help: "Print all pages as one manual page, for man")
        }
    }
}

/// `predicate help filter`
struct HelpCommand {
    private let topic: String?
    private let printsManual: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<HelpOption>(words, .help)
        topic = reader.positionals.first
        printsManual = reader.has(.man)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if printsManual {
            try console.write(ManualPage.text)
        } else if let topic {
            try console.write(HelpPages.page(of: try CommandLineTool.command(named: topic)).text)
        } else {
            try console.write(HelpPages.overview.text)
        }
        return .success
    }
}
