import Foundation
import PredicateEvaluation
import PredicateSyntax
import PredicateText

/// The operators, as relations of two values.
extension ReferenceEvaluator {
    func holds(
        _ left: ReferenceValue, _ operator: ComparisonOperator, _ right: ReferenceValue, _ mode: FoldMode
    ) throws(ReferenceError) -> Bool {
        switch `operator` {
        case .equalTo: try Self.equal(left, right, mode)
        case .notEqualTo: try !Self.equal(left, right, mode)
        case .lessThan: try Self.isOrdered(left, right, mode, [-1])
        case .lessThanOrEqualTo: try Self.isOrdered(left, right, mode, [-1, 0])
        case .greaterThan: try Self.isOrdered(left, right, mode, [1])
        case .greaterThanOrEqualTo: try Self.isOrdered(left, right, mode, [1, 0])
        case .between: try Self.isBetween(left, right, mode)
        case .in: try Self.isElement(left, of: right, mode)
        case .customSelector(let name): try answer(of: name, left, right)
        }
    }

    func holds(
        _ left: ReferenceValue, _ operator: StringOperator, _ right: ReferenceValue, _ mode: FoldMode
    ) throws(ReferenceError) -> Bool {
        if `operator` == .contains { return try Self.isElement(right, of: left, mode) }
        // [NSP-065] [NSP-102]
        if left.isNull || right.isNull { return false }
        guard let text = left.text, let other = right.text else { throw ReferenceError(.notAString) }
        switch `operator` {
        case .beginsWith: return SlowText.begins(text, other, mode)
        case .endsWith: return SlowText.ends(text, other, mode)
        case .contains: return SlowText.contains(text, other, mode)
        case .like: return SlowText.matches(text, other, mode)
        case .matches: return try matches(text, other, mode)
        case .utiEquals:
            return SlowText.fold(text, .caseInsensitive) == SlowText.fold(other, .caseInsensitive)
        case .utiConformsTo: return registry.typeIdentifiers.conforms(text, to: other)
        }
    }

    /// [NSP-064] [NSP-073] [NSP-080] [NSP-081] [NSP-172]
    static func equal(
        _ left: ReferenceValue, _ right: ReferenceValue, _ mode: FoldMode
    ) throws(ReferenceError) -> Bool {
        if let left = left.text, let right = right.text {
            return SlowText.fold(left, mode) == SlowText.fold(right, mode)
        }
        if left.equals(right) { return true }
        let limit = PredicateLimits.standard.nesting
        if left.nests(past: limit), right.nests(past: limit) { throw ReferenceError(.nestingTooDeep) }
        if left.isOpen(beside: right) { throw ReferenceError(.notEquatable) }
        return false
    }

    /// [NSP-062]
    private static func isOrdered(
        _ left: ReferenceValue, _ right: ReferenceValue, _ mode: FoldMode, _ orders: [Int]
    ) throws(ReferenceError) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull && orders.contains(0) }
        return orders.contains(try order(left, right, mode))
    }

    /// Below, at or above 0. [NSP-082] [NSP-083] [NSP-176]
    static func order(
        _ left: ReferenceValue, _ right: ReferenceValue, _ mode: FoldMode
    ) throws(ReferenceError) -> Int {
        switch (left, right) {
        case (.number(let left), .number(let right)): return left.order(right)
        case (.text(let left), .text(let right)):
            return SlowText.compare(left, right, mode)
        case (.date(let left), .date(let right)):
            return ReferenceNumber.order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
        case (_, _): throw ReferenceError(.incomparable)
        }
    }

    /// [NSP-066] [NSP-084] [NSP-085] [NSP-086]
    private static func isBetween(
        _ left: ReferenceValue, _ right: ReferenceValue, _ mode: FoldMode
    ) throws(ReferenceError) -> Bool {
        if left.isNull || right.isNull { return false }
        if let range = right.range { return try isInside(left, range, mode) }
        guard let bounds = right.orderedList, bounds.count == 2 else { throw ReferenceError(.notARange) }
        if bounds[0].isNull || bounds[1].isNull { return false }
        let lower = try order(bounds[0], left, mode)
        let upper = try order(left, bounds[1], mode)
        return lower <= 0 && upper <= 0
    }

    /// [NSP-173]
    private static func isInside(
        _ value: ReferenceValue, _ range: PredicateRange, _ mode: FoldMode
    ) throws(ReferenceError) -> Bool {
        if let lower = range.lowerBound {
            guard try order(ReferenceValue(lower), value, mode) <= 0 else { return false }
        }
        guard let upper = range.upperBound else { return true }
        let order = try order(value, ReferenceValue(upper), mode)
        return order < 0 || order == 0 && range.includesUpperBound
    }

    /// [NSP-063] [NSP-076] [NSP-087] [NSP-088] [NSP-089] [NSP-094]
    private static func isElement(
        _ value: ReferenceValue, of container: ReferenceValue, _ mode: FoldMode
    ) throws(ReferenceError) -> Bool {
        if value.isNull || container.isNull { return false }
        if let text = container.text {
            guard let piece = value.text else { throw ReferenceError(.notAString) }
            return SlowText.contains(text, piece, mode)
        }
        if let range = container.range { return try isInside(value, range, mode) }
        guard let elements = container.elements else { throw ReferenceError(.notAContainer) }
        for element in elements where try equal(value, element, mode) { return true }
        return false
    }
}

