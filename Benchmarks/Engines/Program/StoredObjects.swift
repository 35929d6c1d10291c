import CPredicateSQLite
import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

/// The rows of the SQLite file as objects, for the counts of the evaluator.
final class StoredObjects {
    private let file: SQLiteFile
    private lazy var shop = Result { try Shop(file) }

    init(_ file: SQLiteFile) {
        self.file = file
    }

    /// The number of objects for which the predicate is true; an error of an object is not.
    func count(_ entity: String, _ predicate: FormatPredicate) throws -> Int {
        let shop = try self.shop.get()
        let evaluator = try PredicateEvaluator(predicate)
        switch entity {
        case "users": return shop.users.count { (try? evaluator.evaluate(with: $0)) == true }
        case "orders": return shop.orders.count { (try? evaluator.evaluate(with: $0)) == true }
        case "depts": return shop.depts.count { (try? evaluator.evaluate(with: $0)) == true }
        default: throw RequestError(entity)
        }
    }
}

/// All objects, with their relationships.
private struct Shop {
    let depts: [Dept]
    let users: [User]
    let orders: [Order]

    init(_ file: SQLiteFile) throws {
        var (depts, users, orders): ([Dept], [User], [Order]) = ([], [], [])
        try file.rows(of: Self.columnsOfDepts) { depts.append(Dept(Row($0))) }
        try file.rows(of: Self.columnsOfUsers) { users.append(User(Row($0), depts)) }
        try file.rows(of: Self.columnsOfOrders) { orders.append(Order(Row($0), users)) }
        (self.depts, self.users, self.orders) = (depts, users, orders)
    }

    private static let columnsOfDepts = SQLFragment(verbatim: "SELECT name, city, budget FROM depts ORDER BY id")
    private static let columnsOfUsers = SQLFragment(
        verbatim: """
            SELECT name, email, age, unixepoch(created), balance, score, active, dept_id FROM users ORDER BY id
            """)
    private static let columnsOfOrders = SQLFragment(
        verbatim: "SELECT user_id, total, qty, status, unixepoch(placed) FROM orders ORDER BY id")
}

/// A row of a statement, read from left to right.
private final class Row {
    private let statement: OpaquePointer
    private var place: Int32 = -1

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    /// Moves to the next column; returns false if it is NULL.
    private func advance() -> Bool {
        place += 1
        return sqlite3_column_type(statement, place) != SQLITE_NULL
    }

    var integer: Int? { advance() ? Int(sqlite3_column_int64(statement, place)) : nil }
    var double: Double? { advance() ? sqlite3_column_double(statement, place) : nil }
    var text: String? { advance() ? sqlite3_column_text(statement, place).map { String(cString: $0) } : nil }
    /// A number of two digits after the point.
    var decimal: Decimal? { double.map { Decimal(Int(($0 * 100).rounded())) / 100 } }
    var date: Date? { integer.map { Date(timeIntervalSince1970: Double($0)) } }
}

/// An object that equals itself only.
private protocol Identified: AnyObject, Hashable {}

extension Identified {
    static func == (left: Self, right: Self) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Dept: Identified, KeyPathCoding {
    let name: String?
    let city: String?
    let budget: Decimal?
    /// A set, as Core Data's relationships are: the values of its elements have no nil.
    var users: Set<User> = []

    init(_ row: Row) {
        (name, city, budget) = (row.text, row.text, row.decimal)
    }

    static let keys: KeyPathTable<Dept> = [
        "name": .key(\.name), "city": .key(\.city), "budget": .key(\.budget), "users": .key(\.users),
    ]
}

private final class User: Identified, KeyPathCoding {
    let name: String?
    let email: String?
    let age: Int?
    let created: Date?
    let balance: Decimal?
    let score: Double?
    let active: Bool
    let dept: Dept?
    var orders: Set<Order> = []

    init(_ row: Row, _ depts: [Dept]) {
        (name, email, age, created) = (row.text, row.text, row.integer, row.date)
        (balance, score, active) = (row.decimal, row.double, row.integer == 1)
        dept = row.integer.map { depts[$0 - 1] }
        dept?.users.insert(self)
    }

    static let keys: KeyPathTable<User> = [
        "name": .key(\.name), "email": .key(\.email), "age": .key(\.age), "created": .key(\.created),
        "balance": .key(\.balance), "score": .key(\.score), "active": .key(\.active), "dept": .key(\.dept),
        "orders": .key(\.orders),
    ]
}

private final class Order: Identified, KeyPathCoding {
    let user: User?
    let total: Decimal?
    let qty: Int?
    let status: String?
    let placed: Date?

    init(_ row: Row, _ users: [User]) {
        user = row.integer.map { users[$0 - 1] }
        (total, qty, status, placed) = (row.decimal, row.integer, row.text, row.date)
        user?.orders.insert(self)
    }

    static let keys: KeyPathTable<Order> = [
        "user": .key(\.user), "total": .key(\.total), "qty": .key(\.qty), "status": .key(\.status),
        "placed": .key(\.placed),
    ]
}
