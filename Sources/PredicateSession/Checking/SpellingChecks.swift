import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Comparisons by code points of texts that the data spells in decomposed form, as file names from macOS are.
///
///     name == "Zoë"           does not hold for an e with a combining mark
enum SpellingChecks {
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        subject.predicate.comparisons.compactMap { comparison in
            let ignored: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
            guard comparison.options.isDisjoint(with: ignored), isOfTexts(comparison.operator),
                isDecomposed(comparison.left, subject), holdsLetters(comparison.right, subject)
            else { return nil }
            return finding(comparison)
        }
    }

    private static func finding(_ comparison: CheckedComparison) -> PredicateFinding {
        let spelling = comparison.operator.spelling
        return PredicateFinding(
            .decomposedText, comparison.node,
            "without options strings compare by code points, and \(comparison.left.text) has e and a mark for é",
            "write \(spelling)[c], which treats both spellings as equal, or compose the strings in the data")
    }

    private static func isOfTexts(_ operator: CheckedComparison.Operator) -> Bool {
        switch `operator` {
        case .comparison(.customSelector): false
        case .comparison: true
        case .string(let own): own.rightSide != .typeIdentifier
        }
    }

    private static func isDecomposed(_ node: CheckedNode, _ subject: DataSubject) -> Bool {
        subject.facts(of: node)?.isDecomposed ?? false
    }

    /// True for another key, and for a constant with a letter that may be spelled in two ways.
    private static func holdsLetters(_ node: CheckedNode, _ subject: DataSubject) -> Bool {
        guard !subject.predicate.isUnknown(node) else { return false }
        guard let constant = subject.predicate.constant(node) else {
            return node.keys != nil
        }
        return holdsLetters(.value(constant))
    }

    private static func holdsLetters(_ value: KeyedValue) -> Bool {
        if case .value(.string(let text)) = value { return !text.utf8.allSatisfy { $0 < 0x80 } }
        return (value.elements ?? []).contains(where: holdsLetters)
    }
}
