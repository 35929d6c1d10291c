internal import PredicateEvaluation
import PredicateJSON
import PredicateSQL
package import PredicateSyntax

/// JSON objects stored as strings, read in the same way as JSON files. [NSP-437]
///
/// `predicates_json_text(payload, '{"user","name"}')`. Any other string reads as nil.
package enum StoredJSON {
    /// Returns the members of an object; nil for any other string.
    package static func object(_ text: String) -> [String: PredicateValue]? {
        guard case .dictionary(let members)? = try? JSONReader.parse(text) else { return nil }
        return members
    }

    /// The kind of a member; NULL for nil.
    static func kind(_ call: FunctionCall) { returnKind(of: member(call), [], call) }

    /// The kind of the value at the end of a path, as in memory: a key of an array is looked up in each of its elements.
    static func pathKind(_ call: FunctionCall) {
        let document = document(call)
        guard case .dictionary = document else { return call.returnNull() }
        returnKind(of: document, MemberPath.keys(of: call.text(1))[...], call)
    }

    private static func returnKind(of value: PredicateValue, _ keys: ArraySlice<String>, _ call: FunctionCall) {
        if let kind = kind(of: value, keys) { call.return(kind) } else { call.returnNull() }
    }

    /// Returns "error" if a key is looked up in a value that has no members.
    private static func kind(of value: PredicateValue, _ keys: ArraySlice<String>) -> String? {
        switch value {
        case .dictionary(let members):
            keys.first.map { kind(of: members[exactly: $0] ?? .null, keys.dropFirst()) } ?? "object"
        case .array(let elements):
            !keys.isEmpty && elements.contains { kind(of: $0, keys) == "error" } ? "error" : "array"
        case .string: keys.isEmpty ? "string" : "error"
        case .bool: keys.isEmpty ? "boolean" : "error"
        case .integer, .double, .decimal: keys.isEmpty ? "number" : "error"
        default: nil
        }
    }

    static func text(_ call: FunctionCall) {
        guard case .string(let text) = member(call) else { return call.returnNull() }
        call.return(text)
    }

    /// The double nearest to a number.
    static func number(_ call: FunctionCall) {
        switch member(call) {
        case .integer(let value): call.return(Double(value))
        case .double(let value): call.return(value)
        case .decimal(let value): call.return(Number.decimal(value).doubleValue)
        default: call.returnNull()
        }
    }

    static func boolean(_ call: FunctionCall) {
        guard case .bool(let value) = member(call) else { return call.returnNull() }
        call.return(value)
    }

    /// The elements of an array or the values of an object, each as a JSON string.
    static func elements(_ call: FunctionCall) {
        guard let elements = member(call).elements else { return call.returnNull() }
        let writer = JSONWriter()
        call.return(writer.text(of: .array(elements.map { .string(writer.text(of: $0)) })))
    }

    /// The member at the end of a path. Only an object has members; without keys it is the whole value.
    private static func member(_ call: FunctionCall) -> PredicateValue {
        var value = document(call)
        for key in MemberPath.keys(of: call.text(1)) {
            guard case .dictionary(let members) = value else { return .null }
            value = members[exactly: key] ?? .null
        }
        return value
    }

    private static func document(_ call: FunctionCall) -> PredicateValue {
        guard call.storage(0) == .text, let value = try? JSONReader.parse(call.utf8(0)) else { return .null }
        return value
    }
}
