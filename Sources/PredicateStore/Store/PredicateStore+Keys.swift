package import PredicateSQL
package import PredicateSyntax

/// Objects by their integer keys: a list of keys takes a fraction of the memory that objects take.
extension PredicateStore {
    /// The primary keys of the objects that a request selects, in ascending order. No object is kept.
    ///
    /// Throws what ``fetch(_:)`` throws. Objects whose key is no integer are left out.
    package func integerKeys(_ request: FetchRequest) throws(StoreError) -> [Int64] {
        var request = request
        request.keys = []
        let objects = try fetch(request)
        var keys: [Int64] = []
        while let object = try objects.next() {
            if case .integer(let key) = object.key { keys.append(key) }
        }
        return keys.sorted()
    }

    /// The object with an identity, whose row is read on first access; nil for an unknown entity.
    package func object(_ id: SQLObjectID) -> StoredObject? { StoredObject(core, id) }

    /// The objects with some keys, read together, in the order of the keys; one that is not there is left out.
    package func objects(_ entity: String, keys: ArraySlice<Int64>) throws(StoreError) -> [StoredObject] {
        let layout = try core.layout(entity)
        var found: [SQLBinding: StoredObject] = [:]
        try layout.statements.byKey.read(for: keys.map(SQLBinding.integer), on: core) { statement in
            let object = StoredObject(core, layout, statement)
            found[object.key] = object
        }
        return keys.compactMap { found[.integer($0)] }
    }
}
