import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Keys that no object has, and keys in quotes.
enum KeyChecks {
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        unknownKeys(subject) + quotedKeys(subject)
    }

    private static func unknownKeys(_ subject: DataSubject) -> [PredicateFinding] {
        let compared = subject.predicate.comparisons.filter(\.operator.isEquality).map { ObjectIdentifier($0.right) }
        let rightSides = Set(compared)
        return subject.predicate.nodes.compactMap { node in
            guard case .keyPath? = node.expression, !subject.predicate.isUnknown(node),
                let keys = node.expression?.keys(in: node.scope),
                case .unknown(let key, let prefix, let siblings)? = subject.resolve(keys)
            else { return nil }
            if prefix.isEmpty, subject.table.columns.contains(key) { return nil }
            let holder = prefix.isEmpty ? "no object has" : "\(prefix.joined(separator: ".")) never has"
            return PredicateFinding(
                .unknownKey, node, "\(holder) the key \(key)\(sample(subject)): it is nil",
                suggestion(key, siblings, isRightSide: rightSides.contains(ObjectIdentifier(node))))
        }
    }

    /// Returns a note if only a sample of the objects was examined.
    private static func sample(_ subject: DataSubject) -> String {
        guard subject.data.sampled < subject.data.count else { return "" }
        return ", of \(Count.grouped(subject.data.sampled)) objects that were examined"
    }

    private static func suggestion(
        _ key: String, _ siblings: [String], isRightSide: Bool
    ) -> String? {
        let meant = NearMiss.candidates(for: key, among: siblings)
        if !meant.isEmpty { return "did you mean \(meant.joined(separator: " or "))?" }
        if isRightSide { return "a text needs quotes: \"\(key)\"" }
        return siblings.isEmpty ? nil : "the keys are \(list(siblings))"
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
    }

    /// `"name" == "jo"`: two texts.
    private static func quotedKeys(_ subject: DataSubject) -> [PredicateFinding] {
        subject.predicate.comparisons.compactMap { comparison in
            guard subject.predicate.constant(comparison.right) != nil,
                case .string(let text)? = subject.predicate.constant(comparison.left), subject.data[text] != nil
            else { return nil }
            return PredicateFinding(
                .quotedKey, comparison.left, "in quotes \(text) is a text, not the key", "leave out the quotes")
        }
    }
}
