/// Dates that are kept as texts of ISO 8601, as databases read them: what the evaluator reads, to the same double.
///
/// `2016-03-02T10:15:30.25+01:00`; a text in no such form, or of a day that is none, is NULL.
enum DateTexts {
    /// The form: year, month, day, hour, minute, second, fraction, sign, hour and minute of the offset, without anchors.
    static let form = """
        ([0-9]{4})-([0-9][0-9])-([0-9][0-9])(?:[Tt ]([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.]([0-9]+))?)?\
        (?:[Zz]|([-+])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?)?)?
        """

    /// The days of the month `month` of the year `year`.
    static func days(inMonth month: String, of year: String) -> String {
        """
        (CASE WHEN \(month) IN (4, 6, 9, 11) THEN 30 WHEN \(month) <> 2 THEN 31 \
        WHEN \(year) % 4 = 0 AND (\(year) % 100 <> 0 OR \(year) % 400 = 0) THEN 29 ELSE 28 END)
        """
    }

    /// The days from 2001-01-01 to a day, by whole numbers: years begin in March and lie four centuries later, so that none is
    /// negative. `divide` is the operator of whole quotients.
    static func daysSince2001(year: String, month: String, day: String, divide: String) -> String {
        let years = "(\(year) + 400 - CASE WHEN \(month) <= 2 THEN 1 ELSE 0 END)"
        return """
            (365 * \(years) + \(years) \(divide) 4 - \(years) \(divide) 100 + \(years) \(divide) 400 \
            + (153 * ((\(month) + 9) % 12) + 2) \(divide) 5 + \(day) - 876889)
            """
    }
}

/// The date of a text `s` as an expression: the digits of the form stand at known places but for the fraction and the offset.
struct DateExpression {
    /// The operator of whole quotients.
    let divide: String
    /// The condition that a text `s` has the form.
    let hasForm: String

    /// Seconds since 2001 as an integer; a fraction of up to six digits is added as microseconds, a longer one as a double.
    var text: String {
        """
        CASE WHEN NOT \(hasForm) OR \(month) NOT BETWEEN 1 AND 12 OR \(day) < 1 \
        OR \(day) > \(DateTexts.days(inMonth: month, of: year)) THEN NULL \
        WHEN length(\(digits)) <= 6 THEN \
        CAST(\(seconds) * 1000000 + \(integer("rpad(\(digits), 6, '0')")) AS DOUBLE) / CAST(1000000 AS DOUBLE) \
        ELSE CAST(\(seconds) AS DOUBLE) + CAST(\(integer(digits)) AS DOUBLE) \
        / CAST(\(integer("concat('1', repeat('0', length(\(digits))))")) AS DOUBLE) END
        """
    }

    private var year: String { number(1, 4) }
    private var month: String { number(6, 2) }
    private var day: String { number(9, 2) }

    /// The digits of the fraction that count, without zeros at the end.
    private let digits = "regexp_replace(left(regexp_extract(substr(s, 17), '[.]([0-9]+)', 1), 15), '0+$', '')"
    /// `+01:00`
    private let offset = "regexp_extract(substr(s, 17), '([-+].*)', 1)"

    private var seconds: String {
        let days = DateTexts.daysSince2001(year: year, month: month, day: day, divide: divide)
        let second = "CASE WHEN substr(s, 17, 1) = ':' THEN \(number(18, 2)) ELSE 0 END"
        let minutes = "CASE WHEN length(\(offset)) > 3 THEN \(integer("right(\(offset), 2)")) ELSE 0 END"
        let east = "(coalesce(\(integer("substr(\(offset), 2, 2)")), 0) * 3600 + \(minutes) * 60)"
        return """
            (\(days) * 86400 + coalesce(\(number(12, 2)), 0) * 3600 + coalesce(\(number(15, 2)), 0) * 60 + \(second) \
            - \(east) * CASE WHEN left(\(offset), 1) = '-' THEN -1 ELSE 1 END)
            """
    }

    private func number(_ start: Int, _ count: Int) -> String { integer("substr(s, \(start), \(count))") }
    private func integer(_ text: String) -> String { "TRY_CAST(\(text) AS BIGINT)" }
}
