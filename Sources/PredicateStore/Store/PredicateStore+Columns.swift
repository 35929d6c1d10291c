public import PredicateEvaluation
import PredicateSyntax

extension PredicateStore {
    /// The attributes of the objects that a request selects, as a column table, for many queries in memory.
    ///
    /// ```swift
    /// let people = try store.columns(FetchRequest("Person"))
    /// try people.count(matching: FormatPredicate("age > 21 AND name BEGINSWITH 'J'"))
    /// ```
    ///
    /// A row has the values that the object has for its attributes, and no relationships. The table is a snapshot: later
    /// writes to the file do not change it.
    ///
    /// Throws what ``fetch(_:)`` and reading its objects throw.
    public func columns(_ request: FetchRequest) throws(StoreError) -> ColumnTable {
        let records = StoredRecords(try fetch(request))
        let table = ColumnTable(records, layout: records.layout)
        if let error = records.error { throw error }
        return table
    }
}

/// The objects of a request as records of their attributes, up to the first error.
private final class StoredRecords: Sequence, IteratorProtocol {
    let layout: KeyedRecord.Layout
    private let objects: StoredObjects
    private(set) var error: StoreError?

    init(_ objects: StoredObjects) {
        self.objects = objects
        layout = KeyedRecord.Layout(objects.attributes)
    }

    func next() -> KeyedRecord? {
        guard error == nil else { return nil }
        do throws(StoreError) {
            return try objects.nextValues().map { KeyedRecord(layout, $0) }
        } catch {
            self.error = error
            return nil
        }
    }
}
