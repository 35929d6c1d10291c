import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateJSON
import PredicateSQL
import PredicateSyntax

/// A value as the file keeps it and as memory holds it.
package struct Cell: Hashable {
    package var stored: SQLBinding
    package var value: PredicateValue

    package static let null = Cell(stored: .null, value: .null)

    package init(stored: SQLBinding, value: PredicateValue) {
        (self.stored, self.value) = (stored, value)
    }
}

/// Values at the borders of their kinds, and those that SQL engines are known to treat otherwise.
package enum SampleValues {
    package static let integers: [Int64] = [
        0, 1, -1, 2, 3, 7, 10, 63, 64, 100, 1 << 31, -(1 << 31), 1 << 53, 1 << 53 + 1, 1 << 53 - 1, -(1 << 53) - 1,
        1 - 1 << 53, 1 << 31 - 1, 978_307_200, 1_709_207_999_999, .max, .max - 1, .min, .min + 1,
    ]

    /// Integers that a double cannot tell apart.
    package static let nearTwoTo53: [Int64] = [1 << 53, 1 << 53 + 1, 1 << 53 - 1]

    package static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.5, 1.5, 2, 2.5, -2.5, 3, 7, 0.1, 0.2, 0.3, 1e-308, .leastNonzeroMagnitude, 1e308, -1e308,
        .infinity,
        -.infinity, 9_007_199_254_740_992, 9_007_199_254_740_994, 9_223_372_036_854_775_808, -9_223_372_036_854_775_808,
        1e15, 123_456.789, -.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown,
        9_007_199_254_740_991, -9_007_199_254_740_991, 1_709_207_999.999, 1_000_000_000.1, 0.1 + 0.2, 1 / 3.0,
        .greatestFiniteMagnitude, 0.5.nextDown, 4_503_599_627_370_495.5,
    ]

    package static let decimals = [
        "0", "1", "-1", "1.1", "0.1", "0.3", "2.50", "123456789012345678901234567890.12345678", "1e-30", "-7", "1e20",
        "9007199254740993", "9007199254740992", "0.5", "0.00", "1709207999.999",
        "0.10000000000000000000000000000000000001", "0.2", "0.30000000000000004", "-0.3", "9.99", "-12.34", "1.19",
        "-1e-20", "1e-18", "1e-9", "123456789.987654321", "-9999999999.9999999999", "9223372036854775807",
        "99999999999999999999.999999999999999999", "12345678901234567890123456789012345678", "1e30", "1e19", "-0",
        "100.000",
    ]

    package static let strings: [String] = [
        "", "a", "A", "b", "ab", "AB", "abc", "john", "John", "JOHN", "jo", "jon", "j%n", "j_n", "100%", "a_b", "[a-c]",
        "*", "?", "a*b", "a?b", "\\", "a\\b", "'", "\"", "O'Brien", "--", ";", "%", "_", "é", "e\u{301}", "É",
        "E\u{301}", "Zoë", "zoe", "ZOE\u{308}", "straße", "STRASSE", "ß", "ss", "ẞ", "ı", "i", "I", "İ", "ﬁ", "fi",
        "Å", "\u{212B}", "A\u{30A}", "ς", "Σ", "σ", "\u{345}", "ΐ", "\u{301}", "\u{301}a", "😀", "👨‍👩‍👧", "日本", "が",
        "か\u{3099}", "한", "\u{1112}\u{1161}\u{11AB}", "a\0b", "\0", "a\0", "\u{FFFF}", "\u{E000}", "\u{10000}",
        "a ", " a", "a\nb", "\n", "\r\n", "a\r\nb", "\r", "\t", "\u{85}", "\u{2028}", "\u{FEFF}a", "q\u{307}\u{323}",
        "q\u{323}\u{307}", "é\u{327}", "e\u{327}\u{301}", "\u{1100}\u{1161}", "각", "가\u{11A8}", "\u{11A8}", "𝒳",
        "a😀b", "😀\u{301}", "\u{1F1E9}\u{1F1EA}", "\u{344}", "\u{FB1D}", "ǆ", "ǅ", "ŉ", "ΌΣΟΣ", "\u{1D15E}", "1", "1.0",
        "01", "nil", "NULL", "true", "2016-03-02", "naïve café",
        String(repeating: "x", count: 3000), String(repeating: "aé", count: 700),
    ]

    /// Patterns for LIKE.
    package static let likePatterns: [String] = [
        "*", "?", "??", "a*", "*a", "*a*", "j*n", "j?n", "J?H*", "j%n", "j_n", "*%", "*_*", "[a-c]", "\\*", "a\\*b",
        "a\\?b",
        "\\\\", "a\\", "", "é*", "*e\u{301}", "?\u{301}", "s?", "??raße", "*\0*", "a\0*", "😀", "*\n*", "**", "*?*",
        "!*",
        "a!b", "a?b", "*\r\n", "a??b", "가*", "*\u{11A8}", "?\u{323}*", "*ss", "İ*", "JO?N", "?OHN", "j??n", "A?C",
        "J*N", "?_?", "1?0%", "*O*N",
    ]

    /// Patterns for MATCHES.
    package static let expressions: [String] = [
        ".*", ".", "a|ab", "j.*n", "[a-c]+", "\\d+", "\\w*", "jo(hn)?", "(a)\\1*", "^a.*$", "a.b", ".?", "[^a]*", "é",
        "\\s+", "[\\w\\s]*", "(a|b)*c?", "\\S.*",
        ".\\r\\n.", "\\d{4}-\\d\\d-.*",
        "(?i)john", "\\p{L}+", "a{1,2}", "", "STRASSE", "(?=a).*", "\\Qa.b\\E", "😀", "..", "\\x00", "[\\s\\S]*%",
    ]

    package static let dates: [Double] = [
        0, 1, -1, 0.5, 86_400, 478_573_200, 592_299_475.577_12, -978_307_200, 978_307_200, 1e10, -6e10, 1e15, -1e15,
        1e300,
        63_082_281_600, 478_573_200.25, -0.0, 0.001, -0.001, 1e-6, -1e-6, .leastNonzeroMagnitude, 1e9,
        1_000_000_000.123,
        730_900_799.999, 1_709_207_999.999 - 978_307_200, 730_900_799.999_999, -978_307_199.999, -978_307_200.000_001,
        8_589_934_592.000_001,
    ]

    /// Seconds since 2001 as files and servers have them: of a list, with milliseconds, or the neighbour of such a date.
    package static func seconds(_ random: inout RandomSource) -> Double {
        let seconds =
            random.percent(50)
            ? random.any(of: dates) ?? 0
            : Double(random.pick(730_900_799, -978_307_201, -1, 1_000_000_000) * 1000 + random.below(3000)) / 1000
        return random.percent(85) ? seconds : random.percent(50) ? seconds.nextUp : seconds.nextDown
    }

    package static let dateTexts = [
        "2001-01-01T00:00:00Z", "2001-01-01", "2016-03-02T00:00:00Z", "2016-03-02 00:00:00",
        "2016-03-02T01:00:00+01:00",
        "2016-03-02T10:15:00.5Z", "0001-01-01", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", "2016-03-02",
        "2000-02-29", "2024-02-29T11:59:59.999Z", "2024-02-29 11:59:59", "2024-02-29T11:59:59.999999Z",
        "2000-12-31T23:59:59.999999Z", "2024-02-29T11:59:59.123456789Z", "2024-02-29t11:59:59.100z",
        "2024-02-29T12:59:59.999+01:00",
    ]

    package static let uuids = [
        "00000000-0000-0000-0000-000000000000", "137DECC8-B300-4954-A233-F89909F4FD89",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ].compactMap(UUID.init)

    package static let datas = [
        Data(), Data(), Data([0]), Data([0, 0]), Data([13, 10]), Data("😀".utf8), Data(0...255), Data([97]),
        Data("john".utf8), Data([255, 254, 0, 1]), Data("é".utf8),
    ]
}

