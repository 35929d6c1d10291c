import Foundation
import PredicateSyntax
import PredicateText

/// A comparison with a constant: `age > 21`.
///
/// The plan of a comparison owns a leaf and runs it first, except for the first value; bytecode points to its
/// test. A leaf is compiled once, on first use. Needles are folded and automata of patterns are built here and nowhere else.
///
/// `@unchecked`: the compiled test is published through an atomic pointer and does not change afterwards.
final class Leaf: @unchecked Sendable {
    /// Nil for a leaf that is made from a description.
    private let relation: (any Relation)?
    private let constant: PredicateValue
    /// True if the constant is the left operand.
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

    /// The compiled test, which lives as long as the leaf; nil if only the operator can decide.
    var test: UnsafePointer<LeafTest>? {
        let compiled = compiled.pointer.map(Unmanaged<CompiledLeaf>.fromOpaque) ?? compile()
        return compiled._withUnsafeGuaranteedRef(\.test)
    }

    /// Returns the result for a value; nil if only the operator can decide.
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

extension Leaf {
    /// The leaf of a plan, made for a program or for the second value: for a single value, the operator is faster than making a
    /// leaf.
    ///
    /// `@unchecked`: an atomic pointer publishes the leaf, and nothing replaces it.
    struct Deferred: ~Copyable, @unchecked Sendable {
        private let published = PublishedPointer()
        /// Takes the place of the leaf after the first value.
        private static let mark = Leaf(LeafDescription())

        deinit {
            ready?.release()
        }

        private var ready: Unmanaged<Leaf>? {
            guard let pointer = published.pointer, pointer != Self.pointer(to: Self.mark) else { return nil }
            return Unmanaged.fromOpaque(pointer)
        }

        private static func pointer(to leaf: Leaf) -> UnsafeRawPointer {
            UnsafeRawPointer(Unmanaged.passUnretained(leaf).toOpaque())
        }

        /// Returns true for the first value, unless there is a leaf already.
        func takesFirst() -> Bool {
            published.pointer == nil && published.publish(Self.pointer(to: Self.mark), replacing: nil)
        }

        /// Returns the leaf, which the first call makes.
        func leaf(_ make: () -> Leaf) -> Leaf {
            if let ready { return ready.takeUnretainedValue() }
            let new = Unmanaged.passRetained(make())
            // In this order: the mark replaces nil, and nothing replaces a leaf.
            for earlier in [nil, Self.pointer(to: Self.mark)]
            where published.publish(new.toOpaque(), replacing: earlier) {
                return new.takeUnretainedValue()
            }
            defer { new.release() }
            return (ready ?? new).takeUnretainedValue()
        }
    }
}

/// The compiled form of a description.
final class CompiledLeaf {
    let test: UnsafePointer<LeafTest>?
    private let arena: Arena
    /// Keeps alive the needles to which the test points.
    private let description: LeafDescription?

    init(_ description: LeafDescription?) {
        let arena = Arena()
        self.arena = arena
        self.description = description
        test = description.map { arena.store(LeafTest($0, in: arena)) }
    }
}

extension LeafTest {
    /// Compiles a description; needles and member lists are allocated in the arena.
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
    /// Sets the members of IN: numbers that are not integers, or the times of dates.
    fileprivate mutating func setMembers(_ values: [Double], _ arena: Arena) {
        form = .members
        members = arena.store(values.filter { !$0.isNaN }.sorted())
        hasNaN = values.contains(where: \.isNaN)
    }
}

extension TextTest {
    /// The smallest number of strings for which IN uses a hash index.
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
        case .pattern(let pattern): (operation, expression) = (.pattern, arena.store(PatternTest(pattern, in: arena)))
        }
    }

    private mutating func setMembers(_ members: [PreparedNeedle], _ arena: Arena) {
        operation = members.isEmpty ? .constant : members.count == 1 ? .matches : .member
        needles = arena.store(members.map(\.flat))
        guard members.count >= Self.indexedCount else { return }
        index = MemberIndex(members.map(\.foldedBytes), members[0].mode, in: arena)
    }
}

// MARK: - Results and tests

/// The result of a compiled leaf. It is three-valued, since the fast forms cannot report errors.
enum LeafResult: UInt8 {
    case no
    case yes
    /// Undecided: the plan decides, and may report an error.
    case unknown

    @inline(__always)
    init(_ holds: Bool) {
        self = holds ? .yes : .no
    }

