import PredicateSyntax

/// Parts of dates in UTC, by the same calendar as the evaluator's.
///
/// Seconds outside the range of the calendar result in NULL.
enum DateFunctions {
    private static let calendar = ZonedCalendar(.gmt)

    /// `predicates_date_part(0.0, 'year')`: 2001
    static func part(_ call: FunctionCall) {
        guard let seconds = seconds(call), let part = CalendarPart(rawValue: call.text(1)) else {
            return call.returnNull()
        }
        call.return(Int64(calendar.value(of: part, at: seconds)))
    }

    /// `predicates_date_start(86401.5, 'day')`: 86400.0
    static func start(_ call: FunctionCall) {
        guard let seconds = seconds(call), let unit = CalendarUnit(word: call.text(1)) else { return call.returnNull() }
        call.return(calendar.truncate(seconds, to: unit))
    }

    private static func seconds(_ call: FunctionCall) -> Double? {
        switch call.storage(0) {
        case .integer, .double:
            let seconds = call.double(0)
            return seconds.magnitude <= GregorianCalendar.mostSeconds ? seconds : nil
        case .null, .text, .blob: return nil
        }
    }
}
