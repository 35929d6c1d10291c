import Foundation
import PredicateLint
import Testing

/// What a predicate means is found in several sources and in the model of a project.
@Suite("Trees of sources")
struct ProjectTreeTests {
    /// The files that every tree has.
    private static let files = [
        "Shop.xcdatamodel/contents": """
        <model><entity name="Order"><attribute name="total" attributeType="Double"/>
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="lines" toMany="YES" destinationEntity="Line"/></entity>
        <entity name="Line"><attribute name="name" attributeType="String"/></entity>
        <fetchRequest name="Recent" entity="Order" predicateString="total &gt; $LEAST AND title == $TITLE"/></model>
        """,
        "Order.swift": "extension Order { @objc var dayTitle: String { \"\" } }\n",
        "Player.swift": """
        import Foundation
        final class Player: NSObject {
            @objc var name = ""
            var nickname = ""
            @objc var position: Position = .goal
        }
        struct Guest: Codable { var name: String }
        class Coach: Base { var nickname = "" }
        @objcMembers class Team: NSObject { var title = "" }
        """,
        "Player+More.swift": "extension Player { @objc var initials: String { \"\" } }\n",
        "Position.swift": "@objc enum Position: Int { case goal, wing }\nenum State: String { case open, closed }\n",
        "Song.swift":
            "import RealmSwift\nclass Song: Object {\n@Persisted var title = \"\"\nvar isLong: Bool { true }\n}\n",
        "Trip.swift": "import SwiftData\n@Model final class Trip { var title = \"\"\n@Transient var isOpen = false }\n",
        "Trip+More.swift": "extension Trip { var isOver: Bool { true } }\n",
        "Keys.m": "NSString * const OrderTitleKey = @\"titel\";\nNSString *const OrderTotalKey = @\"total\";\n",
        "Keys.h": "extern NSString * const OrderTitleKey;\nextern NSString * const OrderTotalKey;\n",
    ]

