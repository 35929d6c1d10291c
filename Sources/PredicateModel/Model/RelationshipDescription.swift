public import PredicateSyntax

/// A relationship: the objects of another entity that an object leads to.
///
/// `.toOne("category", "Category", inverse: "items")`
/// `.toMany("items", "Item", inverse: "category", deleteRule: .cascade, isOrdered: true)`
public struct RelationshipDescription: Hashable, Sendable {
    /// The name, which is a key of the objects.
    public var name: String
    /// The entity at the other end; nil where the model names none, which is a mistake.
    public var destinationEntityName: String?
    /// The relationship that leads back; nil for none.
    public var inverseName: String?
    /// The entity of the inverse, where the source names it: the destination, or a superentity of it.
    public var inverseEntityName: String?
    /// A Boolean value that indicates whether it leads to several objects.
    public var isToMany: Bool
    /// A Boolean value that indicates whether the objects have an order.
    public var isOrdered: Bool
    /// The least number of objects, where there are any.
    public var minimumCount: Int
    /// The greatest number of objects; 0 for any number. 1 of a to-one.
    public var maximumCount: Int
    /// What becomes of the objects when the one that leads to them is deleted.
    public var deleteRule: ModelDeleteRule
    /// A Boolean value that indicates whether it may lead to none.
    public var isOptional: Bool
    /// A Boolean value that indicates whether it lives in memory only.
    public var isTransient: Bool
    /// A Boolean value that indicates whether it has an index in the old form.
    public var isIndexed: Bool
    /// The name that the relationship had in an older version; nil where it is the same.
    public var renamingIdentifier: String?
    /// A text that makes this version of the relationship another one, although nothing else differs.
    public var versionHashModifier: String?
    /// What the app has noted beside it.
    public var userInfo: [String: PredicateValue]
    /// The attributes of the source's element that have no property here, such as `syncable`.
    public var editorAttributes: [String: String]

    /// Makes a relationship of a name; ``toOne(_:_:inverse:deleteRule:isOptional:renamingIdentifier:)`` is shorter.
    public init(
        _ name: String, destination destinationEntityName: String?, isToMany: Bool, isOrdered: Bool = false,
        inverse inverseName: String? = nil, inverseEntity inverseEntityName: String? = nil, minimumCount: Int = 0,
        maximumCount: Int? = nil, deleteRule: ModelDeleteRule = .nullify, isOptional: Bool = true,
        isTransient: Bool = false, isIndexed: Bool = false, renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: PredicateValue] = [:],
        editorAttributes: [String: String] = [:]
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
        self.editorAttributes = editorAttributes
    }

    /// A relationship to one object: `.toOne("category", "Category", inverse: "items")`
    public static func toOne(
        _ name: String, _ destination: String, inverse: String? = nil, deleteRule: ModelDeleteRule = .nullify,
        isOptional: Bool = true, renamingIdentifier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, destination: destination, isToMany: false, inverse: inverse,
            inverseEntity: inverse.map { _ in destination }, deleteRule: deleteRule, isOptional: isOptional,
            renamingIdentifier: renamingIdentifier)
    }

    /// A relationship to any number of objects: `.toMany("items", "Item", inverse: "category")`
    public static func toMany(
        _ name: String, _ destination: String, inverse: String? = nil, deleteRule: ModelDeleteRule = .nullify,
        isOrdered: Bool = false, isOptional: Bool = true, renamingIdentifier: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, destination: destination, isToMany: true, isOrdered: isOrdered, inverse: inverse,
            inverseEntity: inverse.map { _ in destination }, deleteRule: deleteRule, isOptional: isOptional,
            renamingIdentifier: renamingIdentifier)
    }

    /// The name that versions share: the renaming identifier, or the name where there is none.
    public var canonicalName: String { renamingIdentifier ?? name }
}

/// The effect of deleting an object on the objects that a relationship leads to.
///
/// The raw value is the number of compiled models.
public enum ModelDeleteRule: Int, Hashable, Sendable, CaseIterable {
    /// None.
    case noAction = 0
    /// They do not lead back any more.
    case nullify = 1
    /// They are deleted too.
    case cascade = 2
    /// The object is not deleted as long as there are any.
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
