import PredicateSyntax
import PredicateText

/// The order of values. [NSP-510]
///
/// nil, numbers and Booleans, dates, strings, and then all other values as formats print them.
package struct ReferenceOrder {
    var fold = FoldMode.none
    /// True if runs of digits are compared by their value: `a9 < a10`.
    var isNumeric = false

    package init() {}

    init(fold: FoldMode, isNumeric: Bool) {
        (self.fold, self.isNumeric) = (fold, isNumeric)
    }

    /// Below, at or above 0 as the left value is before, at or after the right one.
    package func order(_ left: ReferenceCell, _ right: ReferenceCell) -> Int {
        let (rank, otherRank) = (Self.rank(left), Self.rank(right))
        if rank != otherRank { return rank < otherRank ? -1 : 1 }
        switch (left, right) {
        case (.null, _): return 0
        case (.date(let left), .date(let right)): return Self.order(left, right)
        case (.text(let left), .text(let right)): return order(left, right)
        case (_, _):
            return rank == 1 ? Self.orderOfNumbers(left, right) : Self.orderOfBytes(left.printed, right.printed)
        }
    }

    private static func rank(_ value: ReferenceCell) -> Int {
        switch value {
        case .null: 0
        case .bool, .integer, .double, .decimal: 1
        case .date: 2
        case .text: 3
        case .list, .dictionary, .other: 4
        }
    }

    // MARK: Numbers

    /// By the nearest doubles, and of equal ones by the numbers for which they stand.
    private static func orderOfNumbers(_ left: ReferenceCell, _ right: ReferenceCell) -> Int {
        let nearest = order(left.nearestDouble ?? .nan, right.nearestDouble ?? .nan)
        guard nearest == 0, let left = left.exactNumber, let right = right.exactNumber else { return nearest }
        return left.order(right)
    }

    /// By three regions: the negative numbers, NaN, and all others. [NSP-176]
    private static func order(_ left: Double, _ right: Double) -> Int {
        let (region, otherRegion) = (self.region(left), self.region(right))
        if region != otherRegion { return region < otherRegion ? -1 : 1 }
        return left < right ? -1 : left > right ? 1 : 0
    }

    private static func region(_ number: Double) -> Int { number.isNaN ? 1 : number < 0 ? 0 : 2 }

    // MARK: Strings

    private func order(_ left: String, _ right: String) -> Int {
        let (left, right) = (SlowText.fold(left, fold), SlowText.fold(right, fold))
        return isNumeric
            ? Self.numericOrder(left[...], right[...])
            : Self.order(left.map(\.value), right.map(\.value))
    }

    private static func orderOfBytes(_ left: String, _ right: String) -> Int {
        order(Array(left.utf8), Array(right.utf8))
    }

    private static func order<Element: Comparable>(_ left: [Element], _ right: [Element]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// Code point by code point, but two runs of digits that meet are compared as numbers.
    private static func numericOrder(_ left: ArraySlice<Unicode.Scalar>, _ right: ArraySlice<Unicode.Scalar>) -> Int {
        guard let first = left.first, let other = right.first else { return (left.count - right.count).signum() }
        let (digits, otherDigits) = (left.prefix(while: isDigit), right.prefix(while: isDigit))
        if digits.isEmpty || otherDigits.isEmpty {
            return first == other
                ? numericOrder(left.dropFirst(), right.dropFirst()) : first.value < other.value ? -1 : 1
        }
        let result = number(digits).order(number(otherDigits))
        return result == 0 ? numericOrder(left.dropFirst(digits.count), right.dropFirst(otherDigits.count)) : result
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func number(_ digits: ArraySlice<Unicode.Scalar>) -> ReferenceDecimal {
        ReferenceDecimal(digits.map { String($0) }.joined()) ?? ReferenceDecimal()
    }
}

/// When two values are the same in groups, DISTINCT, DISTINCT ON and counts of distinct values. [NSP-511]
package enum ReferenceEquality {
    package static func isSame(_ left: ReferenceCell, _ right: ReferenceCell) -> Bool {
        switch (left, right) {
        case (.list(_, let elements), .list(_, let others)):
            return left.isSet == right.isSet && (left.isSet ? areSameSets : areSame)(elements, others)
        case (.dictionary(_, let members), .dictionary(_, let others)):
            return areSame(members.map { .text($0.key) }, others.map { .text($0.key) })
                && areSame(members.map(\.value), others.map(\.value))
        case (_, _):
            return left.isBool == right.isBool && ReferenceOrder().order(left, right) == 0
        }
    }

    /// True for rows whose values are the same, one by one.
    package static func areSame(_ left: [ReferenceCell], _ right: [ReferenceCell]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy(isSame)
    }

    private static func areSameSets(_ left: [ReferenceCell], _ right: [ReferenceCell]) -> Bool {
        left.allSatisfy { element in right.contains { isSame(element, $0) } }
            && right.allSatisfy { element in left.contains { isSame(element, $0) } }
    }
}
