internal import PredicateSQL
public import PredicateSyntax

/// Indexes for comparisons that ignore case or diacritics.
extension ObjectStore {
    /// Creates an index of an attribute folded as by `[c]`, `[d]` or `[cd]`, unless the index exists.
    ///
    /// ```swift
    /// try store.createIndex(on: "Person", "name", folding: [.caseInsensitive, .diacriticInsensitive])
    /// try store.fetchAll("Person", where: FormatPredicate("name ==[cd] 'zoe'"))
    /// // CREATE INDEX "predicates2_fold_cd(person.name)" ON "person" (predicates2_fold_cd("name"))
    /// ```
    ///
    /// The index serves equality, IN, comparisons and sort keys with these options, and BEGINSWITH and LIKE with a
    /// literal prefix. ``schema`` lists it, and so do the schemas of all stores that are opened for the file later.
    ///
    /// The name of the index and of its function contains the version of the fold, so an index of another version is never
    /// used; ``dropOutdatedIndexes()`` removes it. SQLite calls the function whenever a row is written. With such an index,
    /// **connections without this package cannot write to the table** (`no such function`), but they can read it.
    ///
    /// Throws a ``StoreError``: `unsupportedFolding` for other options, `notAStringAttribute` for an attribute that
    /// is not a string.
    public func createIndex(
        on entity: String, _ key: String, folding options: ComparisonOptions
    ) throws(StoreError) {
        let index = try FoldIndex(entity, key, options, core)
        let term: SQLText = "\(index.function)(\(name: index.column))"
        try change(["CREATE INDEX IF NOT EXISTS \(name: index.name) ON \(name: index.table) (\(term))"])
    }

    /// Creates the indexes that serve the conditions of a predicate, unless they exist, and returns their names.
    ///
    /// ```swift
    /// try store.createIndexes(for: FormatPredicate("age > 30 AND name BEGINSWITH[cd] 'jo'"), on: "Person")
    /// // CREATE INDEX "index(person.age)" ON "person" ("age")
    /// // CREATE INDEX "predicates2_fold_cd(person.name)" ON "person" (predicates2_fold_cd("name"))
    /// ```
    ///
    /// These are the indexes that ``/PredicateSQL/SQLCompiler/indexes(for:entity:variables:)`` returns. The restrictions
    /// described at ``createIndex(on:_:folding:)`` apply. [NSP-440]
    ///
    /// Throws a ``StoreError``.
    @discardableResult
    public func createIndexes(
        for predicate: FormatPredicate, on entity: String, variables: PredicateVariables = .init()
    ) throws(StoreError) -> [String] {
        let indexes = try compiling { () throws(SQLCompilationError) in
            try core.compiler.indexes(for: predicate, entity: entity, variables: variables)
        }
        if !indexes.isEmpty { try change(indexes.map { "\(verbatim: $0.statement)" }) }
        return indexes.map(\.name)
    }

    /// Drops the index that ``createIndex(on:_:folding:)`` creates, if it exists.
    ///
    /// `try store.dropIndex(on: "Person", "name", folding: .caseInsensitive)`
    ///
    /// Throws a ``StoreError`` as ``createIndex(on:_:folding:)`` does.
    public func dropIndex(on entity: String, _ key: String, folding options: ComparisonOptions) throws(StoreError) {
        let index = try FoldIndex(entity, key, options, core)
        try change(["DROP INDEX IF EXISTS \(name: index.name)"])
    }

    /// Drops the indexes that ``createIndex(on:_:folding:)`` created in other versions of this package, and returns
    /// their names. Until then their tables cannot be written, because the functions no longer exist.
    ///
    /// Throws a ``StoreError``.
    @discardableResult
    public func dropOutdatedIndexes() throws(StoreError) -> [String] {
        let sql: SQLText =
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB 'predicates*_fold_*(*)' ORDER BY name"
        let names = try connection.rows(of: SQLFragment(sql)).all().compactMap { $0.text(0) }
        let outdated = names.filter(FoldIndex.isOutdated)
        if !outdated.isEmpty { try change(outdated.map { "DROP INDEX \(name: $0)" }) }
        return outdated
    }

