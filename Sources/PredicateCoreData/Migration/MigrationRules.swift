import PredicateModel
public import PredicateSyntax

/// What a migration gives objects without code: rules in a text, one a line.
///
///     # entity, predicate, property = expression
///     ToDo, title BEGINSWITH[c] "a", doNotAlert = YES
///     ToDo, TRUEPREDICATE, lastAlertDate = due
///     ToDo, TRUEPREDICATE, title = $source.name
///
/// The expression is evaluated with the migrated object; `$source` is the object of the old store that it was made of. Rules run in their order; an empty line and one that begins with `#`
/// say nothing.
public struct MigrationRules: Hashable, Sendable {
    /// One rule.
    public struct Rule: Hashable, Sendable {
        /// The entity whose objects it is for, those of its subentities among them.
        public var entity: String
        /// The objects that it is for.
        public var predicate: FormatPredicate
        /// The key that gets a value.
        public var key: String
        /// The value.
        public var expression: FormatExpression
    }

    /// The rules in their order.
    public private(set) var rules: [Rule] = []

    /// No rules.
    public init() {}

    /// Reads rules.
    ///
    /// Throws a ``CoreDataError``: `invalidRule` with the line.
    public init(_ text: String) throws(CoreDataError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(line).trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            rules.append(try Self.rule(line, index + 1))
        }
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Commas and the sign of assignment may stand in predicate and expression too: the first division whose parts all parse.
    private static func rule(_ line: String, _ number: Int) throws(CoreDataError) -> Rule {
        guard let first = line.firstIndex(of: ",") else {
            throw CoreDataError(.invalidRule(line: number, reason: "expected entity, predicate, property = expression"))
        }
        let entity = String(line[..<first]).trimmed
        let rest = line[line.index(after: first)...]
        var reason = "expected a predicate, a comma, and property = expression"
        for comma in rest.indices.reversed() where rest[comma] == "," {
            let assignment = String(rest[rest.index(after: comma)...])
            guard let sign = assignment.firstIndex(of: "=") else { continue }
            let key = String(assignment[..<sign]).trimmed
            guard !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }) else {
                continue
            }
            do throws(PredicateFormatError) {
                return Rule(
                    entity: entity,
                    predicate: try FormatPredicate(format: String(rest[..<comma]).trimmed, arguments: []),
                    key: key,
                    expression: try FormatExpression(
                        format: String(assignment[assignment.index(after: sign)...]).trimmed, arguments: []))
            } catch {
                reason = error.title
            }
        }
        throw CoreDataError(.invalidRule(line: number, reason: reason))
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace ?? false { text = text.dropFirst() }
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return String(text)
    }
}

extension StoreMigration {
    /// Rules that work out derived attributes: those that are new or derived in another way, and all after a mapping model or
    /// after rules and policies, which change what they are derived from.
    func derivations() throws(CoreDataError) -> [MigrationRules.Rule] {
        var found: [MigrationRules.Rule] = []
        let keepsValues = mapping == nil && rules.isEmpty && policies.isEmpty
        for entity in destination.entitiesInPreorder {
            for attribute in entity.attributes where attribute.isStored {
                guard let derivation = attribute.derivation else { continue }
                let old = match.sourceAttribute(attribute, of: entity.name)
                if keepsValues, old?.derivation == derivation, old?.type == attribute.type { continue }
                do throws(PredicateFormatError) {
                    found.append(
                        MigrationRules.Rule(
                            entity: entity.name, predicate: FormatPredicate(.constant(true)), key: attribute.name,
                            expression: try derivation.expression()))
                } catch {
                    throw CoreDataError(.expression("\(entity.name), \(attribute.name)", reason: error.title))
                }
            }
        }
        return found
    }
}
