/// `age > 21` of an integer: every comparison with a number comes to a range, or to what lies outside of it.
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
    /// What IN looks for in place of the range: integers by the other test, and these.
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
