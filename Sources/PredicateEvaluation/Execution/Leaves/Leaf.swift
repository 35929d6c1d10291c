import Foundation
import PredicateSyntax
import PredicateText

/// A comparison with a constant, compiled: `age > 21`.
///
/// The plan of a comparison makes one and runs it first; bytecode programs and columns point to its test. Needles are
/// folded and patterns compiled here, and nowhere else.
///
/// `@unchecked`: nothing changes once it is made.
final class Leaf: @unchecked Sendable {
    /// The compiled test, which lives as long as the leaf.
    let test: UnsafePointer<LeafTest>
    private let arena = Arena()
    /// Keeps the needles that the test points to.
    private let description: LeafDescription

    init(_ description: LeafDescription) {
        self.description = description
        test = arena.store(LeafTest(description, in: arena))
    }

    /// The result for a value; nil where only the operator can decide.
    func result(of value: KeyedValue) -> Bool? {
        switch value {
        case .value(let value): test.pointee.result(of: value).decided
        case .object, .collection: nil
        }
    }
}

extension LeafTest {
    /// Compiles a description; needles and lists of members live in the arena.
    init(_ description: LeafDescription, in arena: Arena) {
        if let null = description.null { self.null = LeafResult(null) }
        setNumbers(description.numbers, arena)
        setDates(description.dates, arena)
        texts = TextTest(description.texts, in: arena)
        switch description.lists {
        case .undecided: break
        case .any(let element):
            lists.mode = .any
            lists.element = arena.store(LeafTest(element, in: arena))
        }
    }

    private mutating func setNumbers(_ condition: LeafDescription.Scalar<Number>, _ arena: Arena) {
        decidesNumbers = true
        switch condition {
        case .undecided: decidesNumbers = false
        case .constant(let result): (integers.isNegated, doubles.isNegated) = (result, result)
        case .compared(let outcomes, let number):
            integers = IntegerTest(outcomes, than: number)
            doubles = DoubleTest(outcomes, than: number.doubleValue)
        case .between(let lower, let upper):
            integers = IntegerTest([.greater, .equal], than: lower)
                .intersection(IntegerTest([.less, .equal], than: upper))
            doubles = DoubleTest([.greater, .equal], than: lower.doubleValue)
                .intersection(DoubleTest([.less, .equal], than: upper.doubleValue))
        case .member(let numbers): setMembers(numbers, arena)
        }
    }

    private mutating func setMembers(_ numbers: [Number], _ arena: Arena) {
        let whole = Set(numbers.compactMap(\.exactInteger)).sorted()
        if whole.count == 1 { (integers.low, integers.high) = (whole[0], whole[0]) }
        doubles.integers = arena.store(whole)
        if whole.count != 1 { integers.members = doubles.integers }
        doubles.members = arena.store(numbers.filter { $0.exactInteger == nil }.map(\.doubleValue))
        doubles.isMembership = true
    }

    private mutating func setDates(_ condition: LeafDescription.Scalar<Date>, _ arena: Arena) {
        decidesDates = true
        switch condition {
        case .undecided: decidesDates = false
        case .constant(let result): dates.isNegated = result
        case .compared(let outcomes, let date):
            dates = DoubleTest(outcomes, thanDate: date.timeIntervalSinceReferenceDate)
        case .between(let lower, let upper):
            dates = DoubleTest([.greater, .equal], than: lower.timeIntervalSinceReferenceDate)
                .intersection(DoubleTest([.less, .equal], than: upper.timeIntervalSinceReferenceDate))
        case .member(let members):
            dates.members = arena.store(members.map(\.timeIntervalSinceReferenceDate))
            dates.isMembership = true
        }
    }
}

extension TextTest {
    /// The number of texts from which on IN looks them up by hash.
    private static let indexedCount = 9

    fileprivate init(_ condition: LeafDescription.Text, in arena: Arena) {
        switch condition {
        case .undecided: break
        case .constant(let result): (operation, isNegated) = (.constant, result)
        case .matches(let match, let needle, let negated):
            (operation, isNegated) = (.matches(match), negated)
            needles = arena.store([needle.flat])
        case .compared(let outcomes, let needle):
            (operation, self.outcomes) = (.compared, outcomes)
            needles = arena.store([needle.flat])
        case .member(let needles): setMembers(needles, arena)
        case .pattern(let pattern):
            operation = .pattern
            general = arena.keep(GeneralMatcher(pattern))
            simple = SimplePattern(pattern.pattern, pattern.mode, pattern.limits, in: arena).map { arena.store($0) }
        }
    }

    private mutating func setMembers(_ members: [PreparedNeedle], _ arena: Arena) {
        operation = members.isEmpty ? .constant : members.count == 1 ? .matches(.equal) : .member
        needles = arena.store(members.map(\.flat))
        guard members.count >= Self.indexedCount, members[0].mode == .none else { return }
        index = MemberIndex(members.map(\.foldedBytes), in: arena)
    }
}
