import PredicateSQL
public import PredicateSyntax

/// Indexes for comparisons that ignore case and diacritics.
extension PredicateStore {
    /// Creates an index of an attribute as `[c]`, `[d]` or `[cd]` folds it, unless there is one.
    ///
    /// ```swift
    /// try store.createIndex(on: "Person", "name", folding: [.caseInsensitive, .diacriticInsensitive])
    /// try store.objects("Person", where: FormatPredicate("name ==[cd] 'zoe'"))
    /// // CREATE INDEX "predicates2_fold_cd(person.name)" ON "person" (predicates2_fold_cd("name"))
    /// ```
    ///
    /// It serves equality, IN, order and sort keys with these options, and BEGINSWITH and LIKE where they begin with literal
    /// text. ``schema`` tells of it, and so does that of every store that is made for the file later.
    ///
    /// The number in its name and in that of its function is the version of the fold, so that no index of another version is
    /// ever read: ``dropOutdatedIndexes()`` removes those. SQLite calls the function whenever a row is written: once there is
    /// such an index, **connections without this package cannot write to the table** (`no such function`); they can read it.
    ///
    /// Throws a ``StoreError``: `expectedFold` for other options, `expectedTextAttribute` for an attribute that holds no
    /// texts.
    public func createIndex(
        on entity: String, _ key: String, folding options: ComparisonOptions
    ) throws(StoreError) {
        let index = try FoldIndex(entity, key, options, core)
        try change(
            "CREATE INDEX IF NOT EXISTS \(index.name.quotedName) ON \(index.table.quotedName) "
                + "(\(index.function.name)(\(index.column.quotedName)))")
    }

    /// Drops the index that ``createIndex(on:_:folding:)`` creates, if there is one.
    ///
    /// `try store.dropIndex(on: "Person", "name", folding: .caseInsensitive)`
    ///
    /// Throws a ``StoreError`` as that does.
    public func dropIndex(on entity: String, _ key: String, folding options: ComparisonOptions) throws(StoreError) {
        let index = try FoldIndex(entity, key, options, core)
        try change("DROP INDEX IF EXISTS \(index.name.quotedName)")
    }

    /// Drops the indexes that ``createIndex(on:_:folding:)`` of another version of this package created, and returns their
    /// names. Their functions are missing, so that their tables cannot be written before.
    ///
    /// Throws a ``StoreError``.
    @discardableResult
    public func dropOutdatedIndexes() throws(StoreError) -> [String] {
        let sql =
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name GLOB 'predicates*_fold_*(*)' ORDER BY name"
        let names = try connection.rows(of: SQLFragment(sql)).all().compactMap { $0.text(0) }
        let outdated = names.filter(FoldIndex.isOutdated)
        if !outdated.isEmpty { try change(outdated.map { "DROP INDEX \($0.quotedName);" }.joined(separator: " ")) }
        return outdated
    }

    /// Runs statements that change indexes, all of them or none, and looks at the indexes anew.
    private func change(_ statements: String) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            try core.explaining { () throws(StoreError) in try connection.execute(statements) }
        }
        try core.readIndexes()
    }
}

/// An index of a folded attribute.
private struct FoldIndex {
    let table: String
    let column: String
    let function: SQLFunction

    /// Throws for an entity, a key or options that can have none.
    init(
        _ entity: String, _ key: String, _ options: ComparisonOptions, _ core: StoreCore
    ) throws(StoreError) {
        let entity = try core.layout(entity).entity
        guard let attribute = entity.attributes.first(where: { $0.key.hasSameCodePoints(as: key) })?.value else {
            let code = core.schema.missingKey(key, of: entity)
            throw StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
        }
        guard attribute.type == .string else { throw StoreError(.expectedTextAttribute(key, entity: entity.name)) }
        guard let function = SQLFunction(folding: options) else { throw StoreError(.expectedFold) }
        (table, column, self.function) = (entity.table, attribute.column ?? key, function)
    }

    /// `predicates2_fold_cd(person.name)`; a dot that is part of a name is written `%2E`, so that two indexes never share one.
    var name: String { "\(function.name)(\(Self.escaped(table)).\(Self.escaped(column)))" }

    private static func escaped(_ name: String) -> String {
        name.replacing("%", with: "%25").replacing(".", with: "%2E")
    }

    /// True for a name with the number of another version.
    static func isOutdated(_ name: String) -> Bool {
        let digits = name.dropFirst("predicates".count).prefix { $0.isNumber }
        guard !digits.isEmpty else { return false }
        return !ComparisonOptions.foldModes.contains { fold in
            SQLFunction(folding: fold).map { name.hasPrefix($0.name + "(") } ?? false
        }
    }
}
