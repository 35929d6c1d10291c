public import Foundation
import PredicateSyntax

extension EvaluationRegistry {
    /// Adds functions of calendar dates: `year(joined) == 2020`, `date:truncatedTo:(joined, "month")`.
    ///
    /// - `year:`, `quarter:`, `month:`, `weekOfYear:`, `yearForWeekOfYear:`, `day:`, `dayOfYear:`, `weekday:`, `hour:`,
    ///   `minute:` and `second:` give a part of a date, as an integer. Weekdays are numbered from Sunday, 1, as in
    ///   Foundation's `Calendar`; weeks are those of ISO 8601.
    /// - `date:truncatedTo:(d, "month")` gives the first moment of the month. A week begins on Monday.
    /// - `dateByAddingUnit:value:toDate:("month", 1, d)` gives the date a month later. A day that the month does not
    ///   have becomes its last day, and a time that the day does not have becomes a later one, by the length of the
    ///   gap.
    /// - `ago:(7, "days")` is the date seven days before now.
    ///
    /// Units are year, quarter, month, week, day, hour, minute and second, also in the plural. The calendar is
    /// proleptic Gregorian. A string in ISO 8601 is taken as a date, without an offset as one in the zone; nil gives
    /// nil. Other arguments throw `argumentKind`. [NSP-480] [NSP-481] [NSP-482] [NSP-495]
    ///
    /// - Parameter timeZone: The zone in which days begin and months are counted, and strings without an offset are read.
    public mutating func registerCalendarFunctions(timeZone: TimeZone = .gmt) {
        zone = LocalZone(timeZone)
        let calendar = ZonedCalendar(zone)
        for part in CalendarPart.allCases {
            let name = "\(part.rawValue):"
            registerFunction(name) { arguments in
                let call = try CalendarCall(name, arguments, count: 1)
                guard let date = try call.date(at: 0, calendar.zone) else { return .null }
                return .value(.integer(Int64(calendar.value(of: part, at: date))))
            }
        }
        registerFunction("date:truncatedTo:") { arguments in
            let call = try CalendarCall("date:truncatedTo:", arguments, count: 2)
            let unit = try call.unit(at: 1)
            guard let date = try call.date(at: 0, calendar.zone) else { return .null }
            return CalendarCall.date(calendar.truncate(date, to: unit))
        }
        registerFunction("dateByAddingUnit:value:toDate:") { arguments in
            let call = try CalendarCall("dateByAddingUnit:value:toDate:", arguments, count: 3)
            let unit = try call.unit(at: 0)
            guard let count = try call.count(at: 1, of: unit), let date = try call.date(at: 2, calendar.zone) else {
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
    }
}

/// A part of a date, under the name of its function.
enum CalendarPart: String, CaseIterable {
    case year, quarter, month, weekOfYear, yearForWeekOfYear, day, dayOfYear, weekday, hour, minute, second
}

/// A unit by which dates are truncated and moved.
enum CalendarUnit: String, CaseIterable {
    case year, quarter, month, week, day, hour, minute, second

    /// Creates the unit of a word in the singular or the plural: `month`, `months`.
    init?(word: String) {
        guard let unit = Self(rawValue: word) ?? (word.last == "s" ? Self(rawValue: String(word.dropLast())) : nil)
        else { return nil }
        self = unit
    }

    /// The least length of the unit in seconds.
    var leastSeconds: Int {
        switch self {
        case .year: 365 * 86_400
        case .quarter: 90 * 86_400
        case .month: 28 * 86_400
        case .week: 7 * 86_400
        case .day: 86_400
        case .hour: 3600
        case .minute: 60
        case .second: 1
        }
    }
}

/// The arguments of a function of dates.
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

    /// Returns the seconds of a date since 2001; nil for nil.
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
        let names = CalendarUnit.allCases.map(\.rawValue)
        throw unexpected(index, names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
    }

    /// Returns a number of units; nil for nil.
    func count(at index: Int, of unit: CalendarUnit) throws(EvaluationError) -> Int? {
        let argument = arguments.argument(index)
        if argument.isNull { return nil }
        guard let number = argument.number?.doubleValue, let count = Int(exactly: number) else {
            throw unexpected(index, "a whole number")
        }
        let most = Int(2 * GregorianCalendar.mostSeconds) / unit.leastSeconds
        guard count.magnitude <= most else { throw unexpected(index, "a lesser number") }
        return count
    }

    /// Returns a date that was moved. Throws if it is outside the range of dates.
    func sum(_ seconds: Double, at index: Int) throws(EvaluationError) -> KeyedValue {
        guard seconds.magnitude <= GregorianCalendar.mostSeconds else { throw unexpected(index, "a lesser number") }
        return Self.date(seconds)
    }

    static func date(_ seconds: Double) -> KeyedValue { .value(.date(Date(timeIntervalSinceReferenceDate: seconds))) }

    private func unexpected(_ index: Int, _ expected: String) -> EvaluationError {
        let found = arguments.argument(index).found
        return EvaluationError(.argumentKind(function: function, expected: expected, found: found))
    }
}

/// The proleptic Gregorian calendar in a time zone. Dates are seconds since 2001-01-01 00:00 UTC.
struct ZonedCalendar: Sendable {
    /// Nil for UTC.
    let zone: LocalZone?

