import PredicateData
import PredicateJSON
import PredicateSyntax

/// A `.cases` file.
///
///     # a comment is a line of its own
///     case     a comparison respects case by default       [NSP-041]
///     format   name BEGINSWITH %@
///     args     ["jo"]
///     prints   name BEGINSWITH "jo"
///     row      {"name": "joanna"}   true
///     row      {"name": null}       false                  [NSP-044]
///
/// Empty lines separate records. A field is a word and the rest of its line; `Tests/Conformance/Cases/README.md`
/// explains the fields. Unknown fields, repeated titles and records that assert nothing are errors.
struct CaseFile {
    let path: String
    private(set) var records: [CaseRecord] = []
    private let lines: [(number: Int, line: Substring)]
    /// The lines of golden fields, each with the index of its record in ``records``.
    private var goldenLines: [Int: Int] = [:]

    init(path: String, text: String, acceptsEmptyGoldens: Bool = false) throws(ConformanceFileError) {
        self.path = path
        lines = text.numberedLines
        var titles: Set<String> = []
        var schema: CaseSchema?
        for group in lines.split(whereSeparator: { $0.line.isBlank }) {
            let fields = group.filter { !$0.line.isComment }.map(CaseField.init)
            guard let first = fields.first else { continue }
            if first.name == "schema" {
                schema = try CaseSchema(fields, path)
                continue
            }
            let record = try CaseRecordReader(path, acceptsEmptyGoldens, schema).record(fields)
            guard titles.insert(record.title).inserted else {
                throw ConformanceFileError(.duplicate(record.title), path: path, line: first.line)
            }
            for field in fields where field.golden != nil { goldenLines[field.line] = records.count }
            records.append(record)
        }
    }

    /// Returns the contents of the file with current golden fields, and the number of changed lines.
    func rewritten() -> (text: String, changes: Int) {
        var changes = 0
        let texts = lines.map { number, line in
            guard let index = goldenLines[number] else { return String(line) }
            let text = records[index].rewritten(CaseField(number: number, line: line), in: line)
            if !text.hasSameCodePoints(as: String(line)) { changes += 1 }
            return text
        }
        return (texts.joined(separator: "\n"), changes)
    }
}

extension CaseRecord {
    /// Returns a golden line with its current value. It is unchanged if the format is an error, and if the stage is a
    /// gap.
    fileprivate func rewritten(_ field: CaseField, in line: Substring) -> String {
        guard let stage = field.golden, !gaps.contains(stage), let parsed = try? parsed(),
            let text = golden(stage, of: parsed)
        else { return String(line) }
        return field.line(in: line, holding: text, stage: stage)
    }
}

/// One line of a record: a field name and its value.
struct CaseField {
    let line: Int
    let name: Substring
    let value: Substring

    init(number: Int, line text: Substring) {
        line = number
        let content = text.drop(while: \.isWhitespace)
        name = content.prefix { !$0.isWhitespace }
        let rest = content[name.endIndex...].drop(while: \.isWhitespace)
        let end = rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) } ?? rest.startIndex
        value = rest[..<end]
    }

    /// The names of the fields.
    enum Name: String, CaseIterable {
        case `case`, format, expression, api, options, args, vars, prints, tree, substituted, row, error, gap
        case sqlite, postgresql, mariadb, duckdb, spark

        /// Creates the name of a field. A string may be written as JSON, as in `formatjson`.
        init?(_ word: Substring) {
            let plain = word.hasSuffix("json") ? word.dropLast(4) : word
            guard let name = Self(rawValue: String(plain)), plain == word || name.isText else { return nil }
            self = name
        }

        private var isText: Bool {
            switch self {
            case .format, .expression, .prints, .substituted, .sqlite, .postgresql, .mariadb, .duckdb, .spark: true
            case .case, .api, .options, .args, .vars, .tree, .row, .error, .gap: false
            }
        }

        /// True if a record may have several of the field.
        var repeats: Bool {
            switch self {
            case .row, .gap: true
            case .case, .format, .expression, .api, .options, .args, .vars, .prints, .tree, .substituted, .error,
                .sqlite, .postgresql, .mariadb, .duckdb, .spark:
                false
            }
        }

        /// The stage that the field is golden for.
        var golden: CaseStage? {
            switch self {
            case .prints: .prints
            case .tree: .tree
            case .sqlite: .sqlite
            case .postgresql: .postgresql
            case .mariadb: .mariadb
            case .duckdb: .duckdb
            case .spark: .spark
            case .case, .format, .expression, .api, .options, .args, .vars, .substituted, .row, .error, .gap: nil
            }
        }
    }

    /// True if the value is a JSON string.
    var isJSON: Bool { name.hasSuffix("json") }

    /// The stage that the field is golden for.
    var golden: CaseStage? { Name(name)?.golden }

    /// The value, and the statements in brackets after it.
    var cited: (value: Substring, statements: [String]) {
        var rest = value
        var statements: [String] = []
        while let statement = rest.lastStatement {
            statements.insert(String(statement), at: 0)
            rest = rest[..<statement.startIndex].dropLast()
            while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        }
        return (rest, statements)
    }

    /// Returns the line with a new golden value. The spaces around it stay.
    func line(in text: Substring, holding golden: String, stage: CaseStage) -> String {
        let needsJSON = !golden.trimmed.hasSameCodePoints(as: golden) || !golden.onOneLine.hasSameCodePoints(as: golden)
        let newName = stage.rawValue + (needsJSON ? "json" : "")
        let newValue = needsJSON ? JSONWriter().text(of: .string(golden)) : golden
        let indent = text.prefix(while: \.isWhitespace)
        let gap = text[name.endIndex...].prefix(while: \.isWhitespace)
        let width = max(name.count + gap.count, newName.count + 1)
        let end = text.last == "\r" ? "\r" : ""
        return indent + newName + String(repeating: " ", count: width - newName.count) + newValue + end
    }
}

extension Substring {
    /// The statement `NSP-041` of a string that ends in `[NSP-041]`.
    fileprivate var lastStatement: Substring? {
        guard last == "]", let bracket = lastIndex(of: "[") else { return nil }
        let statement = self[index(after: bracket)...].dropLast()
        return statement.hasPrefix("NSP-") ? statement : nil
    }
}