    /// Runs statements that change indexes, all of them or none, and reads the file's indexes again.
    private func change(_ statements: [SQLText]) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            try core.explaining { () throws(StoreError) in
                for statement in statements { try connection.execute(statement) }
            }
        }
        try core.readIndexes()
    }
}

private struct FoldIndex {
    let table: String
    let column: String
    let function: SQLFunction

    /// Throws for an unknown entity or key, and for an attribute or options that cannot be indexed.
    init(
        _ entity: String, _ key: String, _ options: ComparisonOptions, _ core: StoreCore
    ) throws(StoreError) {
        let entity = try core.layout(entity).entity
        guard let attribute = entity.attributes.first(where: { $0.key.hasSameCodePoints(as: key) })?.value else {
            let code = core.schema.missingKey(key, of: entity)
            throw StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
        }
        guard attribute.type == .string else { throw StoreError(.notAStringAttribute(key, entity: entity.name)) }
        guard let function = SQLFunction(folding: options) else { throw StoreError(.unsupportedFolding) }
        (table, column, self.function) = (entity.table, attribute.column ?? key, function)
    }

    /// `predicates2_fold_cd(person.name)`
    var name: String { SQLIndex.name(of: function.name, table: table, column: column) }

    /// True if the name contains another version of the fold.
    static func isOutdated(_ name: String) -> Bool {
        let digits = name.dropFirst("predicates".count).prefix { $0.isNumber }
        guard !digits.isEmpty else { return false }
        return !ComparisonOptions.foldModes.contains { fold in
            SQLFunction(folding: fold).map { name.hasPrefix($0.name + "(") } ?? false
        }
    }
}

/// Finds the indexes of a file on columns folded as by `[c]`, `[d]` or `[cd]`.
///
/// `CREATE INDEX i ON person (predicates2_fold_cd(name))`
struct FoldIndexReader {
    let connection: StoreConnection

    /// The schema with the folds for which the file has an index.
    func schema(_ schema: SQLSchema) throws(StoreError) -> SQLSchema {
        let indexes = try indexes()
        var indexed = schema
        for (name, entity) in schema.entities { indexed[name] = entity.indexed(by: indexes, self) }
        return indexed
    }

    /// An index whose SQL contains a fold function of the current version.
    struct FoldedIndex {
        let name: String
        let table: String
    }

    private func indexes() throws(StoreError) -> [FoldedIndex] {
        let functions = SQLFunction.foldCase.name.dropLast()
        let sql: SQLText = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND instr(lower(sql), ?1) > 0"
        return try connection.rows(of: SQLFragment(sql, bindings: [.text(String(functions))])).all().compactMap { row in
            guard let name = row.text(0), let table = row.text(1) else { return nil }
            return FoldedIndex(name: name, table: table)
        }
    }

    /// True if SQLite searches the folded column by the index. The index may have been created by another program, but must
    /// start with the folded column and cover all rows; otherwise SQLite rejects the statement or scans the index.
    fileprivate func serves(_ index: FoldedIndex, _ column: String, _ function: SQLFunction) -> Bool {
        let sql: SQLText = """
            EXPLAIN QUERY PLAN SELECT 1 FROM \(name: index.table) INDEXED BY \(name: index.name) \
            WHERE \(function)(\(name: index.table).\(name: column)) = ?1
            """
        let plan = try? connection.rows(of: SQLFragment(sql, bindings: [.text("")])).all().compactMap { $0.text(3) }
        return plan?.contains { $0.hasPrefix("SEARCH") && $0.contains("(<expr>=?") } ?? false
    }
}

extension SQLEntity {
    fileprivate func indexed(by indexes: [FoldIndexReader.FoldedIndex], _ reader: FoldIndexReader) -> SQLEntity {
        let indexes = indexes.filter { $0.table.lowercased() == table.lowercased() }
        var entity = self
        for (key, attribute) in attributes where attribute.type == .string {
            let folds = ComparisonOptions.foldModes.filter { fold in
                guard let function = SQLFunction(folding: fold) else { return false }
                return indexes.contains { reader.serves($0, attribute.column ?? key, function) }
            }
            entity.attributes[key]?.indexedFolds = Set(folds)
        }
        return entity
    }
}
