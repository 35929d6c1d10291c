import Foundation
internal import PredicateEvaluation
import PredicateSyntax

/// A comparison of an expression with a constant, which can be tested with any value of the expression.
///
/// To find out whether clauses can hold together, checks try the values that the clauses mention, and values between
/// and around them. The evaluator runs the tests, so nil and mixed kinds behave as they do for objects.
package struct Constraint {
    /// `age` in `age > 5`, and in `5 < age`
    let expression: ExpressionNode
    let comparison: CheckedComparison
    let `operator`: CheckedComparison.Operator
    let constant: PredicateValue
    private let test: @Sendable (PredicateValue) -> Bool

    package init?(_ comparison: CheckedComparison) {
        guard comparison.modifier == .direct, let left = comparison.left.expression,
            let right = comparison.right.expression
        else { return nil }
        if let constant = right.constant, left.isSteady {
            self.init(left, comparison, comparison.operator, constant)
        } else if let constant = left.constant, right.isSteady, let mirrored = comparison.operator.mirrored {
            self.init(right, comparison, mirrored, constant)
        } else {
            return nil
        }
    }

    private init?(
        _ expression: ExpressionNode, _ comparison: CheckedComparison, _ operator: CheckedComparison.Operator,
        _ constant: PredicateValue
    ) {
        let node = Self.node(`operator`, constant, comparison.options)
        guard let test = Self.test(of: node) else { return nil }
        self.expression = expression
        self.comparison = comparison
        self.operator = `operator`
        self.constant = constant
        self.test = test
    }

    /// Returns the result of comparing two constants; nil if it is unknown.
    static func result(
        _ left: PredicateValue, _ comparison: CheckedComparison, _ right: PredicateValue
    ) -> Bool? {
        test(of: node(comparison.operator, right, comparison.options))?(left)
    }

    /// Returns a test of `SELF > 5`, which is false for errors as well; nil if the comparison cannot be prepared.
    private static func test(of node: PredicateNode) -> (@Sendable (PredicateValue) -> Bool)? {
        guard let evaluator = try? PredicateEvaluator(FormatPredicate(node)) else { return nil }
        return { value in (try? evaluator.evaluate(.value(value))) ?? false }
    }

    /// `SELF > 5`
    private static func node(
        _ operator: CheckedComparison.Operator, _ constant: PredicateValue, _ options: ComparisonOptions
    ) -> PredicateNode {
        let right = ExpressionNode.constantValue(constant)
        return switch `operator` {
        case .comparison(let own): .comparison(ComparisonPredicate(.evaluatedObject, own, right, options: options))
        case .string(let own): .string(StringPredicate(.evaluatedObject, own, right, options: options))
        }
    }

    /// Returns true if the comparison holds for a value, and false for an error.
    package func holds(_ value: PredicateValue) -> Bool {
        test(value)
    }

    /// The only values for which the comparison can hold; nil if they are not a finite list.
    var onlyValues: [PredicateValue]? {
        guard comparison.options.isEmpty else { return nil }
        switch `operator` {
        case .comparison(.equalTo): return [constant]
        case .comparison(.in):
            if case .string = constant { return nil }
            return constant.elements
        case .comparison, .string: return nil
        }
    }

    /// The values at which the result changes, in sort order; nil if the result depends on more than order.
    var boundaries: [PredicateValue]? {
        guard comparison.options.isEmpty else { return nil }
        switch `operator` {
        case .comparison(.equalTo), .comparison(.notEqualTo): return constant.kind == .array ? nil : [constant]
        case .comparison(.lessThan), .comparison(.lessThanOrEqualTo), .comparison(.greaterThan),
            .comparison(.greaterThanOrEqualTo):
            return [constant]
        case .comparison(.between):
            guard let bounds = constant.elements, bounds.count == 2 else { return nil }
            return bounds
        case .comparison(.in): return onlyValues
        case .comparison, .string: return nil
        }
    }
}

extension CheckedComparison.Operator {
    /// The operator for swapped sides: `5 < age` is `age > 5`.
    fileprivate var mirrored: Self? {
        switch self {
        case .comparison(.equalTo), .comparison(.notEqualTo): self
        case .comparison(.lessThan): .comparison(.greaterThan)
        case .comparison(.lessThanOrEqualTo): .comparison(.greaterThanOrEqualTo)
        case .comparison(.greaterThan): .comparison(.lessThan)
        case .comparison(.greaterThanOrEqualTo): .comparison(.lessThanOrEqualTo)
        case .comparison(.between), .comparison(.in), .comparison(.customSelector), .string: nil
        }
    }
}

