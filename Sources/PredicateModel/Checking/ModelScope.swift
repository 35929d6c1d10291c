import PredicateSyntax

/// What the keys and the variables of a predicate stand for.
struct ModelScope {
    let model: ManagedObjectModel
    /// `SELF`
    var subject: KnownValue
    /// Variables with a known value; others may have any.
    var variables: [String: KnownValue] = [:]
    /// The entries of `$FETCHED_PROPERTY.userInfo`; nil outside of a fetched property.
    var userInfo: [String: PredicateValue]?
    /// True for what a store is asked, which has no columns for transient properties.
    var isFetch = false

    /// Objects of an entity.
    init(_ model: ManagedObjectModel, entity: String) {
        self.model = model
        subject = KnownValue(sort: .object(entity))
    }

    /// Values of an attribute, which a validation rule is about.
    init(_ model: ManagedObjectModel, attribute: AttributeDescription) {
        self.model = model
        subject = KnownValue(attribute)
    }

    /// The scope with the variables of a fetched property of an entity.
    func forFetchedProperty(_ property: FetchedPropertyDescription, of entity: String) -> ModelScope {
        var copy = self
        copy.variables["FETCH_SOURCE"] = KnownValue(sort: .object(entity))
        copy.variables["FETCHED_PROPERTY"] = KnownValue(sort: .fetchedProperty)
        copy.userInfo = property.userInfo
        return copy
    }

    /// Keys that every managed object has beside its properties.
    static let keysOfObjects: Set = [
        "self", "objectID", "entity", "class", "superclass", "description", "hash", "managedObjectContext",
        "hasChanges", "hasPersistentChangedValues", "isInserted", "inserted", "isUpdated", "updated", "isDeleted",
        "deleted", "isFault", "fault", "faultingState",
    ]

    /// Keys that values have beside those of a model: `name.length`, `born.timeIntervalSince1970`.
    static func keys(of sort: KnownValue.Sort) -> Set<String>? {
        switch sort {
        case .string:
            [
                "length", "uppercaseString", "lowercaseString", "capitalizedString", "localizedUppercaseString",
                "localizedLowercaseString", "localizedCapitalizedString", "intValue", "integerValue", "longLongValue",
                "floatValue", "doubleValue", "boolValue", "lastPathComponent", "pathExtension", "pathComponents",
                "stringByDeletingPathExtension", "stringByDeletingLastPathComponent", "description", "hash", "class",
                "self",
            ]
        case .number, .boolean:
            [
                "stringValue", "intValue", "integerValue", "longValue", "longLongValue", "shortValue", "charValue",
                "floatValue", "doubleValue", "boolValue", "decimalValue", "unsignedIntegerValue", "unsignedIntValue",
                "description", "hash", "class", "self",
            ]
        case .date:
            [
                "timeIntervalSince1970", "timeIntervalSinceReferenceDate", "timeIntervalSinceNow", "description",
                "hash", "class", "self",
            ]
        case .data: ["length", "bytes", "description", "hash", "class", "self"]
        case .uuid: ["UUIDString", "uuidString", "description", "hash", "class", "self"]
        case .url:
            [
                "absoluteString", "relativeString", "host", "path", "scheme", "query", "fragment", "port", "user",
                "lastPathComponent", "pathExtension", "pathComponents", "description", "hash", "class", "self",
            ]
        case .unknown, .null, .object, .composite, .fetchedProperty, .userInfo, .other: nil
        }
    }
}
