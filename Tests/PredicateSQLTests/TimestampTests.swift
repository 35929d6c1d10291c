import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

/// Dates beside columns of the database's own type for moments, which have microseconds. [NSP-190]
@Suite struct TimestampTests {
    private let compiler = SQLCompiler(
        schema: SQLSchema(table: "event", columns: ["at": .date(.timestamp)]), dialect: PostgreSQLDialect())

    private func condition(_ format: String, _ seconds: Double...) throws -> SQLFragment {
        let dates = seconds.map { PredicateValue.date(Date(timeIntervalSinceReferenceDate: $0)) }
        return try compiler.compile(FormatPredicate(format: format, arguments: dates), entity: "event").where
    }

    /// The bound of a condition on the bare column.
    private func bound(_ format: String, _ seconds: Double) throws -> SQLBinding? {
        let condition = try condition(format, seconds)
        #expect(condition.bindings.isEmpty || condition.text.hasPrefix(#"t0."at" "#))
        return condition.bindings.first
    }

    private static let moments: [(microseconds: Int64, text: String)] = [
        (730_900_799_999_000, "2024-02-29 11:59:59.999000+00"), (0, "2001-01-01 00:00:00.000000+00"),
        (-1, "2000-12-31 23:59:59.999999+00"), (1, "2001-01-01 00:00:00.000001+00"),
        (-978_307_200_000_001, "1969-12-31 23:59:59.999999+00"),
        (-978_307_199_999_999, "1970-01-01 00:00:00.000001+00"),
        (4_294_967_000_000_001, "2137-02-07 06:23:20.000001+00"),
    ]

    @Test(arguments: moments)
    func aMomentIsItsOwnBound(_ microseconds: Int64, _ text: String) throws {
        let seconds = Double(microseconds) / 1_000_000
        #expect(try bound("at >= %@", seconds) == .text(text))
        #expect(try bound("at < %@", seconds) == .text(text))
    }

    @Test(arguments: moments)
    func aDateBetweenMomentsEqualsNone(_ microseconds: Int64, _ text: String) throws {
        let seconds = Double(microseconds) / 1_000_000
        #expect(try bound("at == %@", seconds) == .text(text))
        for neighbour in [seconds.nextUp, seconds.nextDown] {
            #expect(try condition("at == %@", neighbour) == condition("FALSEPREDICATE"))
            let before = try bound("at < %@", neighbour)
            #expect(try bound("at <= %@", neighbour) == before)
            #expect((before == .text(text)) == (neighbour < seconds))
        }
    }

