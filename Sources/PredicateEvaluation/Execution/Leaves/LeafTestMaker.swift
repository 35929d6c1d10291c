import Foundation
import PredicateSyntax
import PredicateText

/// Makes the test of a leaf: all that can be done before an object is seen.
///
/// `age BETWEEN {18, 65}` becomes two ranges, one for integers and one for doubles.
struct LeafTestMaker {
    let arena: Arena

    /// What a relation asks of its left side when the right side is known; nil where only the plan can answer.
    func test(_ kind: RelationKind, against right: PredicateValue) -> LeafTest? {
        switch kind {
        case .ordering(let outcomes, let mode): ordering(outcomes, mode, right)
        case .equality(let mode, let negated): equality(mode, right, negated)
        case .between: between(right)
        case .membership(let mode, let isMirrored): isMirrored ? container(of: right, mode) : member(of: right, mode)
        case .textEnd(let end, let mode): textEnd(end, mode, right)
        case .like(let mode): like(mode, right)
        case .matches(let mode, let limits): matches(mode, right, limits)
        case .other: nil
        }
    }

    /// What a relation asks of its right side when the left side is known: `21 < age`, `"swift" IN tags`.
    func test(_ left: PredicateValue, _ kind: RelationKind) -> LeafTest? {
        switch kind {
        case .ordering(let outcomes, let mode): ordering(outcomes.mirrored, mode, left)
        case .equality(let mode, let negated): equality(mode, left, negated)
        case .membership(let mode, let isMirrored): isMirrored ? nil : container(of: left, mode)
        case .between, .textEnd, .like, .matches, .other: nil
        }
    }

    private func ordering(_ outcomes: Ordering.Outcomes, _ mode: FoldMode, _ right: PredicateValue) -> LeafTest? {
        var test = LeafTest()
        test.null = .no
        if let number = Number(right) {
            test.knowsNumbers = true
            test.integers = IntegerTest(outcomes, than: number)
            test.doubles = DoubleTest(outcomes, than: number.doubleValue)
        } else if case .string(let text) = right {
            test.texts = textTest(.ordered, [PreparedNeedle(text, mode).foldedBytes], mode)
            test.texts.outcomes = UInt8(truncatingIfNeeded: outcomes.rawValue)
        } else if case .date(let date) = right {
            test.knowsDates = true
            test.dates = DoubleTest(outcomes, thanDate: date.timeIntervalSinceReferenceDate)
        } else {
            return nil
        }
        return test
    }

    /// Values of another kind than the constant differ from it.
    private func equality(_ mode: FoldMode, _ right: PredicateValue, _ negated: Bool) -> LeafTest? {
        var test = LeafTest()
        (test.knowsNumbers, test.knowsDates) = (true, true)
        test.null = Answer(negated)
        test.texts.operation = .never
        if let number = Number(right) {
            test.integers = IntegerTest(.equal, than: number)
            test.doubles = DoubleTest(.equal, than: number.doubleValue)
        } else if case .string(let text) = right {
            test.texts = textTest(.equal, [PreparedNeedle(text, mode).foldedBytes], mode)
        } else if case .date(let date) = right {
            test.dates = DoubleTest(.equal, than: date.timeIntervalSinceReferenceDate)
        } else if KeyedValue.value(right).isNull {
            test.null = Answer(!negated)
        } else {
            return nil
        }
        (test.integers.isNegated, test.doubles.isNegated) = (negated, negated)
        (test.dates.isNegated, test.texts.isNegated) = (negated, negated)
        return test
    }

    private func between(_ right: PredicateValue) -> LeafTest? {
        let right = KeyedValue.value(right)
        guard right.isOrderedCollection, let bounds = right.elements?.compactMap(\.predicateValue) else { return nil }
        guard bounds.count == 2 else { return nil }
        var test = LeafTest()
        test.null = .no
        if let lower = Number(bounds[0]), let upper = Number(bounds[1]) {
            test.knowsNumbers = true
            test.integers = IntegerTest([.greater, .equal], than: lower)
                .intersected(with: IntegerTest([.less, .equal], than: upper))
            test.doubles = DoubleTest([.greater, .equal], than: lower.doubleValue)
                .intersected(with: DoubleTest([.less, .equal], than: upper.doubleValue))
        } else if case .date(let lower) = bounds[0], case .date(let upper) = bounds[1] {
            test.knowsDates = true
            test.dates = DoubleTest([.greater, .equal], than: lower.timeIntervalSinceReferenceDate)
                .intersected(with: DoubleTest([.less, .equal], than: upper.timeIntervalSinceReferenceDate))
        } else {
            return nil
        }
        return test
    }

    private func textEnd(_ end: TextEnd.End, _ mode: FoldMode, _ right: PredicateValue) -> LeafTest? {
        guard case .string(let text) = right else { return nil }
        var test = LeafTest()
        test.null = .no
        let operation: TextTest.Operation =
            switch end {
            case .beginning: .prefix
            case .end: .suffix
            }
        test.texts = textTest(operation, [PreparedNeedle(text, mode).foldedBytes], mode)
        return test
    }

    private func like(_ mode: FoldMode, _ right: PredicateValue) -> LeafTest? {
        guard case .string(let pattern) = right else { return nil }
        var test = LeafTest()
        test.null = .no
        switch LikePattern(pattern, mode).shape {
        case .constant(let answer):
            test.texts.operation = .never
            test.texts.isNegated = answer
        case .match(let match, let needle):
            test.texts = textTest(TextTest.Operation(match), [needle.foldedBytes], mode)
        }
        return test
    }

    private func matches(_ mode: FoldMode, _ right: PredicateValue, _ limits: PredicateLimits) -> LeafTest? {
        guard case .string(let pattern) = right, let compiled = try? WholePattern(pattern, mode, limits) else {
            return nil
        }
        var test = LeafTest()
        test.null = .no
        test.texts.operation = .expression
        test.texts.expression = arena.keep(KnownExpression(compiled))
        test.texts.simple = SimplePattern(pattern, mode, limits, in: arena).map { arena.store($0) }
        return test
    }

    /// A test of strings whose needles live as long as the program.
    func textTest(_ operation: TextTest.Operation, _ needles: [[UInt8]], _ mode: FoldMode) -> TextTest {
        var test = TextTest()
        test.operation = operation
        test.needles = arena.store(needles.map { arena.needle($0, mode) })
        return test
    }
}

extension TextTest.Operation {
    fileprivate init(_ match: TextMatch) {
        switch match {
        case .equal: self = .equal
        case .beginsWith: self = .prefix
        case .endsWith: self = .suffix
        case .contains: self = .contains
        case .like: self = .tokens
        }
    }
}

extension Ordering.Outcomes {
    /// The outcomes with both sides exchanged: `21 < age` is `age > 21`.
    fileprivate var mirrored: Self {
        var mirrored = intersection(.equal)
        if contains(.less) { mirrored.insert(.greater) }
        if contains(.greater) { mirrored.insert(.less) }
        return mirrored
    }
}
