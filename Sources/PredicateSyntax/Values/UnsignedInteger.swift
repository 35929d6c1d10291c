#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Integers from 2^63 to 2^64 − 1, which have no sign: they are decimals, and their literal is their digits. [NSP-177]
///
/// `18446744073709551615`
extension Decimal {
    /// The decimal as an integer of 64 bits without a sign; nil where it is none, and where one with a sign holds it.
    package var unsignedInteger: UInt64? {
        guard self >= Self.leastUnsigned, self <= Self.greatestUnsigned else { return nil }
        return UInt64(description)
    }

    private static let leastUnsigned = Decimal(UInt64(1) << 63)
    private static let greatestUnsigned = Decimal(UInt64.max)
}