    /// Far away several microseconds are one date, which begins at the first of them.
    @Test func severalMomentsAreOneDate() throws {
        let condition = try condition("at == %@", -63_113_904_000)
        #expect(condition.text == #"t0."at" >= $1::timestamptz AND t0."at" < $2::timestamptz"#)
        #expect(
            condition.bindings == [.text("0001-12-31 23:59:59.999996+00 BC"), .text("0001-01-01 00:00:00.000005+00")])
    }

    /// -0.0 is 0, and what is no number stands below it.
    @Test func datesNearZeroAndWithoutNumber() throws {
        for seconds: Double in [0, -0.0, .nan, -Double.leastNonzeroMagnitude] {
            #expect(try bound("at >= %@", seconds) == .text("2001-01-01 00:00:00.000000+00"))
        }
        #expect(try bound("at >= %@", .leastNonzeroMagnitude) == .text("2001-01-01 00:00:00.000001+00"))
        #expect(try condition("at == %@", .nan) == condition("FALSEPREDICATE"))
    }

    @Test func datesBeyondTheMomentsOfTheDatabase() throws {
        #expect(try bound("at < %@", 1e300) == .text("infinity"))
        #expect(try bound("at > %@", -1e300) == .text("4714-11-24 00:00:00.000000+00 BC"))
        #expect(try bound("at == %@", -.infinity) == .text("-infinity"))
        #expect(try condition("at > %@", .infinity) == condition("FALSEPREDICATE"))
        #expect(try condition("at <= %@", .infinity) == condition("at != nil"))
        #expect(try condition("at >= %@", -.infinity) == condition("at != nil"))
    }

    @Test func twoColumnsAreComparedAsTheyAre() throws {
        let schema = SQLSchema(table: "event", columns: ["at": .date(.timestamp), "end": .date(.timestamp)])
        func condition(_ format: String, _ dialect: any SQLDialect = PostgreSQLDialect()) throws -> SQLFragment {
            try SQLCompiler(schema: schema, dialect: dialect).compile(FormatPredicate(format), entity: "event").where
        }
        let order = try condition("at < end")
        #expect(
            order.text.hasPrefix(
                """
                t0."at" < t0."end" AND (t0."at" >= $1::timestamptz AND t0."at" < $2::timestamptz OR ((extract(
                """))
        #expect(
            order.bindings == [.text("1730-01-01 00:00:00.000000+00"), .text("2270-01-01 00:00:00.000000+00")])
        #expect(try condition("at >= end").text.hasPrefix(#"t0."at" >= t0."end" OR (t0."at" < "#))
        #expect(try condition("at == end", MariaDBDialect()).text.hasPrefix("t0.`at` = t0.`end` OR "))
        #expect(
            try condition("at < end", SQLiteDialect()).text == #"predicates_date(t0."at") < predicates_date(t0."end")"#)
    }

    @Test func unitsAreRangesAndPartsAreTheDatabasesOwn() throws {
        let compiler = SQLCompiler(
            schema: SQLSchema(table: "event", columns: ["at": .date(.timestamp)]), dialect: PostgreSQLDialect(),
            calendarZone: TimeZone(identifier: "UTC"))
        func condition(_ format: String) throws -> String {
            try compiler.compile(FormatPredicate(format), entity: "event").where.shown
        }
        func day(_ relation: String, _ date: String) -> String {
            #"date:truncatedTo:(at, "day") \#(relation) CAST("\#(date)", "NSDate")"#
        }
        let range = #"t0."at" >= $1::timestamptz AND t0."at" < $2::timestamptz"#
        #expect(
            try condition(day("==", "2024-02-29"))
                == range + " ['2024-02-29 00:00:00.000000+00', '2024-03-01 00:00:00.000000+00']")
        #expect(try condition(day("==", "2024-02-29T01:00:00Z")) == "FALSE")
        #expect(try condition(day("<", "2024-02-29")).hasSuffix("'2024-02-29 00:00:00.000000+00']"))
        #expect(try condition(day("<", "2024-02-29T01:00:00Z")).hasSuffix("'2024-03-01 00:00:00.000000+00']"))
        #expect(try condition(day(">", "2024-02-29T01:00:00Z")).contains("'2024-03-01 00:00:00.000000+00'"))
        #expect(
            try condition("month:(at) == 5").hasPrefix(
                "CASE WHEN \(range) THEN extract(month from t0.\"at\")::int8 ELSE "))
    }

    @Test func aLongListIsOneParameter() throws {
        let dates = (0..<101).map { PredicateValue.date(Date(timeIntervalSinceReferenceDate: Double($0) / 1000)) }
        let predicate = try FormatPredicate(format: "at IN %@", arguments: [.array(dates)])
        let condition = try compiler.compile(predicate, entity: "event").where
        #expect(
            condition.text
                == #"t0."at" IN (SELECT value::timestamptz FROM jsonb_array_elements_text($1::jsonb))"#)
        guard case .text(let json)? = condition.bindings.first else { throw SQLCompilationError(.nothingToUpdate) }
        #expect(json.hasPrefix(#"["2001-01-01 00:00:00.000000+00","2001-01-01 00:00:00.001000+00""#))
    }

    /// Seconds since 1970 are rounded where seconds since 2001 are not, so that the date may be a neighbour.
    @Test func aDateIsRoundedToTheOneThatAColumnHolds() throws {
        let date = Date(timeIntervalSince1970: 1_709_207_999.999)
        #expect(try condition("at == %@", date.timeIntervalSinceReferenceDate) == condition("FALSEPREDICATE"))
        let rounded = SQLType.DateStorage.timestamp.rounded(date)
        #expect(rounded.timeIntervalSinceReferenceDate == 730_900_799.999)
        #expect(try bound("at == %@", 730_900_799.999) == .text("2024-02-29 11:59:59.999000+00"))
        for storage in SQLType.DateStorage.allCases {
            #expect(storage.rounded(storage.rounded(date)) == storage.rounded(date))
            let farAway = Date(timeIntervalSinceReferenceDate: 1e300)
            #expect(storage.rounded(farAway) == farAway)
        }
        #expect(SQLType.DateStorage.since2001.rounded(date) == date)
    }
}
