extension PredicateValue {
    /// The kind of a value, as far as comparisons tell values apart.
    ///
    /// `age == "18"` compares a ``number`` with a ``string``, which are never equal; `age > "18"` is an error.
    ///
    /// nil has no kind, since keys of every kind may hold it. Whole and fractional numbers are one kind, arrays and sets
    /// are one. What stores values (columns of CSV, attributes of a model, columns of a database) has types of its own,
    /// each of which says the kind of its values.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// `21`, `2.5`, `CAST("1.10", "NSDecimalNumber")`
        case number
        /// `YES`
        case boolean
        /// `"jo"`
        case string
        /// `CAST(0, "NSDate")`
        case date
        /// `CAST("aGk=", "NSData")`
        case data
        /// `CAST("137DECC8-B300-4954-A233-F89909F4FD89", "NSUUID")`
        case uuid = "UUID"
        /// `CAST("https://swift.org", "NSURL")`
        case url = "URL"
        /// `{1, 2}`, a set
        case array
        /// A dictionary
        case dictionary
        /// An object of the host, a class, a predicate or an expression
        case object

        /// True if values of the two kinds can be equal: those of one kind, numbers and Booleans, and objects, which have
        /// an equality of their own.
        public func canEqual(_ other: Kind) -> Bool {
            if self == other || self == .object || other == .object { return true }
            return (self == .number && other == .boolean) || (self == .boolean && other == .number)
        }

        /// True if `<` and `>` have a meaning between values of the kind.
        public var isOrdered: Bool {
            switch self {
            case .number, .boolean, .string, .date: true
            case .data, .uuid, .url, .array, .dictionary, .object: false
            }
        }

        /// `a number`, `an array`
        package var noun: String {
            switch self {
            case .data: rawValue
            case .array, .object: "an \(rawValue)"
            case .boolean: "a Boolean"
            case .number, .string, .date, .uuid, .url, .dictionary: "a \(rawValue)"
            }
        }

        /// `numbers`, `dictionaries`
        fileprivate var plural: String {
            switch self {
            case .data: rawValue
            case .boolean: "Booleans"
            case .dictionary: "dictionaries"
            case .number, .string, .date, .uuid, .url, .array, .object: rawValue + "s"
            }
        }
    }

    /// The kind of the value; nil for `nil`.
    public var kind: Kind? {
        switch self {
        case .null, .nullObject: nil
        case .bool: .boolean
        case .integer, .double, .decimal: .number
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .array, .set, .orderedSet: .array
        case .dictionary: .dictionary
        case .type, .object, .expression, .predicate: .object
        }
    }

    /// The elements of an array or a set, the values of a dictionary in the order of its keys; nil for other values.
    package var elements: [PredicateValue]? {
        switch self {
        case .array(let values), .orderedSet(let values): values
        case .set(let values): Array(values)
        case .dictionary(let members): members.sorted { $0.key < $1.key }.map(\.value)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            nil
        }
    }
}

extension Set<PredicateValue.Kind> {
    /// True if a value of these kinds can equal a value of other kinds.
    package func canEqual(_ others: Set<PredicateValue.Kind>) -> Bool {
        contains { kind in others.contains { kind.canEqual($0) } }
    }

    /// `a number`, `a number or a string`
    package var noun: String {
        sorted { $0.rawValue < $1.rawValue }.map(\.noun).joined(separator: " or ")
    }

    /// `numbers`, `numbers or strings`
    package var plural: String {
        sorted { $0.rawValue < $1.rawValue }.map(\.plural).joined(separator: " or ")
    }
}
