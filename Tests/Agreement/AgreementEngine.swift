import PredicateSQL
import PredicateStore

/// A database engine that worlds are loaded into and statements are put to.
package protocol AgreementEngine: AnyObject {
    /// `sqlite`
    var name: String { get }
    var dialect: any SQLDialect { get }
    /// The values that its columns hold.
    var traits: EngineTraits { get }
    /// The number of attempts in which a difference is made small.
    var patience: Int { get }

    /// A database with the tables and rows of a world.
    func database(of world: AgreementWorld) throws -> any AgreementDatabase
}

/// A database with the tables and rows of a world.
package protocol AgreementDatabase: AnyObject {
    /// The first column of the rows of each statement. A statement that ends in an error does not disturb the others.
    func keys(selectedBy statements: [AgreementStatement]) -> [Result<[SQLBinding], AgreementError>]

    /// What statements that change rows do, each for itself: it is undone before the next.
    func outcomes(of changes: [AgreementChange]) -> [Result<AgreementChange.Outcome, AgreementError>]
}

/// A statement that changes rows, and one that selects some afterwards.
package struct AgreementChange: Sendable {
    package let statement: AgreementStatement
    package let then: AgreementStatement

    package init(_ statement: AgreementStatement, then: AgreementStatement) {
        self.statement = statement
        self.then = then
    }

    package struct Outcome {
        /// The number of rows, as the client reports it.
        package let count: Int
        /// The keys that the statement returns; none of one that returns nothing.
        package let keys: [SQLBinding]
        /// The first column of the rows that are selected afterwards.
        package let rest: [SQLBinding]

        package init(count: Int, keys: [SQLBinding], rest: [SQLBinding]) {
            (self.count, self.keys, self.rest) = (count, keys, rest)
        }
    }
}

/// A statement that a database is asked.
package struct AgreementStatement: Sendable {
    package let fragment: SQLFragment
    /// The statements that install the functions it calls.
    package let prelude: [String]

    package init(_ fragment: SQLFragment, prelude: [String] = []) {
        self.fragment = fragment
        self.prelude = prelude
    }
}

/// An error in which a statement ends.
package struct AgreementError: Error, CustomStringConvertible {
    package let description: String
    /// True if the values of a row may be the reason: a sum that overflows, an invalid pattern.
    package let isOfARow: Bool

    package init(_ description: String, isOfARow: Bool = false) {
        self.description = description
        self.isOfARow = isOfARow
    }
}

/// SQLite in this process: every world has a file of its own.
package final class SQLiteEngine: AgreementEngine {
    package let name = "sqlite"
    package let dialect: any SQLDialect = SQLiteDialect()
    package let traits = EngineTraits.sqlite
    package let patience = 3000

    package init() {}

    package func database(of world: AgreementWorld) throws -> any AgreementDatabase {
        try WorldFile(world)
    }
}
