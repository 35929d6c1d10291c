import PredicateSyntax

/// The kind of a value, as far as comparisons distinguish values.
package enum ValueKind: String, Hashable, Sendable, CaseIterable {
    case number
    case boolean
    case string
    case date
    case data
    case uuid = "UUID"
    case url = "URL"
    case array
    case dictionary
    case other = "object"

    /// Creates the kind of a constant; nil for nil.
    package init?(_ value: PredicateValue) {
        switch value {
        case .null, .nullObject: return nil
        case .bool: self = .boolean
        case .integer, .double, .decimal: self = .number
        case .string: self = .string
        case .date: self = .date
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case .array, .set, .orderedSet: self = .array
        case .dictionary: self = .dictionary
        case .type, .object, .expression, .predicate: self = .other
        }
    }

    /// Returns true if values of the two kinds can be equal.
    package func canEqual(_ other: ValueKind) -> Bool {
        self == other || self == .other || other == .other
            || Set([self, other]) == [.number, .boolean]
    }

    /// `a number`, `an array`
    package var noun: String {
        switch self {
        case .array, .other: "an \(rawValue)"
        case .number, .boolean, .string, .date, .data, .uuid, .url, .dictionary: "a \(rawValue)"
        }
    }
}
