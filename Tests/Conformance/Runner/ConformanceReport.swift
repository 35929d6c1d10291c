/// The results of a run of conformance data.
///
/// `report.summary` is `912 passed, 1 failed, 2 skipped`. Each difference is one line: `dd-004: expected …`.
package struct ConformanceReport: Hashable, Sendable {
    /// A line about a case: `dd-004: expected false, found true`.
    package struct Line: Hashable, Sendable, CustomStringConvertible {
        package let id: String
        package let message: String

        package init(id: String, message: String) {
            self.id = id
            self.message = message.onOneLine
        }

        package var description: String { "\(id): \(message)" }
    }

    /// The number of cases that passed.
    package private(set) var passed = 0
    /// The number of cases that failed. Each has at least one line in ``failures``.
    package private(set) var failed = 0
    /// The differences between expected and found values.
    package private(set) var failures: [Line] = []
    /// The cases that assert nothing certain, with the reasons.
    package private(set) var skipped: [Line] = []
    /// The listed exceptions that failed, with the reasons from the list.
    package private(set) var excepted: [Line] = []

    package init() {}

    /// A Boolean value that indicates whether no case failed.
    package var isSuccess: Bool { failed == 0 }

    /// `912 passed, 1 failed, 2 skipped`, and `1 excepted` if there are exceptions.
    package var summary: String {
        let exceptions = excepted.isEmpty ? "" : ", \(excepted.count) excepted"
        return "\(passed) passed, \(failed) failed, \(skipped.count) skipped\(exceptions)"
    }

    /// Adds the results of another run.
    package mutating func merge(_ other: ConformanceReport) {
        passed += other.passed
        failed += other.failed
        failures += other.failures
        skipped += other.skipped
        excepted += other.excepted
    }

    /// Adds the verdict on a case.
    mutating func record(_ verdict: Verdict, of id: String, exception reason: String?) {
        switch verdict {
        case .passed where reason != nil: fail(id, ["listed as an exception, yet it passes"])
        case .passed: passed += 1
        case .skipped(let why): skipped.append(Line(id: id, message: why))
        case .failed(let messages):
            guard let reason else { return fail(id, messages) }
            excepted.append(Line(id: id, message: reason))
        }
    }

    private mutating func fail(_ id: String, _ messages: [String]) {
        failed += 1
        failures += messages.map { Line(id: id, message: $0) }
    }
}

extension String {
    /// The string with its line ends written as `\n`.
    var onOneLine: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Cases that are known to fail, each with the reason: `ps-033 raises there; Apple compares …`.
///
/// Each line is an id, white space and the reason. Empty lines and lines that begin with `#` are ignored. A listed
/// case must fail, so that exceptions are removed when they are no longer needed.
package struct ExceptionList: Hashable, Sendable {
    private var reasons: [String: String] = [:]

    /// Creates an empty list.
    package init() {}

    /// Reads the exceptions of a file.
    package static func load(path: String) throws(ConformanceFileError) -> ExceptionList {
        try ExceptionList(path: path, text: try ConformanceSuite.text(ofFile: path))
    }

    /// Parses the exceptions in a string. `path` is for errors.
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

    /// The listed ids, sorted.
    package var ids: [String] { reasons.keys.sorted() }

    /// Returns the reason why a case fails; nil if it is not listed.
    package func reason(for id: String) -> String? {
        reasons[id]
    }

    /// Returns the listed ids that no case of a run has.
    package func idsMissing(from report: ConformanceReport) -> [String] {
        let met = Set((report.excepted + report.failures + report.skipped).map(\.id))
        return ids.filter { !met.contains($0) }
    }
}

/// An error in a file of conformance data, with its line.
///
/// `operators.cases:12: unknown field 'rows'`
package struct ConformanceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, named after what is wrong.
    package enum Code: Hashable, Sendable {
        /// The file cannot be read, with the message of the system
        case unreadable(String)
        /// Invalid UTF-8
        case notUTF8
        /// `{"id": }`
        case notJSON(String)
        /// A JSON row with neither `expect` nor `arguments`
        case unknownKind
        /// An id or a title that an earlier case has
        case duplicate(String)
        /// `rows {} true`
        case unknownField(String)
        /// A second `format` in one record
        case repeatedField(String)
        /// A record without `format`
        case missingField(String)
        /// `row {} maybe`: the field and its expected form
        case invalidField(String, expected: String)
        /// A record that asserts nothing
        case noStages
        /// `prints` together with `error`
        case contradictingFields(String, String)
        /// An exception without a reason
        case exceptionWithoutReason(String)
    }

    package let code: Code
    package let path: String
    /// The line number, counted from 1; nil for an error of the whole file.
    package let line: Int?

    package init(_ code: Code, path: String, line: Int? = nil) {
        self.code = code
        self.path = path
        self.line = line
    }

    package var description: String {
        path + (line.map { ":\($0)" } ?? "") + ": " + message
    }

    private var message: String {
        switch code {
        case .unreadable(let reason): reason
        case .notUTF8: "the file is not valid UTF-8"
        case .notJSON(let reason): "invalid JSON: \(reason)"
        case .unknownKind: "a row has either 'expect' or 'arguments'"
        case .duplicate(let id): "'\(id)' occurs twice"
        case .unknownField(let name): "unknown field '\(name)'"
        case .repeatedField(let name): "'\(name)' occurs twice in one record"
        case .missingField(let name): "a record needs '\(name)'"
        case .invalidField(let name, let expected): "'\(name)' should be \(expected)"
        case .noStages: "the record asserts nothing"
        case .contradictingFields(let first, let second): "'\(first)' and '\(second)' exclude each other"
        case .exceptionWithoutReason(let id): "the exception '\(id)' needs a reason"
        }
    }
}
