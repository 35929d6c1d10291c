/// Contiguous integers in as few bytes as all of them fit into.
///
/// Ages take a byte each: a count reads an eighth of the memory.
enum IntegerRun {
    case bytes(UnsafePointer<Int8>)
    case shorts(UnsafePointer<Int16>)
    case words(UnsafePointer<Int32>)
    case longs(UnsafePointer<Int64>)

    init(_ values: [Int64], _ bounds: ClosedRange<Int64>, in arena: Arena) {
        func fits<Value: FixedWidthInteger>(_ type: Value.Type) -> Bool {
            Value(exactly: bounds.lowerBound) != nil && Value(exactly: bounds.upperBound) != nil
        }
        if fits(Int8.self) {
            self = .bytes(arena.storePadded(values.map { Int8(truncatingIfNeeded: $0) }))
        } else if fits(Int16.self) {
            self = .shorts(arena.storePadded(values.map { Int16(truncatingIfNeeded: $0) }))
        } else if fits(Int32.self) {
            self = .words(arena.storePadded(values.map { Int32(truncatingIfNeeded: $0) }))
        } else {
            self = .longs(arena.storePadded(values))
        }
    }

    @inline(__always)
    subscript(row: Int) -> Int64 {
        switch self {
        case .bytes(let values): Int64(values[row])
        case .shorts(let values): Int64(values[row])
        case .words(let values): Int64(values[row])
        case .longs(let values): values[row]
        }
    }

    /// Evaluates the selected rows.
    func evaluate(_ test: IntegerTest, _ rows: RowBitmap) {
        switch self {
        case .bytes(let values): Self.evaluate(values, test, rows)
        case .shorts(let values): Self.evaluate(values, test, rows)
        case .words(let values): Self.evaluate(values, test, rows)
        case .longs(let values): Self.evaluate(values, test, rows)
        }
    }

    /// Every range comes to one comparison without a sign; what of it lies outside of the type can hold for nothing.
    @inline(__always)
    private static func evaluate<Value: FixedWidthInteger & SignedInteger & BitwiseCopyable>(
        _ values: UnsafePointer<Value>, _ test: IntegerTest, _ rows: RowBitmap
    ) {
        guard test.members.isEmpty else { return rows.test { test.holds(Int64(values[$0])) } }
        let (low, high) = (max(test.low, Int64(Value.min)), min(test.high, Int64(Value.max)))
        guard low <= high else { return rows.fill(test.isNegated) }
        let first = Value(truncatingIfNeeded: low)
        let width = Value.Magnitude(truncatingIfNeeded: high &- low)
        rows.testWords { Value.Magnitude(truncatingIfNeeded: values[$0] &- first) <= width }
        if test.isNegated { rows.negate() }
    }

    /// Copies 64 integers, from a row on.
    func load(_ row: Int, into block: UnsafeMutablePointer<Int64>) {
        switch self {
        case .bytes(let values): for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
        case .shorts(let values): for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
        case .words(let values): for index in 0..<64 { block[index] = Int64(values[row &+ index]) }
        case .longs(let values): block.update(from: values + row, count: 64)
        }
    }
}

extension DoubleTest {
    /// Evaluates the selected rows.
    func evaluate(_ values: UnsafePointer<Double>, _ rows: RowBitmap) {
        if form == .members { return rows.test { holds(values[$0]) } }
        for word in 0..<rows.wordCount where rows.selected[word] != 0 {
            rows.results[word] = word64(values + (rows.start &+ word &<< 6))
        }
    }

    /// The results for 64 values. Most ranges are open at one end, where there is one comparison to be made.
    @inline(__always)
    func word64(_ values: UnsafePointer<Double>) -> UInt64 {
        if form == .members { return RowBitmap.word { holds(values[$0]) } }
        let (low, high) = (low, high)
        if form == .rangeAroundZero {
            let outside = RowBitmap.word { values[$0] < low ? true : high < values[$0] }
            return isNegated ? outside : ~outside
        }
        let inside =
            if high == .infinity {
                RowBitmap.word { low <= values[$0] }
            } else if low == -.infinity {
                RowBitmap.word { values[$0] <= high }
            } else {
                RowBitmap.word { low <= values[$0] ? values[$0] <= high : false }
            }
        return isNegated ? ~inside : inside
    }
}