    init(_ zone: LocalZone?) {
        self.zone = zone
    }

    /// A day, counted from 2001-01-01, and a second in it.
    private struct LocalTime {
        var day: Int
        var second: Int

        init(day: Int, second: Int = 0) {
            (self.day, self.second) = (day, second)
        }

        init(_ seconds: Int) {
            day = GregorianCalendar.floorDivide(seconds, 86_400)
            second = seconds - day * 86_400
        }

        var seconds: Int { day * 86_400 + second }
        var civil: (year: Int, month: Int, day: Int) {
            GregorianCalendar.civil(fromDay: day + GregorianCalendar.referenceDay)
        }
        /// The day of the week, 0 for Monday; 2001-01-01 was one.
        var weekday: Int { day - 7 * GregorianCalendar.floorDivide(day, 7) }
        var dayOfYear: Int { day - LocalTime(year: civil.year, month: 1, day: 1).day + 1 }

        init(year: Int, month: Int, day: Int) {
            let number = GregorianCalendar.day(year: year, month: month, day: day)
            self.init(day: number - GregorianCalendar.referenceDay)
        }
    }

    private func local(_ seconds: Double) -> LocalTime {
        let second = Int(seconds.rounded(.down))
        return LocalTime(second + offset(at: second))
    }

    func value(of part: CalendarPart, at seconds: Double) -> Int {
        let time = local(seconds)
        switch part {
        case .year: return time.civil.year
        case .quarter: return (time.civil.month + 2) / 3
        case .month: return time.civil.month
        case .weekOfYear: return (Self.thursday(of: time).dayOfYear + 6) / 7
        case .yearForWeekOfYear: return Self.thursday(of: time).civil.year
        case .day: return time.civil.day
        case .dayOfYear: return time.dayOfYear
        case .weekday: return (time.weekday + 1) % 7 + 1
        case .hour: return time.second / 3600
        case .minute: return time.second / 60 % 60
        case .second: return time.second % 60
        }
    }

    /// Returns the Thursday of a week, whose year is that of the week.
    private static func thursday(of time: LocalTime) -> LocalTime { LocalTime(day: time.day - time.weekday + 3) }

    /// Returns the first moment of a unit.
    func truncate(_ seconds: Double, to unit: CalendarUnit) -> Double {
        let time = local(seconds)
        let (year, month, _) = time.civil
        switch unit {
        case .year: return start(of: LocalTime(year: year, month: 1, day: 1))
        case .quarter: return start(of: LocalTime(year: year, month: (month - 1) / 3 * 3 + 1, day: 1))
        case .month: return start(of: LocalTime(year: year, month: month, day: 1))
        case .week: return start(of: LocalTime(day: time.day - time.weekday))
        case .day: return start(of: LocalTime(day: time.day))
        case .hour, .minute, .second:
            return seconds.rounded(.down) - Double(time.second % unit.leastSeconds)
        }
    }

    /// Returns the date some units later.
    func add(_ count: Int, _ unit: CalendarUnit, to seconds: Double) -> Double {
        switch unit {
        case .year: move(seconds) { Self.adding(months: 12 * count, to: $0) }
        case .quarter: move(seconds) { Self.adding(months: 3 * count, to: $0) }
        case .month: move(seconds) { Self.adding(months: count, to: $0) }
        case .week: move(seconds) { LocalTime(day: $0.day + 7 * count, second: $0.second) }
        case .day: move(seconds) { LocalTime(day: $0.day + count, second: $0.second) }
        case .hour, .minute, .second: seconds + Double(count * unit.leastSeconds)
        }
    }

    private func move(_ seconds: Double, _ change: (LocalTime) -> LocalTime) -> Double {
        let fraction = seconds - seconds.rounded(.down)
        let old = local(seconds)
        let new = change(old)
        return new.seconds == old.seconds ? seconds : Double(moment(of: new)) + fraction
    }

    /// Moves a date to the same day of another month, or to its last day.
    private static func adding(months: Int, to time: LocalTime) -> LocalTime {
        let (year, month, day) = time.civil
        let total = 12 * year + month - 1 + months
        let newYear = GregorianCalendar.floorDivide(total, 12)
        let newMonth = total - 12 * newYear + 1
        let length = GregorianCalendar.length(ofMonth: newMonth, year: newYear)
        var new = LocalTime(year: newYear, month: newMonth, day: min(day, length))
        new.second = time.second
        return new
    }
}

// MARK: - The zone

extension ZonedCalendar {
    private func offset(at second: Int) -> Int { zone?.offset(at: second) ?? 0 }

    /// Returns the moment of a local time.
    private func moment(of time: LocalTime) -> Int { zone?.moment(of: time.seconds) ?? time.seconds }

    /// Returns the first moment of a day.
    private func start(of day: LocalTime) -> Double { Double(zone?.start(ofDay: day.seconds) ?? day.seconds) }
}
