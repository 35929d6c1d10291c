import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The timestamps that a database's own type can hold, and their string format.
///
/// `SQLTimestamps(years: 1...9999, style: .iso8601)`
///
/// Timestamps have microsecond precision. A constant is compared with the bare column as the first timestamp at or
/// after it, so that an index can serve the comparison. A constant outside the range is decided at compile time.
@_spi(Dialect) public struct SQLTimestamps: Hashable, Sendable {
    /// A string format of timestamps, in UTC.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Hashable, Sendable {
        /// `2024-02-29T11:59:59.999000Z`
        case iso8601
        /// `2024-02-29 11:59:59.999000`, for types and databases without time zones.
        case plain
        /// `2024-02-29 11:59:59.999000+00`; years before 1 as `0044-03-15 12:00:00.000000+00 BC`.
        case postgreSQL
        /// `2024-02-29 11:59:59.999000`; years before 1 as `0044-03-15 (BC) 12:00:00.000000`.
        case duckDB
    }

    /// The format of a timestamp in a parameter.
    public var style: Style
    /// The first timestamp, in microseconds since 2001-01-01 00:00 UTC.
    public var first: Int64
    /// The last timestamp.
    public var last: Int64
    /// A Boolean value that indicates whether columns may also hold `-infinity` and `infinity`: dates whose seconds
    /// are infinite.
    public var hasInfinities: Bool

    /// Creates a range of timestamps, in microseconds since 2001-01-01 00:00 UTC.
    public init(first: Int64, last: Int64, style: Style, hasInfinities: Bool = false) {
        (self.first, self.last) = (first, last)
        self.style = style
        self.hasInfinities = hasInfinities
    }

    /// Creates a range of whole years, where year 0 is 1 BC. The years must be from -290,000 to 290,000.
    public init(years: ClosedRange<Int>, style: Style = .iso8601, hasInfinities: Bool = false) {
        let years = years.clamped(to: -290_000...290_000)
        self.init(
            first: CivilDate.start(ofYear: years.lowerBound),
            last: CivilDate.start(ofYear: years.upperBound + 1) - 1, style: style, hasInfinities: hasInfinities)
    }
}

extension SQLTimestamps {
    /// Returns the string of a timestamp. The least and the greatest 64-bit integers represent the infinities.
    func text(_ microseconds: Int64) -> String {
        if microseconds == .min { return "-infinity" }
        if microseconds == .max { return "infinity" }
        let moment = CivilDate(microseconds: microseconds)
        let time = moment.timeText + "." + CivilDate.padded(moment.microsecond, 6)
        return switch style {
        case .iso8601: moment.dayText + "T" + time + "Z"
        case .duckDB where moment.year < 1: moment.dayTextBeforeChrist + " (BC) " + time
        case .plain, .duckDB: moment.dayText + " " + time
        case .postgreSQL where moment.year < 1: moment.dayTextBeforeChrist + " " + time + "+00 BC"
        case .postgreSQL: moment.dayText + " " + time + "+00"
        }
    }

    /// Returns the string that stores a date, rounded to microseconds; nil for a date that the database cannot hold.
    package func text(storing date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        if seconds.isInfinite { return hasInfinities ? text(seconds < 0 ? .min : .max) : nil }
        guard let nearest = Microseconds.nearest(to: date), first <= nearest, nearest <= last else { return nil }
        return text(nearest)
    }

    /// Returns the first timestamp whose seconds satisfy a monotone condition; nil if there is none.
    func first(where holds: (Double) -> Bool) -> Int64? {
        guard let found = MonotoneSearch.first(where: { holds(seconds($0)) }) else { return nil }
        return found == .min ? least : max(found, first)
    }

    /// The first timestamp, or minus infinity.
    var least: Int64 { hasInfinities ? .min : first }

    /// Returns the next timestamp; nil after the last one.
    func timestamp(after timestamp: Int64) -> Int64? {
        if timestamp == .min { return first }
        if timestamp < last { return timestamp + 1 }
        return hasInfinities && timestamp != .max ? .max : nil
    }

    private func seconds(_ microseconds: Int64) -> Double {
        switch microseconds {
        case .min where hasInfinities: -.infinity
        case .max where hasInfinities: .infinity
        default: Microseconds.seconds(min(max(microseconds, first), last))
        }
    }
}