    /// Returns the opposite result, or the same one.
    @inline(__always)
    func negated(if isNegated: Bool) -> LeafResult {
        decided.map { LeafResult($0 != isNegated) } ?? .unknown
    }

    /// The decided result; nil for unknown.
    @inline(__always)
    var decided: Bool? {
        switch self {
        case .yes: true
        case .no: false
        case .unknown: nil
        }
    }
}

/// The compiled comparison of a value with a constant, by the kind of the value: `age > 21` for a number, `name ==
/// "jo"` for a string.
///
/// It is a trivial value, so that loops copy it without reference counting. For a kind without a test the result is
/// unknown, and the plan decides.
struct LeafTest: BitwiseCopyable {
    var integers = IntegerTest()
    var doubles = DoubleTest()
    var dates = DoubleTest()
    var texts = TextTest()
    var lists = ListTest()
    var decidesNumbers = false
    var decidesDates = false
    /// The result for nil.
    var null = LeafResult.unknown

    @inline(__always)
    func result(integer value: Int64) -> LeafResult {
        decidesNumbers ? LeafResult(integers.holds(value)) : .unknown
    }

    @inline(__always)
    func result(bool value: Bool) -> LeafResult {
        result(integer: value ? 1 : 0)
    }

    @inline(__always)
    func result(double value: Double) -> LeafResult {
        decidesNumbers ? LeafResult(doubles.holds(value)) : .unknown
    }

    @inline(__always)
    func result(date value: Date) -> LeafResult {
        decidesDates ? LeafResult(dates.holds(value.timeIntervalSinceReferenceDate)) : .unknown
    }

    @inline(__always)
    func result(text value: String) -> LeafResult {
        withUnsafePointer(to: value) { texts.result(at: $0) }
    }

    /// Returns the result for a value of any kind.
    func result(of value: PredicateValue) -> LeafResult {
        switch value {
        case .null, .nullObject: null
        case .bool(let value): result(bool: value)
        case .integer(let value): result(integer: value)
        case .double(let value): result(double: value)
        case .string(let value): result(text: value)
        case .date(let value): result(date: value)
        case .array(let elements): lists.result(ofValues: elements)
        case .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary, .object, .expression, .predicate:
            .unknown
        }
    }

    func result(ofKeyed value: KeyedValue?) -> LeafResult {
        switch value {
        case .value(let value): result(of: value)
        case .object, .collection, nil: .unknown
        }
    }
}

extension LeafTest {
    /// The test that decides nothing; it is immutable and never freed.
    nonisolated(unsafe) static let undecided: UnsafePointer<LeafTest> = {
        let test = UnsafeMutablePointer<LeafTest>.allocate(capacity: 1)
        test.initialize(to: LeafTest())
        return UnsafePointer(test)
    }()
}

// MARK: - Tests of numbers

/// `age > 21` for an integer: every comparison with a number is a range or the complement of one.
struct IntegerTest: BitwiseCopyable {
    var low: Int64 = 1
    var high: Int64 = 0
    var isNegated = false
    /// The integers of `age IN {1, 2}` in ascending order, in place of the range.
    var members = UnsafeBufferPointer<Int64>(start: nil, count: 0)

    @inline(__always)
    func holds(_ value: Int64) -> Bool {
        (members.isEmpty ? low <= value && value <= high : hasMember(value)) != isNegated
    }

    @inline(never)
    func hasMember(_ value: Int64) -> Bool {
        members.containsSorted(value)
    }
}

/// `score BETWEEN {10, 20}` for a double, and `born > %@` for the seconds of a date.
///
/// NaN is in no range of doubles, so a test that holds for NaN is the negation of a range or a case of its own.
struct DoubleTest: BitwiseCopyable {
    enum Form: UInt8 {
        case range
        /// `score BETWEEN {-1, 1}`: NaN lies between these bounds.
        case rangeAroundZero
        /// `score IN {1, 2.5}`
        case members
    }

    var low = Double.infinity
    var high = -Double.infinity
    var isNegated = false
    var form = Form.range
    /// The members of IN in place of the range: integers, and the other numbers, both in ascending order.
    var integers = UnsafeBufferPointer<Int64>(start: nil, count: 0)
    var members = UnsafeBufferPointer<Double>(start: nil, count: 0)
    /// True if a member is NaN.
    var hasNaN = false

    @inline(__always)
    func holds(_ value: Double) -> Bool {
        (form == .range ? low <= value && value <= high : holdsOtherwise(value)) != isNegated
    }

    @inline(never)
    private func holdsOtherwise(_ value: Double) -> Bool {
        form == .members ? hasMember(value) : !(value < low || high < value)
    }

