/// An index of an entity.
///
/// `FetchIndexDescription("byDueDate", [.init("due"), .init("name", isAscending: false)], partialIndexPredicate: "done == NO")`
public struct FetchIndexDescription: Hashable, Sendable {
    /// The name, unique in its entity.
    public var name: String
    /// What is indexed, in order.
    public var elements: [FetchIndexElementDescription]
    /// The condition of the objects that the index holds; nil for all.
    public var partialIndexPredicate: ModelPredicate?

    /// Makes an index of a name.
    public init(
        _ name: String, _ elements: [FetchIndexElementDescription], partialIndexPredicate: ModelPredicate? = nil
    ) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicate = partialIndexPredicate
    }
}

/// An element of an index: a property or an expression, with its order.
public struct FetchIndexElementDescription: Hashable, Sendable {
    /// The indexed value.
    public var subject: Subject
    /// The kind of index that it needs.
    public var collation: Collation
    /// A Boolean value that indicates whether lesser values come first.
    public var isAscending: Bool

    /// The indexed value.
    public enum Subject: Hashable, Sendable {
        /// A property of the entity by its name, or a name such as `self` for the object and `entity` for its entity.
        case property(String)
        /// An expression, with the name that a compiled model gives it.
        case expression(ModelExpression)
    }

    /// The kind of index that the element needs.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Collation: Hashable, Sendable {
        /// An ordinary index.
        case binary
        /// An index of regions.
        case rTree
        /// A kind that this version of the library does not know, by its name.
        case unknown(String)

        /// The name in model files: `Binary`
        public var name: String {
            switch self {
            case .binary: "Binary"
            case .rTree: "RTree"
            case .unknown(let name): name
            }
        }

        /// The kind by its name in a model file.
        public init(name: String) {
            self = [Self.binary, .rTree].first { $0.name.lowercased() == name.lowercased() } ?? .unknown(name)
        }
    }

    /// Makes an element of a property or an expression.
    public init(_ subject: Subject, collation: Collation = .binary, isAscending: Bool = true) {
        self.subject = subject
        self.collation = collation
        self.isAscending = isAscending
    }

    /// An element of a property.
    public init(_ property: String, collation: Collation = .binary, isAscending: Bool = true) {
        self.init(.property(property), collation: collation, isAscending: isAscending)
    }
}
