import Foundation
import PredicateSyntax
import Testing

struct ISO8601Tests {
    /// Gaps and repetitions of the clock of a zone. [NSP-494] [NSP-495]
    @Test(arguments: [
        ("Europe/Rome", "2026-07-01", "2026-06-30T22:00:00Z"),
        ("Europe/Rome", "2026-01-01T00:30", "2025-12-31T23:30:00Z"),
        ("Europe/Rome", "2026-01-01T00:30Z", "2026-01-01T00:30:00Z"),
        ("Europe/Rome", "2026-01-01T00:30+00:00", "2026-01-01T00:30:00Z"),
        // 02:30 does not exist: the clock goes from 02:00 to 03:00.
        ("Europe/Rome", "2026-03-29T02:30", "2026-03-29T01:30:00Z"),
        ("Europe/Rome", "2026-03-29T03:00", "2026-03-29T01:00:00Z"),
        // 02:30 exists twice: at 00:30 and at 01:30 UTC.
        ("Europe/Rome", "2026-10-25T02:30", "2026-10-25T00:30:00Z"),
        ("Europe/Rome", "2026-10-25T03:00", "2026-10-25T02:00:00Z"),
        ("Europe/Rome", "2026-03-29T02:30:00.25", "2026-03-29T01:30:00.25Z"),
        // Midnight does not exist: the clock goes from 00:00 to 01:00.
        ("America/Sao_Paulo", "2017-10-15", "2017-10-15T03:00:00Z"),
        ("America/Sao_Paulo", "2017-10-15T00:30", "2017-10-15T03:30:00Z"),
        // This day does not exist.
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"), ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
        ("Asia/Kathmandu", "2001-01-01", "2000-12-31T18:15:00Z"), ("UTC", "2001-01-01", "2001-01-01T00:00:00Z"),
    ])
    func readsDatesInAZone(zone: String, text: String, moment: String) throws {
        let zone = LocalZone(try #require(TimeZone(identifier: zone)))
        let date = try #require(ISO8601.date(from: text, in: zone))
        #expect(ISO8601.string(from: date) == moment)
    }

    @Test(
        arguments: [
            ("2001-01-01", 0.0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00", 0), ("2001-01-01 00:00:01", 1),
            ("2001-01-01t00:00:00z", 0), ("2001-01-01T01:00:00+01:00", 0), ("2000-12-31T19:00:00-0500", 0),
            ("2001-01-01T02:00+02", 0), ("2001-01-01T00:00:00.25Z", 0.25), ("1970-01-01", -978_307_200),
            ("2016-02-29T12:00:00Z", 478_440_000), ("2000-02-29", -26_524_800),
            ("2001-01-01T00:00:00.000000000000000000000001", 0), ("2001-01-01T23:59:59.999-23:59", 172_739.999),
        ] as [(String, Double)])
    func readsDates(_ text: String, _ seconds: Double) throws {
        let date = try #require(ISO8601.date(from: text))
        #expect(abs(date.timeIntervalSinceReferenceDate - seconds) < 1e-6)
    }

    @Test(arguments: [
        "", "2001", "2001-01", "20010101", "2001-1-1", "2001-13-01", "2001-00-01", "2001-01-00", "2001-01-32",
        "2001-02-29",
        "1900-02-29", "2001-04-31", "2001-01-01T", "2001-01-01T24:00", "2001-01-01T00", "2001-01-01T00:60",
        "2001-01-01T00:00:60",
        "2001-01-01T00:00:00.", "2001-01-01T00:00.5", "2001-01-01T00:00Zx", "2001-01-01T00:00+", "2001-01-01T00:00+1",
        "2001-01-01T00:00+01:", "2001-01-01T00:00+01:60", "2001-01-01T00:00+24:00", "2001-01-01Z", " 2001-01-01",
        "2001-01-01 ",
        "٢٠٠١-01-01", "2001-01-01T00:00:00,5Z", "-001-01-01", "2001-01-01T00:00:00\0",
    ])
    func refuses(_ text: String) {
        #expect(ISO8601.date(from: text) == nil)
    }

    @Test func agreesWithTheCalendar() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        // Steps of some 2.2 years and an odd number of seconds, through years 1620 to 8338.
        for seconds in stride(from: -12_000_000_000, through: 200_000_000_000, by: 70_654_321) {
            let date = Date(timeIntervalSinceReferenceDate: Double(seconds))
            let text = try #require(ISO8601.string(from: date))
            #expect(ISO8601.date(from: text) == date)
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let numbers = text.dropLast().split { "-T:".contains($0) }.compactMap { Int($0) }
            #expect(numbers == [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second])
        }
    }

    @Test func knowsItsBounds() {
        #expect(ISO8601.date(from: "0000-01-01").flatMap(ISO8601.string) == "0000-01-01T00:00:00Z")
        #expect(ISO8601.date(from: "0000-03-01").flatMap(ISO8601.string) == "0000-03-01T00:00:00Z")
        #expect(ISO8601.date(from: "9999-12-31T23:59:59Z").flatMap(ISO8601.string) == "9999-12-31T23:59:59Z")
        for seconds in [Double.nan, .infinity, -.infinity, 1e18, -1e18, 1e300, 252_423_993_600, -63_200_000_000] {
            #expect(ISO8601.string(from: Date(timeIntervalSinceReferenceDate: seconds)) == nil)
        }
    }

    @Test(
        arguments: [
            (0.5, "2001-01-01T00:00:00.5Z"), (0.000001, "2001-01-01T00:00:00.000001Z"),
            (-0.25, "2000-12-31T23:59:59.75Z"),
            (0.9999999, "2001-01-01T00:00:01Z"), (86_399.9999999, "2001-01-02T00:00:00Z"),
        ] as [(Double, String)])
    func writesFractions(_ seconds: Double, _ text: String) {
        #expect(ISO8601.string(from: Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }

    /// With the digits that a date needs, and no more, it reads back as it was.
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (1000.1, "2001-01-01T00:16:40.1Z"),
            (730_900_800.123_456_8, "2024-02-29T12:00:00.1234568Z"), (1e9 / 3, "2011-07-26T00:35:33.3333333Z"),
            (0.1 + 0.2, nil), (-1e-300, nil), (.nan, nil), (-.infinity, nil), (1e18, nil), (252_423_993_600, nil),
            (252_423_993_599.999_97, "9999-12-31T23:59:59.999969Z"), (-63_145_440_000 + 9e11, nil),
        ] as [(Double, String?)])
    func writesExactly(_ seconds: Double, _ text: String?) throws {
        let found = ISO8601.exactString(from: Date(timeIntervalSinceReferenceDate: seconds))
        #expect(found == text)
        if let found {
            #expect(ISO8601.date(from: found)?.timeIntervalSinceReferenceDate == seconds)
        }
    }

    /// Years far from 2001 have fewer doubles than microseconds: a date that a text gave is written so that it is read again.
    @Test func datesOfMicrosecondsAreTheirOwnNearest() {
        var bits: UInt64 = 1
        for index in 0..<20_000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let date = Microseconds.date((Int64(bitPattern: bits) >> (index % 41)) / 2)
            #expect(Microseconds.nearest(to: date).map(Microseconds.date) == date)
            guard let text = ISO8601.string(from: date) else { continue }
            #expect(ISO8601.date(from: text) == date)
        }
        let date = Microseconds.date(-59_999_999_999_631_828)
        #expect(ISO8601.string(from: date).flatMap { ISO8601.date(from: $0) } == date)
    }
}
