import PredicateSyntax

/// `age > 21` of an integer: every comparison with a number comes to a range, or to its complement.
struct IntegerTest: BitwiseCopyable {
    var low: Int64 = 1
    var high: Int64 = 0
    var isNegated = false
    /// The integers of `age IN {1, 2}` in ascending order, instead of the range.
    var members = UnsafeBufferPointer<Int64>(start: nil, count: 0)

    @inline(__always)
    func holds(_ value: Int64) -> Bool {
        (members.isEmpty ? low <= value && value <= high : hasMember(value)) != isNegated
    }

    @inline(never)
    func hasMember(_ value: Int64) -> Bool {
        var (from, to) = (0, members.count)
        while from < to {
            let middle = (from &+ to) &>> 1
            if members[middle] < value { from = middle &+ 1 } else { to = middle }
        }
        return from < members.count && members[from] == value
    }
}

/// `score BETWEEN {10, 20}` of a double, and `born > %@` of the seconds of a date.
struct DoubleTest: BitwiseCopyable {
    var low = Double.infinity
    var high = -Double.infinity
    var isNegated = false
    /// The members of IN instead of the range: integers, and the others.
    var integers = UnsafeBufferPointer<Int64>(start: nil, count: 0)
    var members = UnsafeBufferPointer<Double>(start: nil, count: 0)
    var isMembership = false

    @inline(__always)
    func holds(_ value: Double) -> Bool {
        (isMembership ? hasMember(value) : low <= value && value <= high) != isNegated
    }

    @inline(never)
    func hasMember(_ value: Double) -> Bool {
        if integers.baseAddress != nil, let integer = Int64(exactly: value) {
            return IntegerTest(members: integers).hasMember(integer)
        }
        return members.contains(value)
    }
}

extension IntegerTest {
    /// The integers that stand to a number as the outcomes say: `age > 21.5` holds from 22 on.
    ///
    /// An integer beside a double is compared as a double, so past 2^53 the ends of the ranges are found by comparing.
    init(_ outcomes: Ordering.Outcomes, than right: Number) {
        guard !outcomes.contains(.unordered) else {
            self.init(outcomes.complement, than: right)
            isNegated = true
            return
        }
        self.init()
        guard right.compare(right) == .equal else { return }
        let (notBelow, above) = Self.ends(of: right)
        var ranges: [(low: Int64, high: Int64)] = []
        if outcomes.contains(.less), notBelow != .min { ranges.append((.min, notBelow.map { $0 &- 1 } ?? .max)) }
        if outcomes.contains(.equal), let notBelow, notBelow != above {
            ranges.append((notBelow, above.map { $0 &- 1 } ?? .max))
        }
        if outcomes.contains(.greater), let above { ranges.append((above, .max)) }
        if let first = ranges.first, let last = ranges.last { (low, high) = (first.low, last.high) }
    }

    /// The first integer that is not below a number, and the first one above it.
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

    /// The first integer for which a condition holds that then holds for all greater ones.
    private static func first(where holds: (Int64) -> Bool) -> Int64? {
        guard holds(.max) else { return nil }
        var (from, to) = (Int64.min, Int64.max)
        while from < to {
            let middle = (from &>> 1) &+ (to &>> 1) &+ (from & to & 1)
            if holds(middle) { to = middle } else { from = middle &+ 1 }
        }
        return from
    }

    /// The range that is in both ranges.
    func intersection(_ other: IntegerTest) -> IntegerTest {
        IntegerTest(low: max(low, other.low), high: min(high, other.high))
    }
}

extension DoubleTest {
    /// The doubles that stand to a number as the outcomes say; a value that is not a number is unordered.
    init(_ outcomes: Ordering.Outcomes, than right: Double) {
        guard !outcomes.contains(.unordered) else {
            self.init(outcomes.complement, than: right)
            isNegated = true
            return
        }
        self.init()
        guard !right.isNaN else { return }
        var ranges: [(low: Double, high: Double)] = []
        if outcomes.contains(.less), right > -.infinity { ranges.append((-.infinity, right.nextDown)) }
        if outcomes.contains(.equal) { ranges.append((right, right)) }
        if outcomes.contains(.greater), right < .infinity { ranges.append((right.nextUp, .infinity)) }
        if let first = ranges.first, let last = ranges.last { (low, high) = (first.low, last.high) }
    }

    /// The seconds of dates that stand to those of another as the outcomes say.
    ///
    /// Of two dates that are neither earlier nor equal one counts as later, also where one is no moment.
    init(_ outcomes: Ordering.Outcomes, thanDate right: Double) {
        guard outcomes.contains(.greater) else {
            self.init(outcomes, than: right)
            return
        }
        self.init(Ordering.Outcomes([.less, .equal]).subtracting(outcomes), than: right)
        isNegated = true
    }

    /// The range that is in both ranges.
    func intersection(_ other: DoubleTest) -> DoubleTest {
        DoubleTest(low: max(low, other.low), high: min(high, other.high))
    }
}
