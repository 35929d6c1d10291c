import PredicateData
import PredicateSyntax

// JSON of messages, as the values that the project's reader gives and its writer takes.

extension PredicateValue {
    /// A member of an object; nil for other values and for members that are null or missing.
    subscript(member: String) -> PredicateValue? {
        guard case .dictionary(let members) = self, let value = members[member], value != .null else { return nil }
        return value
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a whole number that is not negative: what lines, characters and versions are.
    var count: Int? {
        guard case .integer(let number) = self, number >= 0, number <= Int64(Int32.max) else { return nil }
        return Int(number)
    }

    var list: [PredicateValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var isObject: Bool {
        if case .dictionary = self { true } else { false }
    }

    /// An object without the members that are nil.
    static func object(_ members: [String: PredicateValue?]) -> PredicateValue {
        .dictionary(members.compactMapValues(\.self))
    }
}

/// The bytes of a message: its header and its body.
enum MessageWriter {
    static func bytes(of message: PredicateValue) -> [UInt8] {
        var body: [UInt8] = []
        JSONWriter().write(message, to: &body)
        return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}
