import PredicateData
import PredicateSyntax

/// The settings of `predicate filter`.
struct FilterSettings {
    let words: PredicateWords
    /// The files to read; `-` is standard input.
    let files: [String]
    let isInverted: Bool
    let isQuiet: Bool
    let isStrict: Bool
    let countsOnly: Bool
    /// The number of matches after which to stop; nil for no limit.
    let limit: Int?
    /// The keys to write, nil for whole records.
    let keys: [String]?
    /// The format to write, nil for that of the input.
    let output: DataFormat?
    let records: RecordWords
    /// The table of a SQLite file.
    let rows: EntityWords
    let allowsResidual: Bool
    let explainsPlan: Bool
    /// True if the objects of a Core Data store are written with their URIs.
    let writesObjectIDs: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<FilterOption>(words, .filter)
        guard let format = reader.positionals.first else { throw .usage(UsageError("expected a format", in: .filter)) }
        files = reader.positionals.count > 1 ? Array(reader.positionals.dropFirst()) : ["-"]
        self.words = try PredicateWords(
            format, arguments: reader.values(of: .arg), settings: reader.values(of: .set),
            isUntrusted: reader.has(.untrusted), in: .filter)
        isInverted = reader.has(.invert)
        isQuiet = reader.has(.quiet)
        isStrict = reader.has(.strict)
        countsOnly = reader.has(.count)
        limit = isQuiet ? 1 : try Self.limit(reader)
        keys = try Self.keys(reader.values(of: .keys))
        output = try RecordWords.format(
            reader.value(of: .output), option: "--output", allowed: [.json, .jsonLines], in: .filter)
        records = try RecordWords(reader, in: .filter)
        rows = try EntityWords(
            schema: reader.value(of: .schema), entity: reader.value(of: .entity), table: reader.value(of: .table),
            model: reader.value(of: .model), in: .filter)
        allowsResidual = reader.has(.residual)
        explainsPlan = reader.has(.explainPlan)
        writesObjectIDs = reader.has(.objectIDs)
    }

    var variables: [String: PredicateValue] { words.variables }

    /// Returns the options for reading a file.
    ///
    /// Only the keys that the predicate needs are read from a record. If columns are written as JSON, the written keys
    /// are needed too.
    func recordOptions(for file: String, keys needed: Set<String>?) throws(CommandFailure) -> RecordOptions {
        var options = try records.options(for: file)
        options.keys = keysToRead(options.format, needed)
        return options
    }

    private func keysToRead(_ format: DataFormat?, _ needed: Set<String>?) -> Set<String>? {
        if output == nil || format == .json || format == .jsonLines { return needed }
        guard let keys else { return nil }
        return needed?.union(keys)
    }

    private static func limit(_ reader: ArgumentReader<FilterOption>) throws(CommandFailure) -> Int? {
        guard reader.has(.first) else { return nil }
        guard let text = reader.value(of: .first) else { return 1 }
        if let limit = Int(text), limit > 0 { return limit }
        throw .usage(UsageError("--first takes a number above 0, found '\(text)'", in: .filter))
    }

    private static func keys(_ lists: [String]) throws(CommandFailure) -> [String]? {
        if lists.isEmpty { return nil }
        let keys = lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        if keys.contains("") { throw .usage(UsageError("--keys takes names separated by commas", in: .filter)) }
        return keys
    }
}
