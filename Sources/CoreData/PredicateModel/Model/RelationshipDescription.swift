public import PredicateSyntax

/// A relationship from an object to objects of another entity.
///
///     .toOne("category", "Category", inverse: "items")
///     .toMany("items", "Item", inverse: "category", deleteRule: .cascade, isOrdered: true)
public struct RelationshipDescription: Hashable, Sendable {
    /// The name, which is a key of the objects.
    public var name: String
    /// The destination entity; nil if the model names none, which is a mistake.
    public var destinationEntityName: String?
    /// The inverse relationship; nil if there is none.
    public var inverseName: String?
    /// The entity of the inverse, if the source names it: the destination or an ancestor of it.
    public var inverseEntityName: String?
    /// A Boolean value that indicates whether the relationship is to-many.
    public var isToMany: Bool
    /// A Boolean value that indicates whether the related objects are ordered.
    public var isOrdered: Bool
    /// The minimum number of related objects. An optional relationship may also have none.
    public var minimumCount: Int
    /// The maximum number of related objects: 0 for no limit, 1 for a to-one relationship.
    public var maximumCount: Int
    /// The effect on the related objects when the object is deleted.
    public var deleteRule: ModelDeleteRule
    /// A Boolean value that indicates whether the relationship may be nil or empty.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the relationship is not stored.
    public var isTransient: Bool
    /// A Boolean value that indicates whether the relationship has an index of the old form.
    public var isIndexed: Bool
    /// The name of the relationship in an older version; nil if it did not change.
    public var renamingIdentifier: String?
    /// A string that changes the version hash although nothing else differs.
    public var versionHashModifier: String?
    /// Custom data of the app.
    public var userInfo: [String: PredicateValue]
    /// The attributes of the XML element that have no property here, such as `syncable`.
    package var editorAttributes: [String: String] = [:]

    /// Creates a relationship; ``toOne(_:_:inverse:deleteRule:isOptional:renamingIdentifier:)`` is shorter.
    public init(
        _ name: String, destination destinationEntityName: String?, isToMany: Bool, isOrdered: Bool = false,
        inverse inverseName: String? = nil, inverseEntity inverseEntityName: String? = nil, minimumCount: Int = 0,
        maximumCount: Int? = nil, deleteRule: ModelDeleteRule = .nullify, isOptional: Bool = true,
        isTransient: Bool = false, isIndexed: Bool = false, renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: PredicateValue] = [:]
    ) {
        self.name = name
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.inverseEntityName = inverseEntityName
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
        self.deleteRule = deleteRule
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.isIndexed = isIndexed
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }

    /// Creates a to-one relationship: `.toOne("category", "Category", inverse: "items")`
    public static func toOne(
        _ name: String, _ destination: String, inverse: String? = nil, deleteRule: ModelDeleteRule = .nullify,
        isOptional: Bool = true, renamingIdentifier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, destination: destination, isToMany: false, inverse: inverse,
            inverseEntity: inverse.map { _ in destination }, deleteRule: deleteRule, isOptional: isOptional,
            renamingIdentifier: renamingIdentifier)
    }

    /// Creates a to-many relationship: `.toMany("items", "Item", inverse: "category")`
    public static func toMany(
        _ name: String, _ destination: String, inverse: String? = nil, deleteRule: ModelDeleteRule = .nullify,
        isOrdered: Bool = false, isOptional: Bool = true, renamingIdentifier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, destination: destination, isToMany: true, isOrdered: isOrdered, inverse: inverse,
            inverseEntity: inverse.map { _ in destination }, deleteRule: deleteRule, isOptional: isOptional,
            renamingIdentifier: renamingIdentifier)
    }

    /// The name that is the same in all versions: the renaming identifier or, without one, the name.
    package var canonicalName: String { renamingIdentifier ?? name }
}

/// The effect of deleting an object on its related objects.
///
/// The raw value is the number in compiled models.
public enum ModelDeleteRule: Int, Hashable, Sendable, CaseIterable {
    /// They do not change.
    case noAction = 0
    /// Their references to the deleted object become nil.
    case nullify = 1
    /// They are deleted as well.
    case cascade = 2
    /// The deletion fails while there are any.
    case deny = 3

    /// The name in model files: `No Action`
    public var name: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
