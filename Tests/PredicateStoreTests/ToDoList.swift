import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A to-do list in a file: people, lists, tasks and tags.
struct ToDoList {
    let directory: TemporaryDirectory
    let store: ObjectStore

    static let schema = SQLSchema([
        SQLEntity(
            "Task", table: "task",
            attributes: [
                "id": SQLAttribute(.integer, isNullable: false), "title": SQLAttribute(.string, isNullable: false),
                "note": SQLAttribute(.string), "dueDate": SQLAttribute(.date(.since2001), column: "due_date"),
                "lastAlertDate": SQLAttribute(.date(.since2001), column: "last_alert_date"),
                "doNotAlert": SQLAttribute(.boolean, column: "do_not_alert", isNullable: false),
                "priority": SQLAttribute(.integer), "effort": SQLAttribute(.double), "uuid": SQLAttribute(.uuid(.text)),
                "price": SQLAttribute(.decimal), "image": SQLAttribute(.data),
                "created": SQLAttribute(.date(.iso8601)),
            ],
            relationships: [
                "list": .toOne("List", column: "list_id"), "owner": .toOne("Person", column: "owner_id"),
                "tags": .manyToMany("Tag", joinTable: "task_tag", sourceColumn: "task_id", targetColumn: "tag_id"),
            ]),
        SQLEntity(
            "List", table: "list",
            attributes: ["id": SQLAttribute(.integer, isNullable: false), "name": SQLAttribute(.string)],
            relationships: ["tasks": .toMany("Task", inverseColumn: "list_id")]),
        SQLEntity(
            "Person", table: "person",
            attributes: ["id": SQLAttribute(.integer, isNullable: false), "name": SQLAttribute(.string)],
            relationships: ["tasks": .toMany("Task", inverseColumn: "owner_id")]),
        SQLEntity(
            "Tag", table: "tag",
            attributes: ["id": SQLAttribute(.integer, isNullable: false), "name": SQLAttribute(.string)]),
    ])

    private static let script = """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE list (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, due_date REAL, last_alert_date REAL,
            do_not_alert BOOLEAN NOT NULL DEFAULT 0, priority INTEGER, effort REAL, uuid TEXT, price TEXT, image BLOB,
            created TEXT, list_id INTEGER REFERENCES list, owner_id INTEGER REFERENCES person);
        CREATE TABLE task_tag (task_id INTEGER REFERENCES task, tag_id INTEGER REFERENCES tag,
            PRIMARY KEY (task_id, tag_id)) WITHOUT ROWID;
        CREATE INDEX task_due ON task (due_date);
        CREATE INDEX task_title ON task (title);
        CREATE INDEX task_list ON task (list_id, priority);

        INSERT INTO person VALUES (1, 'Ann'), (2, 'Zoë');
        INSERT INTO list VALUES (1, 'Home'), (2, 'Work'), (3, 'Empty');
        INSERT INTO tag VALUES (1, 'urgent'), (2, 'fun');
        INSERT INTO task (id, title, due_date, last_alert_date, do_not_alert, priority, list_id, owner_id) VALUES
            (1, 'Buy milk', 1000, NULL, 0, 2, 1, 1), (2, 'Call Zoë', 2000, 1500, 0, 1, 1, 2),
            (3, 'Write report', 3000, 2990, 0, NULL, 2, 1), (4, 'Sleep', NULL, NULL, 0, 3, NULL, NULL),
            (5, 'Old thing', 10, NULL, 0, 1, 2, 2), (6, 'Silent', 1500, NULL, 1, 1, 2, NULL);
        UPDATE task SET effort = 2.5, uuid = '137DECC8-B300-4954-A233-F89909F4FD89', price = '1.10', image = x'00FF',
            created = '2016-03-02T00:00:00Z', note = 'milk, 100%' WHERE id = 1;
        INSERT INTO task_tag VALUES (1, 1), (1, 2), (2, 2);
        """

    init() throws {
        directory = try TemporaryDirectory()
        store = try ObjectStore(directory.database("todo.sqlite", Self.script), schema: Self.schema)
    }

    /// The primary keys of the tasks that a predicate selects, sorted.
    func ids(_ format: String, _ arguments: (any PredicateValueConvertible)?...) throws -> [Int64] {
        let values = arguments.map { $0?.predicateValue ?? .null }
        let predicate = try FormatPredicate(format: format, arguments: values)
        return try store.fetchAll("Task", where: predicate).map(\.number).sorted()
    }

    func tasks(_ ids: Int64...) throws -> [StoredObject] {
        try store.fetchAll("Task", where: FormatPredicate("id IN %@", PredicateValue.array(ids.map { .integer($0) })))
    }
}

extension StoredObject {
    /// The primary key as an integer; -1 for other keys.
    var number: Int64 {
        if case .integer(let value) = id.key { value } else { -1 }
    }
}

extension Date {
    init(_ seconds: Double) {
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}
