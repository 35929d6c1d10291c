import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Trees that nest as deeply as is allowed, and far deeper ones built by hand, on a thread with a small stack.
@Suite struct DeepTreeTests {
    enum Shape: CaseIterable, Sendable {
        case negations, conjunctions, functions, sums, indexes, subqueries, constants

        /// A tree of so many levels.
        func tree(_ levels: Int) -> PredicateNode {
            let key = ExpressionNode.keyPath(KeyPathExpression(keys: "a"))
            var node = PredicateNode.comparison(ComparisonPredicate(key, .equalTo, .constantValue(1)))
            var expression = key
            var value = PredicateValue.integer(1)
            for _ in 2..<levels {
                switch self {
                case .negations: node = .compound(CompoundPredicate(.not, [node]))
                case .conjunctions: node = .compound(CompoundPredicate(.and, [.constant(true), node]))
                case .functions: expression = .function(FunctionExpression(.predefined(.negate), [expression]))
                case .sums: expression = .function(FunctionExpression(.predefined(.add), [key, expression]))
                case .indexes: expression = .index(IndexExpression(base: expression, index: .constantValue(0)))
                case .subqueries:
                    expression = .subquery(
                        SubqueryExpression(expression, variable: "x", predicate: .constant(true)))
                case .constants: value = .array([value])
                }
            }
            switch self {
            case .negations, .conjunctions: return node
            case .functions, .sums, .indexes, .subqueries:
                return .comparison(ComparisonPredicate(expression, .equalTo, .constantValue(1)))
            case .constants: return .comparison(ComparisonPredicate(key, .equalTo, .constantValue(value)))
            }
        }
    }

    #if DEBUG
        /// Frames of a debug build are several times as large.
        private static let stack = 4 << 20
    #else
        private static let stack = 512 << 10
    #endif

    /// Runs a piece of work on a thread with a stack of a size.
    private func onSmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = Self.stack
            thread.start()
        }
    }

    @Test(arguments: Shape.allCases) func asDeepAsIsAllowed(_ shape: Shape) async {
        let works = await onSmallStack {
            let levels = PredicateLimits.standard.nesting
            let (one, other) = (shape.tree(levels), shape.tree(levels))
            guard one == other, Set([one, other]).count == 1, one.isWithin(.standard) else { return false }
            let predicate = FormatPredicate(one)
            guard (try? FormatPredicate(predicate.predicateFormat))?.node == one else { return false }
            guard let archive = try? JSONEncoder().encode(predicate),
                (try? JSONDecoder.ofOwnArchives.decode(FormatPredicate.self, from: archive)) == predicate
            else { return false }
            guard (try? predicate.substituting([:])) == predicate, !TreeDump(one).description.isEmpty else {
                return false
            }
            _ = try? PredicateEvaluator(predicate).evaluate(with: ["a": 1])
            return true
        }
        #expect(works)
    }

    /// Deeper than any stage takes, and still freed, hashed and compared; each stage refuses it.
    @Test(arguments: Shape.allCases) func tenTimesAsDeep(_ shape: Shape) async {
        let code = await onSmallStack { () -> EvaluationError.Code? in
            let (one, other) = (shape.tree(1_000), shape.tree(1_000))
            guard one == other, Set([one, other]).count == 1, !one.isWithin(.standard) else { return nil }
            do throws(EvaluationError) {
                _ = try PredicateEvaluator(FormatPredicate(one))
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code == .nestingTooDeep(limit: PredicateLimits.standard.nesting))
    }
}
