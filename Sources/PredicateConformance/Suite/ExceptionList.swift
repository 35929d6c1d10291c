/// Cases that are known to fail, each with the reason: `ps-033 raises there; Apple compares …`.
///
/// One per line: the id, blanks, the reason. Empty lines and lines that begin with `#` are ignored.
/// A listed case must fail, so that an exception that is no longer needed is noticed.
package struct ExceptionList: Hashable, Sendable {
    private var reasons: [String: String] = [:]

    /// No exceptions.
    package init() {}

    /// The exceptions of a file.
    package static func load(path: String) throws(ConformanceFileError) -> ExceptionList {
        try ExceptionList(path: path, text: try ConformanceSuite.text(ofFile: path))
    }

    /// The exceptions of a text, as of a file with that name.
    package init(path: String, text: String) throws(ConformanceFileError) {
        for (number, line) in text.numberedLines where !line.isBlank && !line.isComment {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let id = words.first.map(String.init) else { continue }
            guard words.count == 2, !words[1].isBlank else {
                throw ConformanceFileError(.exceptionWithoutReason(id), path: path, line: number)
            }
            guard reasons.updateValue(words[1].trimmed, forKey: id) == nil else {
                throw ConformanceFileError(.duplicate(id), path: path, line: number)
            }
        }
    }

    /// The listed ids, in order.
    package var ids: [String] { reasons.keys.sorted() }

    /// The reason for which a case fails; nil if it is not listed.
    package func reason(for id: String) -> String? {
        reasons[id]
    }

    /// The listed ids without a case in a run.
    package func idsMissing(from report: ConformanceReport) -> [String] {
        let met = Set((report.excepted + report.failures + report.skipped).map(\.id))
        return ids.filter { !met.contains($0) }
    }
}
