import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A year or a month in place of a date: `joined == "2026"`, `joined > "2026-11"`. It begins and ends at midnight in a zone, or
/// in UTC if that is nil.
///
/// Each comparison keeps its shape, so that source ranges stay valid: `==` becomes BETWEEN with one constant.
struct DateSpan {
    /// The first moment of the span, and the first moment after it.
    private let start: PredicateValue
    private let end: Date

    /// Reads `2026` or `2026-11`; nil for other text.
    init?(_ text: String, _ zone: LocalZone?) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = parts.first, first.utf8.count == 4, let year = Self.number(first) else { return nil }
        switch parts.count {
        case 1:
            start = .date(Self.day(year, 1, zone))
            end = Self.day(year + 1, 1, zone)
        case 2:
            guard parts[1].utf8.count == 2, let month = Self.number(parts[1]), (1...12).contains(month) else {
                return nil
            }
            start = .date(Self.day(year, month, zone))
            end = month == 12 ? Self.day(year + 1, 1, zone) : Self.day(year, month + 1, zone)
        default: return nil
        }
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }

    /// Returns true for the text of a year or a month.
    static func isSpan(_ text: String) -> Bool { DateSpan(text, nil) != nil }

    /// Returns true for the text of a date, a year or a month.
    static func isDateOrSpan(_ text: String) -> Bool { ISO8601.date(from: text) != nil || isSpan(text) }

    /// Returns the midnight at the beginning of a month.
    private static func day(_ year: Int, _ month: Int, _ zone: LocalZone?) -> Date {
        let day = GregorianCalendar.day(year: year, month: month, day: 1) - GregorianCalendar.referenceDay
        let seconds = Int64(day) * 86_400
        return Date(timeIntervalSinceReferenceDate: Double(zone?.start(ofDay: seconds) ?? seconds))
    }

    /// The last moment of the span.
    private var last: PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: end.timeIntervalSinceReferenceDate.nextDown))
    }

    /// Returns the operator and the constant for a date on the left and the span on the right; nil for an operator that cannot
    /// take a span, such as IN.
    func comparison(_ operator: ComparisonOperator) -> (ComparisonOperator, PredicateValue)? {
        switch `operator` {
        case .lessThan: (.lessThan, start)
        case .lessThanOrEqualTo: (.lessThan, .date(end))
        case .greaterThan: (.greaterThanOrEqualTo, .date(end))
        case .greaterThanOrEqualTo: (.greaterThanOrEqualTo, start)
        case .equalTo: (.between, .array([start, last]))
        case .notEqualTo, .between, .in, .customSelector: nil
        }
    }

    /// Returns the operator and the constant for the span on the left and a date on the right: `"2026" < joined`.
    func mirrored(_ operator: ComparisonOperator) -> (ComparisonOperator, PredicateValue)? {
        switch `operator` {
        case .lessThan: (.lessThanOrEqualTo, .date(end))
        case .lessThanOrEqualTo: (.lessThanOrEqualTo, start)
        case .greaterThan: (.greaterThan, start)
        case .greaterThanOrEqualTo: (.greaterThan, .date(end))
        case .equalTo, .notEqualTo, .between, .in, .customSelector: nil
        }
    }

    /// Returns a bound of BETWEEN: the first moment of the span, or its last one.
    static func bound(_ value: PredicateValue, isUpper: Bool, _ zone: LocalZone?) -> PredicateValue {
        guard case .string(let text) = value, let span = DateSpan(text, zone) else { return value }
        return isUpper ? span.last : span.start
    }
}
