import PredicateModel
package import PredicateSyntax

/// Migration rules that need no code: a string with one rule per line.
///
/// ```
/// # The artists of albums become objects, each once. What is split becomes objects too.
/// Album, TRUEPREDICATE, artist = FIND Artist(name = $source.artist) OR MAKE
/// Song, tags != nil, words = FIND Word(text = $tag) OR MAKE FOR $tag IN FUNCTION(tags, "componentsSeparatedByString:", ",")
/// ToDo, title BEGINSWITH[c] "a", doNotAlert = YES
/// Draft, $source.isOld == YES, DELETE
/// MESSAGE migrateIconURL = "https://example.org/icon.png"
/// ```
///
/// A rule names an entity, which includes the objects of its subentities, a predicate, and what happens to each migrated
/// object that satisfies it. Expressions and predicates are evaluated with the migrated object; `$source` is its source
/// object in the old store.
///
/// | action | meaning |
/// |---|---|
/// | `key = expression` | Assigns a value. An object of the old store stands for the object that was made of it. |
/// | `key = FIND Entity(key = expression, …)` | Assigns the objects with these values of attributes: the first one to a to-one relationship. If a value is nil, there are none. |
/// | `… OR MAKE(key = expression, …)` | Makes an object with all these values if there is none. The second list may be omitted. |
/// | `key = MAKE Entity(key = expression, …)` | Assigns a new object. `MAKE` may also stand alone. |
/// | `… FOR $name IN expression` | Finds or makes objects for each element of a collection. |
/// | `DELETE` | Deletes the object by the delete rules of the new model. |
///
/// `MESSAGE name = expression` and `MESSAGE part: $a other: $b = expression` replace a message to `$entityPolicy` in the
/// expressions of a mapping model.
///
/// Rules run in order. A property to which a rule assigns a value may have had another type, or have been a relationship
/// or an attribute; objects that no rule selects then get the default. `UUID()` is a new UUID. Lines that are empty or begin
/// with `#` are ignored. The grammar:
///
/// ```
/// rule     = entity "," predicate "," action | "MESSAGE" selector "=" expression
/// action   = key "=" ( expression | objects ) | "MAKE" entity values [ each ] | "DELETE"
/// objects  = ( "MAKE" entity values | "FIND" entity values [ "OR" "MAKE" [ values ] ] ) [ each ]
/// values   = "(" [ key "=" expression { "," key "=" expression } ] ")"
/// each     = "FOR" variable "IN" expression
/// selector = name | name ":" variable { name ":" variable }
/// ```
///
/// [NSP-473] [NSP-474]
public struct MigrationRules: Hashable, Sendable {
    /// One rule.
    package struct Rule: Hashable, Sendable {
        /// The entity whose objects the rule changes, including objects of its subentities.
        package var entity: String
        /// Selects the objects to change.
        package var predicate: FormatPredicate
        /// What happens to each of them.
        package var action: Action
        /// The line of the rule.
        let place: RulePlace
    }

    /// What a rule does with an object.
    package enum Action: Hashable, Sendable {
        /// `title = $source.name`
        case assign(key: String, FormatExpression)
        /// `artist = FIND Artist(name = $source.artist)`
        case relate(key: String, Objects)
        /// `MAKE Note(text = $source.title)`
        case make(Objects)
        /// `DELETE`
        case delete
    }

    /// Objects of the new store that a rule finds or makes: `FIND Artist(name = $source.artist) OR MAKE`
    package struct Objects: Hashable, Sendable {
        /// The entity of the objects.
        package var entity: String
        /// The values by which objects are found; nil if objects are always made.
        package var found: [Field]?
        /// The values of objects that are made, in addition to those by which they are found; nil if none are made.
        package var made: [Field]?
        /// The variable for an element, and the collection; nil without `FOR`.
        package var each: Each?
    }

    /// A key and its value: `name = $source.artist`
    package struct Field: Hashable, Sendable {
        /// The key of an attribute; for objects that are made, also of a relationship.
        package var key: String
        /// The value.
        package var expression: FormatExpression
    }

    /// `FOR $word IN FUNCTION(tags, "componentsSeparatedByString:", ",")`
    package struct Each: Hashable, Sendable {
        /// The name of the variable.
        package var variable: String
        /// The collection. Any other value counts as a collection that contains only this value, and nil as an empty one.
        package var collection: FormatExpression
    }

