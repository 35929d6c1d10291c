import PredicateSyntax
import PredicateText

/// Constants beside plain subjects, as their columns keep them.
extension PlainWriter {
    /// `?1`: a constant in a relation to a column; refuses what is of another kind, and a relation that both Booleans
    /// satisfy or none.
    mutating func bind(
        _ constant: PredicateValue, beside kind: ValueKind, _ relation: RelationOperator, _ mode: FoldMode
    ) throws(NotPlain) -> SQLText.Precedence {
        let binding: SQLBinding
        let type: SQLParameterType
        switch kind {
        case .string:
            guard case .string(let text) = constant else { throw NotPlain() }
            (binding, type) = (.text(try dialect.features.plain(text.folded(mode))), .text)
        case .integer:
            guard let number = constant.plainInteger else { throw NotPlain() }
            (binding, type) = (.integer(number), .integer)
        case .double: (binding, type) = (.double(try constant.plainDouble(relation, dialect.features)), .double)
        case .boolean:
            guard let number = constant.plainInteger else { throw NotPlain() }
            let isOne = relation.admits(1, number)
            if relation.admits(0, number) == isOne { throw NotPlain() }
            (binding, type) = (.boolean(isOne), .boolean)
        case .date(.since2001):
            guard case .date(let date) = constant else { throw NotPlain() }
            let seconds = date.timeIntervalSinceReferenceDate
            if seconds.isNaN { throw NotPlain() }
            (binding, type) = (.double(seconds), .double)
        case .date, .decimal, .uuid, .data, .any: throw NotPlain()
        }
        return writer.write(parameter: binding, type)
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