extension ExpressionNode {
    /// True if every evaluation of the expression gives the same value for the same object.
    fileprivate var isSteady: Bool {
        isVarying
            && !TreeNode.expression(self).contains { tree in
                switch tree {
                case .expression(.assignment), .expression(.block), .predicate(.block),
                    .expression(.function(FunctionExpression(.predefined(.random), []))):
                    true
                case .expression(.function(let call)):
                    call.function == .predefined(.randomn) || call.function == .predefined(.now)
                case .expression, .predicate: false
                }
            }
    }
}

extension TreeNode {
    fileprivate func contains(_ test: (TreeNode) -> Bool) -> Bool {
        test(self) || children.contains { $0.contains(test) }
    }
}

/// Values to try: at least one from each class of values that some clauses distinguish.
struct Candidates {
    /// Values of the kinds that the clauses mention. Values outside all bounds come first because they often decide.
    let own: [PredicateValue]
    /// A value of a kind that the clauses do not mention.
    let foreign: PredicateValue
    /// All candidates, and nil.
    var all: [PredicateValue] { own + [foreign, .null] }

    /// Nil if results depend on more than order, and for numbers whose size or digits are not ordinary.
    init?(_ constraints: [Constraint]) {
        var boundaries: [PredicateValue] = []
        for constraint in constraints {
            guard let own = constraint.boundaries else { return nil }
            boundaries += own.filter { $0.kind != nil }
        }
        let numbers = boundaries.compactMap(\.realNumber)
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 4e15 }), let decimals = Self.decimals(around: boundaries)
        else { return nil }
        own =
            Self.numbers(around: numbers) + decimals + Self.dates(around: boundaries) + Self.texts(around: boundaries)
            + boundaries
        foreign = numbers.isEmpty ? .integer(0) : .string("\u{1}")
    }

    private static func numbers(around values: [Double]) -> [PredicateValue] {
        let sorted = values.sorted()
        guard let least = sorted.first, let greatest = sorted.last else { return [] }
        let between = zip(sorted, sorted.dropFirst()).map { ($0 + $1) / 2 }
        return ([least - 1, greatest + 1] + between).map(PredicateValue.double)
    }

    /// Decimals between and next to the numbers, if some of these are decimals: several decimals, such as 1.00000000000000001 and
    /// 1.00000000000000003, have the same nearest double. Nil for a decimal with so many digits that the exponent of a result
    /// may not fit, for which Foundation traps.
    private static func decimals(around values: [PredicateValue]) -> [PredicateValue]? {
        guard values.contains(where: { if case .decimal = $0 { true } else { false } }) else { return [] }
        let sorted = values.compactMap(decimal).sorted()
        guard sorted.allSatisfy({ $0.exponent >= -64 }) else { return nil }
        let between = zip(sorted, sorted.dropFirst()).map { $0 + ($1 - $0) / 2 }
        let step = Decimal(sign: .plus, exponent: -25, significand: 1)
        let beside = sorted.flatMap { [$0 - $0.magnitude * step, $0 + $0.magnitude * step] }
        return (between + beside).map(PredicateValue.decimal)
    }

    /// A decimal or an integer; nil for a double, which is compared as a double.
    private static func decimal(_ value: PredicateValue) -> Decimal? {
        switch Number(value) {
        case .integer(let number)?: Decimal(number)
        case .decimal(let number)?: number
        case .double?, nil: nil
        }
    }

    /// The empty string sorts first; a string with one character appended sorts directly after the string.
    private static func texts(around values: [PredicateValue]) -> [PredicateValue] {
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        return texts.isEmpty ? [] : [.string("")] + texts.map { .string($0 + "\u{1}") }
    }

    private static func dates(around values: [PredicateValue]) -> [PredicateValue] {
        let dates = values.compactMap { if case .date(let date) = $0 { date } else { nil } }.sorted()
        guard let first = dates.first, let last = dates.last else { return [] }
        let between = zip(dates, dates.dropFirst()).map { $0.addingTimeInterval($1.timeIntervalSince($0) / 2) }
        return ([first.addingTimeInterval(-1), last.addingTimeInterval(1)] + between).map(PredicateValue.date)
    }
}
