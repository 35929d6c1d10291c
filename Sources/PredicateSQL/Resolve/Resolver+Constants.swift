#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateSyntax
import PredicateText

/// Comparisons of a value with a constant: the constant is converted, so that the column stands alone and the condition
/// is sargable.
extension Resolver {
    func relate(
        _ value: Value, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if let column = value.guarded { return try relate(column, relation, constant, mode, path) }
        if let condition = try extreme(value, relation, constant, mode, path) { return condition }
        let value = value.checked
        switch (value.kind, constant) {
        case (.string, .string(let text)):
            return try relate(try folded(value.form, mode, path), relation, Folding.fold(text, mode), path)
        case (.date(let storage), .date(let date)):
            return try relate(value, storage, relation, date.timeIntervalSinceReferenceDate, path)
        case (.uuid(let storage), .uuid(let uuid)) where relation == .equal:
            let constant = self.uuid(uuid, storage)
            return value.kind.isText
                ? .compareText(value.form, relation, constant) : .compare(value.form, relation, constant)
        case (.data, .data(let data)) where relation == .equal:
            return .compare(value.form, relation, form(.blob(data), .blob))
        default:
            if value.kind.isNumber, let number = ConstantNumber(constant) {
                return try relate(value, relation, number, path).evaluating(value.form)
            }
            guard relation == .equal else {
                throw Fault(.incomparable(left: value.kind.name, right: constant.columnKindName), at: path)
            }
            return .never
        }
    }

    /// `orders.@max.total > 9`: an order whose total is greater than 9 exists. Nil where the greatest or the least value itself decides.
    private func extreme(
        _ value: Value, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm? {
        guard mode == .none, case .aggregate(let aggregate, let scope, let condition) = value.form else { return nil }
        let element: ValueForm
        switch (aggregate, relation) {
        case (.maximum(let form, _), .greater), (.maximum(let form, _), .greaterOrEqual): element = form
        case (.minimum(let form, _), .less), (.minimum(let form, _), .lessOrEqual): element = form
        default: return nil
        }
        if case .guarded = element { return nil }
        let found = Value(form: element, kind: value.kind, mayBeNil: true)
        return .exists(scope, .all([condition, try relate(found, relation, constant, mode, path)]))
    }

    /// A text that the database cannot hold lies between others: it is decided beside what stands before its U+0000.
    private func relate(
        _ text: ValueForm, _ relation: RelationOperator, _ constant: String, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        guard let start = beforeNUL(constant) else { return .compareText(text, relation, try form(constant, path)) }
        switch relation {
        case .equal, .notEqual: return .never
        case .less, .lessOrEqual: return .compareText(text, .lessOrEqual, try form(start, path))
        case .greater, .greaterOrEqual: return .compareText(text, .greater, try form(start, path))
        }
    }

    func uuid(_ uuid: UUID, _ storage: SQLType.UUIDStorage) -> ValueForm {
        switch storage {
        case .text, .lowercaseText: form(.text(storage.text(of: uuid)), .text)
        case .blob where dialect.features.contains(.uuidType): form(.text(uuid.uuidString), .uuid)
        case .blob: form(.blob(uuid.bytes), .blob)
        }
    }

    // MARK: Numbers

    private func relate(
        _ value: Value, _ relation: RelationOperator, _ number: ConstantNumber, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        switch value.kind {
        case .integer: return relate(integer: value, relation, number)
        case .boolean: return relate(boolean: value, relation, number)
        case .double: return relate(double: value, relation, number.doubleValue)
        case .decimal: return try relate(decimal: value, relation, number, path)
        case .power: return try relate(power: value, relation, number, path)
        case .string, .date, .uuid, .data, .any: return .never
        }
    }

    /// `age ** 2 < 100`: a double past 64 bits stands on the same side of all integers but the greatest.
    private func relate(
        power value: Value, _ relation: RelationOperator, _ number: ConstantNumber, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        switch number {
        case .double(let constant): return relate(double: double(value), relation, constant)
        case .integer(let constant) where constant.magnitude < 1 << 62:
            return .compare(value.form, relation, form(.integer(constant), .integer))
        case .integer, .decimal: throw Fault(.kindDependsOnRow, at: path)
        }
    }

    /// An integer beside a double or a decimal: the integers that satisfy it are a range.
    private func relate(
        integer value: Value, _ relation: RelationOperator, _ number: ConstantNumber
    ) -> ConditionForm {
        if let found = existence(value, relation, number) { return found }
        if case .integer(let integer) = number {
            return .compare(value.form, relation, form(.integer(integer), .integer))
        }
        let (least, greatest) = (number.leastIntegerAtOrAbove, number.greatestIntegerAtOrBelow)
        switch relation {
        case .equal, .notEqual:
            guard let least, let greatest, least <= greatest else { return .never }
            return least == greatest
                ? bounded(value, .equal, least)
                : .all([bounded(value, .greaterOrEqual, least), bounded(value, .lessOrEqual, greatest)])
        case .less: return least.map { bounded(value, .less, $0) } ?? .not(.isNull(value.form))
        case .lessOrEqual: return greatest.map { bounded(value, .lessOrEqual, $0) } ?? .never
        case .greater: return greatest.map { bounded(value, .greater, $0) } ?? .not(.isNull(value.form))
        case .greaterOrEqual: return least.map { bounded(value, .greaterOrEqual, $0) } ?? .never
        }
    }

    private func bounded(_ value: Value, _ relation: RelationOperator, _ bound: Int64) -> ConditionForm {
        .compare(value.form, relation, form(.integer(bound), .integer))
    }

    /// `friends.@count > 0`, `name.length == 0`: tests for existence.
    private func existence(
        _ value: Value, _ relation: RelationOperator, _ number: ConstantNumber
    ) -> ConditionForm? {
        guard value.form.isSize else { return nil }
        // Sizes are 0, 1, 2, …: it is a test for existence if the result changes at 1 and never again.
        switch [0, 1, 2, Int64.max].map({ number.admits($0, relation) }) {
        case [false, true, true, true]: return isEmpty(value.form, false)
        case [true, false, false, false]: return isEmpty(value.form, true)
        default: return nil
        }
    }

    private func isEmpty(_ size: ValueForm, _ isEmpty: Bool) -> ConditionForm? {
        switch size {
        case .aggregate(.countRows, let scope, let condition):
            return isEmpty ? .not(.exists(scope, condition)) : .exists(scope, condition)
        case .call(.length, let texts):
            return texts.first.map { .compareText($0, isEmpty ? .equal : .notEqual, form(.text(""), .text)) }
        case .parameter, .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            return nil
        }
    }

    /// A Boolean is 0 or 1: both satisfy it, one does, or none.
    private func relate(
        boolean value: Value, _ relation: RelationOperator, _ number: ConstantNumber
    ) -> ConditionForm {
        switch (number.admits(0, relation), number.admits(1, relation)) {
        case (false, false): .never
        case (true, true): .not(.isNull(value.form))
        case (let isFalse, _): .compare(value.form, .equal, form(.boolean(!isFalse), .boolean))
        }
    }

    private func relate(
        decimal value: Value, _ relation: RelationOperator, _ number: ConstantNumber, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        let text: String
        switch number {
        case .double(let constant) where constant.isNaN:
            if relation == .equal || relation == .notEqual { return .never }
            let isLess = relation == .less || relation == .lessOrEqual
            return try relate(decimal: value, isLess ? .less : .greaterOrEqual, .integer(0), path)
        case .double(let constant):
            guard constant.isFinite, dialect.features.contains(.decimalType) else {
                return compare(double(value).form, relation, constant)
            }
            return relate(decimal: value.form, relation, constant)
        case .integer(let constant): text = String(constant)
        case .decimal(let constant):
            guard dialect.limits.holds(constant) else {
                throw Fault(.value("a decimal number of so many digits"), at: path)
            }
            text = constant.description
        }
        let constant = form(.text(text), .decimal)
        if dialect.features.contains(.decimalType) { return .compare(value.form, relation, constant) }
        return .compare(.call(.decimalCompare, [value.form, constant]), relation, .word("0"))
    }
}

// MARK: Decimal numbers beside doubles

extension Resolver {
    /// The digits after the point of a decimal number of the language, which no shorter bound tells apart.
    private static let fractionDigits = 128

