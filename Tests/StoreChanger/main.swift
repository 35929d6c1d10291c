import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

// With a file: updates all rows of two tables repeatedly, each time in one transaction, until it is killed by the test that
// started it. Each number on standard output has been committed.
//
// With `stream` or `all` and a file: reads all objects of the entity `number`, one at a time or at once. Standard output has
// their number, and the kilobytes by which the most memory that was ever in use grew after the first thousand.
//
// With `migrate`, a store, a new file, a model and a step: migrates the store, and is killed by itself as this step begins.

// With `limited`, a word, a store and a new file: copies, creates or migrates while files cannot grow.

// With `xml`, an XML store and a word that is ignored: sets the words of all tags repeatedly, as above.

/// Sets every value to the number of the round, in one transaction.
func change(_ store: ObjectStore, round: Int) throws {
    let all = try FormatPredicate("TRUEPREDICATE")
    try store.connection.transaction { () throws(StoreError) in
        try store.update("first", ["value": round], where: all)
        try store.update("second", ["value": round], where: all)
    }
}

/// The most memory that was ever in use, in kilobytes.
func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}

/// Reads all objects and reports.
func read(_ store: ObjectStore, atOnce: Bool) async throws {
    var (count, start) = (0, try peak())
    if atOnce {
        for object in try store.fetchAll("number") { count += object["filler"] == nil ? 0 : 1 }
    } else {
        for try await object in store.stream(PredicateFetchRequest("number")) {
            count += object["filler"] == nil ? 0 : 1
            if count == 1_000 { start = try peak() }
        }
    }
    print(count, try peak() - start)
}

/// Migrates a store, up to the step with a name.
func migrate(_ store: String, _ new: String, _ model: String, killedAt name: String) throws {
    let migration = try StoreMigration(of: store, to: ManagedObjectModel(path: model))
    try migration.run(into: new) { step in
        if "\(step)".hasPrefix(name) { kill(getpid(), SIGKILL) }
    }
}

/// Makes a new store while no file can grow beyond 8 KiB, and exits with 3 if that fails.
func writeLimited(_ word: String, _ store: String, _ new: String) -> Never {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 8 << 10, rlim_max: 8 << 10)
    #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
        setrlimit(RLIMIT_FSIZE, &limit)
    #endif
    do {
        let model = try CoreDataStore(store).model
        switch word {
        case "copy": _ = try CoreDataStore.copy(store, to: new)
        case "create": _ = try CoreDataStore.create(new, model: model)
        default: try StoreMigration(of: store, to: model).run(into: new)
        }
        exit(0)
    } catch {
        exit(3)
    }
}

if CommandLine.arguments.count == 6, CommandLine.arguments[1] == "migrate" {
    let words = CommandLine.arguments
    try migrate(words[2], words[3], words[4], killedAt: words[5])
    exit(0)
}
if CommandLine.arguments.count == 5, CommandLine.arguments[1] == "limited" {
    writeLimited(CommandLine.arguments[2], CommandLine.arguments[3], CommandLine.arguments[4])
}
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "xml" {
    let store = try CoreDataStore(changing: CommandLine.arguments[2])
    for round in 1...1_000 {
        try store.update("Tag", ["word": "\(round)"], where: FormatPredicate("TRUEPREDICATE"))
        FileHandle.standardOutput.write(Data("\(round)\n".utf8))
    }
    exit(0)
}
if CommandLine.arguments.count == 3 {
    let store = try ObjectStore(StoreConnection(CommandLine.arguments[2]))
    try await read(store, atOnce: CommandLine.arguments[1] == "all")
    exit(0)
}
guard CommandLine.arguments.count == 2 else { exit(2) }
let store = try ObjectStore(StoreConnection(CommandLine.arguments[1], SQLiteOptions(.readWrite)))
for round in 1...1_000 {
    try change(store, round: round)
    FileHandle.standardOutput.write(Data("\(round)\n".utf8))
}
