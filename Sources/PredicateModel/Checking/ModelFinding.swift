public import PredicateChecks
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

    /// The kind of a finding.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A finding about a predicate or an expression of the model
        case predicate(PredicateFinding.Code)
        /// A text that is no predicate or no expression
        case notAPredicate

        // Models.
        /// Two entities of one name
        case duplicateEntity
        /// Two properties of one name in an entity
        case duplicateProperty
        /// A property that a superentity has already
        case redeclaredProperty
        /// A name that objects have a method for
        case reservedName
        /// A superentity, a destination or the entity of a fetch that does not exist
        case unknownEntity
        /// An entity that inherits from itself
        case inheritanceCircle
        /// Two entities or properties with one renaming identifier
        case duplicateRenamingIdentifier
        /// An attribute without a type that is not transient
        case missingType
        /// An attribute of a type that is not known
        case unknownType
        /// A composite type that the model does not have, or none
        case unknownComposite
        /// A default value of another kind, or outside of the bounds
        case invalidDefault
        /// Bounds that no value meets
        case contradictoryBounds
        /// A derivation that Core Data does not offer, or of another kind
        case invalidDerivation
        /// A relationship that leads nowhere
        case missingDestination
        /// A relationship without an inverse
        case missingInverse
        /// An inverse that does not exist, or does not lead back
        case invalidInverse
        /// Counts that no number of objects meets, or an order of one object
        case invalidCounts
        /// A key of an index or a constraint that does not exist or has no column
        case unknownIndexedKey
        /// Two indexes of one name
        case duplicateIndex
        /// A fetched property without a fetch request, or a request without an entity
        case missingFetchRequest
        /// A configuration with an entity that does not exist
        case invalidConfiguration
        /// A bundle whose current version is not in it
        case missingVersion
        /// A version that cannot be read
        case unreadableVersion

        // Mapping models.
        /// A lookup of an entity mapping that the mapping model does not have
        case unknownMapping

        /// The name of the kind: `unknown-key`, `duplicate-entity`
        public var name: String {
            switch self {
            case .predicate(let code): code.rawValue
            case .notAPredicate: "not-a-predicate"
            case .duplicateEntity: "duplicate-entity"
            case .duplicateProperty: "duplicate-property"
            case .redeclaredProperty: "redeclared-property"
            case .reservedName: "reserved-name"
            case .unknownEntity: "unknown-entity"
            case .inheritanceCircle: "inheritance-circle"
            case .duplicateRenamingIdentifier: "duplicate-renaming-identifier"
            case .missingType: "missing-type"
            case .unknownType: "unknown-type"
            case .unknownComposite: "unknown-composite"
            case .invalidDefault: "invalid-default"
            case .contradictoryBounds: "contradictory-bounds"
            case .invalidDerivation: "invalid-derivation"
            case .missingDestination: "missing-destination"
            case .missingInverse: "missing-inverse"
            case .invalidInverse: "invalid-inverse"
            case .invalidCounts: "invalid-counts"
            case .unknownIndexedKey: "unknown-indexed-key"
            case .duplicateIndex: "duplicate-index"
            case .missingFetchRequest: "missing-fetch-request"
            case .invalidConfiguration: "invalid-configuration"
            case .missingVersion: "missing-version"
            case .unreadableVersion: "unreadable-version"
            case .unknownMapping: "unknown-mapping"
            }
        }

        /// A key that an entity does not have.
        static let unknownKey = Code.predicate(.unknownKey)
        /// Kinds that are never equal.
        static let kindMismatch = Code.predicate(.kindMismatch)
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
        return "\(isWarning ? "warning: " : "")\(code.name):" + text.dropFirst("error:".count)
    }
}
