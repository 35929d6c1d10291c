import PredicateSyntax

/// What a model says of the values of an expression.
struct KnownValue {
    /// The sort of one value.
    enum Sort: Equatable {
        /// Nothing is known.
        case unknown
        case null
        case number, boolean, string, date, data, uuid, url
        /// An object of an entity.
        case object(String)
        /// The attributes of a composite type.
        case composite(String)
        /// `$FETCHED_PROPERTY`
        case fetchedProperty
        /// `$FETCHED_PROPERTY.userInfo`
        case userInfo
        /// An object of the language itself: a class, an expression.
        case other

        /// `a number`, `an object of Book`
        var noun: String {
            switch self {
            case .unknown, .other: "a value"
            case .null: "nil"
            case .number: "a number"
            case .boolean: "a Boolean"
            case .string: "a string"
            case .date: "a date"
            case .data: "data"
            case .uuid: "a UUID"
            case .url: "a URL"
            case .object(let entity): "an object of \(entity)"
            case .composite(let name): "a composite \(name)"
            case .fetchedProperty: "the fetched property"
            case .userInfo: "its userInfo"
            }
        }
    }

    var sort: Sort
    /// True where there are several values.
    var isToMany = false
    /// The attribute that the value is of.
    var attribute: AttributeDescription?
    /// The elements of a collection that is written out.
    var elements: [KnownValue]?
    /// The value of a constant.
    var constant: PredicateValue?

    static let unknown = KnownValue(sort: .unknown)
    static let number = KnownValue(sort: .number)

    /// The values of an attribute.
    init(_ attribute: AttributeDescription) {
        self.attribute = attribute
        switch attribute.type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: sort = .number
        case .boolean: sort = .boolean
        case .string: sort = .string
        case .date: sort = .date
        case .binaryData: sort = .data
        case .uuid: sort = .uuid
        case .uri: sort = .url
        case .composite: sort = attribute.compositeName.map(Sort.composite) ?? .unknown
        case .undefined, .transformable, .objectID, .unknown: sort = .unknown
        }
    }

    init(sort: Sort, isToMany: Bool = false, elements: [KnownValue]? = nil) {
        self.sort = sort
        self.isToMany = isToMany
        self.elements = elements
    }

    /// A constant.
    init(_ value: PredicateValue) {
        self.init(sort: Self.sort(of: value))
        constant = value
        let values: [PredicateValue]
        switch value {
        case .array(let list), .orderedSet(let list): values = list
        case .set(let set): values = Array(set)
        case .dictionary(let entries): values = Array(entries.values)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .object,
            .expression, .predicate:
            return
        }
        isToMany = true
        elements = values.map { KnownValue($0) }
    }

    private static func sort(of value: PredicateValue) -> Sort {
        switch value {
        case .null, .nullObject: .null
        case .bool: .boolean
        case .integer, .double, .decimal: .number
        case .string: .string
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .array, .orderedSet, .set, .dictionary, .type, .object, .expression, .predicate: .unknown
        }
    }

    /// One of several values.
    var element: KnownValue {
        var copy = self
        copy.isToMany = false
        return copy
    }

    /// True where nothing is known that a comparison could contradict.
    var isOpen: Bool { sort == .unknown || sort == .null || sort == .other }
}
