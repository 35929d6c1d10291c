import Foundation
import PredicateLint
import PredicateTestSupport
import Testing

/// What other files of a tree declare: types of properties, and functions that pass a format on.
@Suite("Other files")
struct OtherFileTests {
    private static let files = [
        "App/Limits.swift": """
        final class Search: Base {
            var age: Int = 18
            let since: Date
            var names: [String] = []
            var title: String?
        }
        func pets(_ format: String, _ more: CVarArg...) -> [Pet] { fetch(NSPredicate(format: format, arguments: more)) }
        """,
        "App/Store.swift": """
        class Store {
            func find(where format: String) -> [Pet] { fetch(NSPredicate(format: format)) }
            static func all(_ predicate: String) -> NSPredicate { NSPredicate(format: predicate) }
        }
        """,
        "App/Store.m":
            "@implementation Finder\n- (id)find:(NSString *)filter { return [NSPredicate predicateWithFormat:filter]; }\n@end\n",
        "App/a.swift": """
        func f(_ search: Search) {
            _ = NSPredicate(format: "age == %@", search.age)
            _ = NSPredicate(format: "since == %@ AND age == %d", search.since as NSDate, search.age)
            _ = NSPredicate(format: "age == %d", search.title)
        }
        extension Search {
            func g() -> [NSPredicate] {
                [NSPredicate(format: "age == %@", age), NSPredicate(format: "age == %@", self.age), NSPredicate(format: "a IN %@", names)]
            }
            func h(age: NSNumber) -> NSPredicate { NSPredicate(format: "age == %@", age) }
            func i() -> [NSPredicate] { ages.map { age in NSPredicate(format: "age == %@", age) } }
        }
        """,
        "App/b.swift": """
        let a = pets("age ==")
        let b = pets("age == %d", 5)
        func k(store: Store, other: Other) {
            store.find(where: "age IN")
            other.find(where: "Hello world")
            _ = Store.all("a b")
            find(where: "Hello world")
        }
        extension Store { func m() { find(where: "x y") } }
        """,
        "App/c.m": "@implementation Finder (More)\n- (void)f { [self find:@\"a b\"]; [list find:@\"a b\"]; }\n@end\n",
        "Lib/Sources/Core/d.swift": "let a = pets(\"Hello world\")\n",
        "App/UID.swift": #"""
        enum UID {
            enum Button { static let accept = "accept", x = 1; static let quote = "it's"; static var moved = "m"
                static let done = "done"
            }
        }
        enum Other { enum Button { static let cancel: String = "c" } }
        """#,
        "App/g.swift": #"""
        func n() {
            _ = NSPredicate(format: "id == '\(UID.Button.done)' OR id == '\(Button.cancel)'")
            _ = NSPredicate(format: "id == '\(UID.Button.quote)'")
            _ = NSPredicate(format: "id == '\(UID.Button.moved)'")
            _ = NSPredicate(format: "id == '\(UID.Button.accept)'")
        }
        """#,
        "App/h.swift": "func o<Search>(_ search: Search) { _ = NSPredicate(format: \"age == %@\", search.age) }\n",
        "App/i.swift": "struct List { func q() { _ = pets(\"age ==\") } }\n",
        "App/Totals.swift": """
        enum Totals {
            static let most = 9
            static let format = "age =="
            static func count() -> Int { 3 }
        }
        enum Level: Int { case low, high }
        """,
        "App/k.swift": """
        func r(level: Level) {
            _ = NSPredicate(format: "a == %@", Totals.most)
            _ = NSPredicate(format: "a == %@", Totals.count())
            _ = NSPredicate(format: "a == %@", level.rawValue)
            _ = NSPredicate(format: Totals.format)
            _ = NSPredicate(format: "a == %d AND b == %d AND c == %d", Totals.most, level.rawValue, Level.low.rawValue)
        }
        """,
        "App/Legacy.h": """
        typedef NS_ENUM(NSInteger, LegacyKind) { LegacyKindOpen };
        @interface LegacyFilter : NSObject
        @property (nonatomic, readonly) NSInteger limit;
        @property (nonatomic, copy, nullable) NSArray<NSString *> *names;
        @property (nonatomic, assign) LegacyKind kind;
        - (NSString *)text;
        + (NSInteger)most;
        @end
        """,
        "App/l.swift": """
        func s(_ filter: LegacyFilter, cart: Cart) {
            _ = NSPredicate(format: "a == %@", filter.limit)
            _ = NSPredicate(format: "a == %d", filter.text())
            _ = NSPredicate(format: "a == %@", filter.kind.rawValue)
            _ = NSPredicate(format: "a == %@", LegacyFilter.most())
            _ = NSPredicate(format: "a == %@ AND b IN %@ AND c == %d", filter.text(), filter.names!, filter.limit)
            _ = NSPredicate(format: "a == %@", cart.owner.number)
            _ = NSPredicate(format: "a == %@", standardLimit())
            _ = NSPredicate(format: "a == %@", outermost)
            _ = NSPredicate(format: "a == %d AND b == %@", cart.owner.number, cart.owner.name)
        }
        """,
        "App/m.m": """
        @implementation List
        - (void)f:(LegacyFilter *)filter search:(Search *)search {
            [NSPredicate predicateWithFormat:@"a == %@", filter.limit];
            [NSPredicate predicateWithFormat:@"a == %ld AND b == %@", filter.limit, [filter text]];
            [NSPredicate predicateWithFormat:@"a == %@", search.age];
            for (NSString *name in filter.names) { [NSPredicate predicateWithFormat:@"a == %d", name]; }
        }
        @end
        """,
        "App/Cart.swift": "struct Cart { let owner: Owner }\nfunc standardLimit() -> Int { 5 }\nlet outermost = 5\n",
        "App/Owner.swift": "typealias OwnerNumber = Int\nstruct Owner { let number: OwnerNumber; let name: String }\n",
        "App/j.swift": "struct List { let pets: Make\nfunc q() { _ = pets(\"Hello world\") } }\n",
    ]

    private static let expected = [
        "App/a.swift:2 predicate-argument-type", "App/a.swift:8 predicate-argument-type",
        "App/a.swift:8 predicate-argument-type", "App/b.swift:1 predicate-syntax", "App/b.swift:4 predicate-syntax",
        "App/b.swift:6 predicate-syntax", "App/b.swift:9 predicate-syntax", "App/c.m:2 predicate-syntax",
        "App/g.swift:3 predicate-interpolation", "App/g.swift:4 predicate-interpolation",
        "App/g.swift:5 predicate-interpolation", "App/i.swift:1 predicate-syntax",
        "App/k.swift:2 predicate-argument-type", "App/k.swift:3 predicate-argument-type",
        "App/k.swift:4 predicate-argument-type", "App/k.swift:5 predicate-syntax",
        "App/l.swift:2 predicate-argument-type", "App/l.swift:3 predicate-argument-type",
        "App/l.swift:5 predicate-argument-type",
        "App/l.swift:7 predicate-argument-type", "App/l.swift:8 predicate-argument-type",
        "App/l.swift:9 predicate-argument-type", "App/m.m:3 predicate-argument-type",
        "App/m.m:5 predicate-argument-type", "App/m.m:6 predicate-argument-type",
    ]

    private func rows(_ folder: URL, _ paths: [String], _ fixing: LintRun.Fixing = .none) -> [String] {
        var run = LintRun(paths: paths.map { $0.isEmpty ? folder.path : folder.appending(path: $0).path })
        run.folder = folder.path
        run.keepsRows = true
        run.fixing = fixing
        let prefix = folder.path + "/"
        return run.start(write: { _ in }, report: { _, _ in }).rows.map { row in
            "\(row.path.dropFirst(prefix.count)):\(row.start.line) \(row.rule?.rawValue ?? "")"
        }.sorted()
    }

    private func withTree(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "other-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in Self.files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        try body(folder)
    }

    @Test func typesAndWrappers() throws {
        try withTree { folder in
            #expect(rows(folder, [""]) == Self.expected)
        }
    }

    /// A file alone has the findings that it has among the others.
    @Test func filesAlone() throws {
        try withTree { folder in
            for path in [
                "App/a.swift", "App/b.swift", "App/c.m", "App/g.swift", "App/i.swift", "App/k.swift", "App/l.swift",
                "App/m.m",
                "Lib/Sources/Core/d.swift",
            ] {
                #expect(rows(folder, [path]) == Self.expected.filter { $0.hasPrefix(path) })
            }
        }
    }

    /// Two functions of a name may be meant, and two types of a name are none.
    @Test func ambiguous() throws {
        try withTree { folder in
            let other = "func pets(_ format: String) { NSPredicate(format: format) }\nclass Search { let age = \"\" }\n"
            try other.write(to: folder.appending(path: "App/e.swift"), atomically: true, encoding: .utf8)
            let left = Self.expected.filter { row in
                !["a.swift", "b.swift:1 ", "i.swift", "m.m:5"].contains { row.contains($0) }
            }
            #expect(rows(folder, [""]) == left)
        }
    }

    /// A fix knows the types, too.
    @Test func fixes() throws {
        try withTree { folder in
            let file = folder.appending(path: "App/f.swift")
            let source =
                "extension Search { func n() { _ = NSPredicate(format: \"since > '\\(since)' AND a == 5\") } }\n"
            try source.write(to: file, atomically: true, encoding: .utf8)
            _ = rows(folder, ["App/f.swift"], .applied)
            let fixed = try String(contentsOf: file, encoding: .utf8)
            #expect(fixed.contains("NSPredicate(format: \"since > %@ AND a == 5\", since as NSDate)"))
        }
    }
}
