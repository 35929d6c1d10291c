import PredicateData

extension OptionDeclaration {
    /// What completes the value of an option.
    enum Completion {
        case none
        case files
        case words([String])
        /// Lists of keys of the file.
        case keys
        /// `name=string,age=integer`
        case types
        case tables
    }

    /// The completion of the value, by the name of the option.
    var completion: Completion {
        switch name {
        case "keys", "sort", "count-by", "group-by", "sum", "avg", "min", "max": .keys
        case "types": .types
        case "table": .tables
        case "schema", "exceptions", "model", "to", "rules", "mapping", "save", "allow-write": .files
        case "output": .words(OutputFormat.allCases.map(\.rawValue))
        case "format": .words(DataFormat.allCases.map(\.rawValue))
        case "result": .words(ChangeWords.ResultKind.allCases.map(\.rawValue))
        case "delimiter": .words(["comma", "semicolon", "tab", "pipe"])
        case "decimal": .words(["point", "comma"])
        case "encoding": .words(["utf-8", "utf-16", "windows-1252", "latin1"])
        case "color": .words(["auto", "always", "never"])
        case "dialect": .words(["sqlite", "postgresql", "mariadb", "mysql", "duckdb", "spark"])
        default: .none
        }
    }
}

extension Command {
    /// The options of the command.
    var declarations: [OptionDeclaration] {
        switch self {
        case .parse: ParseOption.allCases.map(\.declaration)
        case .filter: FilterOption.allCases.map(\.declaration)
        case .sql: SQLOption.allCases.map(\.declaration)
        case .schema: SchemaOption.allCases.map(\.declaration)
        case .create: CreateOption.allCases.map(\.declaration)
        case .insert: InsertOption.allCases.map(\.declaration)
        case .update: UpdateOption.allCases.map(\.declaration)
        case .delete: DeleteOption.allCases.map(\.declaration)
        case .metadata: MetadataOption.allCases.map(\.declaration)
        case .migrate: MigrateOption.allCases.map(\.declaration)
        case .export: ExportOption.allCases.map(\.declaration)
        case .explain: ExplainOption.allCases.map(\.declaration)
        case .check: CheckOption.allCases.map(\.declaration)
        case .lint: LintOption.allCases.map(\.declaration)
        case .model: ModelOption.allCases.map(\.declaration)
        case .repl: ReplOption.allCases.map(\.declaration)
        case .lsp: LanguageServerOption.allCases.map(\.declaration)
        case .test: TestOption.allCases.map(\.declaration)
        case .completion: CompletionOption.allCases.map(\.declaration)
        case .help: HelpOption.allCases.map(\.declaration)
        }
    }
}
