import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax

// Updates all rows of two tables repeatedly, each time in one transaction, until it is killed by the test that started
// it. Each number on standard output has been committed.

/// Sets every value to the number of the round, in one transaction.
func change(_ store: PredicateStore, round: Int) throws {
    let all = try FormatPredicate("TRUEPREDICATE")
    try store.connection.transaction { () throws(StoreError) in
        try store.update("first", ["value": round], where: all)
        try store.update("second", ["value": round], where: all)
    }
}

guard CommandLine.arguments.count == 2 else { exit(2) }
let store = try PredicateStore(SQLiteConnection(CommandLine.arguments[1], SQLiteOptions(.readWrite)))
for round in 1...1_000 {
    try change(store, round: round)
    FileHandle.standardOutput.write(Data("\(round)\n".utf8))
}
