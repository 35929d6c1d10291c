public import PredicateSyntax

/// A fetch request of a model: by its name a template with variables, or the request of a fetched property.
///
///     FetchRequestTemplate("itemsDueBefore", entity: "Item", predicate: "due < $DATE AND done == NO")
///
/// A model file keeps no sort keys; a compiled model may.
public struct FetchRequestTemplate: Hashable, Sendable {
    /// The name, unique in a model, by which the request is looked up.
    public var name: String
    /// The entity that is searched; nil where the model names none, which is a mistake.
    public var entityName: String?
    /// The condition; nil for all objects.
    public var predicate: ModelPredicate?
    /// The order of the objects.
    public var sortKeys: [SortKey]
    /// The greatest number of objects; 0 for any number.
    public var fetchLimit: Int
    /// The number of objects that are left out at the beginning.
    public var fetchOffset: Int
    /// The number of objects that are loaded at a time; 0 for all.
    public var fetchBatchSize: Int
    /// What the fetch gives.
    public var resultType: ResultType
    /// A Boolean value that indicates whether objects of subentities are found.
    public var includesSubentities: Bool
    /// A Boolean value that indicates whether values are read with the objects.
    public var includesPropertyValues: Bool
    /// A Boolean value that indicates whether changes that are not saved count.
    public var includesPendingChanges: Bool
    /// A Boolean value that indicates whether values wait until they are asked for.
    public var returnsObjectsAsFaults: Bool
    /// A Boolean value that indicates whether equal dictionaries are given once.
    public var returnsDistinctResults: Bool
    /// The key paths of a dictionary result; empty for all.
    public var propertiesToFetch: [String]
    /// The key paths that a dictionary result is grouped by.
    public var propertiesToGroupBy: [String]
    /// The condition of a group; nil for all.
    public var havingPredicate: ModelPredicate?
    /// The attributes of the source's element that have no property here.
    public var editorAttributes: [String: String]

    /// The kind of results of a fetch; the raw value is the number of compiled models.
    public enum ResultType: Int, Hashable, Sendable, CaseIterable {
        /// Objects.
        case managedObject = 0
        /// Identities of objects.
        case managedObjectID = 1
        /// Dictionaries of values.
        case dictionary = 2
        /// The number of objects.
        case count = 4
    }

    /// Makes a fetch request of a name.
    public init(
        _ name: String, entity entityName: String?, predicate: ModelPredicate? = nil, sortKeys: [SortKey] = [],
        fetchLimit: Int = 0, fetchOffset: Int = 0, fetchBatchSize: Int = 0, resultType: ResultType = .managedObject,
        includesSubentities: Bool = true, includesPropertyValues: Bool = true, includesPendingChanges: Bool = true,
        returnsObjectsAsFaults: Bool = true, returnsDistinctResults: Bool = false, propertiesToFetch: [String] = [],
        propertiesToGroupBy: [String] = [], havingPredicate: ModelPredicate? = nil,
        editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.entityName = entityName
        self.predicate = predicate
        self.sortKeys = sortKeys
        self.fetchLimit = fetchLimit
        self.fetchOffset = fetchOffset
        self.fetchBatchSize = fetchBatchSize
        self.resultType = resultType
        self.includesSubentities = includesSubentities
        self.includesPropertyValues = includesPropertyValues
        self.includesPendingChanges = includesPendingChanges
        self.returnsObjectsAsFaults = returnsObjectsAsFaults
        self.returnsDistinctResults = returnsDistinctResults
        self.propertiesToFetch = propertiesToFetch
        self.propertiesToGroupBy = propertiesToGroupBy
        self.havingPredicate = havingPredicate
        self.editorAttributes = editorAttributes
    }
}

/// A fetched property: the objects that a fetch request finds for an object, weakly and one way.
///
/// `FetchedPropertyDescription("sameAuthor", entity: "Book", predicate: "author == $FETCH_SOURCE.author")`
///
/// `$FETCH_SOURCE` stands for the object, `$FETCHED_PROPERTY` for this description.
public struct FetchedPropertyDescription: Hashable, Sendable {
    /// The name, which is a key of the objects.
    public var name: String
    /// The request; nil where the model has none, which is a mistake.
    public var fetchRequest: FetchRequestTemplate?
    /// A Boolean value that indicates whether it may find nothing.
    public var isOptional: Bool
    /// What its predicate reads as `$FETCHED_PROPERTY.userInfo`.
    public var userInfo: [String: PredicateValue]
    /// The attributes of the source's element that have no property here, such as `syncable`.
    public var editorAttributes: [String: String]

    /// Makes a fetched property of a request.
    public init(
        _ name: String, fetchRequest: FetchRequestTemplate?, isOptional: Bool = true,
        userInfo: [String: PredicateValue] = [:], editorAttributes: [String: String] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.userInfo = userInfo
        self.editorAttributes = editorAttributes
    }

    /// A fetched property of a condition.
    public init(_ name: String, entity: String, predicate: ModelPredicate?, isOptional: Bool = true) {
        self.init(
            name,
            fetchRequest: FetchRequestTemplate("fetchedPropertyFetchRequest", entity: entity, predicate: predicate),
            isOptional: isOptional)
    }
}
