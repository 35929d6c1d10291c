import PredicateChecks
import PredicateLint
import PredicateSyntax
import Testing

/// Requests with a number, a date, a flag, a UUID, a name, a team and its members, which a store fetches.
private struct RequestSchema: FetchSchema {
    var origin: SchemaOrigin { .stored }
    var isFetch: Bool { true }
    func property(_ key: String, of entity: String) -> PredicateProperty? {
        switch key {
        case "statusCode": Self.number
        case "sent": PredicateProperty(.date)
        case "isOpen": PredicateProperty(.boolean)
        case "code": PredicateProperty(.uuid)
        case "name": PredicateProperty(.string)
        case "team": PredicateProperty(objects: "Request", isToMany: false)
        default: nil
        }
    }
    private static var number: PredicateProperty {
        var property = PredicateProperty(.number)
        property.range = -32768...32767
        return property
    }
    func keys(of entity: String) -> [String] { ["statusCode", "sent", "isOpen", "code", "name", "team"] }
}

/// Arguments are compared with the kinds of keys by their types, as literals are by their values.
@Suite("Kinds of arguments")
struct ArgumentKindTests {
    private func lint(_ format: String, _ argument: String, _ before: String = "") -> [LintFinding] {
        let source = """
            \(before)
            func codes() -> [Int] { [1] }
            final class Nested { let text = "a" + UUID().uuidString }
            func f(text: String, count: Int, names: [String], tags: Set<String>, id: UUID, day: Date, numbers: [Int], note: String?, ids: [UUID], requests: [Request], nested: Nested, optional: UUID?) {
                let local = "12"
                let r = NSFetchRequest<Request>(entityName: "Request")
                r.predicate = NSPredicate(format: "\(format)", \(argument))
            }
            """
        return Linter(LintSettings(), schema: RequestSchema()).lint(Array(source.utf8), kind: .swift).findings
    }

    @Test(
        "A value of another kind is found",
        arguments: [
            ("statusCode == %@", "text"), ("statusCode == %@", "local"), ("statusCode == %@", "note"),
            ("statusCode IN %@", "names"), ("statusCode IN %@", "[\"1\", \"2\"]"),
            ("statusCode IN %@", "[\"1\"] as NSArray"), ("name == %@", "NSNumber(value: 5)"),
            ("name IN %@", "numbers"), ("name == %@", "day as NSDate"), ("isOpen == %@", "day as NSDate"),
            ("isOpen == %@", "NSDate()"), ("code == %@", "UUID().uuidString"), ("code == %@", "id.uuidString"),
            ("team == %@", "text"), ("sent == %@", "text"), ("sent > %@", "NSNumber(value: 5)"),
            ("statusCode IN %@", "tags"), ("statusCode == %@", "names[0]"),
            ("statusCode IN %@", "text.components(separatedBy: \",\")"),
            ("statusCode IN %@", "text.split(separator: \",\").map(String.init)"),
            ("code IN %@", "ids.map { $0.uuidString }"), ("code IN %@", "ids.map(\\.uuidString)"),
            ("code IN %@", "ids.map { id in String(describing: id) }"),
            ("code IN %@", "ids.sorted().map { \"\\($0)\" }"),
            ("sent > %@", "ISO8601DateFormatter().string(from: day)"), ("sent > %@", "day.formatted()"),
            ("code == %@", "\"a-\" + text"), ("code == %@", "text.isEmpty ? \"a\" : text"),
            ("code == %@", "note ?? \"\""),
            ("name IN %@", "ids"), ("name IN %@", "codes()"), ("sent IN %@", "codes()"),
            ("name IN %@", "requests.map { $0.sent }"), ("code == %@", "requests[0].name!"),
            ("code IN %@", "requests.compactMap(\\.name)"), ("statusCode == %@", "nested.text"),
        ])
    func mismatches(_ format: String, _ argument: String) {
        #expect(lint(format, argument).map(\.code) == [.kindMismatch], "\(format), \(argument)")
    }

