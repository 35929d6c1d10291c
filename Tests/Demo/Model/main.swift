import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

// The articles about Core Data as a program: a model, a store, due items, a second version, migration, a policy, a bulk
// update that runs once. Usage: ModelDemo FOLDER

/// The first version of the model: items with categories.
let version1 = ManagedObjectModel(
    [
        EntityDescription(
            "ToDo",
            attributes: [
                AttributeDescription("name", .string, isOptional: false), AttributeDescription("due", .date),
                AttributeDescription("isDone", .boolean, isOptional: false, defaultValue: false),
            ],
            relationships: [.toOne("category", "Category", inverse: "items")]),
        EntityDescription(
            "Category", attributes: [AttributeDescription("name", .string, isOptional: false)],
            relationships: [.toMany("items", "ToDo", inverse: "category", deleteRule: .cascade)]),
    ], versionIdentifiers: ["1"])

/// The second version: an item knows when it alerted last, and whether it may.
let version2: ManagedObjectModel = {
    var model = version1
    model.versionIdentifiers = ["2"]
    model["ToDo"]?.attributes += [
        AttributeDescription("lastAlertDate", .date),
        AttributeDescription("doNotAlert", .boolean, isOptional: false, defaultValue: false),
    ]
    return model
}()

let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

/// Prints items by name, one a line.
func show(_ title: String, _ objects: [StoredObject]) {
    print("\n\(title)")
    for object in objects {
        let category = (try? object.related("category").first?["name"]) ?? .null
        print("  \(object["name"] ?? .null), \(category), due \(object["due"] ?? .null)")
    }
}

/// Fills a store of the first version.
func fill(_ path: String) throws(CoreDataError) {
    let store = try CoreDataStore.create(path, model: version1)
    let home = try store.insert("Category", ["name": "Home"])
    let work = try store.insert("Category", ["name": "Work"])
    let items = [
        ("Answer mail", 60.0, work), ("Buy milk", 240, home), ("Call Ann", 3_600, home), ("Archive", 200, work),
    ]
    for (name, seconds, category) in items {
        try store.insert("ToDo", ["name": name, "due": now.addingTimeInterval(seconds), "category": category])
    }
    print("created \(path): \(items.count) items in 2 categories")
}

/// Items that are due within five minutes.
func due(_ store: CoreDataStore, _ format: String) throws -> [StoredObject] {
    let predicate = try FormatPredicate(format, now.addingTimeInterval(300))
    return try store.objects.fetch(FetchRequest("ToDo", predicate, sortKeys: [SortKey("due")])).all()
}

/// Items may alert that never did, and those whose alert is not their own business are left out.
let alerting = "due <= %@ AND lastAlertDate == nil AND doNotAlert == NO"

func run(in folder: String) throws {
    let old = "\(folder)/ToDo.sqlite"
    try fill(old)
    let first = try CoreDataStore(old)
    show("Due within five minutes:", try due(first, "due <= %@ AND isDone == NO"))
    show(
        "Categories with such an item, by a to-many path:",
        try first.objects.objects(
            "Category", where: FormatPredicate("ANY items.due <= %@", now.addingTimeInterval(300))))

    print("\nOpening the store with version 2:")
    do throws(CoreDataError) {
        _ = try CoreDataStore.open(old, model: version2)
    } catch {
        print("\(error)")
    }

    print("\nMigration that is worked out from the two versions:")
    let migrated = try StoreMigration(of: old, to: version2).run(into: "\(folder)/ToDo 2.sqlite") { print("  \($0)") }
    show("Items to alert, none of which ever did:", try due(migrated, alerting))

    print("\nThe same with a policy in Swift, and with a rule without code:")
    var policies = MigrationPolicies([
        "ToDoMigrationPolicy": { object, changes in
            guard case .string(let name)? = object["name"], name.lowercased().hasPrefix("a") else { return }
            changes["doNotAlert"] = true
        }
    ])
    try policies.use("ToDoMigrationPolicy", for: "ToDo")
    let byPolicy = try StoreMigration(of: old, to: version2, policies: policies)
        .run(into: "\(folder)/ToDo by policy.sqlite")
    let rules = try MigrationRules("ToDo, name BEGINSWITH[c] \"a\", doNotAlert = YES")
    let byRule = try StoreMigration(of: old, to: version2, rules: rules).run(into: "\(folder)/ToDo by rule.sqlite")
    for store in [byPolicy, byRule] { show("Items to alert in \(store.path):", try due(store, alerting)) }

    let items = try due(byPolicy, alerting)
    try byPolicy.save(items.map { ($0.id, ["lastAlertDate": now]) })
    print("\nafter saving lastAlertDate, \(try due(byPolicy, alerting).count) items are left to alert")

    print("\nA bulk update that runs once, guarded by the metadata:")
    for kind in [ChangeReport.Kind.nothing, .count, .primaryKeys] {
        let report = try byPolicy.transaction { () throws(CoreDataError) -> ChangeReport? in
            let key = "done items \(kind)"
            guard byPolicy.metadata.values[key] == nil else { return nil }
            let predicate = FormatPredicate(matching: ["isDone": false])
            let report = try byPolicy.update("ToDo", ["isDone": false], where: predicate, returning: kind)
            try byPolicy.setMetadata(true, for: key)
            return report
        }
        print("  \(report.map { "\($0)" } ?? "already done")")
    }
}

do {
    guard CommandLine.arguments.count == 2 else {
        print("usage: ModelDemo FOLDER")
        exit(2)
    }
    try run(in: CommandLine.arguments[1])
} catch {
    print("\(error)")
    exit(1)
}