    /// A message to the policy of a mapping: `MESSAGE iconFor: $name = FUNCTION("icons/", "stringByAppendingString:", $name)`
    package struct Message: Hashable, Sendable {
        /// The selector: `iconFor:`
        package var selector: String
        /// The names of the variables for the arguments.
        package var parameters: [String]
        /// The result.
        package var expression: FormatExpression
        /// The line of the rule.
        let place: RulePlace
    }

    /// The rules in order.
    package private(set) var rules: [Rule] = []
    /// The messages.
    package private(set) var messages: [Message] = []

    /// No rules.
    public init() {}

    /// Parses rules.
    ///
    /// Throws a ``CoreDataError``: `invalidRule` with the line and the place in it.
    public init(_ text: String) throws(CoreDataError) {
        // CR LF is one character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            var parser = RuleParser(String(line), line: index + 1)
            switch try parser.line() {
            case .nothing: continue
            case .rule(let rule): rules.append(rule)
            case .message(let message): messages.append(message)
            }
        }
    }

    var isEmpty: Bool { rules.isEmpty && messages.isEmpty }
}

/// A line of migration rules.
struct RulePlace: Hashable, Sendable {
    let line: Int
    let text: String

    /// The error about a word in the line.
    func error(_ problem: CoreDataError.RuleProblem, at word: String) -> CoreDataError {
        let start = text.range(of: word, options: .literal).map {
            text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
        }
        let range = start.map { $0..<$0 + word.utf8.count } ?? 0..<text.utf8.count
        return CoreDataError(.invalidRule(line: line, text: text, range: range, problem))
    }
}

// MARK: - Checks against a model

extension MigrationRules {
    /// True if a rule assigns a value to a key of an entity or of a superentity.
    func assign(_ key: String, of entity: String, in model: ManagedObjectModel) -> Bool {
        rules.contains { rule in
            guard model.isEntity(entity, kindOf: rule.entity) else { return false }
            return switch rule.action {
            case .assign(let assigned, _), .relate(let assigned, _): assigned == key
            case .make, .delete: false
            }
        }
    }

    /// Throws `invalidRule` for an entity or a key that the new model does not have.
    func check(_ model: ManagedObjectModel) throws(CoreDataError) {
        for rule in rules {
            try check(rule.entity, model, rule.place)
            switch rule.action {
            case .delete: continue
            case .assign(let key, _): try check(key, of: rule.entity, model, rule.place)
            case .make(let objects): try check(objects, model, rule.place)
            case .relate(let key, let objects):
                try checkRelationship(key, of: rule.entity, to: objects.entity, model, rule.place)
                try check(objects, model, rule.place)
            }
        }
    }

    private func check(_ entity: String, _ model: ManagedObjectModel, _ place: RulePlace) throws(CoreDataError) {
        guard model.entity(entity) == nil else { return }
        let near = NearMiss.candidates(for: entity, among: model.entities.map(\.name))
        throw place.error(.unknownEntity(entity, nearMisses: near), at: entity)
    }

    private func check(
        _ key: String, of entity: String, _ model: ManagedObjectModel, _ place: RulePlace, attributesOnly: Bool = false
    ) throws(CoreDataError) {
        var known = model.attributes(of: entity).map(\.name) + model.storedAttributes(of: entity).map(\.name)
        if !attributesOnly { known += model.relationships(of: entity).map(\.name) }
        guard !known.contains(key) else { return }
        let near = NearMiss.candidates(for: key, among: Set(known))
        throw place.error(.unknownKey(key, entity: entity, nearMisses: near), at: key)
    }

    private func checkRelationship(
        _ key: String, of entity: String, to target: String, _ model: ManagedObjectModel, _ place: RulePlace
    ) throws(CoreDataError) {
        guard let relationship = model.relationships(of: entity).first(where: { $0.name == key }) else {
            let near = NearMiss.candidates(for: key, among: model.relationships(of: entity).map(\.name))
            throw place.error(.unknownKey(key, entity: entity, nearMisses: near), at: key)
        }
        guard let destination = relationship.destinationEntityName, !model.isEntity(target, kindOf: destination) else {
            return
        }
        throw place.error(.otherEntity(key, expected: destination, found: target), at: target)
    }

    private func check(
        _ objects: Objects, _ model: ManagedObjectModel, _ place: RulePlace
    ) throws(CoreDataError) {
        try check(objects.entity, model, place)
        for field in objects.found ?? [] {
            try check(field.key, of: objects.entity, model, place, attributesOnly: true)
        }
        for field in objects.made ?? [] { try check(field.key, of: objects.entity, model, place) }
        if objects.made != nil, model.entity(objects.entity)?.isAbstract ?? false {
            throw place.error(.abstractEntity(objects.entity), at: objects.entity)
        }
    }
}
