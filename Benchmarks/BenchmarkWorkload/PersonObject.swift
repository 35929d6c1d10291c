public import Foundation
public import PredicateEvaluation

/// The same person as an object of a final class.
public final class PersonObject: Sendable {
    public let name: String
    public let age: Int
    public let email: String
    public let score: Double
    public let tags: [String]
    public let active: Bool
    public let created: Date
    public let dept: DepartmentObject

    public init(_ person: Person, _ dept: DepartmentObject) {
        self.name = person.name
        self.age = person.age
        self.email = person.email
        self.score = person.score
        self.tags = person.tags
        self.active = person.active
        self.created = person.created
        self.dept = dept
    }
}

/// A department as an object.
public final class DepartmentObject: Sendable {
    public let name: String

    public init(name: String) {
        self.name = name
    }
}

extension PersonObject: KeyPathCoding {
    public static let keys: KeyPathTable<PersonObject> = [
        "name": .key(\.name), "age": .key(\.age), "email": .key(\.email), "score": .key(\.score),
        "tags": .key(\.tags), "active": .key(\.active), "created": .key(\.created), "dept": .key(\.dept),
    ]
}

extension DepartmentObject: KeyPathCoding {
    public static let keys: KeyPathTable<DepartmentObject> = ["name": .key(\.name)]
}
