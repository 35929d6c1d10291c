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

    /// A constant outside types is known before its declaration, too.
    @Test func laterConstant() {
        let source = "func f() -> NSPredicate { NSPredicate(format: \"age == %@\", limit) }\nlet limit = 5\n"
        #expect(Linter().lint(Array(source.utf8), kind: .swift).findings.map(\.rule) == [.argumentType])
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
            ("statusCode IN {%@, %@}", "text, local"), ("sent IN {%@, %@}", "text, text"),
            ("statusCode IN %@", "NSSet(array: names)"),
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
            ("code == %@", "optional.map { $0 as NSUUID } ?? NSUUID()"), ("statusCode IN %@", "Codes(array: names)"),
        ])
    func matches(_ format: String, _ argument: String) {
        #expect(lint(format, argument).map(\.message) == [], "\(format), \(argument)")
    }

    /// What the language says of the types of values: each argument with a key of its kind and one of another kind.
    @Test(
        "Types follow the language",
        arguments: [
            ("Array(table.keys)", "name", "statusCode"), ("table.values.map { $0 }", "statusCode", "name"),
            ("Array(1...5)", "statusCode", "name"), ("lines.map(\\.sku)", "name", "statusCode"),
            ("lines.filter { $0.count > 1 }.map { $0.sku }", "name", "statusCode"),
            ("zip(names, numbers).map { $0.1 }", "statusCode", "name"),
            ("names.enumerated().map { $0.element }", "name", "statusCode"),
            ("names.enumerated().map { index, name in name }", "name", "statusCode"),
            ("table.map { $0.key }", "name", "statusCode"), ("table.map(\\.value)", "statusCode", "name"),
            ("names.lazy.map { $0 + \"a\" }", "name", "statusCode"), ("names + [\"a\"]", "name", "statusCode"),
            ("aliased", "name", "statusCode"), ("[Kind.open, .closed].map(\\.rawValue)", "statusCode", "name"),
            ("Kind.allCases.map(\\.rawValue)", "statusCode", "name"), ("Set<String>(names)", "name", "statusCode"),
        ])
    func lists(_ argument: String, _ right: String, _ wrong: String) {
        #expect(lint("\(right) IN %@", argument, Self.declarations).map(\.message) == [], "\(argument)")
        #expect(lint("\(wrong) IN %@", argument, Self.declarations).map(\.code) == [.kindMismatch], "\(argument)")
    }

    @Test(
        "Types of single values follow the language",
        arguments: [
            "word", "box.value", "box.unwrapped()", "pair.word", "pair.0", "searching.query", "searching.term()",
            "chosen",
            "branched", "first", "{ \"a\" }()", "Shared.all.text", "Shared.names[0]",
            "optional.map { $0.uuidString } ?? \"\"",
        ])
    func values(_ argument: String) {
        #expect(lint("name == %@", argument, Self.declarations).map(\.message) == [], "\(argument)")
        #expect(lint("statusCode == %@", argument, Self.declarations).map(\.code) == [.kindMismatch], "\(argument)")
    }

    private static let declarations = """
        typealias Names = [String]; typealias Keyword = String
        let aliased: Names = [], word: Keyword = "a", table: [String: Int] = [:]
        struct Line { let sku: String; let count: Int }
        let lines: [Line] = []
        enum Kind: Int, CaseIterable { case open, closed }
        struct Box<Value> { var value: Value; func unwrapped() -> Value { value } }
        let box: Box<String>, pair: (word: String, count: Int)
        protocol Searching { var query: String { get }; func term() -> String }
        let searching: any Searching
        let kind = Kind.open
        let chosen = switch kind { case .open: "a"; case .closed: "b" }
        let branched = if kind == .open { "a" } else { "b" }
        let (first, second) = ("a", 5)
        struct Shared { static let all = Shared(); let text = "a"; static let names = ["a"] }
        """

    /// Names that loops, patterns and closures bind.
    @Test(
        "Bound names",
        arguments: [
            "for value in names { P }", "for (index, value) in names.enumerated() { P }",
            "for (value, count) in [\"a\": 1] { P }", "names.forEach { value in P }",
            "if case .text(let value) = filter { P }", "if case let .both(count, value) = filter { P }",
            "switch filter { case .number: break\ncase .text(let value): P\ndefault: break }",
            "names.first { value in P; return true }", "numbers.forEach { count in names.map { value in P } }",
        ])
    func bound(_ statement: String) {
        func codes(_ key: String, _ argument: String = "value") -> [PredicateFinding.Code?] {
            let source = """
                enum Filter { case text(String), number(Int), both(count: Int, text: String) }
                func f(names: [String], numbers: [Int], filter: Filter) {
                    let r = NSFetchRequest<Request>(entityName: "Request")
                    \(statement.replacing("P", with: "r.predicate = NSPredicate(format: \"\(key) == %@\", \(argument))"))
                }
                """
            return Linter(LintSettings(), schema: RequestSchema()).lint(Array(source.utf8), kind: .swift).findings.map(
                \.code)
        }
        #expect(codes("name") == [] && codes("statusCode") == [.kindMismatch], "\(statement)")
    }

    /// Variables in the braces of a class, and those of its properties.
    @Test(
        "Variables of objects in Objective-C",
        arguments: [
            "@implementation List { NSString *_text; NSDate *_day; }", "@interface List () { NSString *_text; }\n@end",
            "@interface List ()\n@property (nonatomic, copy) NSString *text;\n@end",
        ])
    func instanceVariables(_ declaration: String) {
        let source = """
            \(declaration)
            - (void)find {
                NSFetchRequest *r = [NSFetchRequest fetchRequestWithEntityName:@"Request"];
                r.predicate = [NSPredicate predicateWithFormat:@"name == %@", _text];
                r.predicate = [NSPredicate predicateWithFormat:@"statusCode == %@", _text];
            }
            """
        let found = Linter(LintSettings(), schema: RequestSchema()).lint(Array(source.utf8), kind: .objectiveC).findings
        #expect(found.map(\.code) == [.kindMismatch], "\(declaration)")
    }

    /// A generic parameter, and a name that hides another one, say nothing.
    @Test(
        "Unknown types",
        arguments: [
            "generic.value", "names.map { convert($0) }", "names.map { value in convert(value) }",
            "Other.allCases[0].rawValue",
            "names.reduce(into: [:]) { $0[$1] = 1 }", "names.withUnsafe { $0 }",
        ])
    func unknown(_ argument: String) {
        let before = "struct Box<Value> { var value: Value }\nlet generic: Box<Thing>"
        #expect(lint("statusCode == %@", argument, before).map(\.message) == [], "\(argument)")
    }

    @Test(
        "Swapped arguments",
        arguments: [
            ("%K == %@", "text, \"name\"", 1), ("%K CONTAINS %@", "text, #keyPath(Request.name)", 1),
            ("%@ == %K", "\"name\", text", 1), ("%K == %@", "\"name\", text", 0), ("%K == %@", "key, \"name\"", 0),
            ("%K == %@", "text, \"other\"", 0), ("%@ IN %K", "text, \"name\"", 0),
        ])
    func swapped(_ format: String, _ arguments: String, _ count: Int) {
        let found = lint(format, arguments, "var key = \"name\"")
        #expect(found.count { $0.rule == .argumentType } == count, "\(format), \(arguments)")
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
