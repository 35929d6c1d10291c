import PredicateSyntax

/// An error in the data of a case.
struct DataProblem: Error, Hashable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension PredicateValue {
    /// The text of a JSON string.
    var text: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of a JSON array.
    var list: [PredicateValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of a JSON object.
    var entries: [String: PredicateValue]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    var truth: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// A whole number.
    var wholeNumber: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .double(let value): Int(exactly: value)
        case .null, .nullObject, .bool, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .dictionary, .expression, .predicate:
            nil
        }
    }

    /// A number with a fraction.
    var realNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .null, .nullObject, .bool, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet,
            .object, .dictionary, .expression, .predicate:
            nil
        }
    }

    var isAbsent: Bool {
        if case .null = self { true } else { false }
    }
}

/// The members of a JSON object, read with their expected types.
struct JSONFields {
    private let members: [String: PredicateValue]

    init(_ members: [String: PredicateValue]) {
        self.members = members
    }

    /// A member; one that is null counts as absent.
    subscript(name: String) -> PredicateValue? {
        members[name].flatMap { $0.isAbsent ? nil : $0 }
    }

    /// An optional member of an expected type.
    func optional<Value>(_ name: String, _ type: String, _ read: (PredicateValue) -> Value?) throws(DataProblem)
        -> Value?
    {
        guard let member = self[name] else { return nil }
        guard let value = read(member) else { throw DataProblem("'\(name)' should be \(type)") }
        return value
    }

    /// A required member.
    func required<Value>(_ name: String, _ type: String, _ read: (PredicateValue) -> Value?) throws(DataProblem)
        -> Value
    {
        guard let value = try optional(name, type, read) else { throw DataProblem("'\(name)' is missing") }
        return value
    }

    func text(_ name: String) throws(DataProblem) -> String? {
        try optional(name, "a string", \.text)
    }
}