    /// `price >= 9.99`: the decimal numbers that satisfy it are a range, so that the column stands bare. [NSP-344]
    private func relate(decimal value: ValueForm, _ relation: RelationOperator, _ number: Double) -> ConditionForm {
        let digits = min(dialect.limits.fractionDigits, Self.fractionDigits)
        let low = DecimalBound(from: number, digits: digits)
        let high = DecimalBound(to: number, digits: digits)
        switch relation {
        case .equal, .notEqual:
            if high.number < low.number { return .never }
            if low.number == high.number { return bounded(value, .equal, low.number) }
            return .all([
                bounded(value, low.isIncluded ? .greaterOrEqual : .greater, low.number),
                bounded(value, high.isIncluded ? .lessOrEqual : .less, high.number),
            ])
        case .less: return bounded(value, low.isIncluded ? .less : .lessOrEqual, low.number)
        case .lessOrEqual: return bounded(value, high.isIncluded ? .lessOrEqual : .less, high.number)
        case .greater: return bounded(value, high.isIncluded ? .greater : .greaterOrEqual, high.number)
        case .greaterOrEqual: return bounded(value, low.isIncluded ? .greaterOrEqual : .greater, low.number)
        }
    }

    /// A bound with more digits before the point than the database holds lies beyond all columns.
    private func bounded(_ value: ValueForm, _ relation: RelationOperator, _ bound: ExactDecimal) -> ConditionForm {
        guard bound.whole.count <= dialect.limits.wholeDigits else {
            return relation.admits(bound.isNegative ? .greater : .less) ? .not(.isNull(value)) : .never
        }
        return .compare(value, relation, form(.text(bound.text), .decimal))
    }
}

extension ValueForm {
    /// The number of rows, or the length of a text.
    fileprivate var isSize: Bool {
        switch self {
        case .aggregate(.countRows, _, _), .call(.length, _): true
        case .parameter, .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate:
            false
        }
    }
}

extension UUID {
    /// The sixteen bytes.
    var bytes: Data {
        withUnsafeBytes(of: uuid) { Data($0) }
    }
}
