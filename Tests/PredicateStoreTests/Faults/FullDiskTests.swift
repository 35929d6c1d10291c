import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// A full or read-only disk: a typed error, no partial change, and a usable store afterwards.
///
/// Mounts a file system where that is allowed; otherwise the page limit of SQLite takes its place. The tests that ran are
/// printed.
@Suite(.serialized) struct FullDiskTests {
    private static let script = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
        INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');
        """

    private let long = String(repeating: "x", count: 1 << 20)

    /// Expects that changes without room fail as one, and that later ones with room succeed.
    private func expectFull(_ connection: StoreConnection) throws {
        let store = try ObjectStore(connection)
        let all = try FormatPredicate("TRUEPREDICATE")
        let error = storeError {
            try connection.transaction { () throws(StoreError) in
                try store.update("t", ["name": "changed"], where: all)
                try store.update("t", ["name": long], where: all)
            }
        }
        #expect(error?.result == .full, "\(String(describing: error))")
        #expect(error?.description.isEmpty == false)
        #expect(try connection.value("SELECT group_concat(name) FROM t") == .text("a,b,c"))
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
        try store.update("t", ["name": "d"], where: all)
        #expect(try connection.value("SELECT count(*) FROM t WHERE name = 'd'") == .integer(3))
    }

    @Test(arguments: ["DELETE", "WAL"]) func pageLimit(journal: String) throws {
        let directory = try TemporaryDirectory()
        let connection = try directory.database("store.sqlite", "PRAGMA journal_mode = \(journal);" + Self.script)
        try connection.execute("PRAGMA max_page_count = 16")
        try expectFull(connection)
        print("full disk: by the bound of pages, journal \(journal)")
    }

    @Test func fullFileSystem() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("disk")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder) else {
            print("full disk: NOT by a file system, mounting one is not allowed here")
            return
        }
        defer { _ = run("umount", "-l", folder) }
        let connection = try StoreConnection(folder + "/store.sqlite", SQLiteOptions(.create))
        try connection.execute(Self.script)
        try expectFull(connection)
        print("full disk: by a file system of 256 KiB")
    }

    @Test func readOnlyFileSystem() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("disk")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder) else {
            print("read-only directory: NOT by a file system, mounting one is not allowed here")
            return
        }
        defer { _ = run("umount", "-l", folder) }
        let path = folder + "/store.sqlite"
        do {
            let connection = try StoreConnection(path, SQLiteOptions(.create))
            try connection.execute(Self.script)
        }
        #expect(run("mount", "-o", "remount,ro", folder))
        try expectReadOnly(path, new: folder + "/new.sqlite")
        print("read-only directory: by a file system")
    }

    @Test func readOnlyDirectory() throws {
        guard geteuid() != 0 else {
            print("read-only directory: NOT by rights, which do not bind the superuser")
            return
        }
        let directory = try TemporaryDirectory()
        _ = try directory.database("store.sqlite", Self.script)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path) }
        try expectReadOnly(directory.file(), new: directory.file("new.sqlite"))
        print("read-only directory: by rights")
    }

    #if os(Linux)
        @Test func pathThatCannotBeCreated() {
            let error = storeError { _ = try StoreConnection("/proc/predicates.sqlite", SQLiteOptions(.create)) }
            #expect(error?.result == .cannotOpen, "\(String(describing: error))")
        }
    #endif

    /// Expects that the file can be read, and that a change and a new file are errors.
    private func expectReadOnly(_ path: String, new: String) throws {
        #expect(try StoreConnection(path).value("SELECT count(*) FROM t") == .integer(3))
        let change = storeError {
            let store = try ObjectStore(StoreConnection(path, SQLiteOptions(.readWrite)))
            try store.update("t", ["name": "changed"], where: FormatPredicate("TRUEPREDICATE"))
        }
        let result = change?.result
        #expect(
            result == .readOnly || result == .cannotOpen || change?.code == .readOnlyConnection,
            "\(String(describing: change))")
        let creation = storeError { _ = try StoreConnection(new, SQLiteOptions(.create)) }
        #expect(creation?.result == .cannotOpen, "\(String(describing: creation))")
        #expect(try StoreConnection(path).value("SELECT group_concat(name) FROM t") == .text("a,b,c"))
    }

    /// Runs a command; returns true if it succeeded.
    private func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