/// Comparisons of date columns with constants.
///
/// Everything that decides how a date column is compared is in this file. The extension of the resolver chooses, by
/// the storage of the column, a range of the values that the column can hold. A dialect contributes ``SQLTimestamps``
/// for its own timestamp type, and ``SQLPiece/seconds(_:_:)`` for a column that must be converted. Dates that are
/// stored as strings are read by the function `predicates_date`, whose SQL for PostgreSQL, MariaDB, MySQL, DuckDB and
/// Spark is at the end of the file.
extension Resolver {
    /// `born < %@`: NULL if the date is NULL.
    func relate(
        _ value: TypedValue, _ storage: SQLType.DateStorage, _ relation: RelationOperator, _ seconds: Double,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        switch storage {
        case .since1970 where !seconds.isNaN: return since1970(value, relation, seconds)
        case .timestamp:
            if let timestamps = dialect.timestamps { return timestamp(value.form, relation, seconds, timestamps) }
        case .iso8601 where dialect.features.contains(.storageClasses):
            return try text(value, relation, seconds, besideNumbers: nil, path)
        case .since2001, .since1970, .iso8601: break
        }
        return try relate(inSeconds: value, relation, seconds, path)
    }

    private func relate(
        inSeconds value: TypedValue, _ relation: RelationOperator, _ seconds: Double, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        relate(double: TypedValue(form: try inSeconds(value, path).form, kind: .double), relation, seconds)
    }

    // MARK: Texts

    /// `t0."born" < ?1 AND predicates_date(t0."born") < ?2`: strings in ISO 8601 begin with a day, at most two days
    /// from the day in UTC. So they are in a range of strings that an index can serve, and the function decides
    /// within it. [NSP-335]
    ///
    /// If the column may hold numbers, which are ordered below all strings, `numbers` is the column.
    func text(
        _ value: TypedValue, _ relation: RelationOperator, _ seconds: Double, besideNumbers numbers: ColumnForm?,
        _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let condition = try relate(inSeconds: value, relation, seconds, path)
        guard case .column = value.form else { return condition }
        var range: [ConditionForm] = []
        if !relation.admits(.less), let day = DayText.first(around: seconds) {
            let isAbove = ConditionForm.compareText(value.form, .greaterOrEqual, form(.text(day), .text))
            range.append(numbers.map { .any([isAbove, .isStored($0, .rareNumber)]) } ?? isAbove)
        }
        if !relation.admits(.greater), let day = DayText.end(around: seconds) {
            range.append(.compareText(value.form, .less, form(.text(day), .text)))
        }
        return .all(range + [condition])
    }

    // MARK: Seconds since 1970

    /// The reference date in seconds since 1970.
    static let epoch = 978_307_200.0

    private func since1970(_ value: TypedValue, _ relation: RelationOperator, _ seconds: Double) -> ConditionForm {
        let least = MonotoneSearch.firstDouble { $0 - Self.epoch >= seconds }
        let above = MonotoneSearch.firstDouble { $0 - Self.epoch > seconds }
        let all = ConditionForm.not(.isNull(value.form))
        switch relation {
        case .equal, .notEqual:
            guard let least, least != above else { return .never }
            if least.nextUp == above { return bounded(value, .equal, least) }
            return .all([bounded(value, .greaterOrEqual, least), above.map { bounded(value, .less, $0) } ?? .always])
        case .less: return least.map { bounded(value, .less, $0) } ?? all
        case .lessOrEqual: return above.map { bounded(value, .less, $0) } ?? all
        case .greater: return above.map { bounded(value, .greaterOrEqual, $0) } ?? .never
        case .greaterOrEqual: return least.map { bounded(value, .greaterOrEqual, $0) } ?? .never
        }
    }

    private func bounded(_ value: TypedValue, _ relation: RelationOperator, _ bound: Double) -> ConditionForm {
        compare(value.form, relation, bound)
    }

    // MARK: Moments of the database's own type

    /// Compares the bare column with the first timestamps at and after a date. Timestamps have microsecond precision;
    /// far from 2001, several of them are the same date. [NSP-190]
    func timestamp(
        _ value: ValueForm, _ relation: RelationOperator, _ seconds: Double, _ timestamps: SQLTimestamps
    ) -> ConditionForm {
        let least = timestamps.first { NumberOrder($0, seconds) != .less }
        let above = timestamps.first { NumberOrder($0, seconds) == .greater }
        let bounds = TimestampBounds(value: value, timestamps: timestamps, resolver: self)
        switch relation {
        case .equal, .notEqual:
            guard let least, least != above else { return .never }
            if above == timestamps.timestamp(after: least) { return bounds.compare(.equal, least) }
            return .all([bounds.from(least), bounds.below(above)])
        case .less: return bounds.below(least)
        case .lessOrEqual: return bounds.below(above)
        case .greater: return bounds.from(above)
        case .greaterOrEqual: return bounds.from(least)
        }
    }

