import Foundation
import PredicateAgreement
import PredicateSyntax

/// The fetches and changes that every application has, as questions about ``TaskWorld``.
enum FixedQuestions {
    private static let noon = PredicateValue.date(seconds: 730_900_800)

    /// A fetch: the predicate with its arguments, the order, and the page.
    static func fetches() throws -> [PredicateFetchRequest] {
        let byDue = [SortKey("due", nils: .first), SortKey("priority", ascending: false)]
        return [
            PredicateFetchRequest("Task"), PredicateFetchRequest("Task", sortKeys: byDue),
            PredicateFetchRequest("Task", sortKeys: [SortKey("title")], limit: 3, offset: 2),
            PredicateFetchRequest(
                "Task", sortKeys: [SortKey("title", options: [.caseInsensitive, .diacriticInsensitive])]),
            PredicateFetchRequest(
                "Task", sortKeys: [SortKey("owner.boss.name", nils: .last), SortKey("title")], limit: 5),
            PredicateFetchRequest("Task", sortKeys: [SortKey("hours", ascending: false, nils: .first)], offset: 4),
            PredicateFetchRequest("Person", sortKeys: [SortKey("age"), SortKey("name", ascending: false)]),
            PredicateFetchRequest(
                "Task", try FormatPredicate("done == NO AND (due == nil OR due <= %@)", noon), sortKeys: byDue, limit: 4
            ),
        ] + (try formats.map { PredicateFetchRequest($0, try FormatPredicate(format: $1, arguments: $2)) })
    }

    private static let formats: [(String, String, [PredicateValue])] = [
        ("Task", "title == %@", ["milk"]), ("Task", "id == 7", []), ("Task", "done == YES", []),
        ("Task", "title == %@ AND done == NO", ["Milk"]), ("Task", "title == %@ OR priority == %d", ["100%", 3]),
        ("Task", "title IN %@", [["milk", "a_b", "CR\r\nLF", ""]]), ("Task", "title ==[cd] %@", ["call zoé"]),
        ("Task", "priority == nil", []), ("Task", "priority != nil AND priority < 3", []),
        ("Task", "priority == 9007199254740993", []), ("Task", "NOT (priority > 1)", []),
        ("Task", "done == NO AND (due == nil OR due <= %@)", [noon]), ("Task", "due == %@", [noon]),
        ("Task", "due < %@", [noon]), ("Task", "due BETWEEN {%@, %@}", [.date(seconds: 730_900_799.999), noon]),
        ("Task", "due IN %@", [[noon, .null, .date(seconds: -1.5)]]), ("Task", "due != %@", [noon]),
        ("Task", "hours == 0", []), ("Task", "hours > 0 AND hours < 0.2", []),
        ("Task", "hours != nil AND hours * 4 == 1", []),
        ("Task", "price == %@", [.decimal(Decimal(string: "1.1") ?? 0)]), ("Task", "price > 1", []),
        ("Task", "code == %@", [.uuid(SampleValues.uuids[1])]), ("Task", "photo == %@", [.data(Data())]),
        ("Task", "photo == nil", []), ("Task", "owner == nil", []), ("Task", "owner.name == %@", ["Zoë"]),
        ("Task", "owner.boss.name ==[cd] %@", ["ZOE"]), ("Task", "owner.boss == nil", []),
        ("Task", "owner.boss.boss.age > 50", []), ("Task", "owner.name BEGINSWITH %@", ["O'"]),
        ("Task", "title CONTAINS %@ OR title ENDSWITH %@", ["%", "_b"]), ("Task", "title LIKE %@", ["*l?"]),
        ("Task", "ANY tags.label ==[cd] %@", ["buro"]), ("Task", "ALL tags.label != nil", []),
        ("Task", "NONE tags.label == %@", ["home"]), ("Task", "tags.@count == 0", []),
        ("Person", "ANY tasks.done == NO", []), ("Person", "tasks.@count > 1 AND staff.@count > 0", []),
        ("Person", "SUBQUERY(tasks, $t, $t.done == NO AND $t.due <= %@).@count > 0", [noon]),
        ("Person", "SUBQUERY(staff, $s, ANY $s.tasks.priority > 2).@count == 0", []),
        ("Person", "SUBQUERY(staff, $s, SUBQUERY($s.tasks, $t, $t.owner.boss == SELF).@count > 0).@count > 0", []),
        ("Person", "age IN {31, 44} AND name != nil", []), ("Person", "tasks.@max.priority > 2", []),
        ("Tag", "ANY tasks.owner.name == nil", []), ("Tag", "label == nil OR label BEGINSWITH[c] %@", ["H"]),
    ]

    /// Bulk updates and deletes.
    static func changes() throws -> [ChangeQuestion] {
        let due = "done == NO AND (due == nil OR due <= %@)"
        return [
            try update(["done": true], due, [noon], then: "done == YES"),
            try update(
                ["title": "x", "priority": 9], "title == %@ OR priority == nil", ["milk"], then: "title == 'x'"),
            try update(["due": noon, "priority": .null], "owner.boss.name == %@", ["Zoë"], then: "priority == nil"),
            try update(["hours": 0.1], "ANY tags.label == %@", ["home"], then: "hours == 0.1"),
            try update(["done": false], "FALSEPREDICATE", [], then: "done == NO"),
            try update(["done": true], "TRUEPREDICATE", [], then: "done == YES"),
            try delete("done == YES", []), try delete("title == %@ AND done == NO", ["Milk"]), try delete(due, [noon]),
            try delete("owner.boss.name == %@ OR owner == nil", ["zoe"]), try delete("tags.@count > 1", []),
            try delete("TRUEPREDICATE", []),
        ]
    }

    private static func update(
        _ values: [String: PredicateValue], _ format: String, _ arguments: [PredicateValue], then: String
    ) throws -> ChangeQuestion {
        ChangeQuestion(
            predicate: try FormatPredicate(format: format, arguments: arguments).node, entity: "Task",
            change: .update(values), then: try FormatPredicate(then).node)
    }

    private static func delete(_ format: String, _ arguments: [PredicateValue]) throws -> ChangeQuestion {
        ChangeQuestion(
            predicate: try FormatPredicate(format: format, arguments: arguments).node, entity: "Task",
            change: .delete, then: .constant(true))
    }
}
