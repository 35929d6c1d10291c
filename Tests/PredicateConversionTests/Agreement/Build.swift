import Foundation
import PredicateGenerators

/// The functions `build_…` for trees of any type.
///
/// A closure becomes a node whose type has the type of its body, so it is called once to see what that is, and again for the
/// node's own variable.
enum Build {
    static let operators: [Nodes.ComparisonOperator] = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]

    static func constant<Value: Codable & Sendable>(_ value: Value) -> Nodes.Value<Value> { Nodes.build_Arg(value) }

    static func and(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
        -> Tree<Bool>
    {
        Nodes.build_Conjunction(lhs: left, rhs: right)
    }

    static func or(_ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>)
        -> Tree<Bool>
    {
        Nodes.build_Disjunction(lhs: left, rhs: right)
    }

    static func not(_ inner: some StandardPredicateExpression<Bool>) -> Tree<Bool> { Nodes.build_Negation(inner) }

    static func choice<Value>(
        _ test: some StandardPredicateExpression<Bool>, _ first: some StandardPredicateExpression<Value>,
        _ second: some StandardPredicateExpression<Value>
    ) -> Tree<Value> {
        Nodes.build_Conditional(test, first, second)
    }

    static func equal<Value: Equatable>(
        _ left: some StandardPredicateExpression<Value>, _ right: some StandardPredicateExpression<Value>, negated: Bool
    ) -> Tree<Bool> {
        if negated { return Nodes.build_NotEqual(lhs: left, rhs: right) }
        return Nodes.build_Equal(lhs: left, rhs: right)
    }

    static func compare<Value: Comparable>(
        _ left: some StandardPredicateExpression<Value>, _ right: some StandardPredicateExpression<Value>,
        _ op: Nodes.ComparisonOperator
    ) -> Tree<Bool> {
        Nodes.build_Comparison(lhs: left, rhs: right, op: op)
    }

    static func arithmetic<Value: Numeric>(
        _ left: some StandardPredicateExpression<Value>, _ right: some StandardPredicateExpression<Value>,
        _ op: Nodes.ArithmeticOperator
    ) -> Tree<Value> {
        Nodes.build_Arithmetic(lhs: left, rhs: right, op: op)
    }

    static func minus<Value: SignedNumeric>(_ inner: some StandardPredicateExpression<Value>) -> Tree<Value> {
        Nodes.build_UnaryMinus(inner)
    }

    static func quotient(_ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>)
        -> Tree<Int>
    {
        Nodes.IntDivision(lhs: left, rhs: right)
    }

    static func remainder(_ left: some StandardPredicateExpression<Int>, _ right: some StandardPredicateExpression<Int>)
        -> Tree<Int>
    {
        Nodes.build_Remainder(lhs: left, rhs: right)
    }

    static func ratio(
        _ left: some StandardPredicateExpression<Double>, _ right: some StandardPredicateExpression<Double>
    ) -> Tree<Double> {
        Nodes.FloatDivision(lhs: left, rhs: right)
    }

    // MARK: Texts

    static func contains(
        _ text: some StandardPredicateExpression<String>, _ needle: some StandardPredicateExpression<String>
    ) -> Tree<Bool> {
        Nodes.CollectionContainsCollection(base: text, other: needle)
    }

    static func starts(
        _ text: some StandardPredicateExpression<String>, _ needle: some StandardPredicateExpression<String>
    ) -> Tree<Bool> {
        Nodes.build_starts(text, with: needle)
    }

    static func characters(of text: some StandardPredicateExpression<String>) -> Tree<Int> {
        Nodes.build_KeyPath(root: text, keyPath: \.count)
    }

    // MARK: Optionals

    static func coalesced<Value>(
        _ left: some StandardPredicateExpression<Value?>, _ right: some StandardPredicateExpression<Value>
    ) -> Tree<Value> {
        Nodes.build_NilCoalesce(lhs: left, rhs: right)
    }

    static func unwrapped<Value>(_ inner: some StandardPredicateExpression<Value?>) -> Tree<Value> {
        Nodes.ForcedUnwrap(inner)
    }

    static func mapped<Wrapped, Value>(
        _ inner: some StandardPredicateExpression<Wrapped?>, _ body: (Nodes.Variable<Wrapped>) -> Tree<Value>
    ) -> Tree<Value?> {
        func made<Body: StandardPredicateExpression<Value>>(_ sample: Body) -> Tree<Value?> {
            node(inner, sample, body)
        }
        func node<Inner: StandardPredicateExpression<Wrapped?>, Body: StandardPredicateExpression<Value>>(
            _ inner: Inner, _ sample: Body, _ body: (Nodes.Variable<Wrapped>) -> Tree<Value>
        ) -> Tree<Value?> {
            Nodes.OptionalFlatMap<Inner, Wrapped, Body, Value>(inner) { body($0) as? Body ?? sample }
        }
        return made(body(Nodes.Variable()))
    }

    static func flattened<Wrapped, Value>(
        _ inner: some StandardPredicateExpression<Wrapped?>, _ body: (Nodes.Variable<Wrapped>) -> Tree<Value?>
    ) -> Tree<Value?> {
        func made<Body: StandardPredicateExpression<Value?>>(_ sample: Body) -> Tree<Value?> {
            node(inner, sample, body)
        }
        func node<Inner: StandardPredicateExpression<Wrapped?>, Body: StandardPredicateExpression<Value?>>(
            _ inner: Inner, _ sample: Body, _ body: (Nodes.Variable<Wrapped>) -> Tree<Value?>
        ) -> Tree<Value?> {
            Nodes.OptionalFlatMap<Inner, Wrapped, Body, Value>(inner) { body($0) as? Body ?? sample }
        }
        return made(body(Nodes.Variable()))
    }

    // MARK: Ranges

    static func within<Bounds: RangeExpression>(
        _ range: some StandardPredicateExpression<Bounds>, _ element: some StandardPredicateExpression<Bounds.Bound>
    ) -> Tree<Bool> {
        Nodes.RangeExpressionContains(range: range, element: element)
    }

    static func within(_ low: Int, _ high: Int, _ element: some StandardPredicateExpression<Int>, isClosed: Bool)
        -> Tree<Bool>
    {
        let (low, high) = (Nodes.build_Arg(low), Nodes.build_Arg(high))
        if isClosed {
            return Nodes.RangeExpressionContains(
                range: Nodes.build_ClosedRange(lower: low, upper: high), element: element)
        }
        return Nodes.RangeExpressionContains(range: Nodes.build_Range(lower: low, upper: high), element: element)
    }

    // MARK: Collections

    static func member<Elements: Sequence>(
        _ elements: some StandardPredicateExpression<Elements>,
        _ element: some StandardPredicateExpression<Elements.Element>
    ) -> Tree<Bool> where Elements.Element: Equatable {
        Nodes.SequenceContains(sequence: elements, element: element)
    }

    static func count<Element>(of elements: some StandardPredicateExpression<[Element]>) -> Tree<Int> {
        Nodes.build_KeyPath(root: elements, keyPath: \.count)
    }

    static func first<Element>(of elements: some StandardPredicateExpression<[Element]>) -> Tree<Element?> {
        Nodes.build_KeyPath(root: elements, keyPath: \.first)
    }

    static func keys(of entries: some StandardPredicateExpression<[String: Int]>) -> Tree<[String: Int].Keys> {
        Nodes.build_KeyPath(root: entries, keyPath: \.keys)
    }

    static func values(of entries: some StandardPredicateExpression<[String: Int]>) -> Tree<[String: Int].Values> {
        Nodes.build_KeyPath(root: entries, keyPath: \.values)
    }

    static func isEmpty(_ random: RandomSource) -> (Nodes.Variable<Pet>) -> Tree<Bool> {
        var random = random
        let choice = random.below(3)
        return { pet in
            switch choice {
            case 0: Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: pet, keyPath: \.friends), keyPath: \.isEmpty)
            case 1: Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: pet, keyPath: \.name), keyPath: \.isEmpty)
            default: Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: pet, keyPath: \.marks), keyPath: \.isEmpty)
            }
        }
    }

    static func greatest(_ elements: some StandardPredicateExpression<[Int]>) -> Tree<Int?> {
        Nodes.build_max(elements)
    }
    static func least(_ elements: some StandardPredicateExpression<[Int]>) -> Tree<Int?> { Nodes.build_min(elements) }

    static func element(
        of elements: some StandardPredicateExpression<[Int]>, _ index: some StandardPredicateExpression<Int>
    ) -> Tree<Int> {
        Nodes.CollectionIndexSubscript(wrapped: elements, index: index)
    }

    static func entry(
        of entries: some StandardPredicateExpression<[String: Int]>, _ key: some StandardPredicateExpression<String>
    ) -> Tree<Int?> {
        Nodes.DictionaryKeySubscript(wrapped: entries, key: key)
    }

    static func entry(
        of entries: some StandardPredicateExpression<[String: Int]>, _ key: some StandardPredicateExpression<String>,
        _ fallback: some StandardPredicateExpression<Int>
    ) -> Tree<Int> {
        Nodes.DictionaryKeyDefaultValueSubscript(wrapped: entries, key: key, default: fallback)
    }

    static func any<Element>(
        _ elements: some StandardPredicateExpression<[Element]>, _ body: (Nodes.Variable<Element>) -> Tree<Bool>
    ) -> Tree<Bool> {
        func made(_ sample: some StandardPredicateExpression<Bool>) -> Tree<Bool> {
            Nodes.build_contains(elements, where: { cast(body($0), to: sample) })
        }
        return made(body(Nodes.Variable()))
    }

    static func every<Element>(
        _ elements: some StandardPredicateExpression<[Element]>, _ body: (Nodes.Variable<Element>) -> Tree<Bool>
    ) -> Tree<Bool> {
        func made(_ sample: some StandardPredicateExpression<Bool>) -> Tree<Bool> {
            Nodes.build_allSatisfy(elements) { cast(body($0), to: sample) }
        }
        return made(body(Nodes.Variable()))
    }

    static func filtered<Element: Sendable & Codable>(
        _ elements: some StandardPredicateExpression<[Element]>, _ body: (Nodes.Variable<Element>) -> Tree<Bool>,
        count: Int
    ) -> Tree<Bool> {
        func made(_ sample: some StandardPredicateExpression<Bool>) -> Tree<Bool> {
            let filter = Nodes.build_filter(elements) { cast(body($0), to: sample) }
            return compare(Nodes.build_KeyPath(root: filter, keyPath: \.count), Nodes.build_Arg(count), .greaterThan)
        }
        return made(body(Nodes.Variable()))
    }

    private static func cast<Body>(_ body: Tree<Bool>, to sample: Body) -> Body { body as? Body ?? sample }
}
