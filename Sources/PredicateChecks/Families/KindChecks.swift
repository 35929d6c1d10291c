import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Comparisons of values of different kinds, which never match.
package enum KindChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        subject.comparisons.compactMap { comparison in
            anyMissing(comparison, subject) ?? anyOfOne(comparison, subject) ?? mismatch(comparison, subject)
                ?? idleOption(comparison, subject)
        }
    }

    /// `tags == "new"` where tags are arrays.
    private static func anyMissing(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard comparison.modifier == .direct, let left = subject.kinds(of: comparison.left), left.isToMany,
            comparison.operator != .string(.contains), !subject.isUnknown(comparison.right)
        else { return nil }
        if comparison.operator.isEquality {
            guard let right = subject.kinds(of: comparison.right), !right.isToMany, !right.kinds.contains(.array) else {
                return nil
            }
        }
        if comparison.operator == .comparison(.in), subject.kinds(of: comparison.right)?.kinds != [.array] {
            return nil
        }
        return Finding(
            .anyMissing, comparison.node,
            "\(comparison.left.text) holds several values, which are compared as one array",
            "write ANY \(comparison.node.text)")
    }

    /// `ANY name == "jo"` where names are texts.
    private static func anyOfOne(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard comparison.modifier != .direct, let left = subject.kinds(of: comparison.left), !left.isToMany,
            !left.kinds.contains(.array), !left.kinds.contains(.other)
        else { return nil }
        let word = comparison.modifier.spelling ?? ""
        return Finding(
            .anyOfOne, comparison.node, "\(word) takes a collection, but \(comparison.left.text) is \(left.noun)",
            "leave \(word) out")
    }

    /// Returns the comparisons that compare values of kinds which are never equal.
    package static func unequal(
        in predicate: FormatPredicate, keys: any KeyKnowledge
    ) -> [(PlacedComparison, Finding)] {
        let subject = CheckSubject(predicate, hasArguments: true, keys: keys, variables: [:], judge: ConstantJudge())
        return subject.comparisons.compactMap { comparison in
            mismatch(comparison, subject).flatMap { $0.level == .error ? nil : (comparison, $0) }
        }
    }

    private static func mismatch(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        switch comparison.operator {
        case .string(let own): return textMismatch(own, comparison, subject)
        case .comparison(.in): return membershipMismatch(comparison, subject)
        case .comparison(.between), .comparison(.customSelector): return nil
        case .comparison: break
        }
        guard let left = elementKinds(comparison, subject), let right = subject.kinds(of: comparison.right),
            !right.isToMany, !left.kinds.isEmpty, !left.canEqual(right.kinds)
        else { return nil }
        let isError = comparison.operator.isOrdering
        let effect = isError ? "have no order: this is an error" : "are never equal"
        let finding = Finding(
            .kindMismatch, comparison.node, "\(left.noun) and \(right.noun) \(effect)",
            suggestion(comparison, left.kinds, right.kinds, subject))
        return isError ? finding.asError() : finding
    }

    /// Returns the kinds of the left side, those of its elements for ANY and ALL.
    private static func elementKinds(_ comparison: PlacedComparison, _ subject: CheckSubject) -> KnownKinds? {
        guard let left = subject.kinds(of: comparison.left) else { return nil }
        if comparison.modifier == .direct { return left.isToMany ? nil : left }
        return left.isToMany ? left : nil
    }

    private static func membershipMismatch(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard let left = elementKinds(comparison, subject), !left.kinds.isEmpty,
            let elements = subject.constant(comparison.right)?.elements, !elements.isEmpty
        else { return nil }
        let right = Set(elements.compactMap { ValueKind($0) })
        guard !right.isEmpty, !left.canEqual(right), elements.allSatisfy({ ValueKind($0) != nil }) else { return nil }
        return Finding(
            .kindMismatch, comparison.node, "\(left.noun) is never in a collection of \(KnownKinds(right).noun)",
            suggestion(comparison, left.kinds, right, subject))
    }

    /// `age LIKE "1*"` where ages are numbers, `name BEGINSWITH 5`.
    private static func textMismatch(
        _ operator: StringOperator, _ comparison: PlacedComparison, _ subject: CheckSubject
    ) -> Finding? {
        let holders: Set<ValueKind> =
            `operator` == .contains ? [.string, .array, .dictionary, .other] : [.string, .other]
        if let left = elementKinds(comparison, subject), !left.kinds.isEmpty, left.kinds.isDisjoint(with: holders) {
            return Finding(
                .kindMismatch, comparison.left,
                "\(`operator`.spelling) takes a text, but \(comparison.left.text) is \(left.noun)",
                "write CAST(\(comparison.left.text), \"NSString\")"
            ).asError()
        }
        guard `operator` != .contains, let right = subject.constant(comparison.right), let kind = ValueKind(right),
            kind != .string, kind != .other
        else { return nil }
        return Finding(
            .kindMismatch, comparison.right, "\(`operator`.spelling) takes a text, this is \(kind.noun)",
            "put it in quotes: \"\(right.printed)\"")
    }

    /// `age ==[c] 5`
    private static func idleOption(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        guard !comparison.options.isEmpty, let right = subject.constant(comparison.right) else { return nil }
        switch ValueKind(right) {
        case .string, .array, .dictionary, .other, nil: return nil
        case .number, .boolean, .date, .data, .uuid, .url: break
        }
        return Finding(
            .optionWithoutEffect, comparison.node,
            "\(comparison.options.spelling) has no effect on \(ValueKind(right)?.noun ?? "")",
            "leave it out")
    }

    /// Returns a hint that makes both sides the same kind.
    private static func suggestion(
        _ comparison: PlacedComparison, _ left: Set<ValueKind>, _ right: Set<ValueKind>, _ subject: CheckSubject
    ) -> String? {
        let leftText = comparison.left.text
        if left == [.string], right == [.number], let number = subject.constant(comparison.right),
            number.elements == nil
        {
            return "write \(number.printed.quotedLiteral), or CAST(\(leftText), \"NSNumber\")"
        }
        if left == [.number], case .string(let text)? = subject.constant(comparison.right), Double(text) != nil {
            return "leave out the quotes: \(text)"
        }
        if left == [.string], right == [.uuid] { return "write CAST(\(leftText), \"NSUUID\")" }
        if left == [.string], right == [.date] { return "write CAST(\(leftText), \"NSDate\")" }
        if left == [.uuid], case .string(let text)? = subject.constant(comparison.right) {
            return isUUID(text) ? "write CAST(\(comparison.right.text), \"NSUUID\")" : nil
        }
        if left == [.boolean], case .string(let text)? = subject.constant(comparison.right) {
            let words = ["true": "YES", "yes": "YES", "false": "NO", "no": "NO"]
            if let word = words[text.lowercased()] { return "leave out the quotes: \(word)" }
        }
        if left == [.date], right == [.string] {
            if case .string(let text)? = subject.constant(comparison.right), ISO8601.date(from: text) == nil {
                return nil
            }
            return "write CAST(\(comparison.right.text), \"NSDate\")"
        }
        if right == [.string] { return "write CAST(\(leftText), \"NSString\")" }
        return right == [.number] ? "write CAST(\(leftText), \"NSNumber\")" : nil
    }
}

extension KindChecks {
    private static func isUUID(_ text: String) -> Bool { UUID(uuidString: text) != nil }
}

extension String {
    /// The text in double quotes.
    var quotedLiteral: String { "\"\(self)\"" }
}
