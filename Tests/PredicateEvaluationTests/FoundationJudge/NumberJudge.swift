import Foundation
import PredicateEvaluation
import PredicateSyntax

/// What Foundation says about two values, or about one and a list.
enum FoundationAnswer {
    static func order(_ left: JudgedValue, _ right: JudgedValue) -> NumberOrder? {
        if let left = left.number, let right = right.number { return NumberOrder(left.compare(right)) }
        if let left = left.date, let right = right.date { return NumberOrder(left.compare(right as Date)) }
        return nil
    }

    static func areEqual(_ left: JudgedValue, _ right: JudgedValue) -> Bool? {
        if let left = left.number, let right = right.number { return left.isEqual(right) }
        if let left = left.date, let right = right.date { return left.isEqual(right) }
        return nil
    }
}

extension NumberOrder {
    init(_ result: ComparisonResult) {
        switch result {
        case .orderedAscending: self = .less
        case .orderedSame: self = .equal
        case .orderedDescending: self = .greater
        }
    }

    var mirrored: NumberOrder {
        switch self {
        case .less: .greater
        case .equal: .equal
        case .greater: .less
        }
    }
}

/// The operators of the language, prepared once and asked by key and by constant.
struct JudgedOperators {
    private static let spellings = ["==", "!=", "<", "<=", ">", ">="]
    private let onKeys: [PredicateEvaluator]
    private let between: PredicateEvaluator
    private let contained: PredicateEvaluator

    init() throws {
        onKeys = try Self.spellings.map { try PredicateEvaluator(FormatPredicate("a \($0) b")) }
        between = try PredicateEvaluator(FormatPredicate("a BETWEEN {b, b}"))
        contained = try PredicateEvaluator(FormatPredicate("a IN {b, 'none'}"))
    }

    /// The order that all operators agree on, and the equality; nil where two of them contradict each other.
    func answer(_ left: JudgedValue, _ right: JudgedValue) throws -> (order: NumberOrder, isEqual: Bool)? {
        let row: [String: PredicateValue] = ["a": left.value, "b": right.value]
        let keys = try onKeys.map { try $0.evaluate(with: row) }
        let constants = try Self.spellings.map { spelling in
            try PredicateEvaluator(FormatPredicate("a \(spelling) %@", right.value)).evaluate(with: row)
        }
        guard keys == constants, try between.evaluate(with: row) == keys[0],
            try contained.evaluate(with: row) == keys[0],
            try Self.isInRange(row, right.value, keys)
        else { return nil }
        switch keys {
        case [true, false, false, true, false, true]: return (.equal, true)
        case [false, true, true, true, false, false]: return (.less, false)
        case [false, true, false, false, true, true]: return (.greater, false)
        default: return nil
        }
    }

    /// True if BETWEEN and IN with constants agree with the operators.
    private static func isInRange(
        _ row: [String: PredicateValue], _ right: PredicateValue, _ keys: [Bool]
    ) throws -> Bool {
        let range = try PredicateEvaluator(FormatPredicate("a BETWEEN %@", PredicateValue.array([right, right])))
        let list = try PredicateEvaluator(FormatPredicate("a IN %@", PredicateValue.array([right, 7])))
        let isSeven = isEqual(row["a"] ?? .null, 7)
        return try range.evaluate(with: row) == keys[0] && list.evaluate(with: row) == (keys[0] || isSeven)
    }
}