    /// `t0."created" < t0."shipped" AND (t0."created" >= $1 AND t0."created" < $2 OR …)`: compares the bare columns, whose
    /// order decides near 2001, and otherwise seconds.
    func moments(
        _ left: ValueForm, _ relation: RelationOperator, _ right: ValueForm, or seconds: ConditionForm
    ) -> ConditionForm {
        let bare = ConditionForm.compare(left, relation, right)
        if left.holdsDays, right.holdsDays { return bare }
        guard let isNear = isNear(left) else { return seconds }
        switch relation {
        case .less, .greater: return .all([bare, .any([isNear, seconds])])
        case .equal, .lessOrEqual, .greaterOrEqual: return .any([bare, .all([isNear.negated, seconds])])
        case .notEqual: return seconds
        }
    }

    /// True for a column of the database's own type from 1730 to 2270: before and after, several microseconds are the same
    /// date. nil for a database that lacks such dates.
    func isNear(_ column: ValueForm) -> ConditionForm? {
        let (first, end) = (CivilDate.start(ofYear: 1730), CivilDate.start(ofYear: 2270))
        guard let timestamps = dialect.timestamps, timestamps.first <= first, end <= timestamps.last else { return nil }
        let bounds = TimestampBounds(value: column, timestamps: timestamps, resolver: self)
        return .all([bounds.from(first), bounds.below(end)])
    }
}

/// Conditions on a column of timestamps. A bound that is nil is greater than every timestamp.
private struct TimestampBounds {
    let value: ValueForm
    let timestamps: SQLTimestamps
    let resolver: Resolver

    func below(_ bound: Int64?) -> ConditionForm {
        guard let bound else { return .not(.isNull(value)) }
        return bound == timestamps.least ? .never : compare(.less, bound)
    }

    func from(_ bound: Int64?) -> ConditionForm {
        guard let bound else { return .never }
        return bound == timestamps.least ? .not(.isNull(value)) : compare(.greaterOrEqual, bound)
    }

    func compare(_ relation: RelationOperator, _ bound: Int64) -> ConditionForm {
        .compare(value, relation, resolver.form(.text(timestamps.text(bound)), .timestamp))
    }
}

/// The days with which strings in ISO 8601 begin, whatever their UTC offset.
///
/// `2024-02-29T00:30:00+14:00` is 10:30 on the day before. Offsets and times are less than a day. So a range of the
/// bare column, for which an index can be used, contains every spelling of a date; a function decides about the
/// strings in the range. [NSP-335]
enum DayText {
    private static let twoDays = 172_800.0

    /// Returns the first day with which the string of a date, or of a later date, can begin; nil if it could be any day.
    static func first(around seconds: Double) -> String? { text(seconds - twoDays) }

    /// Returns the day after the last day with which the string of a date, or of an earlier date, can begin; nil if it could be
    /// any day.
    static func end(around seconds: Double) -> String? { text(seconds + twoDays) }

    /// Returns the day of a date; nil unless its year has four digits.
    private static func text(_ seconds: Double) -> String? {
        guard seconds.magnitude < 1e12 else { return nil }
        let moment = CivilDate(microseconds: Int64(seconds.rounded(.down)) * 1_000_000)
        return (0...9999).contains(moment.year) ? moment.dayText : nil
    }
}

/// Dates stored as strings in ISO 8601, read by databases as the evaluator reads them, to the same double.
///
/// `2016-03-02T10:15:30.25+01:00`. A string in another format, or of a day that does not exist, is NULL.
enum DateTexts {
    /// The pattern: year, month, day, hour, minute, second, fraction, sign, and hour and minute of the offset,
    /// without anchors.
    static let form = """
        ([0-9]{4})-([0-9][0-9])-([0-9][0-9])(?:[Tt ]([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:[.]([0-9]+))?)?\
        (?:[Zz]|([-+])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?)?)?
        """

    /// Returns an expression for the number of days in a month of a year.
    static func days(inMonth month: String, of year: String) -> String {
        """
        (CASE WHEN \(month) IN (4, 6, 9, 11) THEN 30 WHEN \(month) <> 2 THEN 31 \
        WHEN \(year) % 4 = 0 AND (\(year) % 100 <> 0 OR \(year) % 400 = 0) THEN 29 ELSE 28 END)
        """
    }

    /// Returns an expression for the days from 2001-01-01 to a day, in whole numbers. Years begin in March and are
    /// shifted by four centuries, so that no term is negative. `divide` is the operator of integer division.
    static func daysSince2001(year: String, month: String, day: String, divide: String) -> String {
        let years = "(\(year) + 400 - CASE WHEN \(month) <= 2 THEN 1 ELSE 0 END)"
        return """
            (365 * \(years) + \(years) \(divide) 4 - \(years) \(divide) 100 + \(years) \(divide) 400 \
            + (153 * ((\(month) + 9) % 12) + 2) \(divide) 5 + \(day) - 876889)
            """
    }
}

