import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Comparisons of a value with a constant. The constant is converted, so that the column appears bare and the
/// condition is sargable.
extension Resolver {
    func relate(
        _ value: TypedValue, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if let member = value.member { return try relate(member, relation, constant, mode, path) }
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
        case (.string, .url) where relation == .equal:
            // No column holds URLs, so that an equality that is never true is a mistake.
            throw CompilationFault(.notExpressible(.value("a URL")), at: path)
        default:
            if value.kind.isNumber, let number = ConstantNumber(constant) {
                return try relate(value, relation, number, path).evaluating(value.form)
            }
            guard relation == .equal else {
                throw CompilationFault(.incomparable(left: value.kind.operand, right: constant.operand), at: path)
            }
            return .never
        }
    }

    /// `orders.@max.total > 9`: an order with a total greater than 9 exists. nil if the greatest or least value
    /// itself is needed.
    private func extreme(
        _ value: TypedValue, _ relation: RelationOperator, _ constant: PredicateValue, _ mode: FoldMode,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm? {
        guard mode == .none, case .aggregate(let aggregate, let scope, let condition) = value.form else { return nil }
        let element: ValueForm
        switch (aggregate, relation) {
        case (.maximum(let form, _), .greater), (.maximum(let form, _), .greaterOrEqual),
            (.function(.decimalGreatest, let form), .greater), (.function(.decimalGreatest, let form), .greaterOrEqual),
            (.minimum(let form, _), .less), (.minimum(let form, _), .lessOrEqual),
            (.function(.decimalLeast, let form), .less), (.function(.decimalLeast, let form), .lessOrEqual):
            element = form
        default: return nil
        }
        guard case .guarded(let column) = element else {
            let found = TypedValue(form: element, kind: value.kind, mayBeNil: true)
            return .exists(scope, .all([condition, try relate(found, relation, constant, mode, path)]))
        }
        guard value.kind == .integer || value.kind == .double, !column.isRounded else { return nil }
        let bare = try relate(TypedValue(form: column.bare, kind: value.kind), relation, constant, mode, path)
        let own = try relate(TypedValue(form: column.orError, kind: value.kind), relation, constant, mode, path)
        // All numbers are below a value of another kind, which must be found too, since it is an error.
        let isAbove = relation == .greater || relation == .greaterOrEqual
        let found = isAbove ? bare : .any([bare, .isStored(column.column, .noNumber)])
        return .exists(scope, .all([condition, found, own]))
    }

    /// Compares with a string that the database cannot hold: the part before its U+0000 decides.
    private func relate(
        _ text: ValueForm, _ relation: RelationOperator, _ constant: String, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
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
        _ value: TypedValue, _ relation: RelationOperator, _ number: ConstantNumber, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        switch value.kind {
        case .integer: return relate(integer: value, relation, number)
        case .boolean: return relate(boolean: value, relation, number)
        case .double: return relate(double: value.widened, relation, number.doubleValue)
        case .decimal: return try relate(decimal: value, relation, number, path)
        case .power: return try relate(power: value, relation, number, path)
        case .string, .date, .uuid, .data, .any: return .never
        }
    }

    /// `age ** 2 < 100`: compares a power with a constant. A power that exceeds 64 bits is a double. A comparison of
    /// it with an integer whose magnitude is less than 2^62 has the same result whether or not the integer is
    /// converted to a double.
    private func relate(
        power value: TypedValue, _ relation: RelationOperator, _ number: ConstantNumber, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        switch number {
        case .double(let constant): return relate(double: double(value), relation, constant)
        case .integer(let constant) where constant.magnitude < 1 << 62:
            return .compare(value.form, relation, form(.integer(constant), .integer))
        case .integer, .decimal: throw CompilationFault(.kindDependsOnRow, at: path)
        }
    }

    /// Compares an integer with a double or a decimal: the integers that satisfy the comparison are a range.
    private func relate(
        integer value: TypedValue, _ relation: RelationOperator, _ number: ConstantNumber
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

    private func bounded(_ value: TypedValue, _ relation: RelationOperator, _ bound: Int64) -> ConditionForm {
        .compare(value.form, relation, form(.integer(bound), .integer))
    }

    /// `friends.@count > 0`, `name.length == 0`: tests for existence.
    private func existence(
        _ value: TypedValue, _ relation: RelationOperator, _ number: ConstantNumber
    ) -> ConditionForm? {
        guard value.form.isSize else { return nil }
        // Sizes are 0, 1, 2, …: the comparison tests for existence if its result changes at 1 and nowhere else.
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

    /// A Boolean is 0 or 1: both values satisfy the comparison, one does, or none.
    private func relate(
        boolean value: TypedValue, _ relation: RelationOperator, _ number: ConstantNumber
    ) -> ConditionForm {
        switch (number.admits(0, relation), number.admits(1, relation)) {
        case (false, false): .never
        case (true, true): .not(.isNull(value.form))
        case (let isFalse, _): .compare(value.form, .equal, form(.boolean(!isFalse), .boolean))
        }
    }

    private func relate(
        decimal value: TypedValue, _ relation: RelationOperator, _ number: ConstantNumber, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let text: String
        switch number {
        case .double(let constant) where constant.isNaN:
            if relation == .equal || relation == .notEqual { return .never }
            let isLess = relation == .less || relation == .lessOrEqual
            return try relate(decimal: value, isLess ? .less : .greaterOrEqual, .integer(0), path)
        case .double(let constant):
            guard constant.isFinite, dialect.features.contains(.decimalType) else {
                try checkAverage(value, path)
                return compare(double(value).form, relation, constant)
            }
            return try relate(decimal: value.form, relation, constant, path)
        case .integer(let constant): text = String(constant)
        case .decimal(let constant):
            guard dialect.limits.holds(constant) else {
                throw CompilationFault(.value("a decimal number with so many digits"), at: path)
            }
            text = constant.description
        }
        if dialect.features.contains(.decimalType) { return try compare(decimal: value.form, relation, text, path) }
        let constant = form(.text(text), .decimal)
        return .compare(.call(.decimalCompare, [value.form, constant]), relation, .word("0"))
    }
}

// MARK: - Decimal numbers and doubles

extension Resolver {
    /// The most digits after the decimal point in the language: a bound with fewer digits cannot separate all
    /// decimals.
    private static let fractionDigits = 128

    /// `price >= 9.99`: the decimals that satisfy the comparison are a range, so that the column appears bare.
    /// [NSP-344]
    private func relate(
        decimal value: ValueForm, _ relation: RelationOperator, _ number: Double, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let digits = min(dialect.limits.fractionDigits, Self.fractionDigits)
        let low = DecimalBound(from: number, digits: digits)
        let high = DecimalBound(to: number, digits: digits)
        switch relation {
        case .equal, .notEqual:
            if high.number < low.number { return .never }
            if low.number == high.number { return try bounded(value, .equal, low.number, path) }
            return .all([
                try bounded(value, low.isIncluded ? .greaterOrEqual : .greater, low.number, path),
                try bounded(value, high.isIncluded ? .lessOrEqual : .less, high.number, path),
            ])
        case .less: return try bounded(value, low.isIncluded ? .less : .lessOrEqual, low.number, path)
        case .lessOrEqual: return try bounded(value, high.isIncluded ? .lessOrEqual : .less, high.number, path)
        case .greater: return try bounded(value, high.isIncluded ? .greater : .greaterOrEqual, high.number, path)
        case .greaterOrEqual: return try bounded(value, low.isIncluded ? .greaterOrEqual : .greater, low.number, path)
        }
    }

    /// A bound with more digits before the decimal point than the database holds is beyond the values of every
    /// column, but not beyond every result of arithmetic.
    private func bounded(
        _ value: ValueForm, _ relation: RelationOperator, _ bound: ExactDecimal, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        guard bound.whole.count <= dialect.limits.wholeDigits else {
            if value.isDecimalResult { throw CompilationFault(.value("a number with so many digits"), at: path) }
            return relation.admits(bound.isNegative ? .greater : .less) ? .not(.isNull(value)) : .never
        }
        return try compare(decimal: value, relation, bound.text, path)
    }
}

extension TypedValue {
    /// A 32-bit column without its cast: databases compare it exactly with a 64-bit double, and can use its index.
    fileprivate var widened: TypedValue {
        guard case .cast(.column(let column), .type(.singleToDouble)) = form else { return self }
        var copy = self
        copy.form = .column(column)
        return copy
    }
}

extension ValueForm {
    /// True for a number of rows, and for the length of a string.
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

/// A constant number, compared with 64-bit integers by the rules of the language: a double is compared as double, a
/// decimal as decimal.
enum ConstantNumber {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    init?(_ value: PredicateValue) {
        switch value {
        case .bool(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            return nil
        }
    }

    /// The nearest double.
    var doubleValue: Double {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description) ?? .nan
        }
    }

    var isNaN: Bool {
        switch self {
        case .integer: false
        case .double(let value): value.isNaN
        case .decimal(let value): value.isNaN
        }
    }

    /// Returns the order of two constants. [NSP-176]
    func order(to other: ConstantNumber) -> NumberOrder {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return left < right ? .less : left == right ? .equal : .greater
        case (.double, _), (_, .double): return NumberOrder(doubleValue, other.doubleValue)
        case (.decimal, _), (_, .decimal):
            if isNaN || other.isNaN { return NumberOrder(doubleValue, other.doubleValue) }
            let (left, right) = (decimalValue, other.decimalValue)
            return left < right ? .less : left == right ? .equal : .greater
        }
    }

    private var decimalValue: Decimal {
        switch self {
        case .integer(let value): Decimal(value)
        case .double: .nan
        case .decimal(let value): value
        }
    }

    /// Returns true if an integer satisfies an operator with this number on its right.
    func admits(_ integer: Int64, _ relation: RelationOperator) -> Bool {
        relation.admits(ConstantNumber.integer(integer).order(to: self))
    }

    /// The least integer that is not below this number; nil if there is none.
    var leastIntegerAtOrAbove: Int64? {
        MonotoneSearch.first { admits($0, .greaterOrEqual) }
    }

    /// The greatest integer that is not above this number; nil if there is none.
    var greatestIntegerAtOrBelow: Int64? {
        guard let above = MonotoneSearch.first(where: { admits($0, .greater) }) else { return .max }
        return above == .min ? nil : above - 1
    }
}

extension SQLLimits {
    /// Returns true if a parameter holds all digits of a decimal number.
    func holds(_ number: Decimal) -> Bool { holds(digits: number.isFinite ? number.description : nil) }

    /// Returns true if the database holds all digits of a decimal number without an exponent; nil for one that is not finite.
    package func holds(digits: @autoclosure () -> String?) -> Bool {
        if wholeDigits == .max, fractionDigits == .max { return true }
        guard let text = digits() else { return false }
        let parts = text.utf8.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "."))
        return (parts.first?.count ?? 0) <= wholeDigits && (parts.dropFirst().first?.count ?? 0) <= fractionDigits
    }
}

/// A binary search for the least value that satisfies a monotone condition.
enum MonotoneSearch {
    /// Returns the least integer that satisfies the condition; nil if none does.
    static func first(where holds: (Int64) -> Bool) -> Int64? {
        guard holds(.max) else { return nil }
        var low: UInt64 = 0
        var high = UInt64.max
        while low < high {
            let middle = low + (high - low) / 2
            if holds(integer(middle)) { high = middle } else { low = middle + 1 }
        }
        return integer(low)
    }

    /// Returns the least double that satisfies the condition, including infinities; nil if none does.
    static func firstDouble(where holds: (Double) -> Bool) -> Double? {
        first { holds(double($0)) }.map(double)
    }

    /// Maps offsets to integers in ascending order.
    private static func integer(_ offset: UInt64) -> Int64 {
        Int64(bitPattern: offset ^ (1 << 63))
    }

    /// Maps integers to doubles in ascending order; ranks beyond the infinities count as infinities.
    private static func double(_ rank: Int64) -> Double {
        let limit = Int64(bitPattern: Double.infinity.bitPattern)
        if rank >= 0 { return Double(bitPattern: UInt64(min(rank, limit))) }
        return -Double(bitPattern: UInt64(min(-(rank + 1), limit)))
    }
}
