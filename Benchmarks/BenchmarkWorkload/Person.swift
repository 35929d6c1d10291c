public import Foundation
public import PredicateEvaluation

/// The subject of the benchmarks: a struct of 88 bytes with four counted references.
public struct Person: Sendable {
    public var name: String
    public var age: Int
    public var email: String
    public var score: Double
    public var tags: [String]
    public var active: Bool
    public var created: Date
    public var dept: Department

    public init(
        name: String, age: Int, email: String, score: Double, tags: [String], active: Bool, created: Date,
        dept: Department
    ) {
        self.name = name
        self.age = age
        self.email = email
        self.score = score
        self.tags = tags
        self.active = active
        self.created = created
        self.dept = dept
    }
}

/// The destination of `dept`.
public struct Department: Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

extension Person: KeyPathCoding {
    public static let keys: KeyPathTable<Person> = [
        "name": .key(\.name), "age": .key(\.age), "email": .key(\.email), "score": .key(\.score),
        "tags": .key(\.tags), "active": .key(\.active), "created": .key(\.created), "dept": .key(\.dept),
    ]
}

extension Department: KeyPathCoding {
    public static let keys: KeyPathTable<Department> = ["name": .key(\.name)]
}

/// A person as an object of a final class.
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
