import PredicateSyntax
import PredicateText

/// `type UTI-EQUALS "public.png"`, `type UTI-CONFORMS-TO "public.image"`: type identifiers, without regard to case.
///
/// The registry holds the conformances: a table of well-known identifiers, and the host's own.
/// nil on either side gives false. Throws `notAString` for every other value.
final class TypeIdentifierRelation: Relation {
    enum Kind: Sendable {
        case equals
        case conforms(TypeIdentifiers)
    }

    private let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return false }
        let identifier = try left.requiredText(operand: 0)
        let other = try right.requiredText(operand: 1)
        switch kind {
        case .equals: return TextSearch.equal(identifier, other, .caseInsensitive)
        case .conforms(let identifiers): return identifiers.conforms(identifier, to: other)
        }
    }
}

/// The conformances of type identifiers: a relation that hosts add to.
///
/// `type UTI-CONFORMS-TO "public.image"` holds for `public.png`.
package struct TypeIdentifiers: Sendable {
    private var parents: [String: [String]]

    /// The well-known identifiers.
    static let standard = TypeIdentifiers(parents: wellKnown)

    private init(parents: [String: [String]]) {
        self.parents = parents
    }

    mutating func register(_ identifier: String, conformsTo others: [String]) {
        parents[identifier.lowercased(), default: []] += others.map { $0.lowercased() }
    }

    /// True if one identifier is the other or conforms to it, directly or by way of others.
    package func conforms(_ identifier: String, to other: String) -> Bool {
        let goal = other.lowercased()
        var waiting = [identifier.lowercased()]
        var seen: Set<String> = []
        while let next = waiting.popLast() {
            if next == goal { return true }
            // A host may have registered a circle.
            if seen.insert(next).inserted { waiting += parents[next] ?? [] }
        }
        return false
    }
}
