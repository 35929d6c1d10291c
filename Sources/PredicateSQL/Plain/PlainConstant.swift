import PredicateSyntax
import PredicateText

/// A constant beside a plain subject, as its column keeps it.
struct PlainConstant {
    let relation: RelationOperator
    let binding: SQLBinding
    let type: SQLParameterType

    init(_ relation: RelationOperator, _ binding: SQLBinding, _ type: SQLParameterType) {
        self.relation = relation
        self.binding = binding
        self.type = type
    }

    /// Refuses what is of another kind, and what makes more of the relation than one comparison.
    init(
        _ constant: PredicateValue, beside kind: ValueKind, _ relation: RelationOperator, _ mode: FoldMode,
        _ features: SQLFeatures
    ) throws(NotPlain) {
        switch kind {
        case .string:
            guard case .string(let text) = constant else { throw NotPlain() }
            self.init(relation, .text(try features.plain(text.folded(mode))), .text)
        case .integer:
            guard let number = constant.plainInteger else { throw NotPlain() }
            self.init(relation, .integer(number), .integer)
        case .double: self.init(relation, .double(try constant.plainDouble(relation, features)), .double)
        case .boolean:
            guard let number = constant.plainInteger else { throw NotPlain() }
            let (zero, one) = (relation.admits(0, number), relation.admits(1, number))
            if zero == one { throw NotPlain() }
            self.init(.equal, .boolean(one), .boolean)
        case .date(.since2001):
            guard case .date(let date) = constant else { throw NotPlain() }
            let seconds = date.timeIntervalSinceReferenceDate
            if seconds.isNaN { throw NotPlain() }
            self.init(relation, .double(seconds), .double)
        case .date, .decimal, .uuid, .data: throw NotPlain()
        }
    }
}

extension SQLFeatures {
    /// A text that the database can hold.
    func plain(_ text: String) throws(NotPlain) -> String {
        if !contains(.nulInText), text.utf8.contains(0) { throw NotPlain() }
        return text
    }
}

extension String {
    /// The text as an operator under a mode sees it.
    func folded(_ mode: FoldMode) -> String { mode == .none ? self : Folding.fold(self, mode) }
}

extension PredicateValue {
    /// An integer, or a Boolean as one.
    var plainInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .bool(let value): value ? 1 : 0
        case .null, .nullObject, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            nil
        }
    }

    /// A number as a double; where the database gives what is no number an order, being above it is no plain matter.
    fileprivate func plainDouble(
        _ relation: RelationOperator, _ features: SQLFeatures
    ) throws(NotPlain) -> Double {
        if relation == .greater || relation == .greaterOrEqual, features.contains(.ordersNotANumber) {
            throw NotPlain()
        }
        if case .double(let value) = self, !value.isNaN { return value }
        guard let integer = plainInteger else { throw NotPlain() }
        return Double(integer)
    }
}
