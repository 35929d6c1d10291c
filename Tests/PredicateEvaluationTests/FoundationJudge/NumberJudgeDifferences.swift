import Foundation
import PredicateSyntax

/// The differences from Foundation that are meant, each with its reason; each of them must occur.
enum DeclaredDifference: String, CaseIterable {
    /// `NSDecimalNumber.compare` of this Foundation answers the wrong way round for a number that is no decimal.
    case decimalReceiver
    /// Foundation compares an integer and a decimal as doubles; here they compare exactly, as decimals. [NSP-158]
    case decimalBesideInteger
    /// Two decimals: Foundation puts the one that is not a number below all others; here it stands as a double would. [NSP-176]
    case decimalNotANumber
    /// Foundation calls a date without a time the same as every date in order, and equal to none. [NSP-176]
    case dateNotANumber

    /// The difference that explains an answer of the language; nil for none.
    init?(_ left: JudgedValue, _ right: JudgedValue, ours: NumberOrder, theirs: NumberOrder) {
        switch (left, right) {
        case (.date(let left), .date(let right)) where left.isNaN || right.isNaN: self = .dateNotANumber
        case (.decimal(let left), .decimal(let right)) where left.isNaN || right.isNaN: self = .decimalNotANumber
        case (.decimal, .integer), (.decimal, .unsigned), (.decimal, .bool), (.integer, .decimal),
            (.unsigned, .decimal),
            (.bool, .decimal):
            guard ours == Self.exact(left, right) else { return nil }
            self = theirs == .equal ? .decimalBesideInteger : .decimalReceiver
        case (.decimal, .double) where ours == theirs.mirrored: self = .decimalReceiver
        default: return nil
        }
    }

    /// The order of an integer and a decimal.
    private static func exact(_ left: JudgedValue, _ right: JudgedValue) -> NumberOrder? {
        guard let left = left.decimal, let right = right.decimal else { return nil }
        if left.isNaN { return right < 0 ? .greater : .less }
        if right.isNaN { return left < 0 ? .less : .greater }
        return left < right ? .less : left == right ? .equal : .greater
    }
}

extension JudgedValue {
    /// The exact value; nil for a double and a date.
    fileprivate var decimal: Decimal? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .decimal(let value): value
        case .double, .date: nil
        }
    }
}
