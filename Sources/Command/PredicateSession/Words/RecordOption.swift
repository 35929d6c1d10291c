import PredicateData
import PredicateSyntax

/// An option for reading records, which the command line and `:load` share.
///
/// `--delimiter tab`, `--types age=integer`
package enum RecordOption: String, CaseIterable, Sendable {
    case format, types, path, delimiter, decimal, dates, skip, header, ragged, quotes, comment, `nil`, pattern,
        unmatched,
        parent, encoding

    /// True if a value follows the name.
    var takesValue: Bool { self != .ragged }

    /// The options for rows of CSV and TSV, and those for cells, which logs have as well.
    package static let ofRows: [RecordOption] = [.delimiter, .header, .ragged, .quotes]
    package static let ofCells: [RecordOption] = [.decimal, .skip, .nil]

    /// Takes the options from the words of `:load`, and returns the other words as well.
    static func taking(_ words: [String]) throws(SessionError) -> (options: RecordOptions, others: [String]) {
        var (values, others, rest) = ([RecordOption: [String]](), [String](), words[...])
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                others.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = RecordOption(rawValue: String(parts[0])) else { throw unknown(String(parts[0])) }
            guard let value = parts.count > 1 ? String(parts[1]) : option.takesValue ? rest.popFirst() : "" else {
                throw SessionError("--\(option.rawValue) takes a value", hints: [SessionCommand.load.example])
            }
            values[option, default: []].append(value)
        }
        var options = RecordOptions()
        for option in allCases {
            guard let values = values[option] else { continue }
            try SessionError.reading { () throws(ValueError) in try option.read(values, into: &options) }
        }
        return (options, others)
    }

    private static func unknown(_ name: String) -> SessionError {
        let names = allCases.map(\.rawValue)
        let near = NearMiss.hints(for: name, among: names, prefix: "--")
        let list = "the options are " + names.map { "--" + $0 }.joined(separator: ", ")
        return SessionError(":load has no option --\(name)", hints: near.isEmpty ? [list] : near)
    }
}

extension RecordOption {
    /// Applies the values of this option. Throws for a value that the option does not take.
    package func read(_ values: [String], into options: inout RecordOptions) throws(ValueError) {
        let word = values.last ?? ""
        switch self {
        case .types:
            options.types = try parsed { () throws(DataError) in try ColumnType.types(values.joined(separator: ",")) }
        case .dates: options.dates = try parsed { () throws(DataError) in try DateNotations(values) }
        case .nil: options.nilTexts = NilTexts(NilTexts.usual + values)
        case .pattern: options.linePattern = try parsed { () throws(DataError) in try LinePattern(word) }
        case .unmatched:
            let names = LinePattern.Unmatched.allCases.map(\.rawValue).joined(separator: ", ")
            options.linePattern?.unmatched = try choice(word, { .init(rawValue: $0) }, "one of \(names)")
            if options.linePattern == nil { throw ValueError("--unmatched is for lines that --pattern divides") }
        case .parent: options.parentKey = try choice(word, { $0.isEmpty ? nil : $0 }, "a key")
        case .format:
            let names = DataFormat.allCases.map(\.rawValue).joined(separator: ", ")
            options.format = try choice(word, { DataFormat(rawValue: $0) }, "one of \(names)")
        case .delimiter: options.delimiter = try choice(word, Self.delimiter, "one ASCII character or its name")
        case .decimal:
            let words = [",": true, "comma": true, ".": false, "point": false, "dot": false]
            options.hasDecimalComma = try choice(word, { words[$0] }, "a point or a comma")
        case .skip:
            options.skippedLines = try choice(word, { Int($0).flatMap { $0 < 0 ? nil : $0 } }, "a number of lines")
        case .header: options.hasHeader = try choice(word, { ["yes": true, "no": false][$0] }, "yes or no")
        case .ragged: options.hasExtraFields = true
        case .quotes:
            let isLazy = try choice(word, { ["lazy": true, "none": false][$0] }, "lazy or none")
            if isLazy { options.hasLazyQuotes = true } else { options.hasQuotes = false }
        case .path: options.recordsPath = try choice(word, { $0.isEmpty ? nil : $0 }, "a key")
        case .comment:
            options.comment = try choice(word, { $0.isEmpty ? nil : $0 }, "the beginning of a line, such as '#'")
        case .encoding:
            let hints = ["iconv -f \(word) -t UTF-8 rewrites a file"]
            options.encoding = try choice(word, { TextEncoding(name: $0) }, TextEncoding.list, hints: hints)
        }
    }

    private func parsed<Value>(_ read: () throws(DataError) -> Value) throws(ValueError) -> Value {
        do throws(DataError) { return try read() } catch {
            throw ValueError(self == .pattern ? error.message : "--\(rawValue): \(error.message)")
        }
    }

    private func choice<Value>(
        _ word: String, _ read: (String) -> Value?, _ expected: String, hints: [String] = []
    ) throws(ValueError) -> Value {
        if let value = read(word) ?? read(word.lowercased()) { return value }
        throw ValueError("--\(rawValue) takes \(expected), found '\(word)'", hints: hints)
    }

    /// `;`, `tab`
    private static func delimiter(_ word: String) -> UInt8? {
        let names = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "]
        let text = names[word] ?? word
        guard text.utf8.count == 1, let byte = text.utf8.first, byte >= 0x20 || byte == 0x09, byte != 0x22 else {
            return nil
        }
        return byte
    }
}