    private func hasMember(_ value: Double) -> Bool {
        if value.isNaN { return hasNaN }
        if integers.baseAddress != nil, let integer = Int64(exactly: value) { return integers.containsSorted(integer) }
        return members.containsSorted(value)
    }
}

extension UnsafeBufferPointer where Element: Comparable {
    /// Returns true if a value is among these ascending values.
    @inline(__always)
    func containsSorted(_ value: Element) -> Bool {
        var (from, to) = (0, count)
        while from < to {
            let middle = (from &+ to) &>> 1
            if self[middle] < value { from = middle &+ 1 } else { to = middle }
        }
        return from < count && self[from] == value
    }
}

extension IntegerTest {
    /// Makes the test of integers whose order relative to a number is one of the outcomes: `age > 21.5` holds from 22
    /// on.
    ///
    /// An integer is compared with a double as a double, so beyond 2^53 the ends of the ranges are found by
    /// comparing.
    init(_ outcomes: Ordering.Outcomes, than right: Number) {
        // The negation of a range: `age != 21`.
        guard outcomes != [.less, .greater] else {
            self.init(.equal, than: right)
            isNegated = true
            return
        }
        self.init()
        let (notBelow, above) = Self.ends(of: right)
        var ranges: [(low: Int64, high: Int64)] = []
        if outcomes.contains(.less), notBelow != .min { ranges.append((.min, notBelow.map { $0 &- 1 } ?? .max)) }
        if outcomes.contains(.equal), let notBelow, notBelow != above {
            ranges.append((notBelow, above.map { $0 &- 1 } ?? .max))
        }
        if outcomes.contains(.greater), let above { ranges.append((above, .max)) }
        if let first = ranges.first, let last = ranges.last { (low, high) = (first.low, last.high) }
    }

    /// Returns the first integer that is not less than a number, and the first one that is greater.
    private static func ends(of number: Number) -> (notBelow: Int64?, above: Int64?) {
        switch number {
        case .integer(let value): return (value, value == .max ? nil : value &+ 1)
        case .double(let value) where value.magnitude < 0x1p53:
            return (Int64(value.rounded(.up)), Int64(value.rounded(.down)) &+ 1)
        case .double, .decimal: break
        }
        let notBelow = first { Number.integer($0).compare(number) != .less }
        return (notBelow, first { Number.integer($0).compare(number) == .greater })
    }

    /// Returns the first integer that satisfies a condition, which all greater integers must satisfy too.
    private static func first(where holds: (Int64) -> Bool) -> Int64? {
        guard holds(.max) else { return nil }
        var (from, to) = (Int64.min, Int64.max)
        while from < to {
            let middle = (from &>> 1) &+ (to &>> 1) &+ (from & to & 1)
            if holds(middle) { to = middle } else { from = middle &+ 1 }
        }
        return from
    }

    /// Returns the intersection of both ranges.
    func intersection(_ other: IntegerTest) -> IntegerTest {
        IntegerTest(low: max(low, other.low), high: min(high, other.high))
    }
}

extension DoubleTest {
    /// Makes the test of doubles whose order relative to a number is one of the outcomes.
    init(_ outcomes: Ordering.Outcomes, than right: Double) {
        // NaN is in no range. If NaN satisfies the outcomes, the range covers the complement, and the test is negated.
        guard !outcomes.contains(Ordering.Outcomes(NumberOrder(.nan, right))) else {
            self.init(outcomes.complement, than: right)
            isNegated = true
            return
        }
        self.init()
        var ranges: [(low: Double, high: Double)] = []
        // The negative numbers are less than NaN, all other numbers are greater.
        let (below, above) = right.isNaN ? (-.leastNonzeroMagnitude, 0) : (right.nextDown, right.nextUp)
        if outcomes.contains(.less), right != -.infinity { ranges.append((-.infinity, below)) }
        if outcomes.contains(.equal) { ranges.append((right, right)) }
        if outcomes.contains(.greater), right != .infinity { ranges.append((above, .infinity)) }
        if let first = ranges.first, let last = ranges.last { (low, high) = (first.low, last.high) }
    }

    /// Makes the test of doubles in a closed range.
    init(from lower: Double, through upper: Double) {
        self.init()
        low = lower.isNaN ? 0 : lower
        high = upper.isNaN ? -Double.leastNonzeroMagnitude : upper
        if NumberOrder(lower, .nan) == .greater || NumberOrder(.nan, upper) == .greater { return }
        form = .rangeAroundZero
    }
}
