import PredicateSyntax

/// Parts of dates in SQL, from seconds since 2001.
///
/// `month:(due)` on PostgreSQL: `extract(month from date '2001-01-01' + ((floor(s)::int8 + …) / 86400 % 146097)::int)`
///
/// The Gregorian calendar repeats after 400 years, which are 146,097 days and whole weeks. A date is moved by a multiple of 400
/// years into the years from 2001 to 2400, in which all databases have the same calendar, whatever the range of their own
/// types.
struct CalendarText: Sendable {
    /// A part of a date that depends only on the number of days after 2001-01-01.
    enum DayPart: Sendable { case year, month, day, dayOfYear }

    /// The greatest integer that is not above a double.
    let whole: @Sendable (SQLText) -> SQLText
    /// The operator of integer division.
    let divide: SQLText
    /// An integer as a double.
    let double: @Sendable (SQLText) -> SQLText
    /// A part of the day that is 0 to 146,096 days after 2001-01-01, as an integer.
    let day: @Sendable (DayPart, SQLText) -> SQLText

    /// 80,000 times 400 years in seconds, more than a date is away from 2001.
    private static let shift: SQLText = "1009822464000000"

    func text(_ part: SQLPiece.Calendar, of seconds: SQLText) -> SQLText {
        let moment = SQLText.sum(whole(seconds), "+", Self.shift)
        let day = SQLText.product(moment, divide, "86400")
        switch part {
        case .year: return year(of: day)
        case .quarter: return SQLText.product("(\(self.day(.month, inCycle(day))) + 2)", divide, "3")
        case .month: return self.day(.month, inCycle(day))
        case .weekOfYear:
            return SQLText.product("(\(self.day(.dayOfYear, inCycle(thursday(of: day)))) + 6)", divide, "7")
        case .yearForWeekOfYear: return year(of: thursday(of: day))
        case .day: return self.day(.day, inCycle(day))
        case .dayOfYear: return self.day(.dayOfYear, inCycle(day))
        // 2001-01-01 was a Monday.
        case .weekday: return SQLText.sum(SQLText.product("(\(day) + 1)", "%", "7"), "+", "1")
        case .hour: return SQLText.product(SQLText.product(moment, "%", "86400"), divide, "3600")
        case .minute: return SQLText.product(SQLText.product(moment, "%", "3600"), divide, "60")
        case .second: return SQLText.product(moment, "%", "60")
        case .yearStart, .quarterStart, .monthStart, .weekStart, .dayStart, .hourStart, .minuteStart, .secondStart:
            return double(start(of: part, seconds, moment, day))
        }
    }

    /// The first moment of a unit in seconds since 2001, as an integer.
    private func start(
        of unit: SQLPiece.Calendar, _ seconds: SQLText, _ moment: SQLText, _ day: SQLText
    ) -> SQLText {
        func less(_ length: SQLText) -> SQLText {
            SQLText.sum(whole(seconds), "-", SQLText.product(moment, "%", length))
        }
        func less(days: SQLText) -> SQLText { SQLText.sum(less("86400"), "-", "86400 * (\(days))") }
        let ofYear = SQLText.sum(self.day(.dayOfYear, inCycle(day)), "-", "1")
        let ofMonth = SQLText.sum(self.day(.day, inCycle(day)), "-", "1")
        switch unit {
        case .yearStart: return less(days: ofYear)
        case .quarterStart:
            let month = self.day(.month, inCycle(day))
            return less(
                days: """
                    CASE WHEN \(month) <= 3 THEN \(ofYear) ELSE \(ofMonth) + CASE \(month) WHEN 5 THEN 30 WHEN 6 THEN 61 \
                    WHEN 8 THEN 31 WHEN 9 THEN 62 WHEN 11 THEN 31 WHEN 12 THEN 61 ELSE 0 END END
                    """)
        case .monthStart: return less(days: ofMonth)
        case .weekStart: return less("604800")
        case .dayStart: return less("86400")
        case .hourStart: return less("3600")
        case .minuteStart: return less("60")
        case .secondStart, .year, .quarter, .month, .weekOfYear, .yearForWeekOfYear, .day, .dayOfYear, .weekday, .hour,
            .minute, .second:
            return whole(seconds)
        }
    }

    /// The number of a day within its cycle of 400 years.
    private func inCycle(_ day: SQLText) -> SQLText { SQLText.product(day, "%", "146097") }

    private func year(of day: SQLText) -> SQLText {
        let cycles = SQLText.sum(SQLText.product(day, divide, "146097"), "-", "80000")
        return SQLText.sum(self.day(.year, inCycle(day)), "+", "400 * (\(cycles))")
    }

