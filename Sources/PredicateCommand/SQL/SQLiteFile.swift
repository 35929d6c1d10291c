import PredicateData
import PredicateSession
import PredicateStore

/// Files that are SQLite databases.
enum SQLiteFile {
    /// Returns true if a file is one, by its header; pipes are not read.
    static func isOne(_ path: String) -> Bool {
        guard let size = FileAccess.size(of: path), let source = try? FileSource(path: path) else { return false }
        return (try? OpenedFile(source: source, size: size).isDatabase()) ?? false
    }

    static func open(_ path: String) throws(CommandFailure) -> SQLiteConnection {
        do throws(StoreError) {
            return try SQLiteConnection(path)
        } catch {
            throw .store(error, path)
        }
    }

    /// Returns the tables of a file as entities, and what was left out.
    static func introspect(_ connection: SQLiteConnection) throws(CommandFailure) -> IntrospectedSchema {
        do throws(StoreError) {
            return try connection.introspect()
        } catch {
            throw .store(error, connection.path)
        }
    }
}

extension IntrospectedSchema.LooseUUIDs {
    /// What the column is, and what to do about it.
    var words: String {
        "column '\(column)' of '\(table)' is declared as UUIDs, but has texts such as '\(example)': compared as strings; "
            + "texts of UUIDs are all in upper case or all in lower case, with hyphens"
    }
}

extension IntrospectedSchema.Omission {
    /// The omitted part, and the reason.
    var reason: String {
        switch self {
        case .view(let name, let problem): "view '\(name)': \(problem)"
        case .virtualTable(let name, let problem): "virtual table '\(name)': \(problem)"
        case .compositeKey(let table): "table '\(table)': its primary key has several columns"
        case .foreignKey(let table, let columns, let target):
            "foreign key \(table)(\(columns.joined(separator: ", "))) to '\(target)': it does not lead to a primary key"
        }
    }

    /// The table or view; nil for a part of a table.
    var tableName: String? {
        switch self {
        case .view(let name, _), .virtualTable(let name, _), .compositeKey(let name): name
        case .foreignKey: nil
        }
    }
}
