import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

// The articles about Core Data as a program: a model, a store of the XML type, due items, a second version, migration, a
// policy, a bulk update that runs once, and in the end the same store in SQLite. Usage: ModelDemo STEP FOLDER, with the
// steps `fill`, `migrate` and `convert` in this order.

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

/// Prints objects, one a line.
func show(_ title: String, _ objects: [StoredObject]) {
    print("\n\(title)")
    for object in objects { print("  " + line(of: object)) }
}

/// The name of an object; of an item also its category and when it is due.
func line(of object: StoredObject) -> String {
    var parts = ["\(object["name"] ?? .null)"]
    if let category = try? object.related("category").first { parts.append("\(category["name"] ?? .null)") }
    if case .date(let due)? = object["due"] { parts.append("due " + due.formatted(.iso8601)) }
    return parts.joined(separator: ", ")
}

/// Writes both versions as Xcode keeps them, the second one as the current one.
func writeModels(_ bundle: URL) throws {
    for (name, model) in [("ToDo", version1), ("ToDo 2", version2)] {
        let folder = bundle.appending(path: "\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(ModelDocument(model).text.utf8).write(to: folder.appending(path: "contents"))
    }
    let current = ["_XCCurrentVersionName": "ToDo 2.xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
        .write(to: bundle.appending(path: ".xccurrentversion"))
    let written = try ModelBundle(path: bundle.path)
    let isSame = try written.versions.map { try $0.model() } == [version1, version2]
    print("wrote \(bundle.path): \(written.versions.map(\.name)), read back \(isSame ? "equal" : "different")")
}

/// Fills a store of the first version.
func fill(_ path: String) throws(CoreDataError) {
    let store = try CoreDataStore.create(path, model: version1, type: .xml)
    let home = try store.insert("Category", ["name": "Home"])
    let work = try store.insert("Category", ["name": "Work"])
    let items = [
        ("Answer mail", 60.0, work), ("Buy milk", 240, home), ("Call Ann", 3_600, home), ("Archive", 200, work),
    ]
    for (name, seconds, category) in items {
        try store.insert("ToDo", ["name": name, "due": now.addingTimeInterval(seconds), "category": category])
    }
    print("created \(path), type \(store.type.name): \(items.count) items in 2 categories")
}

/// Items that are due within five minutes.
func due(_ store: CoreDataStore, _ format: String) throws -> [StoredObject] {
    let predicate = try FormatPredicate(format, now.addingTimeInterval(300))
    return try store.objects.fetchAll(PredicateFetchRequest("ToDo", predicate, sortKeys: [SortKey("due")]))
}

/// Items may alert that never did, and those whose alert is not their own business are left out.
let alerting = "due <= %@ AND lastAlertDate == nil AND doNotAlert == NO"

/// The first step: both versions as files, a store of the first one, and what it answers.
func fill(in folder: String) throws {
    try writeModels(URL(fileURLWithPath: folder).appending(path: "ToDo.xcdatamodeld"))
    let path = "\(folder)/ToDo.xml"
    try fill(path)
    let store = try CoreDataStore(path)
    show("Due within five minutes:", try due(store, "due <= %@ AND isDone == NO"))
    show(
        "Categories with such an item, by a to-many path:",
        try store.objects.fetchAll(
            "Category", where: FormatPredicate("ANY items.due <= %@", now.addingTimeInterval(300))))

    print("\nOpening the store with version 2:")
    do throws(CoreDataError) {
        _ = try CoreDataStore.open(path, model: version2)
    } catch {
        print("\(error)")
    }
    let difference = ModelDifference(from: version1, to: version2)
    print("\nThe verdict: \(difference.verdict), after \(difference.changes.count) changes")
}

/// The second step: migrations of the store, and changes of what they made.
func migrate(in folder: String) throws {
    let old = "\(folder)/ToDo.xml"
    print("\nMigration that is worked out from the two versions:")
    let migrated = try StoreMigration(of: old, to: version2).run(into: "\(folder)/ToDo 2.xml") { print("  \($0)") }
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
        .run(into: "\(folder)/ToDo by policy.xml")
    let rules = try MigrationRules("ToDo, name BEGINSWITH[c] \"a\", doNotAlert = YES")
    let byRule = try StoreMigration(of: old, to: version2, rules: rules).run(into: "\(folder)/ToDo by rule.xml")
    for store in [byPolicy, byRule] { show("Items to alert in \(store.path):", try due(store, alerting)) }

    let items = try due(byPolicy, alerting)
    try byPolicy.update(items.map { ($0.id, ["lastAlertDate": now]) })
    print("\nAfter lastAlertDate is set on these, \(try due(byPolicy, alerting).count) items are left to alert.")

    print("\nA bulk update of what is due, guarded by the metadata, with each kind of result, and the last one again:")
    for kind in [ChangeReport.Kind.nothing, .primaryKeys, .count, .count] {
        print("  \(try silenceOnce(byPolicy, kind).map(words) ?? "already done")")
    }
}

/// The last step: the store that the policy made, as a SQLite store with the same objects.
func convert(in folder: String) throws {
    let xml = try CoreDataStore("\(folder)/ToDo by policy.xml")
    let sqlite = try StoreMigration(of: xml.path, to: version2).run(into: "\(folder)/ToDo.sqlite", type: .sqlite)
    print("\nThe same store in SQLite: \(sqlite.path), type \(sqlite.type.name)")
    let formats = ["TRUEPREDICATE", alerting, "category.name == 'Home'", "doNotAlert == YES AND lastAlertDate != nil"]
    for format in formats {
        let answers = try [xml, sqlite].map { store in
            let soon = now.addingTimeInterval(300)
            let predicate = try format.contains("%@") ? FormatPredicate(format, soon) : FormatPredicate(format)
            return try store.objects.fetchAll("ToDo", where: predicate).map(line).sorted()
        }
        print("  \(format): \(answers[0].count) items, \(answers[0] == answers[1] ? "the same" : "DIFFERENT")")
        if answers[0] != answers[1] { exit(1) }
    }
}

/// Keeps all items that are due from alerting, unless the metadata of the store say that it happened. Each kind of result has
/// a key of its own, so that the demo can show them all.
func silenceOnce(_ store: CoreDataStore, _ kind: ChangeReport.Kind) throws -> ChangeReport? {
    let predicate = try FormatPredicate("due <= %@", now.addingTimeInterval(300))
    return try store.transaction { () throws(CoreDataError) -> ChangeReport? in
        let key = "due items are silent, \(kind)"
        guard store.metadata.values[key] == nil else { return nil }
        let report = try store.update("ToDo", ["doNotAlert": true], where: predicate, returning: kind)
        try store.setMetadata(true, for: key)
        return report
    }
}

/// The result of a bulk update in words.
func words(_ report: ChangeReport) -> String {
    switch report {
    case .nothing: "status: updated"
    case .count(let count): "count: \(count)"
    case .primaryKeys(let ids): "ids: \(ids)"
    }
}

do {
    let arguments = CommandLine.arguments
    switch (arguments.count, arguments.dropFirst().first) {
    case (3, "fill"?): try fill(in: arguments[2])
    case (3, "migrate"?): try migrate(in: arguments[2])
    case (3, "convert"?): try convert(in: arguments[2])
    case (_, _):
        print("usage: ModelDemo fill|migrate|convert FOLDER")
        exit(2)
    }
} catch {
    print("\(error)")
    exit(1)
}
