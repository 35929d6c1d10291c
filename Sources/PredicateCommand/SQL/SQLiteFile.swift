import PredicateStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that are SQLite databases.
enum SQLiteFile {
    /// Whether a file is one, by its first bytes. A pipe is not asked, since what is read of it is gone.
    static func isOne(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SQLiteHeader.count)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 && SQLiteHeader.begins(bytes.prefix(count))
    }

    static func open(_ path: String) throws(CommandFailure) -> SQLiteConnection {
        do throws(StoreError) {
            return try SQLiteConnection(path)
        } catch {
            throw .store(error, path)
        }
    }

    /// The tables of a file as entities, and what of it is no entity.
    static func introspect(_ connection: SQLiteConnection) throws(CommandFailure) -> IntrospectedSchema {
        do throws(StoreError) {
            return try connection.introspect()
        } catch {
            throw .store(error, connection.path)
        }
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, flags)
        #elseif canImport(Musl)
            Musl.open(path, flags)
        #else
            Darwin.open(path, flags)
        #endif
    }
}

extension IntrospectedSchema.Omission {
    /// What was left out, and why.
    var reason: String {
        switch self {
        case .view(let name): "view '\(name)': its rows have no key of their own"
        case .virtualTable(let name): "virtual table '\(name)': an extension makes it up"
        case .compositeKey(let table): "table '\(table)': only several columns together tell its rows apart"
        case .foreignKey(let table, let columns, let target):
            "foreign key \(table)(\(columns.joined(separator: ", "))) to '\(target)': it does not lead to a primary key"
        }
    }

    /// The table or view; nil where it is a part of one.
    var tableName: String? {
        switch self {
        case .view(let name), .virtualTable(let name), .compositeKey(let name): name
        case .foreignKey: nil
        }
    }
}
