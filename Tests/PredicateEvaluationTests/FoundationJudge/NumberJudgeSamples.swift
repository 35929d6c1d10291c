import Foundation
import PredicateGenerators
import PredicateSyntax

/// A number or a date that the language and Foundation are both asked about.
enum JudgedValue {
    case bool(Bool)
    case integer(Int64)
    /// Above `Int64.max`
    case unsigned(UInt64)
    case double(Double)
    case decimal(Decimal)
    /// In seconds since 2001
    case date(Double)

    var value: PredicateValue {
        switch self {
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): value.predicateValue
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
    }

    /// The number of Foundation; nil for a date.
    var number: NSNumber? {
        switch self {
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .date: nil
        }
    }

    /// The date of Foundation; nil for a number.
    var date: NSDate? {
        if case .date(let seconds) = self { NSDate(timeIntervalSinceReferenceDate: seconds) } else { nil }
    }
}

/// Values at the borders of their kinds, and near each other.
struct JudgedSamples {
    private var random: RandomSource

    init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    static let integers: [Int64] = [
        0, 1, -1, 2, 21, -21, 1 << 31, -(1 << 31), 1 << 53, 1 << 53 - 1, 1 << 53 + 1, -(1 << 53), -(1 << 53) - 1,
        .max, .max - 1, .min, .min + 1,
    ]
    static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, 0.2, 0.1 + 0.2, 0.5, -0.5, 1.5, 21, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
        .leastNormalMagnitude, 0x1p53, 0x1p53 + 2, 0x1p53 - 1, -0x1p53, 0x1p63, -0x1p63, 0x1p64, 1e300, -1e300, .nan,
        -.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .pi,
    ]
    static let decimals =
        [
            "0", "1", "-1", "0.1", "0.2", "0.3", "0.5", "-0.5", "1.5", "21", "9007199254740993", "9007199254740992.5",
            "-9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
            "18446744073709551616", "0.10000000000000000000000000001", "1e-30", "-1e-30", "1e100", "-1e100",
        ].compactMap { Decimal(string: $0) } + [.nan]
    static let seconds: [Double] = [
        0, -0.0, 1, -1, 0.001, 0.002, 0.0011, 592_299_475.577_12, 592_299_475.577, -978_307_200, 1e9, 1e12, 1e300,
        .leastNonzeroMagnitude, .nan, .infinity, -.infinity,
    ]

    mutating func number() -> JudgedValue {
        switch random.below(20) {
        case 0: .bool(random.percent(50))
        case 1...5: .integer(random.one(of: Self.integers))
        case 6: .integer(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)))
        case 7: .unsigned(UInt64(1) << 63 | random.next() >> UInt64(random.below(64)))
        case 8: .unsigned(random.one(of: [1 << 63, 1 << 63 + 1, .max, .max - 1]))
        case 9...13: .double(random.one(of: Self.doubles))
        case 14: .double(Double(bitPattern: random.next()))
        case 15: neighbour(of: random.one(of: Self.integers))
        default: .decimal(random.one(of: Self.decimals))
        }
    }

    /// A double next to an integer.
    private mutating func neighbour(of integer: Int64) -> JudgedValue {
        let value = Double(integer)
        return .double(random.pick(value, value.nextUp, value.nextDown))
    }

    /// A date, often a millisecond from another.
    mutating func date() -> JudgedValue {
        let seconds = random.one(of: Self.seconds)
        return .date(random.percent(50) ? seconds : seconds + Double(random.below(2001) - 1000) / 1000)
    }
}
