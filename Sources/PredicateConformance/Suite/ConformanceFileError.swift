/// An error in a file of conformance data, with its line.
///
/// `operators.cases:12: unknown field 'rows'`
package struct ConformanceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, named by what was expected or violated.
    package enum Code: Hashable, Sendable {
        /// A file that does not open, with the message of the system
        case unreadable(String)
        /// Invalid UTF-8
        case notUTF8
        /// `{"id": }`
        case notJSON(String)
        /// A JSON line with neither `expect` nor `arguments`
        case unknownKind
        /// An id or a title that an earlier case has
        case duplicate(String)
        /// `rows {} true`
        case unknownField(String)
        /// A second `format` in one record
        case repeatedField(String)
        /// A record without `format`
        case missingField(String)
        /// `row {} maybe`: the field, and its expected form
        case invalidField(String, expected: String)
        /// A record that asserts nothing
        case noStages
        /// `prints` beside `error`
        case contradictingFields(String, String)
        /// A line of exceptions without a reason
        case exceptionWithoutReason(String)
    }

    package let code: Code
    package let path: String
    /// The line number, from 1; nil for an error of the whole file.
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
        case .notUTF8: "is no UTF-8 text"
        case .notJSON(let reason): "no JSON: \(reason)"
        case .unknownKind: "a row has either 'expect' or 'arguments'"
        case .duplicate(let id): "'\(id)' stands twice"
        case .unknownField(let name): "unknown field '\(name)'"
        case .repeatedField(let name): "'\(name)' stands twice in one record"
        case .missingField(let name): "a record needs '\(name)'"
        case .invalidField(let name, let expected): "'\(name)' should be \(expected)"
        case .noStages: "the record asserts nothing"
        case .contradictingFields(let first, let second): "'\(first)' and '\(second)' exclude each other"
        case .exceptionWithoutReason(let id): "the exception '\(id)' needs a reason"
        }
    }
}
