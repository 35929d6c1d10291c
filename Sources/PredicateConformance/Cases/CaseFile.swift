import PredicateSyntax

/// A `.cases` file.
///
///     # a comment stands on a line of its own
///     case     a comparison respects case by default       [NSP-041]
///     format   name BEGINSWITH %@
///     args     ["jo"]
///     prints   name BEGINSWITH "jo"
///     row      {"name": "joanna"}   true
///     row      {"name": null}       false                  [NSP-044]
///
/// Empty lines divide records; in each, a field is a word and the rest of its line. `Tests/Conformance/Cases/README.md`
/// says what the fields mean. Unknown fields, titles that stand twice and records that assert nothing are errors.
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

    /// The text of the file with today's golden fields, and how many lines that changes.
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
    /// A golden line as it should stand today. One whose format is an error, or that is a gap, stays as it is.
    fileprivate func rewritten(_ field: CaseField, in line: Substring) -> String {
        guard let stage = field.golden, !gaps.contains(stage), let parsed = try? parsed(),
            let text = golden(stage, of: parsed)
        else { return String(line) }
        return field.line(in: line, holding: text, stage: stage)
    }
}
