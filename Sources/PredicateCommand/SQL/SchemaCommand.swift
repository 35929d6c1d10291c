import PredicateStore

/// The options of `predicate schema`, which has only `--help`.
enum SchemaOption: CommandOption {
    var declaration: OptionDeclaration {
        switch self {}
    }
}

/// `predicate schema store.sqlite`: prints the schema of a SQLite file.
struct SchemaCommand {
    private let file: String

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<SchemaOption>(words, .schema)
        guard reader.positionals.count == 1 else {
            throw .usage(UsageError("expected one SQLite file", in: .schema))
        }
        file = reader.positionals[0]
    }

    /// Prints the schema; reports on standard error what was left out.
    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let found = try SQLiteFile.introspect(try SQLiteFile.open(file))
        if found.schema.entities.isEmpty { console.report("note: \(file): there are no tables in it") }
        for omission in found.leftOut { console.report("note: \(file): left out \(omission.reason)") }
        try console.write(String(decoding: found.schema.json, as: UTF8.self) + "\n")
        return .success
    }
}
