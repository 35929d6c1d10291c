/// The order of two numbers.
package enum NumberOrder: Hashable, Sendable {
    case less
    case equal
    case greater
}

extension NumberOrder {
    /// The order of two doubles, total as that of Foundation's `NSNumber`: what is not a number equals itself and stands
    /// between the negative numbers and 0; -0.0 equals 0.0. [NSP-176]
    @inline(__always)
    package init(_ left: Double, _ right: Double) {
        self = left < right ? .less : left == right ? .equal : left > right ? .greater : Self.withoutNumber(left, right)
    }

    /// The order where one of them is not a number.
    @inline(never)
    package static func withoutNumber(_ left: Double, _ right: Double) -> NumberOrder {
        if left.isNaN, right.isNaN { return .equal }
        return left.isNaN ? (right < 0 ? .greater : .less) : left < 0 ? .less : .greater
    }
}
