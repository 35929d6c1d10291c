import PredicateJSON
import PredicateSQL
import PredicateSyntax

/// A line of JSON from the driver of the benchmark.
struct Request {
    private let line: String
    private let members: [String: PredicateValue]

    init(_ line: String) throws {
        guard case .dictionary(let members) = try JSONReader.parse(line) else { throw RequestError(line) }
        self.line = line
        self.members = members
    }

    subscript(_ name: String) -> String? {
        if case .string(let text)? = members[name] { text } else { nil }
    }

    func text(_ name: String) throws(RequestError) -> String {
        guard let text = self[name] else { throw RequestError(line) }
        return text
    }

    func number(_ name: String) -> Int? {
        if case .integer(let number)? = members[name] { Int(number) } else { nil }
    }

    func words(_ name: String) -> [String] {
        guard case .array(let words)? = members[name] else { return [] }
        return words.compactMap { if case .string(let word) = $0 { word } else { nil } }
    }

    var predicate: FormatPredicate {
        get throws { try FormatPredicate(format: try text("format"), arguments: []) }
    }

    /// `{"text": "SELECT …", "values": [["integer", 21]]}`
    var statement: SQLFragment {
        get throws {
            guard case .dictionary(let parts)? = members["statement"], case .string(let text)? = parts["text"],
                case .array(let values)? = parts["values"]
            else { throw RequestError(line) }
            return SQLFragment(verbatim: text, bindings: values.compactMap(SQLBinding.init(answer:)))
        }
    }
}

/// A request that is not one of the protocol.
struct RequestError: Error, CustomStringConvertible {
    let description: String

    init(_ line: String) {
        description = "not a request: \(line.prefix(200))"
    }
}
