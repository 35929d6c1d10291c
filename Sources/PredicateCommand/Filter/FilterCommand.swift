import PredicateSyntax

/// `predicate filter 'age >= 21' people.jsonl`: writes the records that match.
struct FilterCommand {
    private let settings: FilterSettings

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        settings = try FilterSettings(words)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let predicate = try settings.words.predicate()
        if let file = try settings.storeFile() {
            return try StoreFilter(file, predicate, settings, console).run()
        }
        return try FilterRun(settings, predicate, console).run()
    }
}
