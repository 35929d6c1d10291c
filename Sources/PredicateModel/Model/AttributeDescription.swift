public import PredicateSyntax

/// An attribute: a value that an object holds.
///
///     AttributeDescription("age", .integer16, isOptional: false, defaultValue: 18, minimumValue: 0)
///     AttributeDescription("bookCount", .integer64, derivation: "books.@count")
public struct AttributeDescription: Hashable, Sendable {
    /// The name, which is a key of the objects.
    public var name: String
    /// The type of its values.
    public var type: AttributeType
    /// A Boolean value that indicates whether an object may be without a value; `true` by default, as in Core Data.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the attribute has no column.
    public var isTransient: Bool
    /// The value of a new object; nil for none. A Boolean's is `PredicateValue.bool(_:)`, a date's a date.
    public var defaultValue: PredicateValue?
    /// The class of a default value in an archive that is not of Foundation: it is never read.
    public var opaqueDefaultClassName: String?
    /// The least valid number or date.
    public var minimumValue: PredicateValue?
    /// The greatest valid number or date.
    public var maximumValue: PredicateValue?
    /// The least length of a valid string.
    public var minimumLength: Int?
    /// The greatest length of a valid string.
    public var maximumLength: Int?
    /// The pattern that a valid string matches as a whole.
    public var regularExpression: String?
    /// Conditions of compiled models that are none of the bounds above.
    public var validations: [ValidationRule]
    /// The expression that a derived attribute is worked out from; nil for others.
    public var derivation: ModelExpression?
    /// The name of the ``CompositeDescription`` of a composite attribute.
    public var compositeName: String?
    /// The name of the transformer of a transformable attribute.
    public var valueTransformerName: String?
    /// The class of a transformable attribute's values.
    public var valueClassName: String?
    /// A Boolean value that indicates whether large data lies in files beside the store.
    public var allowsExternalBinaryDataStorage: Bool
    /// A Boolean value that indicates whether the history of a store keeps the value of a deleted object.
    public var preservesValueInHistoryOnDeletion: Bool
    /// A Boolean value that indicates whether CloudKit keeps the value encrypted.
    public var allowsCloudEncryption: Bool
    /// A Boolean value that indicates whether the attribute has an index in the old form.
    public var isIndexed: Bool
    /// The name that the attribute had in an older version; nil where it is the same.
    public var renamingIdentifier: String?
    /// A text that makes this version of the attribute another one, although nothing else differs.
    public var versionHashModifier: String?
    /// What the app has noted beside it.
    public var userInfo: [String: PredicateValue]
    /// The attributes of the source's element that have no property here, such as `usesScalarValueType`.
    public var editorAttributes: [String: String]

    /// Makes an attribute of a name and a type.
    public init(
        _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
        defaultValue: PredicateValue? = nil, minimumValue: PredicateValue? = nil, maximumValue: PredicateValue? = nil,
        minimumLength: Int? = nil, maximumLength: Int? = nil, regularExpression: String? = nil,
        validations: [ValidationRule] = [], derivation: ModelExpression? = nil, compositeName: String? = nil,
        valueTransformerName: String? = nil, valueClassName: String? = nil,
        allowsExternalBinaryDataStorage: Bool = false, preservesValueInHistoryOnDeletion: Bool = false,
        allowsCloudEncryption: Bool = false, isIndexed: Bool = false, renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil, userInfo: [String: PredicateValue] = [:],
        editorAttributes: [String: String] = [:]
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
        self.editorAttributes = editorAttributes
    }

    /// A Boolean value that indicates whether the attribute is worked out from others.
    public var isDerived: Bool { derivation != nil }

    /// The name that versions share: the renaming identifier, or the name where there is none.
    public var canonicalName: String { renamingIdentifier ?? name }

    /// A Boolean value that indicates whether a store has a column for it: not for transient and untyped attributes.
    public var isStored: Bool { !isTransient && type != .undefined }
}

/// A condition that a valid value meets, and the number of the error where it does not.
///
/// `SELF >= 1` with 1620, `length <= 30` with 1660
public struct ValidationRule: Hashable, Sendable {
    /// The condition; `SELF` is the value.
    public var predicate: ModelPredicate
    /// The error number or text that the model gives; nil for none.
    public var warning: PredicateValue?

    /// Makes a rule.
    public init(_ predicate: ModelPredicate, warning: PredicateValue? = nil) {
        self.predicate = predicate
        self.warning = warning
    }
}
