public import PredicateSyntax

/// An attribute: a value of an object.
///
///     AttributeDescription("age", .integer16, isOptional: false, defaultValue: 18, minimumValue: 0)
///     AttributeDescription("bookCount", .integer64, derivation: "books.@count")
public struct AttributeDescription: Hashable, Sendable {
    /// The name, which is a key of the objects.
    public var name: String
    /// The type of its values.
    public var type: AttributeType
    /// A Boolean value that indicates whether the value may be nil; `true` by default, as in Core Data.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the attribute is not stored.
    public var isTransient: Bool
    /// The value in new objects; nil if there is none. It is a `PredicateValue.bool(_:)` for a Boolean attribute, and a
    /// date for a date attribute.
    public var defaultValue: PredicateValue?
    /// The class of an archived default value that does not belong to Foundation. Such a value is not read.
    package var opaqueDefaultClassName: String?
    /// The minimum number or date.
    public var minimumValue: PredicateValue?
    /// The maximum number or date.
    public var maximumValue: PredicateValue?
    /// The minimum length of a string.
    public var minimumLength: Int?
    /// The maximum length of a string.
    public var maximumLength: Int?
    /// A regular expression that must match the whole string.
    public var regularExpression: String?
    /// The conditions in a compiled model that the bounds above do not express.
    public var validations: [ValidationRule]
    /// The expression of a derived attribute; nil for other attributes.
    public var derivation: ModelExpression?
    /// The name of the ``CompositeDescription`` of a composite attribute.
    public var compositeName: String?
    /// The name of the transformer of a transformable attribute.
    public var valueTransformerName: String?
    /// The class of a transformable attribute's values.
    public var valueClassName: String?
    /// A Boolean value that indicates whether large data may be stored in files outside the store.
    public var allowsExternalBinaryDataStorage: Bool
    /// A Boolean value that indicates whether the persistent history keeps the value of a deleted object.
    public var preservesValueInHistoryOnDeletion: Bool
    /// A Boolean value that indicates whether CloudKit encrypts the value.
    public var allowsCloudEncryption: Bool
    /// A Boolean value that indicates whether the attribute has an index of the old form.
    public var isIndexed: Bool
    /// The name of the attribute in an older version; nil if it did not change.
    public var renamingIdentifier: String?
    /// A string that changes the version hash although nothing else differs.
    public var versionHashModifier: String?
    /// Custom data of the app.
    public var userInfo: [String: PredicateValue]
    /// The attributes of the XML element that have no property here, such as `usesScalarValueType`.
    package var editorAttributes: [String: String] = [:]

    /// True for a transformable attribute whose values are keyed archives: it has no transformer or one of Foundation's.
    package var archivesValues: Bool {
        guard type == .transformable, let name = valueTransformerName else { return type == .transformable }
        return ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"].contains {
            name == $0 || name == $0 + "Transformer"
        }
    }

    /// Creates an attribute.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        defaultValue: PredicateValue? = nil, minimumValue: PredicateValue? = nil, maximumValue: PredicateValue? = nil,
        minimumLength: Int? = nil, maximumLength: Int? = nil, regularExpression: String? = nil,
        validations: [ValidationRule] = [], derivation: ModelExpression? = nil, compositeName: String? = nil,
        valueTransformerName: String? = nil, valueClassName: String? = nil,
        allowsExternalBinaryDataStorage: Bool = false, preservesValueInHistoryOnDeletion: Bool = false,
        allowsCloudEncryption: Bool = false, isIndexed: Bool = false, renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: PredicateValue] = [:]
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.defaultValue = defaultValue
        self.minimumValue = minimumValue
        self.maximumValue = maximumValue
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.regularExpression = regularExpression
        self.validations = validations
        self.derivation = derivation
        self.compositeName = compositeName
        self.valueTransformerName = valueTransformerName
        self.valueClassName = valueClassName
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        self.allowsCloudEncryption = allowsCloudEncryption
        self.isIndexed = isIndexed
        self.renamingIdentifier = renamingIdentifier
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }

    /// A Boolean value that indicates whether the attribute is derived from others.
    public var isDerived: Bool { derivation != nil }

    /// The name that is the same in all versions: the renaming identifier or, without one, the name.
    package var canonicalName: String { renamingIdentifier ?? name }

    /// A Boolean value that indicates whether the attribute has a column in a store; `false` for transient and
    /// untyped attributes.
    package var isStored: Bool { !isTransient && type != .undefined }
}

/// A condition that valid values satisfy, and the error number for other values.
///
/// `SELF >= 1` with 1620, `length <= 30` with 1660
public struct ValidationRule: Hashable, Sendable {
    /// The condition; `SELF` is the value.
    public var predicate: ModelPredicate
    /// The error number or message in the model; nil if there is none.
    public var warning: PredicateValue?

    /// Creates a rule.
    public init(_ predicate: ModelPredicate, warning: PredicateValue? = nil) {
        self.predicate = predicate
        self.warning = warning
    }
}

/// Composite attributes and their elements.
extension ManagedObjectModel {
    /// The composite type of an attribute; nil for an attribute of another type, and for a type that is not in the
    /// model.
    package func composite(of attribute: AttributeDescription) -> CompositeDescription? {
        guard attribute.type == .composite, let name = attribute.compositeName else { return nil }
        return composites.first { $0.name.hasSameCodePoints(as: name) }
    }

    /// The attributes of an entity that have columns in a store: `title`, `address.street`, `address.place.latitude`
    ///
    /// A composite attribute is replaced by its elements, in order. The name of an element is its key path. Its
    /// renaming identifier is a key path as well, if the element or a composite that contains it has one. An element
    /// is optional if a composite that contains it is. A composite attribute is not replaced if its elements are
    /// unknown, if there are more than 2,000 of them, or if they are nested deeper than 16 levels.
    package func storedAttributes(of name: String) -> [AttributeDescription] {
        attributes(of: name).filter(\.isStored).flatMap(elements)
    }

    /// The attribute itself or, for a composite attribute, its elements as in ``storedAttributes(of:)``.
    package func elements(of attribute: AttributeDescription) -> [AttributeDescription] {
        guard attribute.type == .composite else { return [attribute] }
        var expansion = CompositeExpansion(model: self)
        expansion.add(attribute, level: 1)
        return expansion.found.count > CompositeExpansion.mostElements ? [attribute] : expansion.found
    }
}

/// Lists the elements of a composite attribute, in order.
private struct CompositeExpansion {
    let model: ManagedObjectModel
    private(set) var found: [AttributeDescription] = []

    static let mostElements = 2000
    static let mostLevels = 16

    mutating func add(_ attribute: AttributeDescription, level: Int) {
        guard found.count <= Self.mostElements else { return }
        guard level <= Self.mostLevels, let composite = model.composite(of: attribute), !composite.attributes.isEmpty
        else { return found.append(attribute) }
        for element in composite.attributes where element.isStored {
            add(element.inside(attribute), level: level + 1)
        }
    }
}

extension AttributeDescription {
    /// The element of a composite attribute, named by its key path.
    fileprivate func inside(_ composite: AttributeDescription) -> AttributeDescription {
        var copy = self
        copy.name = "\(composite.name).\(name)"
        if renamingIdentifier != nil || composite.renamingIdentifier != nil {
            copy.renamingIdentifier = "\(composite.canonicalName).\(canonicalName)"
        }
        copy.isOptional = isOptional || composite.isOptional
        copy.isTransient = composite.isTransient
        if case .dictionary(let values)? = composite.defaultValue {
            copy.defaultValue = values[name].map(type.normalized)
        }
        return copy
    }
}
