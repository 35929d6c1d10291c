import PredicateData
import PredicateSyntax

/// Files with a JSON object on each line: facts and corpora.
struct JSONLines {
    private(set) var cases: [any ConformanceCase] = []
    private let path: String
    private var ids: Set<String> = []

    init(path: String, text: String) throws(ConformanceFileError) {
        self.path = path
        for (number, line) in text.numberedLines where !line.isBlank {
            cases.append(try row(String(line), number))
        }
    }

    private mutating func row(_ text: String, _ line: Int) throws(ConformanceFileError) -> any ConformanceCase {
        let fields = try object(text, line)
        let lineID = "\(path.lastPathComponent):\(line)"
        if fields["expect"] != nil {
            let id = fields["id"]?.text ?? lineID
            guard ids.insert(id).inserted else { throw ConformanceFileError(.duplicate(id), path: path, line: line) }
            do { return try FactCase(id: id, fields) } catch { return UnreadableCase(id: id, problem: error.message) }
        }
        guard fields["arguments"] != nil else { throw ConformanceFileError(.unknownKind, path: path, line: line) }
        do {
            return try CorpusRow(id: lineID, fields)
        } catch {
            return UnreadableCase(id: lineID, problem: error.message)
        }
    }

    private func object(_ text: String, _ line: Int) throws(ConformanceFileError) -> [String: PredicateValue] {
        let value: PredicateValue
        do {
            value = try JSONReader.parse(text)
        } catch {
            throw ConformanceFileError(.notJSON("\(error.message), column \(error.column)"), path: path, line: line)
        }
        guard let fields = value.entries else {
            throw ConformanceFileError(.notJSON("a row is an object"), path: path, line: line)
        }
        return fields
    }
}

extension String {
    /// The part after the last slash.
    var lastPathComponent: String {
        split(separator: "/").last.map(String.init) ?? self
    }
}
