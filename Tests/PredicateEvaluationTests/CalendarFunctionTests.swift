import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Functions of dates, judged by Foundation's calendar of ISO 8601, which is proleptic Gregorian.
struct CalendarFunctionTests {
    static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "America/Sao_Paulo", "Australia/Lord_Howe",
        "America/Havana", "Pacific/Apia",
    ]

    private static func registry(_ zone: String) throws -> EvaluationRegistry {
        var registry = EvaluationRegistry.standard
        registry.registerCalendarFunctions(timeZone: try #require(TimeZone(identifier: zone)))
        return registry
    }

    private static func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    private func value(_ format: String, _ date: Date, _ zone: String = "UTC") throws -> KeyedValue {
        let evaluator = try ExpressionEvaluator(FormatExpression(format), registry: Self.registry(zone))
        return try evaluator.value(with: ["d": date])
    }

    /// Seconds from 1583 to 2100, and those around the changes of the clock of the zone.
    private static func dates(_ zone: String, _ generator: inout RandomSource) throws -> [Date] {
        var dates = (0..<400).map { _ in
            Date(
                timeIntervalSinceReferenceDate: Double(
                    Int.random(in: -13_190_000_000..<3_124_000_000, using: &generator)))
        }
        var change = Date(timeIntervalSince1970: 1_500_000_000)
        for _ in 0..<4 {
            guard let next = try #require(TimeZone(identifier: zone)).nextDaylightSavingTimeTransition(after: change)
            else { break }
            change = next
            dates += stride(from: -90_000.0, through: 90_000, by: 1800).map { next.addingTimeInterval($0) }
        }
        return dates
    }

    @Test(arguments: zones) func partsAreThoseOfTheCalendar(zone: String) throws {
        var generator = RandomSource(seed: 480)
        let calendar = try Self.calendar(zone)
        let parts: [(String, Calendar.Component)] = [
            ("year", .year), ("month", .month), ("day", .day), ("weekday", .weekday), ("hour", .hour),
            ("minute", .minute), ("second", .second), ("weekOfYear", .weekOfYear),
            ("yearForWeekOfYear", .yearForWeekOfYear),
        ]
        for (name, component) in parts {
            let evaluator = try ExpressionEvaluator(FormatExpression("\(name):(d)"), registry: Self.registry(zone))
            for date in try Self.dates(zone, &generator) {
                let expected = KeyedValue.value(.integer(Int64(calendar.component(component, from: date))))
                let found = try evaluator.value(with: ["d": date])
                #expect(found.predicateValue == expected.predicateValue, "\(name) of \(date) in \(zone)")
            }
        }
    }

    @Test(arguments: zones) func unitsBeginAsInTheCalendar(zone: String) throws {
        var generator = RandomSource(seed: 481)
        let calendar = try Self.calendar(zone)
        let units: [(String, Calendar.Component)] = [
            ("year", .year), ("month", .month), ("weeks", .weekOfYear), ("day", .day), ("hour", .hour),
            ("minutes", .minute), ("second", .second),
        ]
        for (name, component) in units {
            let evaluator = try ExpressionEvaluator(
                FormatExpression("date:truncatedTo:(d, \"\(name)\")"), registry: Self.registry(zone))
            for date in try Self.dates(zone, &generator) {
                // The minutes of Foundation's intervals are those of UTC. Local mean time has seconds of its own.
                if calendar.timeZone.secondsFromGMT(for: date) % 60 != 0, name.hasPrefix("minute") { continue }
                let expected = try #require(calendar.dateInterval(of: component, for: date)).start
                let found = try evaluator.value(with: ["d": date]).predicateValue
                #expect(found == .date(expected), "\(name) of \(date) in \(zone)")
            }
        }
    }

    @Test(arguments: zones) func unitsAreAddedAsInTheCalendar(zone: String) throws {
        var generator = RandomSource(seed: 482)
        let calendar = try Self.calendar(zone)
        let units: [(String, Calendar.Component)] = [
            ("year", .year), ("month", .month), ("week", .weekOfYear), ("day", .day), ("hour", .hour),
            ("minute", .minute), ("second", .second),
        ]
        for (name, component) in units {
            for date in try Self.dates(zone, &generator) {
                // Sums of the last days of months are tested by themselves: Foundation takes 28 February for the 29th
                // of a leap year, 31 months before 29 September 2018. Its calendar is not proleptic in sums.
                if calendar.component(.day, from: date) > 28 || calendar.component(.year, from: date) < 1630 {
                    continue
                }
                let count = Int.random(in: -40...40, using: &generator)
                let expected = try #require(calendar.date(byAdding: component, value: count, to: date))
                let found = try value("dateByAddingUnit:value:toDate:(\"\(name)\", \(count), d)", date, zone)
                if calendar.isRepeated(expected) { continue }
                #expect(found.predicateValue == .date(expected), "\(count) \(name) from \(date) in \(zone)")
            }
        }
    }

    @Test(arguments: [
        ("0001-01-01", "year:(d)", 1), ("0001-01-01", "weekday:(d)", 2), ("9999-12-31", "year:(d)", 9999),
        ("9999-12-31", "weekday:(d)", 6), ("9999-12-31", "dayOfYear:(d)", 365), ("1500-02-28", "day:(d)", 28),
        ("1900-03-01", "dayOfYear:(d)", 60), ("2000-12-31", "dayOfYear:(d)", 366), ("2026-11-28", "quarter:(d)", 4),
        ("2021-01-03", "weekOfYear:(d)", 53), ("2021-01-03", "yearForWeekOfYear:(d)", 2020),
        ("1969-12-31T23:59:59.5Z", "second:(d)", 59), ("1969-12-31T23:59:59.5Z", "hour:(d)", 23),
    ])
    func datesFarOut(text: String, format: String, expected: Int) throws {
        let date = try #require(ISO8601.date(from: text))
        #expect(try value(format, date).predicateValue == .integer(Int64(expected)))
        let evaluator = try ExpressionEvaluator(FormatExpression(format), registry: Self.registry("UTC"))
        #expect(try evaluator.value(with: ["d": text]).predicateValue == .integer(Int64(expected)))
    }

    @Test(arguments: [
        ("0001-05-17T10:00:00Z", "month", "0001-05-01"), ("9999-12-31T10:00:00Z", "quarter", "9999-10-01"),
        ("2024-02-29T23:59:59.75Z", "second", "2024-02-29T23:59:59Z"), ("2024-03-03", "week", "2024-02-26"),
        ("1966-07-03", "week", "1966-06-27"), ("1582-10-20", "month", "1582-10-01"),
    ])
    func truncations(text: String, unit: String, expected: String) throws {
        let date = try #require(ISO8601.date(from: text))
        let found = try value("date:truncatedTo:(d, \"\(unit)\")", date)
        let right = try #require(ISO8601.date(from: expected))
        #expect(found.predicateValue == .date(right))
    }

    @Test(arguments: [
        ("month", 1, "2024-01-31T08:00:00Z", "2024-02-29T08:00:00Z"), ("year", 1, "2024-02-29", "2025-02-28"),
        ("months", -13, "2024-03-31", "2023-02-28"), ("quarter", 2, "2023-12-31", "2024-06-30"),
        ("days", -1, "2024-03-01", "2024-02-29"), ("week", 0, "2024-03-01", "2024-03-01"),
    ])
    func sums(unit: String, count: Int, text: String, expected: String) throws {
        let date = try #require(ISO8601.date(from: text))
        let found = try value("dateByAddingUnit:value:toDate:(\"\(unit)\", \(count), d)", date)
        let right = try #require(ISO8601.date(from: expected))
        #expect(found.predicateValue == .date(right))
    }

    @Test func aDateAgoIsBeforeNow() throws {
        let predicate = try FormatPredicate("d > ago:(7, \"days\")")
        let evaluator = try PredicateEvaluator(predicate, registry: Self.registry("UTC"))
        #expect(try evaluator.evaluate(with: ["d": Date().addingTimeInterval(-6 * 86_400)]))
        #expect(try !evaluator.evaluate(with: ["d": Date().addingTimeInterval(-8 * 86_400)]))
    }

    @Test func nilIsNil() throws {
        let registry = try Self.registry("UTC")
        for format in [
            "year:(nil)", "date:truncatedTo:(nil, 'month')", "dateByAddingUnit:value:toDate:('day', nil, d)",
            "ago:(nil, 'day')",
        ] {
            let evaluator = try ExpressionEvaluator(FormatExpression(format), registry: registry)
            #expect(try evaluator.value(with: ["d": Date()]).isNull)
        }
    }

    @Test(arguments: [
        ("year:(5)", "a date"), ("year:('tomorrow')", "a date"),
        ("date:truncatedTo:(d, 'century')", "year, quarter, month, week, day, hour, minute or second"),
        ("ago:(1.5, 'day')", "a whole number"), ("ago:(1000000000000, 'year')", "a smaller number"),
    ])
    func otherArgumentsAreErrors(format: String, expected: String) throws {
        let error = EvaluationError.thrown { _ = try value(format, Date(timeIntervalSinceReferenceDate: 0)) }
        guard case .argumentKind(_, let found, _) = error?.code else {
            Issue.record("\(format): \(String(describing: error))")
            return
        }
        #expect(found == expected)
        #expect(error?.text == format)
    }

    @Test func theNumberOfArgumentsIsChecked() throws {
        let error = EvaluationError.thrown { _ = try value("year:(d, d)", Date()) }
        #expect(error?.code == .argumentCount(function: "year:", expected: 1...1, found: 2))
    }

    @Test func nothingIsRegisteredByItself() {
        let error = EvaluationError.thrown { _ = try PredicateEvaluator(FormatPredicate("year:(d) == 2020")) }
        #expect(error?.code == .unknownFunction("year:", nearMisses: []))
    }
}

extension Calendar {
    /// True for the local times of the hour that the end of daylight saving time repeats.
    fileprivate func isRepeated(_ date: Date) -> Bool {
        [-7200.0, -5400, -3600, -1800, 1800, 3600, 5400, 7200].contains { shift in
            let other = date.addingTimeInterval(shift)
            let parts: Set<Component> = [.year, .month, .day, .hour, .minute, .second]
            return dateComponents(parts, from: other) == dateComponents(parts, from: date)
        }
    }
}
