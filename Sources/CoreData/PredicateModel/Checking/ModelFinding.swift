public import PredicateChecks
import PredicateSyntax

/// A mistake in a model, or in a predicate when checked against a model.
///
///     unknown-key: Book has no key 'titel'
///       titel BEGINSWITH "The"
///       ^~~~~
///     hint: did you mean title?
public struct ModelFinding: Hashable, Sendable {
    /// The kind of the finding.
    public var code: Code
    /// The place in the model; empty for a predicate that is checked on its own.
    public var place: ModelPlace
    /// A description of the mistake, in one line.
    public var message: String
    /// A suggestion for correcting it; nil if there is none.
    public var hint: String?
    /// The format of the predicate or expression; nil for a finding about the model itself.
    public var format: String?
    /// The mistaken range of the format as UTF-8 offsets; nil for the whole format.
    public var range: Range<Int>?
    /// A Boolean value that indicates whether the model may be intended as it is; `false` for an error.
    public var isWarning: Bool

    /// The kind of a finding.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A finding about a predicate or an expression of the model
        case predicate(PredicateFinding.Code)
        /// A format that is not a predicate or not an expression
        case notAPredicate

        // Models.
        /// Two entities with the same name
        case duplicateEntity
        /// Two properties of an entity with the same name
        case duplicateProperty
        /// A property that a superentity already has
        case redeclaredProperty
        /// The name of a method that every object has
        case reservedName
        /// A superentity, a destination or the entity of a fetch request that does not exist
        case unknownEntity
        /// An entity that inherits from itself
        case inheritanceCircle
        /// Two entities or properties with the same renaming identifier
        case duplicateRenamingIdentifier
        /// An attribute without a type that is not transient
        case missingType
        /// An attribute of an unknown type
        case unknownType
        /// A composite attribute whose type is missing or not in the model
        case unknownComposite
        /// A default value of the wrong kind or outside the bounds
        case invalidDefault
        /// Bounds that no value satisfies
        case contradictoryBounds
        /// A derivation that Core Data does not support, or of the wrong kind
        case invalidDerivation
        /// A relationship without a destination
        case missingDestination
        /// A relationship without an inverse
        case missingInverse
        /// An inverse that does not exist or does not refer back
        case invalidInverse
        /// Counts that no number of objects satisfies, or an ordered to-one relationship
        case invalidCounts
        /// A key of an index or constraint that does not exist or has no column
        case unknownIndexedKey
        /// Two indexes with the same name
        case duplicateIndex
        /// A fetched property without a fetch request, or a fetch request without an entity
        case missingFetchRequest
        /// A configuration that lists an entity that does not exist
        case invalidConfiguration
        /// A bundle without its current version
        case missingVersion
        /// A version that cannot be read
        case unreadableVersion

        // Mapping models.
        /// A lookup of an entity mapping that the mapping model does not have
        case unknownMapping

        /// The name of the kind: `unknown-key`, `duplicate-entity`
        public var name: String {
            if case .predicate(let code) = self { code.rawValue } else { "\(self)".hyphenated }
        }

        /// A key that an entity does not have.
        static let unknownKey = Code.predicate(.unknownKey)
        /// A comparison of kinds that are never equal.
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
    /// The finding as shown in a terminal.
    public var description: String {
        let location = place.description
        let title = message + (location.isEmpty ? "" : " (\(location))")
        let text = ErrorRenderer.render(
            title: title, source: format ?? "", range: range ?? 0..<(format?.utf8.count ?? 0), label: nil,
            hints: hint.map { [$0] } ?? [])
        return "\(isWarning ? "warning: " : "")\(code.name):" + text.dropFirst("error:".count)
    }
}

extension String {
    /// The name of a case with hyphens: `duplicate-entity` for `duplicateEntity`
    var hyphenated: String { reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" } }
}
