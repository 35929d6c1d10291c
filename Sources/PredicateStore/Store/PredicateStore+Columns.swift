public import PredicateEvaluation
import PredicateSyntax

extension PredicateStore {
    /// The attributes of the objects that a request selects, by column, for many queries in memory.
    ///
    /// ```swift
    /// let people = try store.columns(FetchRequest("Person"))
    /// try people.count(matching: FormatPredicate("age > 21 AND name BEGINSWITH 'J'"))
    /// ```
    ///
    /// A row answers the attributes as the object does. Relationships lead to objects, which are no data: rows have no
    /// such keys. What is written to the file later changes nothing in the table.
    ///
    /// Throws what ``fetch(_:)`` and reading its objects throw.
    public func columns(_ request: FetchRequest) throws(StoreError) -> ColumnTable {
        let records = StoredRecords(try fetch(request))
        let table = ColumnTable(records, layout: records.layout)
        if let error = records.error { throw error }
        return table
    }
}

/// The objects of a request as records of their attributes, up to the first that cannot be read.
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
