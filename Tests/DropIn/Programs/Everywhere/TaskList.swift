#if INSTEAD
    import NSPredicates
#else
    import Foundation
#endif
#if BESIDE
    import PredicateFoundation
#endif

// A list with filters and orders as programs for Apple's platforms write them: constants of formats, templates, compounds.
final class TaskItem: NSObject {
    let title: String
    let priority: Int
    let due: Date?
    let tags: [String]
    let id: UUID

    init(_ title: String, priority: Int, due: Date? = nil, tags: [String] = [], id: UUID = UUID()) {
        self.title = title
        self.priority = priority
        self.due = due
        self.tags = tags
        self.id = id
    }
}

private extension NSPredicate {
    static func urgent(_ least: Int) -> NSPredicate { NSPredicate(format: "priority >= %d", least) }

    static func due(before date: Date) -> NSPredicate { NSPredicate(format: "due != nil AND due < %@", date as NSDate) }

    static func search(_ text: String) -> NSPredicate {
        let words = text.components(separatedBy: " ").filter { !$0.isEmpty }
        return NSCompoundPredicate(
            andPredicateWithSubpredicates: words.map { NSPredicate(format: "%K CONTAINS[cd] %@", "title", $0) })
    }

    convenience init(id: UUID) { self.init(format: "%K == %@", "id", id as CVarArg) }
}

struct TaskList {
    var tasks: [TaskItem]
    private var sortDescriptors: [NSSortDescriptor] = [
        NSSortDescriptor(key: "priority", ascending: false),
        NSSortDescriptor(key: "title", ascending: true, selector: Selector(("caseInsensitiveCompare:"))),
    ]

    init(_ tasks: [TaskItem]) { self.tasks = tasks }

    func titles(_ predicate: NSPredicate?) -> String {
        let all = NSArray(array: tasks)
        let kept = predicate.map { all.filtered(using: $0) } ?? all.map { $0 }
        let sorted = NSArray(array: kept).sortedArray(using: sortDescriptors)
        return sorted.compactMap { ($0 as? TaskItem)?.title }.joined(separator: ", ")
    }
}

public func taskTranscript() -> [String] {
    let (day, id) = (Date(timeIntervalSinceReferenceDate: 86_400), UUID())
    let list = TaskList([
        TaskItem("write report", priority: 2, due: day, tags: ["work"]),
        TaskItem("Buy café filters", priority: 1, tags: ["home", "shop"], id: id),
        TaskItem("call Al", priority: 2, due: day.addingTimeInterval(10), tags: ["work"]),
        TaskItem("sleep", priority: 3),
    ])
    let template = NSPredicate(format: "ANY tags == $TAG")
    let home: NSPredicate = template.withSubstitutionVariables(["TAG": "home"])
    let block = NSPredicate { object, _ in (object as? TaskItem)?.title.count ?? 0 < 8 }
    let never: NSPredicate? = NSPredicate(value: false)
    return [
        list.titles(nil),
        list.titles(.urgent(2)),
        list.titles(.due(before: day.addingTimeInterval(1))),
        list.titles(.search("CAFE buy")),
        list.titles(NSPredicate(id: id)),
        list.titles(home),
        list.titles(NSCompoundPredicate(notPredicateWithSubpredicate: home)),
        list.titles(NSCompoundPredicate(type: .or, subpredicates: [block, .urgent(3)])),
        list.titles(NSPredicate(format: "tags.@count == 0 OR title BEGINSWITH 'w'")),
        list.titles(NSPredicate(format: "title IN %@", ["sleep", "call Al"])),
        list.titles(NSPredicate(format: "SUBQUERY(tags, $t, $t BEGINSWITH 's').@count > 0")),
        list.titles(never),
        "\(template.evaluate(with: list.tasks[0], substitutionVariables: ["TAG": "work"]))",
    ]
}
