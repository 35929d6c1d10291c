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
        case "statusCode": PredicateProperty(.number)
        case "sent": PredicateProperty(.date)
        case "isOpen": PredicateProperty(.boolean)
        case "code": PredicateProperty(.uuid)
        case "name": PredicateProperty(.string)
        case "team": PredicateProperty(objects: "Request", isToMany: false)
        default: nil
        }
    }
    func keys(of entity: String) -> [String] { ["statusCode", "sent", "isOpen", "code", "name", "team"] }
}

/// Arguments are compared with the kinds of keys by their types, as literals are by their values.
@Suite("Kinds of arguments")
struct ArgumentKindTests {
    private func lint(_ format: String, _ argument: String, _ before: String = "") -> [LintFinding] {
        let source = """
            \(before)
            func f(text: String, count: Int, names: [String], tags: Set<String>, id: UUID, day: Date, numbers: [Int], note: String?) {
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
        ])
    func matches(_ format: String, _ argument: String) {
        #expect(lint(format, argument).map(\.message) == [], "\(format), \(argument)")
    }

    @Test(
        "Bounds are read from the arguments",
        arguments: [
            ("statusCode BETWEEN %@", "[18]", PredicateFinding.Code.betweenShape),
            ("statusCode BETWEEN %@", "[18, 30, 40]", .betweenShape), ("statusCode BETWEEN %@", "[5, 1]", .neverHolds),
            ("statusCode BETWEEN {%d, %d}", "5, 1", .neverHolds),
        ])
    func bounds(_ format: String, _ argument: String, _ code: PredicateFinding.Code) {
        #expect(lint(format, argument).map(\.code) == [code], "\(format), \(argument)")
    }

    /// No hint proposes a function of a column, which the store of a fetch may refuse.
    @Test func hints() {
        #expect(lint("statusCode == %@", "text").first?.hints.first == "pass a number for %@")
        #expect(lint("statusCode IN %@", "names").first?.hints.first == "pass a collection of numbers for %@")
        #expect(lint("statusCode == 'gold'", "").first?.hints == [])
        #expect(lint("name == 5", "").first?.hints == ["put it in quotes: \"5\""])
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
