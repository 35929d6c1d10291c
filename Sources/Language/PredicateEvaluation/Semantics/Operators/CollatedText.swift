import Foundation
import PredicateSyntax

/// The comparison of strings by the rules of a locale: `name <[l] "m"` if the evaluator has a locale. [NSP-184]
///
/// Foundation compares: order and equality follow ICU's collation for the locale, and searches fold case by the
/// locale.
struct Collation: Sendable {
    private let locale: Locale
    private let options: String.CompareOptions

    /// Nil unless the options ask for a locale: `[n]` compares literally and overrides `[l]`.
    init?(_ options: ComparisonOptions, _ locale: Locale?, isNumeric: Bool = false) {
        guard let locale, options.contains(.localeSensitive), !options.contains(.normalized) else { return nil }
        var own: String.CompareOptions = isNumeric ? .numeric : []
        if options.contains(.caseInsensitive) { own.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { own.insert(.diacriticInsensitive) }
        self.locale = locale
        self.options = own
    }

    /// `name <[l] "m"`
    func compare(_ left: String, _ right: String) -> Ordering.Outcomes {
        switch left.compare(right, options: options, range: nil, locale: locale) {
        case .orderedAscending: .less
        case .orderedSame: .equal
        case .orderedDescending: .greater
        }
    }

    /// `name CONTAINS[l] "jo"`; with an anchor, BEGINSWITH and ENDSWITH. False for an empty needle.
    func finds(_ piece: String, in text: String, _ anchor: String.CompareOptions) -> Bool {
        text.range(of: piece, options: options.union(anchor), range: nil, locale: locale) != nil
    }
}

/// An operator under a collation. The collation compares strings; the operator itself compares all other values.
final class CollatedText: Relation {
    /// The operation on strings.
    enum Comparison: Sendable {
        /// `name <[l] "m"`
        case order(Ordering.Outcomes)
        /// `name ==[l] "jo"`
        case equality(negated: Bool)
        /// `name BETWEEN[l] {"a", "m"}`
        case between
        /// `name IN[l] {"jo"}`, `name CONTAINS[l] "jo"`
        case membership(isMirrored: Bool)
        /// `name BEGINSWITH[l] "jo"`
        case search(String.CompareOptions)
    }

    private let operation: Comparison
    private let collation: Collation
    private let base: any Relation

    init(_ operation: Comparison, _ collation: Collation, base: any Relation) {
        self.operation = operation
        self.collation = collation
        self.base = base
    }

    var outcomes: Ordering.Outcomes? { base.outcomes }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if let result = textResult(left, right) { return result }
        return try base.holds(left, right)
    }

    func check(_ right: PredicateValue) throws(Fault) { try base.check(right) }

    func leaf(against right: PredicateValue) -> LeafDescription? { base.leaf(against: right)?.withoutTexts }

    func leaf(from left: PredicateValue) -> LeafDescription? { base.leaf(from: left)?.withoutTexts }

    /// Returns the result for two strings, or for a string sought in a collection; nil for all other values.
    private func textResult(_ left: KeyedValue, _ right: KeyedValue) -> Bool? {
        switch operation {
        case .order(let satisfying):
            guard let left = left.text, let right = right.text else { return nil }
            return satisfying.contains(collation.compare(left, right))
        case .equality(let negated):
            guard let left = left.text, let right = right.text else { return nil }
            return (collation.compare(left, right) == .equal) != negated
        case .between: return isInside(left, right)
        case .membership(let isMirrored): return isMirrored ? isMember(right, of: left) : isMember(left, of: right)
        case .search(let anchor):
            guard let left = left.text, let right = right.text else { return nil }
            return collation.finds(right, in: left, anchor)
        }
    }

    private func isInside(_ value: KeyedValue, _ range: KeyedValue) -> Bool? {
        guard let value = value.text, range.isOrderedCollection, let bounds = range.elements, bounds.count == 2,
            let lower = bounds[0].text, let upper = bounds[1].text
        else { return nil }
        return collation.compare(lower, value) != .greater && collation.compare(value, upper) != .greater
    }

    private func isMember(_ value: KeyedValue, of container: KeyedValue) -> Bool? {
        guard let value = value.text else { return nil }
        if let text = container.text { return collation.finds(value, in: text, []) }
        return container.elements?.contains { element in
            element.text.map { collation.compare(value, $0) == .equal } ?? false
        }
    }
}

extension LeafDescription {
    /// The description without strings, and without lists, which may hold strings: these are left to the operator.
    fileprivate var withoutTexts: LeafDescription {
        var description = self
        description.lists = .undecided
        switch texts {
        case .undecided, .constant: break
        case .matches, .compared, .member, .pattern: description.texts = .undecided
        }
        return description
    }
}

extension Planner {
    /// Returns the relation of an operator under a collation; nil if the options ask for none.
    mutating func collated(
        _ operator: ComparisonOperator, _ options: ComparisonOptions, _ node: Int
    ) throws(EvaluationError) -> (any Relation)? {
        guard let collation = Collation(options, settings.locale), let operation = `operator`.collatedOperation else {
            return nil
        }
        let base = try relation(for: `operator`, options.subtracting(.localeSensitive), node)
        return CollatedText(operation, collation, base: base)
    }

    /// Returns the relation of a text operator under a collation; nil if the options ask for none. LIKE and MATCHES
    /// ignore the locale.
    mutating func collated(_ operator: StringOperator, _ options: ComparisonOptions) -> (any Relation)? {
        guard let collation = Collation(options, settings.locale), let operation = `operator`.collatedOperation else {
            return nil
        }
        return CollatedText(
            operation, collation, base: relation(for: `operator`, options.subtracting(.localeSensitive)))
    }
}

extension ComparisonOperator {
    fileprivate var collatedOperation: CollatedText.Comparison? {
        switch self {
        case .lessThan: .order(.less)
        case .lessThanOrEqualTo: .order([.less, .equal])
        case .greaterThan: .order(.greater)
        case .greaterThanOrEqualTo: .order([.greater, .equal])
        case .equalTo: .equality(negated: false)
        case .notEqualTo: .equality(negated: true)
        case .between: .between
        case .in: .membership(isMirrored: false)
        case .customSelector: nil
        }
    }
}

extension StringOperator {
    fileprivate var collatedOperation: CollatedText.Comparison? {
        switch self {
        case .beginsWith: .search(.anchored)
        case .endsWith: .search([.anchored, .backwards])
        case .contains: .membership(isMirrored: true)
        case .like, .matches, .utiEquals, .utiConformsTo: nil
        }
    }
}