/// The stored form of a value of a type.
extension Cell {
    /// A random value of a type.
    package init(_ type: SQLType, _ random: inout RandomSource) {
        switch type {
        case .integer:
            let value =
                random.percent(60)
                ? Int64(random.below(12)) - 3
                : random.any(of: random.percent(40) ? SampleValues.nearTwoTo53 : SampleValues.integers) ?? 0
            self.init(stored: .integer(value), value: .integer(value))
        case .double:
            let value =
                random.percent(50)
                ? Double(random.below(20)) / 2 - 3
                : random.percent(30) ? 0x1p53 : random.any(of: SampleValues.doubles) ?? 0
            self.init(stored: .double(value), value: .double(value))
        case .single:
            let value =
                random.percent(50)
                ? Double(random.below(20)) / 2 - 3
                : Double(Float(random.any(of: SampleValues.doubles.filter { $0.magnitude < 1e30 }) ?? 0))
            self.init(stored: .double(value), value: .double(value))
        case .boolean:
            let value = random.percent(50)
            self.init(stored: .boolean(value), value: .bool(value))
        case .decimal:
            let value = Decimal(string: random.any(of: SampleValues.decimals) ?? "0") ?? 0
            self.init(stored: .text(value.description), value: .decimal(value))
        case .string, .paddedString:
            let value = SampleValues.text(&random)
            self.init(stored: .text(value), value: .string(value))
        case .date(let storage): self.init(date: storage, &random)
        case .uuid(let storage):
            let value = random.any(of: SampleValues.uuids) ?? UUID()
            self.init(
                stored: storage == .blob ? .blob(value.bytes) : .text(storage.text(of: value)), value: .uuid(value))
        case .data:
            let value = random.any(of: SampleValues.datas) ?? Data()
            self.init(stored: .blob(value), value: .data(value))
        case .array(let element, _):
            let elements = (0..<random.below(5)).map { _ in
                random.percent(15) ? PredicateValue.null : Cell(element, &random).value
            }
            self.init(array: elements, element)
        case .json: self.init(json: SampleValues.document(&random))
        case .any: self.init(random.any(of: [SQLType.integer, .double, .string, .data]) ?? .data, &random)
        }
    }

