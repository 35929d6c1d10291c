import PredicateSQL
import PredicateStore

/// The objects that differ between two stores, read one at a time.
///
/// `while let object = try objects.next() { print(object) }`
///
/// The objects come entity by entity. Both stores stay open for reading until the cursor is deallocated. Not for
/// concurrent use.
public final class ObjectDifferenceCursor {
    private var entities: ArraySlice<ComparedEntity>
    private let old: CoreDataStore
    private let new: CoreDataStore
    private let matches: ObjectMatches
    private let allowsMissingData: Bool
    private var current: EntityDifferences?
    /// Statements that keep both stores as they were when the cursor was made.
    private var snapshots: [RowCursor]

    init(_ comparison: StoreComparison, _ old: CoreDataStore, _ new: CoreDataStore) throws(CoreDataError) {
        (entities, self.old, self.new) = (comparison.entities[...], old, new)
        allowsMissingData = comparison.options.allowsMissingData
        snapshots = try storing { () throws(StoreError) in
            let query: SQLText = "SELECT name FROM sqlite_schema"
            return [try RowCursor(old.connection, query), try RowCursor(new.connection, query)]
        }
        matches = try ObjectMatches(comparison.matched, old, new)
    }

    /// Ends the statements first, because a table cannot be dropped while they read it.
    deinit {
        current = nil
        snapshots = []
    }

    /// Returns the next object that differs; nil after the last.
    ///
    /// Throws a ``CoreDataError``: `missingExternalData` for data that cannot be compared, `store`.
    public func next() throws(CoreDataError) -> ObjectDifference? {
        while true {
            if let object = try current?.next() { return object }
            guard let entity = entities.popFirst() else {
                current = nil
                return nil
            }
            current = try EntityDifferences(entity, old, new, matches, allowsMissingData: allowsMissingData)
        }
    }
}

/// The numbers of objects that differ.
package struct ObjectDifferenceCounts: Hashable, Sendable {
    /// The number of objects that only the new store has.
    package private(set) var added = 0
    /// The number of objects that only the old store has.
    package private(set) var removed = 0
    /// The number of objects whose values differ.
    package private(set) var changed = 0

    /// No objects.
    package init() {}

    /// The number of all objects that differ.
    package var total: Int { added + removed + changed }

    /// Counts an object.
    package mutating func add(_ kind: ObjectDifference.Kind) {
        switch kind {
        case .added: added += 1
        case .removed: removed += 1
        case .changed: changed += 1
        }
    }
}
