import PredicateSQL

extension PredicateStore {
    /// Runs changes in a transaction: all of them or, after an error, none.
    ///
    /// ```swift
    /// try store.transaction { () throws(StoreError) in
    ///     let list = try store.insert("List", ["name": "Home"])
    ///     try store.update("Task", ["list": list], where: isLost)
    /// }
    /// ```
    ///
    /// The same as ``SQLiteConnection/transaction(_:)``: a nested transaction can fail alone, and other tasks that use this
    /// store wait for the end.
    public func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try connection.transaction(body)
    }

    /// Runs fetches that all see one state of the file, that of the first.
    ///
    /// ```swift
    /// let (count, tasks) = try store.snapshot { () throws(StoreError) in
    ///     (try store.count(request), try store.fetch(request).all())
    /// }
    /// ```
    ///
    /// In a file with a write-ahead log (``SQLiteOptions/Journal/wal``) others write meanwhile; without one they wait. Inside
    /// a transaction it is that transaction.
    public func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try connection.snapshot(body)
    }

    /// A store that reads the same file by a connection of its own: for fetches beside others and beside a writer.
    ///
    /// ```swift
    /// let store = try PredicateStore(SQLiteConnection("todo.sqlite", SQLiteOptions(.readWrite, journal: .wal)))
    /// let reader = try store.reader()
    /// ```
    ///
    /// A connection runs one statement at a time, so that each of several tasks wants a reader. With a write-ahead log
    /// readers and the one writer never wait for one another, and a fetch sees the state of the file at its beginning until
    /// its last object is read. An object of one store is an argument in predicates of the others, but differs from theirs.
    ///
    /// Throws a ``StoreError``: `noFile` for a database in memory.
    public func reader() throws(StoreError) -> PredicateStore {
        guard let file = connection.file else { throw StoreError(.noFile) }
        let reader = try SQLiteConnection(file, connection.options.reading)
        return PredicateStore(core: StoreCore(reader, sharing: core))
    }
}

extension SQLiteOptions {
    /// The options for reading only.
    fileprivate var reading: SQLiteOptions {
        var options = self
        (options.access, options.journal) = (.readOnly, nil)
        return options
    }
}
