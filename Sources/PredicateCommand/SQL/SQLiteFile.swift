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

extension IntrospectedSchema.Omission {
    /// The omitted part, and the reason.
    var reason: String {
        switch self {
        case .view(let name): "view '\(name)': its rows have no key"
        case .virtualTable(let name): "virtual table '\(name)': an extension provides it"
        case .compositeKey(let table): "table '\(table)': its primary key has several columns"
        case .foreignKey(let table, let columns, let target):
            "foreign key \(table)(\(columns.joined(separator: ", "))) to '\(target)': it does not lead to a primary key"
        }
    }

    /// The table or view; nil for a part of a table.
    var tableName: String? {
        switch self {
        case .view(let name), .virtualTable(let name), .compositeKey(let name): name
        case .foreignKey: nil
        }
    }
}
