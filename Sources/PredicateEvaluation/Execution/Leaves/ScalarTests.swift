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
        members.containsSorted(value)
    }
}

/// `score BETWEEN {10, 20}` of a double, and `born > %@` of the seconds of a date.
///
/// What is not a number is in no range of doubles, so a test that holds for it is the negation of a range, or says so.
struct DoubleTest: BitwiseCopyable {
    enum Form: UInt8 {
        case range
        /// `score BETWEEN {-1, 1}`: what is not a number lies between its bounds.
        case rangeAroundZero
        /// `score IN {1, 2.5}`
        case members
    }

    var low = Double.infinity
    var high = -Double.infinity
    var isNegated = false
    var form = Form.range
    /// The members of IN instead of the range: integers, and the others, both in ascending order.
    var integers = UnsafeBufferPointer<Int64>(start: nil, count: 0)
    var members = UnsafeBufferPointer<Double>(start: nil, count: 0)
    /// True if one of the members is not a number.
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
    /// True if a value is among those here, which stand in ascending order.
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
    /// The integers that stand to a number as the outcomes say: `age > 21.5` holds from 22 on.
    ///
    /// An integer beside a double is compared as a double, so past 2^53 the ends of the ranges are found by comparing.
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
    /// The doubles that stand to a number as the outcomes say.
    init(_ outcomes: Ordering.Outcomes, than right: Double) {
        // What is not a number is in no range: where it satisfies the outcomes the range is that of all others.
        guard !outcomes.contains(Ordering.Outcomes(NumberOrder(.nan, right))) else {
            self.init(outcomes.complement, than: right)
            isNegated = true
            return
        }
        self.init()
        var ranges: [(low: Double, high: Double)] = []
        // Below what is not a number are the negative numbers, above it all others.
        let (below, above) = right.isNaN ? (-.leastNonzeroMagnitude, 0) : (right.nextDown, right.nextUp)
        if outcomes.contains(.less), right != -.infinity { ranges.append((-.infinity, below)) }
        if outcomes.contains(.equal) { ranges.append((right, right)) }
        if outcomes.contains(.greater), right != .infinity { ranges.append((above, .infinity)) }
        if let first = ranges.first, let last = ranges.last { (low, high) = (first.low, last.high) }
    }

    /// The doubles from one number to another.
    init(from lower: Double, through upper: Double) {
        self.init()
        low = lower.isNaN ? 0 : lower
        high = upper.isNaN ? -Double.leastNonzeroMagnitude : upper
        if NumberOrder(lower, .nan) == .greater || NumberOrder(.nan, upper) == .greater { return }
        form = .rangeAroundZero
    }
}