/// The date of a string `s` as an expression. All digits have fixed positions except in the fraction and the offset.
struct DateExpression {
    /// The operator of integer division.
    let divide: String
    /// The condition that a string `s` matches the pattern.
    let hasForm: String

    /// Seconds since 2001 as an integer. A fraction of up to six digits is added as microseconds, a longer one as a
    /// double.
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

    /// The significant digits of the fraction, without trailing zeros.
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

/// The function by which PostgreSQL reads dates that are stored as strings in ISO 8601.
///
/// It reads what the evaluator reads. A string in another format, or of a day that does not exist, is NULL.
enum PostgreSQLDates {
    static var function: String {
        """
        CREATE OR REPLACE FUNCTION \(SQLFunction.date.name)(s text) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS \
        $predicates$\(body)$predicates$
        """
    }

    /// Seconds since 2001 as an integer. A fraction of up to six digits is added as microseconds, a longer one as a
    /// double.
    private static let body = """
        DECLARE p text[] := regexp_match(s, '^\(DateTexts.form)$'); digits text; y int; seconds numeric; \
        BEGIN \
        IF p IS NULL THEN RETURN NULL; END IF; \
        y := p[1]::int; \
        IF p[2]::int NOT BETWEEN 1 AND 12 OR p[3]::int < 1 OR p[3]::int > \(DateTexts.days(inMonth: "p[2]::int", of: "y")) \
        THEN RETURN NULL; END IF; \
        seconds := (make_date(y + 400, p[2]::int, p[3]::int) - date '2401-01-01')::numeric * 86400 \
        + coalesce(p[4]::int, 0) * 3600 + coalesce(p[5]::int, 0) * 60 + coalesce(p[6]::int, 0) \
        - (coalesce(p[9]::int, 0) * 3600 + coalesce(p[10]::int, 0) * 60) * CASE p[8] WHEN '-' THEN -1 ELSE 1 END; \
        digits := rtrim(left(coalesce(p[7], ''), 15), '0'); \
        IF length(digits) <= 6 THEN \
        RETURN (seconds * 1000000 + rpad(digits, 6, '0')::int)::float8 / 1000000; END IF; \
        RETURN seconds::float8 + digits::float8 / ('1' || repeat('0', length(digits)))::float8; \
        END
        """
}

/// The function by which MariaDB and MySQL read dates that are stored as strings.
extension MySQLPrelude {
    /// `predicates_date(s)`
    var dates: String {
        create(
            SQLFunction.date.name, "s \(text)", "DOUBLE",
            """
            DECLARE rest, digits \(text) DEFAULT '';
            DECLARE y, m, d, days, seconds, east BIGINT DEFAULT 0;
            IF s IS NULL OR s NOT REGEXP \(Self.literal("^\(DateTexts.form)\\z", collation)) THEN RETURN NULL; END IF;
            SET y = LEFT(s, 4), m = SUBSTRING(s, 6, 2), d = SUBSTRING(s, 9, 2);
            IF m NOT BETWEEN 1 AND 12 OR d < 1 OR d > \(DateTexts.days(inMonth: "m", of: "y")) THEN RETURN NULL; END IF;
            SET days = \(DateTexts.daysSince2001(year: "y", month: "m", day: "d", divide: "DIV")), seconds = days * 86400;
            IF CHAR_LENGTH(s) > 10 THEN
            SET seconds = seconds + SUBSTRING(s, 12, 2) * 3600 + SUBSTRING(s, 15, 2) * 60, rest = SUBSTRING(s, 17);
            END IF;
            IF LEFT(rest, 1) = ':' THEN SET seconds = seconds + SUBSTRING(rest, 2, 2), rest = SUBSTRING(rest, 4); END IF;
            IF LEFT(rest, 1) = '.' THEN
            SET digits = SUBSTRING(REGEXP_SUBSTR(rest, '^[.][0-9]+'), 2), rest = SUBSTRING(rest, CHAR_LENGTH(digits) + 2);
            SET digits = TRIM(TRAILING '0' FROM LEFT(digits, 15));
            END IF;
            IF CHAR_LENGTH(rest) > 1 THEN
            SET east = SUBSTRING(rest, 2, 2) * 3600 + IF(CHAR_LENGTH(rest) > 3, RIGHT(rest, 2), 0) * 60;
            SET seconds = seconds - IF(LEFT(rest, 1) = '-', -east, east);
            END IF;
            IF CHAR_LENGTH(digits) <= 6 THEN
            RETURN CAST(seconds * 1000000 + CAST(RPAD(digits, 6, '0') AS SIGNED) AS DOUBLE) / 1e6;
            END IF;
            RETURN CAST(seconds AS DOUBLE) + CAST(digits AS DOUBLE) / CAST(RPAD('1', CHAR_LENGTH(digits) + 1, '0') AS DOUBLE);
            """)
    }
}