    private func codes(_ body: String, _ name: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tree-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in Self.files.merging([name: body], uniquingKeysWith: { $1 }) {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        var run = LintRun(paths: [folder.path])
        (run.folder, run.keepsRows) = (folder.path, true)
        try run.readModels()
        let rows = run.start(write: { _ in }, report: { _, _ in }).rows
        return rows.filter { $0.path.hasSuffix(name) }.compactMap(\.identifier)
    }

    /// Statements in a store of players and orders.
    private func statements(_ body: String) -> String {
        """
        import CoreData
        final class Store {
            var players: [Player] = []
            var guests: [Guest] = []
            var coaches: [Coach] = []
            var teams: [Team] = []
            private func select(_ predicate: NSPredicate) -> [Any] { (players as NSArray).filtered(using: predicate) }
            private func orders(matching predicate: NSPredicate) -> [Order] {
                let request = NSFetchRequest<Order>(entityName: "Order")
                request.predicate = predicate
                return fetch(request)
            }
            private var large: NSPredicate { NSPredicate { object, _ in true } }
            func run(order: Order, request: NSFetchRequest<Order>, state: [State]) {
                \(body)
            }
        }
        """
    }

    @Test(
        "Mistakes",
        arguments: [
            // Objects in memory
            ("_ = select(NSPredicate(format: \"nickname == 'x'\"))", "unknown-key"),
            ("_ = select(NSPredicate(format: \"nmae == 'x'\"))", "unknown-key"),
            ("_ = select(NSPredicate(format: \"position == 'goal'\"))", "kind-mismatch"),
            ("_ = (players as NSArray).filtered(using: NSPredicate(format: \"name > 5\"))", "kind-mismatch"),
            ("let p = NSPredicate(format: \"name == 'x'\")\n_ = guests.filter { p.evaluate(with: $0) }", "unknown-key"),
            ("for p in players { _ = NSPredicate(format: \"age == 1\").evaluate(with: p) }", "unknown-key"),
            // Functions of the source
            ("_ = orders(matching: NSPredicate(format: \"titel == 'x'\"))", "unknown-key"),
            ("_ = self.orders(matching: NSPredicate(format: \"total == 'x'\"))", "kind-mismatch"),
            ("_ = orders(matching: NSPredicate { object, _ in true })", "refused-by-store"),
            // Keys
            ("_ = order.value(forKey: \"customer\")", "unknown-key"),
            (
                "request.sortDescriptors = [NSSortDescriptor(key: \"title\", ascending: true, comparator: { _, _ in .orderedSame })]",
                "refused-by-store"
            ),
            (
                "_ = NSFetchedResultsController(fetchRequest: request, managedObjectContext: c, sectionNameKeyPath: \"day\", cacheName: nil)",
                "unknown-key"
            ),
            (
                "_ = model.fetchRequestFromTemplate(withName: \"Recent\", substitutionVariables: [\"LEAST\": 5, \"NAME\": \"x\"])",
                "predicate-argument-count"
            ),
            // Values
            ("let list = [a, b, c]\n_ = NSPredicate(format: \"total BETWEEN %@\", list)", "predicate-argument-type"),
            (
                "let text = String(describing: order.title)\n_ = NSPredicate(format: \"title == %@\", text)",
                "predicate-argument-type"
            ),
            ("_ = NSPredicate(format: \"a IN %@\", argumentArray: [state])", "predicate-argument-type"),
            ("let p = \"\\(name)%\"\n_ = NSPredicate(format: \"title LIKE[c] %@\", p)", "foreign-wildcard"),
        ])
    func mistakes(_ body: String, _ code: String) throws {
        #expect(try codes(statements(body), "A.swift") == [code], "\(body)")
    }

    @Test(
        "Look-alikes",
        arguments: [
            "_ = select(NSPredicate(format: \"name == 'x' AND initials == 'y' AND position == 1 AND description != ''\"))",
            "_ = (coaches as NSArray).filtered(using: NSPredicate(format: \"nickname == 'x'\"))",
            "_ = (teams as NSArray).filtered(using: NSPredicate(format: \"title == 'x'\"))",
            "_ = (orders(matching: large2) as NSArray).filtered(using: NSPredicate(format: \"dayTitle == 'x'\"))",
            "_ = NSPredicate(format: \"dayTitle == 'x'\").evaluate(with: order)",
            "_ = orders(matching: NSPredicate(format: \"title == 'x'\"))",
            "_ = other.orders(matching: NSPredicate(format: \"titel == 'x'\"))",
            "_ = (players as NSArray).filtered(using: large)", "_ = order.value(forKey: \"dayTitle\")",
            "_ = NSFetchedResultsController(fetchRequest: request, managedObjectContext: c, sectionNameKeyPath: \"dayTitle\", cacheName: nil)",
            "_ = model.fetchRequestFromTemplate(withName: \"Recent\", substitutionVariables: [\"LEAST\": 5, \"TITLE\": t])",
            "_ = model.fetchRequestFromTemplate(withName: \"Other\", substitutionVariables: [\"LEAST\": 5])",
            "let list = [a, b]\n_ = NSPredicate(format: \"total BETWEEN %@\", list)",
            "let list = [a, b, c]\n_ = NSPredicate(format: \"total IN %@\", list)",
            "let text = String(describing: order.title ?? \"\")\n_ = NSPredicate(format: \"title == %@\", text)",
            "_ = NSPredicate(format: \"a IN %@\", argumentArray: [state.map { $0.rawValue }])",
            "let p = \"\\(name)%\"\n_ = NSPredicate(format: \"title ==[c] %@\", p)",
        ])
    func right(_ body: String) throws {
        #expect(try codes(statements(body), "A.swift") == [], "\(body)")
    }

    @Test(
        "Other frameworks",
        arguments: [
            ("import RealmSwift\nlet s = realm.objects(Song.self).filter(\"isLong == true\")", ["unknown-key"]),
            ("import RealmSwift\nlet s = realm.objects(Song.self).filter(\"tilte == 'x'\")", ["unknown-key"]),
            ("import RealmSwift\nlet s = realm.objects(Song.self).filter(\"title == 'x'\")", []),
            ("struct V { @Query(filter: #Predicate<Trip> { $0.isOver }) var a: [Trip] }", ["predicate-macro"]),
            ("struct V { @Query(sort: \\Trip.isOver) var a: [Trip] }", ["predicate-macro"]),
            ("struct V { @Query(sort: [SortDescriptor(\\.isOpen)]) var a: [Trip] }", ["predicate-macro"]),
            ("let d = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\\.isOver)])", ["predicate-macro"]),
            ("let d = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\\.title)])", []),
            ("let a = trips.sorted(using: SortDescriptor(\\Trip.isOver))", []),
            ("let p = #Predicate<Trip> { $0.title == text && $0.date < Date.now }", ["predicate-macro"]),
            (
                "import HealthKit\nfunc day() -> String { \"\" }\nlet p = NSPredicate(format: \"%K >= %@\", HKPredicateKeyPathStartDate, day())",
                ["kind-mismatch"]
            ),
            (
                "import HealthKit\nlet p = NSPredicate(format: \"%K >= %@\", HKPredicateKeyPathQuantity, NSNumber(value: 5))",
                ["kind-mismatch"]
            ),
            (
                "import HealthKit\nlet p = NSPredicate(format: \"%K >= %@ AND %K > %@\", HKPredicateKeyPathStartDate, d as NSDate, HKPredicateKeyPathQuantity, quantity)",
                []
            ),
        ])
    func frameworks(_ source: String, _ expected: [String]) throws {
        #expect(try codes(source, "A.swift") == expected, "\(source)")
    }

    @Test(
        "Constants and methods of Objective-C",
        arguments: [
            ("%K == %@\", OrderTitleKey, t", ["unknown-key"]), ("%K == %d\", OrderTotalKey, 5", []),
            ("%K == %@\", OtherKey, t", []),
        ])
    func constants(_ format: String, _ expected: [String]) throws {
        let source = """
            @implementation Finder
            - (NSFetchRequest *)orders { return [NSFetchRequest fetchRequestWithEntityName:@"Order"]; }
            - (void)find:(id)t {
                NSFetchRequest *request = [self orders];
                request.predicate = [NSPredicate predicateWithFormat:@"\(format)];
            }
            @end
            """
        #expect(try codes(source, "A.m") == expected, "\(format)")
    }
}