    /// An array, which is stored as JSON whatever the column's type.
    package init(array elements: [PredicateValue], _ element: SQLType) {
        let stored = SQLType.array(element, .json).binding(of: .array(elements)) ?? .null
        self.init(stored: stored, value: stored == .null ? .null : .array(elements))
    }

    /// A document in JSON. Anything but an object is nil.
    package init(json text: String) {
        let value = (try? JSONReader.parse(text)) ?? .null
        let isObject = if case .dictionary = value { true } else { false }
        self.init(stored: .text(text), value: isObject ? value : .null)
    }

    private init(date storage: SQLType.DateStorage, _ random: inout RandomSource) {
        let seconds = SampleValues.seconds(&random)
        switch storage {
        case .since2001: self.init(stored: .double(seconds), value: .date(seconds: seconds))
        case .timestamp: self.init(microseconds: Self.microseconds(near: seconds, &random))
        case .since1970:
            // What is read back is the difference of two doubles.
            self.init(stored: .double(seconds), value: .date(seconds: seconds - 978_307_200))
        case .iso8601:
            let text = random.any(of: SampleValues.dateTexts) ?? "2001-01-01"
            self.init(stored: .text(text), value: .date(text: text))
        }
    }

    /// A moment in a column for moments, which is stored as microseconds since 2001.
    private init(microseconds: Int64) {
        let seconds = Microseconds.seconds(microseconds)
        self.init(stored: .integer(microseconds), value: .date(seconds: seconds))
    }

    /// Whole microseconds in the years 1 to 9999: a moment of a list, or milliseconds as people record them.
    private static func microseconds(near seconds: Double, _ random: inout RandomSource) -> Int64 {
        let years = -63_113_904_000.0...252_423_993_599.0
        let seconds = min(max(seconds, years.lowerBound), years.upperBound)
        let fraction = random.pick(0, random.below(1000) * 1000, random.below(1_000_000))
        return Int64(seconds.rounded(.down)) * 1_000_000 + Int64(fraction)
    }
}

extension PredicateValue {
    package static func date(seconds: Double) -> PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    /// The date that a text is to CAST.
    package static func date(text: String) -> PredicateValue {
        let cast = FormatExpression(.cast(CastExpression(.constantValue(.string(text)), type: "NSDate")))
        guard case .value(let value)? = try? cast.value(with: nil) else { return .null }
        return value
    }
}

extension UUID {
    package var bytes: Data {
        withUnsafeBytes(of: uuid) { Data($0) }
    }
}
