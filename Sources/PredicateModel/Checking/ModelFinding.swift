import PredicateSyntax

/// A finding of a check: a mistake in a model, or in a predicate against a model.
///
///     unknown-key: Book has no key 'titel'
///       titel BEGINSWITH "The"
///       ^~~~~
///     hint: did you mean title?
public struct ModelFinding: Hashable, Sendable {
    /// The kind of the finding.
    public var code: Code
    /// Where in the model it was found; empty for a predicate by itself.
    public var place: ModelPlace
    /// What is wrong, in one line.
    public var message: String
    /// A cure; nil where none is known.
    public var hint: String?
    /// The format of the predicate or the expression; nil for a finding about the model itself.
    public var format: String?
    /// The offending range of the format, as UTF-8 offsets; nil for the whole of it.
    public var range: Range<Int>?
    /// A Boolean value that indicates whether it may be meant: an error never is.
    public var isWarning: Bool

    /// The kind of a finding; the raw value is its name.
    @nonexhaustive
    public enum Code: String, Hashable, Sendable, CaseIterable {
        // Predicates and expressions.
        /// `titel == "x"` where the entity has `title`
        case unknownKey = "unknown-key"
        /// A key that only subentities have: an object of the entity may not have it, and a fetch of the entity refuses it
        case subentityKey = "subentity-key"
        /// A transient property, which no store keeps: a fetch refuses it, and objects in memory have it
        case transientKey = "transient-key"
        /// `pages.length`: a key of a value that has no keys, or not this one
        case unknownProperty = "unknown-property"
        /// `pages == "many"`: kinds that are never equal or have no order
        case kindMismatch = "kind-mismatch"
        /// `age > 70000` of an Integer 16
        case outOfRange = "out-of-range"
        /// `books.title == "x"`: several values compared as if they were one
        case toManyKey = "to-many-key"
        /// `ANY author.name == "x"` where every step leads to one object
        case toOneKey = "to-one-key"
        /// `name != "nil"`
        case quotedNil = "quoted-nil"
        /// `$FETCHED_PROPERTY.userInfo.x` where the property has no such entry
        case unknownUserInfo = "unknown-user-info"
        /// A text that is no predicate or no expression
        case notAPredicate = "not-a-predicate"

        // Models.
        /// Two entities of one name
        case duplicateEntity = "duplicate-entity"
        /// Two properties of one name in an entity
        case duplicateProperty = "duplicate-property"
        /// A property that a superentity has already
        case redeclaredProperty = "redeclared-property"
        /// A name that objects have a method for
        case reservedName = "reserved-name"
        /// A superentity, a destination or the entity of a fetch that does not exist
        case unknownEntity = "unknown-entity"
        /// An entity that inherits from itself
        case inheritanceCircle = "inheritance-circle"
        /// Two entities or properties with one renaming identifier
        case duplicateRenamingIdentifier = "duplicate-renaming-identifier"
        /// An attribute without a type that is not transient
        case missingType = "missing-type"
        /// An attribute of a type that is not known
        case unknownType = "unknown-type"
        /// A composite type that the model does not have, or none
        case unknownComposite = "unknown-composite"
        /// A default value of another kind, or outside of the bounds
        case invalidDefault = "invalid-default"
        /// Bounds that no value meets
        case contradictoryBounds = "contradictory-bounds"
        /// A derivation that Core Data does not offer, or of another kind
        case invalidDerivation = "invalid-derivation"
        /// A relationship that leads nowhere
        case missingDestination = "missing-destination"
        /// A relationship without an inverse
        case missingInverse = "missing-inverse"
        /// An inverse that does not exist, or does not lead back
        case invalidInverse = "invalid-inverse"
        /// Counts that no number of objects meets, or an order of one object
        case invalidCounts = "invalid-counts"
        /// A key of an index or a constraint that does not exist or has no column
        case unknownIndexedKey = "unknown-indexed-key"
        /// Two indexes of one name
        case duplicateIndex = "duplicate-index"
        /// A fetched property without a fetch request, or a request without an entity
        case missingFetchRequest = "missing-fetch-request"
        /// A configuration with an entity that does not exist
        case invalidConfiguration = "invalid-configuration"
        /// A bundle whose current version is not in it
        case missingVersion = "missing-version"
        /// A version that cannot be read
        case unreadableVersion = "unreadable-version"

        // Mapping models.
        /// A lookup of an entity mapping that the mapping model does not have
        case unknownMapping = "unknown-mapping"
    }

    init(
        _ code: Code, _ message: String, hint: String? = nil, at path: [String] = [], format: String? = nil,
        range: Range<Int>? = nil, isWarning: Bool = false
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        place = ModelPlace(path: path)
        self.format = format
        self.range = range
        self.isWarning = isWarning
    }
}

extension ModelFinding: CustomStringConvertible {
    /// The finding as a terminal shows it.
    public var description: String {
        let location = place.description
        let title = message + (location.isEmpty ? "" : " (\(location))")
        let text = ErrorRenderer.render(
            title: title, source: format ?? "", range: range ?? 0..<(format?.utf8.count ?? 0), label: nil,
            hints: hint.map { [$0] } ?? [])
        return "\(isWarning ? "warning: " : "")\(code.rawValue):" + text.dropFirst("error:".count)
    }
}