    /// The Thursday of a week; the week belongs to the year of its Thursday.
    private func thursday(of day: SQLText) -> SQLText {
        SQLText.sum(SQLText.sum(day, "-", SQLText.product(day, "%", "7")), "+", "3")
    }
}

extension CalendarText {
    static let postgreSQL = CalendarText(
        whole: { "floor(\($0))::int8" },
        divide: "/",
        double: { "\($0.operand(.atom))::float8" },
        day: { part, number in
            let field = part.word("year", "month", "day", "doy")
            return "extract(\(field) from date '2001-01-01' + \(number.operand(.atom))::int)::int8"
        })

    static let mySQL = CalendarText(
        whole: { "CAST(FLOOR(\($0)) AS SIGNED)" },
        divide: "DIV",
        double: { "CAST(\($0) AS DOUBLE)" },
        day: { part, number in
            let function = part.word("YEAR", "MONTH", "DAYOFMONTH", "DAYOFYEAR")
            return "\(function)(DATE_ADD('2001-01-01', INTERVAL \(number) DAY))"
        })

    static let duckDB = CalendarText(
        whole: { "CAST(floor(\($0)) AS BIGINT)" },
        divide: "//",
        double: { "CAST(\($0) AS DOUBLE)" },
        day: { "\($0.function)(DATE '2001-01-01' + CAST(\($1) AS INTEGER))" })

    static let spark = CalendarText(
        whole: { "CAST(floor(\($0)) AS BIGINT)" },
        divide: "div",
        double: { "CAST(\($0) AS DOUBLE)" },
        day: { "CAST(\($0.function)(date_add(DATE'2001-01-01', CAST(\($1) AS INT))) AS BIGINT)" })
}

extension CalendarText.DayPart {
    /// The function of DuckDB and Spark.
    fileprivate var function: SQLText { word("year", "month", "day", "dayofyear") }

    fileprivate func word(_ year: SQLText, _ month: SQLText, _ day: SQLText, _ dayOfYear: SQLText) -> SQLText {
        switch self {
        case .year: year
        case .month: month
        case .day: day
        case .dayOfYear: dayOfYear
        }
    }
}

extension SQLPiece.Calendar {
    /// The word by which every database reads the part from a column of its own type; nil for a part that it counts
    /// differently.
    var ownWord: SQLText? {
        switch self {
        case .year: "year"
        case .quarter: "quarter"
        case .month: "month"
        case .day: "day"
        case .weekOfYear, .yearForWeekOfYear, .dayOfYear, .weekday, .hour, .minute, .second, .yearStart, .quarterStart,
            .monthStart, .weekStart, .dayStart, .hourStart, .minuteStart, .secondStart:
            nil
        }
    }

    /// The function of SQLite, and the word for the part or the unit.
    var call: (function: SQLFunction, word: StaticString) {
        switch self {
        case .year: (.datePart, "'year'")
        case .quarter: (.datePart, "'quarter'")
        case .month: (.datePart, "'month'")
        case .weekOfYear: (.datePart, "'weekOfYear'")
        case .yearForWeekOfYear: (.datePart, "'yearForWeekOfYear'")
        case .day: (.datePart, "'day'")
        case .dayOfYear: (.datePart, "'dayOfYear'")
        case .weekday: (.datePart, "'weekday'")
        case .hour: (.datePart, "'hour'")
        case .minute: (.datePart, "'minute'")
        case .second: (.datePart, "'second'")
        case .yearStart: (.dateStart, "'year'")
        case .quarterStart: (.dateStart, "'quarter'")
        case .monthStart: (.dateStart, "'month'")
        case .weekStart: (.dateStart, "'week'")
        case .dayStart: (.dateStart, "'day'")
        case .hourStart: (.dateStart, "'hour'")
        case .minuteStart: (.dateStart, "'minute'")
        case .secondStart: (.dateStart, "'second'")
        }
    }

    init(_ part: CalendarPart) {
        switch part {
        case .year: self = .year
        case .quarter: self = .quarter
        case .month: self = .month
        case .weekOfYear: self = .weekOfYear
        case .yearForWeekOfYear: self = .yearForWeekOfYear
        case .day: self = .day
        case .dayOfYear: self = .dayOfYear
        case .weekday: self = .weekday
        case .hour: self = .hour
        case .minute: self = .minute
        case .second: self = .second
        }
    }

    init(beginningOf unit: CalendarUnit) {
        switch unit {
        case .year: self = .yearStart
        case .quarter: self = .quarterStart
        case .month: self = .monthStart
        case .week: self = .weekStart
        case .day: self = .dayStart
        case .hour: self = .hourStart
        case .minute: self = .minuteStart
        case .second: self = .secondStart
        }
    }
}
