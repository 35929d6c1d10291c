public import PredicateSyntax

/// A fetch request of a model: a named template with variables, or the request of a fetched property.
///
///     FetchRequestTemplate("itemsDueBefore", entity: "Item", predicate: "due < $DATE AND done == NO")
///
/// A model file does not keep sort keys; a compiled model may.
public struct FetchRequestTemplate: Hashable, Sendable {
    /// The name, unique in a model.
    public var name: String
    /// The entity to fetch; nil if the model names none, which is a mistake.
    public var entityName: String?
    /// The condition; nil for all objects.
    public var predicate: ModelPredicate?
    /// The sort order.
    public var sortKeys: [SortKey]
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit: Int
    /// The number of objects to skip.
    package var fetchOffset = 0
    /// The number of objects to load at a time; 0 for all.
    package var fetchBatchSize = 0
    /// The type of the results.
    package var resultType = ResultType.managedObject
    /// A Boolean value that indicates whether objects of subentities are included.
    package var includesSubentities = true
    /// A Boolean value that indicates whether property values are loaded with the objects.
    package var includesPropertyValues = true
    /// A Boolean value that indicates whether unsaved changes are considered.
    package var includesPendingChanges = true
    /// A Boolean value that indicates whether property values are loaded on first access.
    package var returnsObjectsAsFaults = true
    /// A Boolean value that indicates whether equal dictionaries are returned once.
    package var returnsDistinctResults = false
    /// The key paths in a dictionary result; empty for all properties.
    package var propertiesToFetch: [String] = []
    /// The key paths by which a dictionary result is grouped.
    package var propertiesToGroupBy: [String] = []
    /// The condition on groups; nil for all groups.
    package var havingPredicate: ModelPredicate?
    /// The attributes of the XML element that have no property here.
    package var editorAttributes: [String: String] = [:]

    /// The types of results. The raw value is the number in compiled models.
    package enum ResultType: Int, Hashable, Sendable, CaseIterable {
        /// Objects.
        case managedObject = 0
        /// Identities of objects.
        case managedObjectID = 1
        /// Dictionaries of values.
        case dictionary = 2
        /// The number of objects.
        case count = 4
    }

    /// Creates a fetch request.
    public init(
        _ name: String, entity entityName: String?, predicate: ModelPredicate? = nil, sortKeys: [SortKey] = [],
        fetchLimit: Int = 0
    ) {
        self.name = name
        self.entityName = entityName
        self.predicate = predicate
        self.sortKeys = sortKeys
        self.fetchLimit = fetchLimit
    }
}

/// A fetched property: the objects that a fetch request finds for an object. It is one-way and read-only.
///
/// `FetchedPropertyDescription("sameAuthor", entity: "Book", predicate: "author == $FETCH_SOURCE.author")`
///
/// `$FETCH_SOURCE` is the object, `$FETCHED_PROPERTY` is this description.
public struct FetchedPropertyDescription: Hashable, Sendable {
    /// The name, which is a key of the objects.
    public var name: String
    /// The request; nil if the model has none, which is a mistake.
    public var fetchRequest: FetchRequestTemplate?
    /// A Boolean value that indicates whether the result may be empty.
    public var isOptional: Bool
    /// Custom data, which the predicate can read as `$FETCHED_PROPERTY.userInfo`.
    public var userInfo: [String: PredicateValue]
    /// The attributes of the XML element that have no property here, such as `syncable`.
    package var editorAttributes: [String: String] = [:]

    /// Creates a fetched property with a request.
    public init(
        _ name: String, fetchRequest: FetchRequestTemplate?, isOptional: Bool = true,
        userInfo: [String: PredicateValue] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.userInfo = userInfo
    }

    /// Creates a fetched property with a condition.
    public init(_ name: String, entity: String, predicate: ModelPredicate?, isOptional: Bool = true) {
        self.init(
            name,
            fetchRequest: FetchRequestTemplate("fetchedPropertyFetchRequest", entity: entity, predicate: predicate),
            isOptional: isOptional)
    }
}

/// A predicate of a model: the format string of a model file, or the tree of a compiled model.
///
/// `"due < $DATE AND done == NO"`
///
/// An invalid format is kept, so that a model with a mistake can be read and checked. Predicates are equal if their
/// trees are; invalid formats are equal if their code points are.
public struct ModelPredicate: Hashable, Sendable {
    private let text: ParsedText<FormatPredicate>

    /// The format of the file or, for a tree, its printed form.
    public var format: String { text.format }

    /// Creates a predicate from a format without arguments, as in a model file. `$name` remains a variable.
    public init(_ format: String) {
        text = ParsedText(format) { (text) throws(PredicateFormatError) in
            try FormatPredicate(format: text, arguments: [])
        }
    }

    /// Creates a predicate from one that is already parsed or was built from nodes.
    public init(_ predicate: FormatPredicate) {
        text = ParsedText(predicate.source?.text ?? predicate.predicateFormat, predicate)
    }

    /// Returns the predicate.
    /// - Throws: `PredicateFormatError` if the format is invalid.
    public func predicate() throws(PredicateFormatError) -> FormatPredicate { try text.parsed.get() }
}

/// An expression of a model: the format string of a model file, or the tree of a compiled model.
///
/// `"books.@count"`, `"canonical:(name)"`
///
/// An invalid format is kept, as in a ``ModelPredicate``.
public struct ModelExpression: Hashable, Sendable {
    private let text: ParsedText<FormatExpression>

    /// The format of the file or, for a tree, its printed form.
    public var format: String { text.format }

    /// Creates an expression from a format, as in a model file.
    public init(_ format: String) {
        text = ParsedText(format) { (text) throws(PredicateFormatError) in
            try FormatExpression(format: text, arguments: [])
        }
    }

    /// Creates an expression from one that is already parsed or was built from nodes.
    public init(_ expression: FormatExpression) {
        text = ParsedText(expression.source?.text ?? expression.expressionFormat, expression)
    }

    /// Returns the expression.
    /// - Throws: `PredicateFormatError` if the format is invalid.
    public func expression() throws(PredicateFormatError) -> FormatExpression { try text.parsed.get() }
}

extension ModelPredicate: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { format }
}

extension ModelExpression: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }

    public var description: String { format }
}

/// A format and the result of parsing it. Valid formats are compared by their trees, invalid ones as strings.
private struct ParsedText<Parsed: Hashable & Sendable>: Hashable, Sendable {
    let format: String
    let parsed: Result<Parsed, PredicateFormatError>

    init(_ format: String, _ parsed: Parsed) {
        self.format = format
        self.parsed = .success(parsed)
    }

    init(_ format: String, parse: (String) throws(PredicateFormatError) -> Parsed) {
        self.format = format
        do throws(PredicateFormatError) { parsed = .success(try parse(format)) } catch { parsed = .failure(error) }
    }

    static func == (left: Self, right: Self) -> Bool {
        switch (left.parsed, right.parsed) {
        case (.success(let left), .success(let right)): left == right
        case (.failure, .failure): left.format.hasSameCodePoints(as: right.format)
        case (.success, .failure), (.failure, .success): false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch parsed {
        case .success(let parsed): hasher.combine(parsed)
        case .failure: hasher.combine(ExactName(format))
        }
    }
}
