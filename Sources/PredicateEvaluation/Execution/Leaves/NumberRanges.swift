import PredicateSyntax

extension IntegerTest {
    /// The integers that stand to a number as the outcomes say: `age > 21.5` holds from 22 on.
    ///
    /// An integer beside a double is compared as a double, so the ends of the ranges are found by comparing.
    init(_ outcomes: Ordering.Outcomes, than right: Number) {
        guard right.compare(right) == .equal else { return }
        let notBelow = Self.first { Number.integer($0).compare(right) != .less }
        let above = Self.first { Number.integer($0).compare(right) == .greater }
        var ranges: [(low: Int64, high: Int64)] = []
        if outcomes.contains(.less), notBelow != .min { ranges.append((.min, notBelow.map { $0 &- 1 } ?? .max)) }
        if outcomes.contains(.equal), let notBelow, notBelow != above {
            ranges.append((notBelow, above.map { $0 &- 1 } ?? .max))
        }
        if outcomes.contains(.greater), let above { ranges.append((above, .max)) }
        if let first = ranges.first, let last = ranges.last { (low, high) = (first.low, last.high) }
    }

    /// The first integer of those for which a question that once holds goes on holding.
    private static func first(where holds: (Int64) -> Bool) -> Int64? {
        guard holds(.max) else { return nil }
        var (from, to) = (Int64.min, Int64.max)
        while from < to {
            let middle = (from &>> 1) &+ (to &>> 1) &+ (from & to & 1)
            if holds(middle) { to = middle } else { from = middle &+ 1 }
        }
        return from
    }

    /// What both ranges hold.
    func intersected(with other: IntegerTest) -> IntegerTest {
        IntegerTest(low: max(low, other.low), high: min(high, other.high))
    }
}

extension DoubleTest {
    /// The doubles that stand to a number as the outcomes say; a value that is not a number stands to none.
    init(_ outcomes: Ordering.Outcomes, than right: Double) {
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

    /// What both ranges hold.
    func intersected(with other: DoubleTest) -> DoubleTest {
        DoubleTest(low: max(low, other.low), high: min(high, other.high))
    }
}