/// Regular expressions. [NSP-099] [NSP-101] [NSP-490]
extension ReferenceEvaluator {
    /// The pattern with anchors, nil for the empty one, which matches nothing.
    func expression(_ pattern: String, _ mode: FoldMode) throws(ReferenceError) -> NSRegularExpression? {
        if pattern.utf8.count > limits.patternLength { throw ReferenceError(.exceeds) }
        if pattern.isEmpty { return nil }
        let ignoresCase = mode == .caseInsensitive || mode == .caseAndDiacriticInsensitive
        let options: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
        let folded = Self.withoutMarks(pattern, mode)
        // Alone it must be one, too: `a)|(b` becomes a pattern between parentheses. What ends in a comment or in a
        // quotation must be ended before the last anchor.
        for (start, end) in [("", ""), ("\\A(?:", ")\\z"), ("\\A(?:", "\n)\\z"), ("\\A(?:", "\\E)\\z")] {
            let found = try? NSRegularExpression(pattern: start + folded + end, options: options)
            if start.isEmpty, found == nil { break }
            if !start.isEmpty, let found { return found }
        }
        throw ReferenceError(.invalidPattern)
    }

    fileprivate func matches(_ text: String, _ pattern: String, _ mode: FoldMode) throws(ReferenceError) -> Bool {
        let expression = try expression(pattern, mode)
        if text.utf8.count > limits.subjectLength { throw ReferenceError(.exceeds) }
        guard let expression else { return false }
        let subject = Self.withoutMarks(text, mode)
        var (found, gaveUp, reports) = (false, false, 0)
        expression.enumerateMatches(
            in: subject, options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: subject.utf16.count)
        ) { match, flags, stop in
            if match != nil { found = true }
            if flags.contains(.progress) { reports += 1 }
            gaveUp = !found && (gaveUp || flags.contains(.internalError) || reports > limits.patternSteps / 10_000)
            if found || gaveUp { stop.pointee = true }
        }
        guard gaveUp else { return found }
        // A string without a literal part of the pattern costs nothing. [NSP-490]
        if mode == .none, let literal = PatternTree(pattern).requiredText, literal.utf8.count >= 3,
            text.range(of: literal, options: .literal) == nil
        {
            return false
        }
        throw ReferenceError(.patternTooCostly)
    }

    private static func withoutMarks(_ text: String, _ mode: FoldMode) -> String {
        guard mode == .diacriticInsensitive || mode == .caseAndDiacriticInsensitive else { return text }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: SlowText.fold(text, .diacriticInsensitive))
        return String(scalars)
    }
}

extension ComparisonOptions {
    /// The folding of strings: `[n]` overrides the others, `[l]` changes nothing. [NSP-078] [NSP-079]
    var referenceMode: FoldMode {
        if contains(.normalized) { return .none }
        if contains(.caseInsensitive) {
            return contains(.diacriticInsensitive) ? .caseAndDiacriticInsensitive : .caseInsensitive
        }
        return contains(.diacriticInsensitive) ? .diacriticInsensitive : .none
    }
}

/// Selectors as operators. [NSP-068] [NSP-104]
extension ReferenceEvaluator {
    private static let equalities: Set<String> = [
        "isEqual:", "isEqualTo:", "isEqualToString:", "isEqualToNumber:", "isEqualToValue:", "isEqualToDate:",
        "isEqualToData:", "isEqualToArray:", "isEqualToSet:", "isEqualToOrderedSet:", "isEqualToDictionary:",
    ]
    private static let others: Set<String> = [
        "isKindOfClass:", "isMemberOfClass:", "isNotEqualTo:", "hasPrefix:", "hasSuffix:", "containsString:",
        "containsObject:",
    ]

    func knowsSelector(_ name: String) -> Bool {
        registry.selectors[name] != nil || Self.equalities.contains(name) || Self.others.contains(name)
    }

    func answer(
        of name: String, _ left: ReferenceValue, _ right: ReferenceValue
    ) throws(ReferenceError) -> Bool {
        if left.isNull { return false }
        if let own = registry.selectors[name] {
            return try hosted { try own(left.keyedValue, right.keyedValue) }
        }
        if Self.equalities.contains(name) { return try Self.equal(left, right, .none) }
        switch name {
        case "isNotEqualTo:": return try !Self.equal(left, right, .none)
        case "isKindOfClass:", "isMemberOfClass:":
            guard case .plain(.type(let type)) = right else { throw ReferenceError(.argumentKind) }
            let own = left.keyedValue.valueClass
            return name == "isKindOfClass:" ? own.isKind(of: type) : own == type
        case "hasPrefix:": return try holds(left, .beginsWith, right, .none)
        case "hasSuffix:": return try holds(left, .endsWith, right, .none)
        case "containsString:":
            if right.isNull { return false }
            guard let text = left.text, let piece = right.text else { throw ReferenceError(.notAString) }
            return SlowText.contains(text, piece, .none)
        case "containsObject:":
            if left.text != nil { throw ReferenceError(.notACollection) }
            return try Self.isElement(right, of: left, .none)
        default: throw ReferenceError(.unknownSelector)
        }
    }

    /// The result of the host's own code; an error that it throws is a host error, unless it is one of ours.
    func hosted<Outcome>(_ work: () throws -> Outcome) throws(ReferenceError) -> Outcome {
        do {
            return try work()
        } catch let error as EvaluationError {
            throw ReferenceError(EvaluationErrorName(error.code))
        } catch {
            throw ReferenceError(.host)
        }
    }
}