    @Test(
        "A value of the right kind is left alone",
        arguments: [
            ("statusCode == %@", "NSNumber(value: 5)"), ("statusCode == %d", "count"), ("statusCode IN %@", "numbers"),
            ("name == %@", "text"), ("name == %@", "note"), ("name IN %@", "names"),
            ("isOpen == %@", "NSNumber(value: true)"),
            ("code == %@", "id as CVarArg"), ("sent > %@", "day as NSDate"), ("team == %@", "other"),
            ("statusCode IN %@", "[\"a\": 1]"), ("statusCode == %@", "other"), ("statusCode BETWEEN %@", "[1, 5]"),
            ("name IN %@", "tags"), ("statusCode == %@", "calendar.components(5)"),
            ("code IN %@", "ids"), ("code IN %@", "names.compactMap { UUID(uuidString: $0) }"),
            ("code IN %@", "names.compactMap(UUID.init(uuidString:))"), ("name IN %@", "ids.map(\\.uuidString)"),
            ("statusCode IN %@", "codes()"), ("sent > %@", "day.addingTimeInterval(5) as NSDate"),
            ("code == %@", "requests[0].code! as CVarArg"), ("statusCode IN %@", "numbers.map { $0 + 1 }"),
            ("team IN %@", "requests.map(\\.team)"), ("statusCode == %d", "numbers.max() ?? 0"),
            ("name == %@", "numbers.map(String.init).joined(separator: \",\")"),
            ("code == %@", "optional.map { $0 as NSUUID } ?? NSUUID()"),
        ])
    func matches(_ format: String, _ argument: String) {
        #expect(lint(format, argument).map(\.message) == [], "\(format), \(argument)")
    }

    @Test(
        "Bounds are read from the arguments",
        arguments: [
            ("statusCode BETWEEN %@", "[18]", PredicateFinding.Code.betweenShape),
            ("statusCode BETWEEN %@", "[18, 30, 40]", .betweenShape), ("statusCode BETWEEN %@", "[5, 1]", .neverHolds),
            ("statusCode BETWEEN {%d, %d}", "5, 1", .neverHolds), ("statusCode BETWEEN %@", "bounds", .neverHolds),
            ("statusCode BETWEEN {%d, %d}", "Limits.upper, Limits.least", .neverHolds),
            ("%K == 5", "key", .unknownKey), ("statusCode == %d", "70_000", .outOfRange),
            ("statusCode == %d", "Limits.most", .outOfRange), ("name == %@", "note ?? \"NULL\"", .constantInQuotes),
        ])
    func bounds(_ format: String, _ argument: String, _ code: PredicateFinding.Code) {
        let constants = """
            let bounds = [5, 1], key = "nmae"
            enum Limits { static let most = 70_000; static let upper = 9; static let least = 1 }
            """
        #expect(lint(format, argument, constants).map(\.code) == [code], "\(format), \(argument)")
    }

    /// No hint proposes a function of a column, which the store of a fetch may refuse.
    @Test func hints() {
        #expect(lint("statusCode == %@", "text").first?.hints.first == "pass a number for %@")
        #expect(lint("statusCode IN %@", "names").first?.hints.first == "pass a collection of numbers for %@")
        #expect(lint("statusCode == 'gold'", "").first?.hints == [])
        #expect(lint("name == 5", "").first?.hints == ["put it in quotes: \"5\""])
        #expect(lint("sent == %d", "count").first?.hints == ["write %@ and pass a date"])
        #expect(!lint("statusCode BEGINSWITH '5'", "").contains { $0.hints.contains { $0.contains("CAST") } })
    }

    /// The types of properties in other sources and of lists in the same one.
    @Test func properties() {
        let own = "struct Search { var words: [String] = []; let since = Date() }\nlet search = Search()"
        #expect(lint("statusCode IN %@", "[text, local]").map(\.code) == [.kindMismatch])
        #expect(lint("statusCode IN %@", "[text, other]").map(\.code) == [])
        #expect(lint("name == %@", "words", own).map(\.code) == [])
    }
}
