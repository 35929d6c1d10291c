import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Comparisons of different kinds, which never hold or are errors, and comparisons with numbers that a property
/// cannot hold.
///
///     age == "18"    name > 5    name BEGINSWITH 5    age IN {"1", "2"}    age > 70000    name == 5 with [c]
package enum KindChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.flatMap { comparison -> [PredicateFinding] in
            guard isOfOneValue(comparison, subject) else { return [] }
            let found = mismatches(comparison, subject)
            return found.isEmpty ? idleOption(comparison, subject).map { [$0] } ?? [] : found
        }
    }

    /// The comparisons of kinds that are never equal, unless the comparison is an error for another reason.
    package static func unequal(
        in predicate: FormatPredicate, scope: CheckScope
    ) -> [(CheckedComparison, PredicateFinding)] {
        let subject = CheckSubject(predicate, open: [], scope: scope)
        return subject.comparisons.flatMap { comparison -> [(CheckedComparison, PredicateFinding)] in
            guard comparison.operator.isEquality || comparison.operator == .comparison(.in),
                isOfOneValue(comparison, subject)
            else { return [] }
            return mismatches(comparison, subject).map { (comparison, $0) }
        }
    }

    /// False for a to-many key where a single value is required: another check reports it.
    private static func isOfOneValue(_ comparison: CheckedComparison, _ subject: CheckSubject) -> Bool {
        guard let finding = QuantityChecks.finding(comparison, subject) else { return true }
        return finding.code == .toOneKey
    }

    private static func mismatches(_ comparison: CheckedComparison, _ subject: CheckSubject) -> [PredicateFinding] {
        let (left, right) = (comparison.left.type, comparison.right.type)
        switch comparison.operator {
        case .comparison(.customSelector): return []
        case .comparison(.in): return membership(comparison, subject)
        case .comparison(.between): return elements(comparison, subject)
        case .string(.contains) where left.isToMany && comparison.modifier == .direct || left.elements != nil:
            return pair(left.element, right, comparison, subject)
        case .string(let own): return texts(own, comparison, subject)
        case .comparison:
            let isDirect = comparison.modifier == .direct
            // With ANY, a value that is an array is not checked, because the types of its elements are unknown.
            guard isDirect ? !left.isToMany : left.elements == nil && !left.kinds.contains(.array) else { return [] }
            return pair(left.element, right, comparison, subject)
        }
    }

    private static func pair(
        _ left: KnownType, _ right: KnownType, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> [PredicateFinding] {
        guard !right.isToMany, let found = Mismatch(left, right, subject) ?? Mismatch(right, left, subject) else {
            return []
        }
        let hint = KindCures.cure(comparison, left, right, subject)
        return [finding(found, comparison, hint, subject)]
    }

    private static func finding(
        _ mismatch: Mismatch, _ comparison: CheckedComparison, _ hint: String?, _ subject: CheckSubject
    ) -> PredicateFinding {
        let isError = comparison.operator.isOrdering && mismatch.isOfKinds
        let outcome = isError ? " cannot be ordered, which is an error" : " are never equal"
        let message = mismatch.message + (mismatch.isOfKinds ? outcome : "")
        let finding = PredicateFinding(mismatch.code, comparison.node, message, mismatch.hint ?? hint)
        return isError || mismatch.code == .outOfRange || isCertain(mismatch, subject) ? finding.at(.error) : finding
    }

    /// True if a store finds nothing or fails. SQLite converts strings and numbers to the type of a column, so that
    /// `isRead == "1"` may find rows.
    private static func isCertain(_ mismatch: Mismatch, _ subject: CheckSubject) -> Bool {
        subject.isStored && !mismatch.mayBeConverted
    }

    // MARK: Collections

    private static func membership(_ comparison: CheckedComparison, _ subject: CheckSubject) -> [PredicateFinding] {
        let (left, right) = (comparison.left.type.element, comparison.right.type)
        if right.elements != nil { return elements(comparison, subject) }
        if right.isToMany { return pair(left, right.element, comparison, subject) }
        let noCollection: Set<PredicateValue.Kind> = [.number, .boolean, .date, .data, .uuid, .url]
        if right.kinds == [.string] { return inString(left, right, comparison, subject) }
        // Another check reports constants of the wrong shape.
        guard !right.isOpen, right.constant == nil, right.kinds.isSubset(of: noCollection) || right.entity != nil,
            right.kinds.isDisjoint(with: [.array, .dictionary])
        else { return [] }
        return [
            PredicateFinding(
                .kindMismatch, comparison.right, "IN takes a collection, but this is \(subject.noun(right))",
                "write \(comparison.left.text) == \(comparison.right.text)"
            ).at(.error)
        ]
    }

    /// `age IN "31"`: a string contains only strings.
    private static func inString(
        _ left: KnownType, _ right: KnownType, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> [PredicateFinding] {
        if left.isOpen || left.kinds.contains(.string) { return [] }
        return pair(left, right, comparison, subject).map { finding in
            var copy = finding
            if left.kinds == [.number], case .string(let text)? = right.constant, Double(text) != nil {
                copy.hint = "write \(comparison.left.text) == \(text)"
            }
            return copy
        }
    }

    /// `age IN {"1", "2"}`, `age BETWEEN {"a", "b"}`. For IN, one element of a matching kind is enough.
    private static func elements(_ comparison: CheckedComparison, _ subject: CheckSubject) -> [PredicateFinding] {
        let left = comparison.left.type.element
        guard let elements = comparison.right.type.elements, !elements.isEmpty, !left.isOpen else { return [] }
        let found = elements.map { Mismatch(left, $0, subject) }
        guard let first = found.firstIndex(where: { $0 != nil }), let mismatch = found[first] else { return [] }
        let isMembership = comparison.operator == .comparison(.in)
        if isMembership, found.contains(where: { $0 == nil }) { return [] }
        let hint = KindCures.cure(comparison, left, elements[first], subject)
        guard mismatch.isOfKinds else { return [finding(mismatch, comparison, hint, subject)] }
        let kinds = elements.reduce(into: Set()) { $0.formUnion($1.kinds) }
        let message =
            isMembership
            ? "\(subject.noun(left)) is never in a collection of \(kinds.plural)"
            : "\(subject.noun(left)) and \(subject.noun(elements[first])) cannot be ordered, which is an error"
        let result = PredicateFinding(.kindMismatch, comparison.node, message, hint)
        return [!isMembership || isCertain(mismatch, subject) ? result.at(.error) : result]
    }

    // MARK: Strings

    /// `age LIKE "1*"` where ages are numbers, `name BEGINSWITH 5`
    private static func texts(
        _ operator: StringOperator, _ comparison: CheckedComparison, _ subject: CheckSubject
    ) -> [PredicateFinding] {
        let left = comparison.left.type.element, right = comparison.right.type
        let holders: Set<PredicateValue.Kind> =
            `operator` == .contains ? [.string, .array, .dictionary] : [.string]
        let isObject = left.kinds.contains(.object) && left.entity == nil
        if `operator`.rightSide == .typeIdentifier { return [] }
        var found: [PredicateFinding] = []
        if !left.isOpen, !isObject, left.kinds.isDisjoint(with: holders) {
            let mistake = PredicateFinding(
                .kindMismatch, comparison.left,
                "\(`operator`.spelling) takes a string, but \(comparison.left.text) is \(subject.noun(left))",
                KindCures.asString(comparison.left, left, subject))
            // Core Data stores URLs as strings, so a fetch may work; in memory it is an error.
            let mayWork = left.kinds == [.url] && subject.isStored
            found.append(mayWork ? mistake : mistake.at(.error))
        }
        guard `operator` != .contains || left.kinds == [.string], !right.isOpen, !right.isToMany,
            right.kinds.isDisjoint(with: [.string, .object])
        else { return found }
        let mistake = PredicateFinding(
            .kindMismatch, comparison.right,
            "\(`operator`.spelling) takes a string, but this is \(subject.noun(right))",
            right.constant.map { "put it in quotes: \"\($0.printed)\"" })
        return found + [subject.isStored ? mistake.at(.error) : mistake]
    }

    // MARK: Options

    /// `age ==[c] 5`
    private static func idleOption(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard !comparison.options.isEmpty, let kind = subject.constant(comparison.right)?.kind else { return nil }
        switch kind {
        case .string, .array, .dictionary, .object: return nil
        case .number, .boolean, .date, .data, .uuid, .url: break
        }
        return PredicateFinding(
            .optionWithoutEffect, comparison.node, "\(comparison.options.spelling) has no effect on \(kind.noun)",
            "remove it")
    }
}

/// The reason why two values are never equal.
private struct Mismatch {
    var code = PredicateFinding.Code.kindMismatch
    /// `a number and a string`, or the whole message if ``isOfKinds`` is false
    var message: String
    var hint: String?
    var isOfKinds = false
    /// True for a string beside a number or a Boolean.
    var mayBeConverted = false

    /// Nil if the values can be equal.
    init?(_ left: KnownType, _ right: KnownType, _ subject: CheckSubject) {
        guard !left.isOpen, !right.isOpen else { return nil }
        if let range = left.property?.range, let own = Self.outside(range, left, right) { self = own; return }
        if left.kinds == [.boolean], let own = Self.noBoolean(right) { self = own; return }
        if let one = left.entity, let other = right.entity, let schema = subject.schema {
            if schema.isEntity(one, kindOf: other) || schema.isEntity(other, kindOf: one) { return nil }
            guard left.kinds == [.object], right.kinds == [.object] else { return nil }
            message = "\(schema.noun(of: one)) is never \(schema.noun(of: other))"
            return
        }
        guard !Self.canEqual(left, right) else { return nil }
        message = "\(subject.noun(left)) and \(subject.noun(right))"
        isOfKinds = true
        let kinds = left.kinds.union(right.kinds)
        mayBeConverted = kinds.contains(.string) && kinds.isSubset(of: [.string, .number, .boolean])
    }

    private init(_ code: PredicateFinding.Code, _ message: String, _ hint: String?) {
        (self.code, self.message, self.hint) = (code, message, hint)
    }

    /// An object of an entity never equals a plain value. An object of the host defines its own equality.
    private static func canEqual(_ left: KnownType, _ right: KnownType) -> Bool {
        func plain(_ type: KnownType) -> Set<PredicateValue.Kind> {
            type.entity == nil ? type.kinds : type.kinds.subtracting([.object])
        }
        let (one, other) = (plain(left), plain(right))
        if left.entity != nil, right.kinds.contains(.object) || right.entity != nil { return true }
        if right.entity != nil, left.kinds.contains(.object) { return true }
        return one.canEqual(other)
    }

    /// `isRead == 2`
    private static func noBoolean(_ right: KnownType) -> Mismatch? {
        guard right.kinds == [.number], let number = right.constant?.realNumber, number != 0, number != 1 else {
            return nil
        }
        return Mismatch(.kindMismatch, "a Boolean is never \(right.constant?.printed ?? "")", "write YES or NO")
    }

    /// `age > 70000` of an Integer 16
    private static func outside(_ range: ClosedRange<Int64>, _ left: KnownType, _ right: KnownType) -> Mismatch? {
        guard case .integer(let number)? = right.constant, !range.contains(number), left.kinds == [.number] else {
            return nil
        }
        let name = left.path?.last ?? "the value"
        let type = left.property?.typeName.map { " of type \($0)" } ?? ""
        return Mismatch(.outOfRange, "\(name)\(type) holds \(range.lowerBound) to \(range.upperBound)", nil)
    }
}

/// Suggestions for making both sides of a comparison the same kind.
enum KindCures {
    static func cure(
        _ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType, _ subject: CheckSubject
    ) -> String? {
        if subject.isUnknown(comparison.right) { return ofArgument(comparison, left, subject) }
        if isOrderedText(comparison, left, right) { return cast(comparison.left, to: .number, subject) }
        return ofConstant(right.constant, beside: comparison.left, left, subject)
            ?? ofConstant(left.constant, beside: comparison.right, right, subject)
            ?? cast(comparison.left, left, right, subject)
    }

    /// The kind of value to pass for a specifier: `pass a number for %@`
    private static func ofArgument(
        _ comparison: CheckedComparison, _ left: KnownType, _ subject: CheckSubject
    ) -> String? {
        let isList = comparison.operator == .comparison(.in) || comparison.operator == .comparison(.between)
        let noun = isList && left.kinds.count == 1 ? "a collection of \(left.kinds.plural)" : subject.noun(left)
        let source = subject.source(of: comparison.right)
        let takesOther = source.first == "%" && source != "%@" && left.kinds != [.number]
        return left.isOpen ? nil : takesOther ? "write %@ and pass \(noun)" : "pass \(noun) for \(source)"
    }

    /// True for a column of a fetch, whose store may refuse a function of it.
    private static func isColumn(_ node: CheckedNode, _ subject: CheckSubject) -> Bool {
        subject.isFetch && node.keys != nil
    }

    /// `PRIORITY <= 3` where priorities are strings: with quotes, they would be compared as strings.
    private static func isOrderedText(_ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType) -> Bool {
        guard comparison.operator.isOrdering || comparison.operator == .comparison(.between) else { return false }
        return left.kinds == [.string] && right.kinds == [.number] && left.constant == nil
    }

    /// The suggestion for a constant that is compared with values of a kind.
    private static func ofConstant(
        _ constant: PredicateValue?, beside node: CheckedNode, _ type: KnownType, _ subject: CheckSubject
    ) -> String? {
        guard let constant, type.kinds.count == 1, let kind = type.kinds.first else { return nil }
        switch (kind, constant) {
        case (.number, .string(let text)): return Double(text) == nil ? nil : "remove the quotes: \(text)"
        case (.boolean, .string(let text)):
            let words = ["true": "YES", "yes": "YES", "false": "NO", "no": "NO"]
            return words[text.lowercased()].map { "remove the quotes: \($0)" } ?? "write YES or NO without quotes"
        case (.string, .bool): return node.keys == nil || subject.isFetch ? nil : "write \(node.text).boolValue"
        case (.string, .integer), (.string, .double), (.string, .decimal):
            let hasCast = node.expression?.constant == nil && !isColumn(node, subject)
            let cast = hasCast ? ", or CAST(\(node.text), \"NSNumber\")" : ""
            return "put it in quotes: \(constant.printed.quotedLiteral)\(cast)"
        case (.date, .string(let text)):
            return ISO8601.date(from: text) == nil
                ? "a date is written CAST(\"2020-01-31\", \"NSDate\")" : "write CAST(\(text.quotedLiteral), \"NSDate\")"
        case (.date, .integer), (.date, .double): return "write CAST(\(constant.printed), \"NSDate\")"
        case (.uuid, .string(let text)):
            if UUID(uuidString: text) == nil { return nil }
            return subject.isFetch ? "pass a UUID for %@" : "write CAST(\(text.quotedLiteral), \"NSUUID\")"
        case (.url, .string(let text)): return "write CAST(\(text.quotedLiteral), \"NSURL\")"
        default: return nil
        }
    }

    /// `write CAST(age, "NSString")`; nil for a column of a fetch.
    private static func cast(_ node: CheckedNode, to type: CastType, _ subject: CheckSubject) -> String? {
        isColumn(node, subject) ? nil : "write CAST(\(node.text), \"\(type.rawValue)\")"
    }

    /// The cast of the left side to the kind of the right one, if one exists.
    private static func cast(
        _ node: CheckedNode, _ left: KnownType, _ right: KnownType, _ subject: CheckSubject
    ) -> String? {
        guard left.kinds.count == 1, right.kinds.count == 1, left.entity == nil, right.entity == nil,
            right.constant == nil || right.kinds == [.string] || right.kinds == [.date] || right.kinds == [.uuid],
            let from = left.kinds.first, let to = right.kinds.first
        else { return nil }
        // The digits of a number never equal a string that is not a number.
        if from == .number, case .string(let text)? = right.constant, Double(text) == nil { return nil }
        switch (from, to) {
        case (.string, .number), (.date, .number): return cast(node, to: .number, subject)
        case (.string, .date): return cast(node, to: .date, subject)
        case (.string, .uuid): return cast(node, to: .uuid, subject)
        case (.number, .string): return cast(node, to: .string, subject)
        default: return nil
        }
    }

    /// `CAST(age, "NSString")`, `home.absoluteString`
    static func asString(_ node: CheckedNode, _ type: KnownType, _ subject: CheckSubject) -> String? {
        if type.kinds == [.url] { return "write \(node.text).\(URLKey.absoluteString.rawValue)" }
        let isPlain = type.entity == nil && type.kinds.isDisjoint(with: [.array, .dictionary])
        return isPlain && !subject.isFetch ? cast(node, to: .string, subject) : nil
    }
}

extension String {
    /// The string in double quotes.
    var quotedLiteral: String { "\"\(self)\"" }
}
