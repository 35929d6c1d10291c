import Foundation
public import PredicateEvaluation
import PredicateSyntax

/// People in the forms that programs keep them in.
extension Person {
    /// `["name": …, "dept": ["name": …]]`
    public var dictionary: [String: Any] {
        [
            "name": name, "age": age, "email": email, "score": score, "tags": tags, "active": active,
            "created": created, "dept": ["name": dept.name] as [String: Any],
        ]
    }

    /// The names of ``record``'s slots.
    public static let layout = KeyedRecord.Layout([
        "name", "age", "email", "score", "tags", "active", "created", "dept",
    ])

    public var record: KeyedRecord {
        KeyedRecord(
            Self.layout,
            [
                .string(name), .integer(Int64(age)), .string(email), .double(score),
                .array(tags.map(PredicateValue.string)), .bool(active), .date(created),
                .dictionary(["name": .string(dept.name)]),
            ])
    }

    /// The header of ``csv``.
    public static let csvHeader = "name,age,email,score,active,created,dept"

    /// A row of CSV without its end: all but the tags. Nothing in these people needs quotes.
    public var csv: String {
        "\(name),\(age),\(email),\(score),\(active),\(created.formatted(.iso8601)),\(dept.name)"
    }

    /// A line of JSON without its end. Nothing in these people needs escaping.
    public var json: String {
        let tags = tags.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"name\":\"\(name)\",\"age\":\(age),\"email\":\"\(email)\",\"score\":\(score),\"tags\":[\(tags)],"
            + "\"active\":\(active),\"created\":\"\(created.formatted(.iso8601))\",\"dept\":{\"name\":\"\(dept.name)\"}}"
    }
}

extension PersonObject {
    /// People as objects; those of one department share its object.
    public static func objects(_ people: [Person]) -> [PersonObject] {
        var departments: [String: DepartmentObject] = [:]
        return people.map { person in
            let dept = departments[person.dept.name] ?? DepartmentObject(name: person.dept.name)
            departments[person.dept.name] = dept
            return PersonObject(person, dept)
        }
    }
}
