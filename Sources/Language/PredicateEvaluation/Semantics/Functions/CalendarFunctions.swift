public import Foundation
import PredicateSyntax

extension EvaluationRegistry {
    /// Adds functions of calendar dates: `year(joined) == 2020`, `date:truncatedTo:(joined, "month")`.
    ///
    /// - `year:`, `quarter:`, `month:`, `weekOfYear:`, `yearForWeekOfYear:`, `day:`, `dayOfYear:`, `weekday:`, `hour:`,
    ///   `minute:` and `second:` give a part of a date, as an integer. Weekdays are numbered from Sunday, 1, as in Foundation's
    ///   `Calendar`; weeks follow ISO 8601.
    /// - `date:truncatedTo:(d, "month")` gives the first moment of the month. A week begins on Monday.
    /// - `dateByAddingUnit:value:toDate:("month", 1, d)` gives the date a month later. A day that the month does not
    ///   have becomes its last day, and a time that the day does not have becomes a later one, by the length of the
    ///   gap.
    /// - `ago:(7, "days")` is the date seven days before now.
    ///
    /// Units are year, quarter, month, week, day, hour, minute and second, also in the plural. The calendar is proleptic
    /// Gregorian. A string in ISO 8601 is taken as a date, in the zone if it has no offset; nil gives nil. Other arguments
    /// throw `argumentKind`. [NSP-480] [NSP-481] [NSP-482] [NSP-495]
    ///
    /// - Parameter timeZone: The zone in which days begin and months are counted, and strings without an offset are read.
    public mutating func registerCalendarFunctions(timeZone: TimeZone = .gmt) {
        let calendar = ZonedCalendar(timeZone)
        for part in CalendarPart.allCases {
            let name = "\(part.rawValue):"
            registerFunction(name) { arguments in
                let call = try CalendarCall(name, arguments, count: 1)
                guard let date = try call.date(at: 0, calendar.localZone) else { return .null }
                return .value(.integer(Int64(calendar.value(of: part, at: date))))
            }
        }
        registerFunction("date:truncatedTo:") { arguments in
            let call = try CalendarCall("date:truncatedTo:", arguments, count: 2)
            let unit = try call.unit(at: 1)
            guard let date = try call.date(at: 0, calendar.localZone) else { return .null }
            return CalendarCall.date(calendar.truncate(date, to: unit))
        }
        registerFunction("dateByAddingUnit:value:toDate:") { arguments in
            let call = try CalendarCall("dateByAddingUnit:value:toDate:", arguments, count: 3)
            let unit = try call.unit(at: 0)
            guard let count = try call.count(at: 1, of: unit), let date = try call.date(at: 2, calendar.localZone)
            else {
                return .null
            }
            return try call.sum(calendar.add(count, unit, to: date), at: 1)
        }
        registerFunction("ago:") { arguments in
            let call = try CalendarCall("ago:", arguments, count: 2)
            let unit = try call.unit(at: 1)
            guard let count = try call.count(at: 0, of: unit) else { return .null }
            return try call.sum(calendar.add(-count, unit, to: Date().timeIntervalSinceReferenceDate), at: 0)
        }
        self.calendar = calendar
    }
}

/// The arguments of a date function.
private struct CalendarCall {
    let function: String
    let arguments: [KeyedValue]

    /// Throws `argumentCount`.
    init(_ function: String, _ arguments: [KeyedValue], count: Int) throws(EvaluationError) {
        (self.function, self.arguments) = (function, arguments)
        if arguments.count != count {
            throw EvaluationError(
                .argumentCount(function: function, expected: count...count, found: arguments.count))
        }
    }

    /// Returns a date argument as seconds since 2001; nil if the argument is nil.
    func date(at index: Int, _ zone: LocalZone?) throws(EvaluationError) -> Double? {
        let argument = arguments.argument(index)
        if argument.isNull { return nil }
        var date: Date?
        if case .value(.date(let found)) = argument { date = found }
        if let text = argument.text { date = ISO8601.date(from: text, in: zone) }
        guard let seconds = date?.timeIntervalSinceReferenceDate, seconds.magnitude <= GregorianCalendar.mostSeconds
        else { throw unexpected(index, "a date") }
        return seconds
    }

    func unit(at index: Int) throws(EvaluationError) -> CalendarUnit {
        if let unit = arguments.argument(index).text.flatMap({ CalendarUnit(word: $0) }) { return unit }
        throw unexpected(index, CalendarUnit.allCases.map(\.rawValue).list("or"))
    }

    /// Returns an argument as a number of units; nil if the argument is nil.
    func count(at index: Int, of unit: CalendarUnit) throws(EvaluationError) -> Int? {
        let argument = arguments.argument(index)
        if argument.isNull { return nil }
        guard let number = argument.number?.doubleValue, let count = Int(exactly: number) else {
            throw unexpected(index, "a whole number")
        }
        let most = Int(2 * GregorianCalendar.mostSeconds) / unit.leastSeconds
        guard count.magnitude <= most else { throw unexpected(index, "a smaller number") }
        return count
    }

    /// Returns a moved date. Throws if it is outside the range of dates.
    func sum(_ seconds: Double, at index: Int) throws(EvaluationError) -> KeyedValue {
        guard seconds.magnitude <= GregorianCalendar.mostSeconds else { throw unexpected(index, "a smaller number") }
        return Self.date(seconds)
    }

    static func date(_ seconds: Double) -> KeyedValue { .value(.date(Date(timeIntervalSinceReferenceDate: seconds))) }

    private func unexpected(_ index: Int, _ expected: String) -> EvaluationError {
        let found = arguments.argument(index).found
        return EvaluationError(.argumentKind(function: function, expected: expected, found: found))
    }
}
