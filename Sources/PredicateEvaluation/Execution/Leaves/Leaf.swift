import Foundation
import PredicateSyntax
import PredicateText

/// A comparison with a constant: `age > 21`.
///
/// The plan of a comparison owns one and runs it first; bytecode and columns point to its test. It is compiled once, when
/// it is first needed: needles are folded and state machines of patterns built here, and nowhere else.
///
/// `@unchecked`: the compiled test is published by one atomic pointer, and does not change any more.
final class Leaf: @unchecked Sendable {
    /// Nil for a leaf that is made of a description.
    private let relation: (any Relation)?
    private let constant: PredicateValue
    /// True if the constant stands on the left.
    private let isMirrored: Bool
    private let compiled = PublishedPointer()

    init(_ relation: any Relation, _ constant: PredicateValue, isMirrored: Bool = false) {
        self.relation = relation
        self.constant = constant
        self.isMirrored = isMirrored
    }

    init(_ description: LeafDescription) {
        (relation, constant, isMirrored) = (nil, .null, false)
        _ = compiled.publish(Unmanaged.passRetained(CompiledLeaf(description)).toOpaque(), replacing: nil)
    }

    deinit {
        if let pointer = compiled.pointer { Unmanaged<CompiledLeaf>.fromOpaque(pointer).release() }
    }

    /// The compiled test, which lives as long as the leaf; nil where only the operator can decide.
    var test: UnsafePointer<LeafTest>? {
        let compiled = compiled.pointer.map(Unmanaged<CompiledLeaf>.fromOpaque) ?? compile()
        return compiled._withUnsafeGuaranteedRef(\.test)
    }

    /// The result for a value; nil where only the operator can decide.
    func result(of value: KeyedValue) -> Bool? {
        guard case .value(let value) = value else { return nil }
        return test?.pointee.result(of: value).decided
    }

    @inline(never)
    private func compile() -> Unmanaged<CompiledLeaf> {
        let description = isMirrored ? relation?.leaf(from: constant) : relation?.leaf(against: constant)
        let new = Unmanaged.passRetained(CompiledLeaf(description))
        if compiled.publish(new.toOpaque(), replacing: nil) { return new }
        new.release()
        return compiled.pointer.map(Unmanaged.fromOpaque) ?? new
    }
}

/// The compiled form of a description.
final class CompiledLeaf {
    let test: UnsafePointer<LeafTest>?
    private let arena: Arena
    /// Keeps the needles that the test points to.
    private let description: LeafDescription?

    init(_ description: LeafDescription?) {
        let arena = Arena()
        self.arena = arena
        self.description = description
        test = description.map { arena.store(LeafTest($0, in: arena)) }
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
            doubles = DoubleTest(from: lower.doubleValue, through: upper.doubleValue)
        case .member(let numbers): setMembers(numbers, arena)
        }
    }

    private mutating func setMembers(_ numbers: [Number], _ arena: Arena) {
        let whole = Set(numbers.compactMap(\.exactInteger)).sorted()
        if whole.count == 1 { (integers.low, integers.high) = (whole[0], whole[0]) }
        doubles.integers = arena.store(whole)
        if whole.count != 1 { integers.members = doubles.integers }
        doubles.setMembers(numbers.filter { $0.exactInteger == nil }.map(\.doubleValue), arena)
    }

    private mutating func setDates(_ condition: LeafDescription.Scalar<Date>, _ arena: Arena) {
        decidesDates = true
        switch condition {
        case .undecided: decidesDates = false
        case .constant(let result): dates.isNegated = result
        case .compared(let outcomes, let date):
            dates = DoubleTest(outcomes, than: date.timeIntervalSinceReferenceDate)
        case .between(let lower, let upper):
            dates = DoubleTest(
                from: lower.timeIntervalSinceReferenceDate, through: upper.timeIntervalSinceReferenceDate)
        case .member(let members):
            dates.setMembers(members.map(\.timeIntervalSinceReferenceDate), arena)
        }
    }
}

extension DoubleTest {
    /// Takes the members of IN that are not whole numbers.
    fileprivate mutating func setMembers(_ values: [Double], _ arena: Arena) {
        form = .members
        members = arena.store(values.filter { !$0.isNaN }.sorted())
        hasNaN = values.contains(where: \.isNaN)
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
            (operation, self.match, isNegated) = (.matches, match, negated)
            needles = arena.store([needle.flat])
        case .compared(let outcomes, let needle):
            (operation, self.outcomes) = (.compared, outcomes)
            needles = arena.store([needle.flat])
        case .member(let needles): setMembers(needles, arena)
        case .pattern(let pattern, let isGeneral):
            operation = .pattern
            if isGeneral { general = arena.keep(GeneralMatcher(pattern)) }
            simple = SimplePattern(pattern.pattern, pattern.mode, pattern.limits, in: arena).map { arena.store($0) }
        }
    }

    private mutating func setMembers(_ members: [PreparedNeedle], _ arena: Arena) {
        operation = members.isEmpty ? .constant : members.count == 1 ? .matches : .member
        needles = arena.store(members.map(\.flat))
        guard members.count >= Self.indexedCount else { return }
        index = MemberIndex(members.map(\.foldedBytes), members[0].mode, in: arena)
    }
}
