import Foundation
import PredicateModel

/// The changes of a store with persistent history, which are written at the end of the outermost transaction.
final class PendingHistory: @unchecked Sendable {
    /// One step of a change.
    enum Entry: Sendable {
        case insertion(ObjectKey)
        /// An update of an object, and the changed keys
        case update(ObjectKey, [String])
        case deletion(ObjectKey)
    }

    private let lock = NSLock()
    private var depth = 0
    private var entries: [Entry] = []

    func record(_ entry: Entry) { lock.withLock { entries.append(entry) } }

    /// Begins a transaction and returns its first position, for ``abandon(from:)``.
    func begin() -> Int {
        lock.withLock {
            depth += 1
            return entries.count
        }
    }

    /// Ends a transaction and removes the changes to write; none within another transaction.
    func end() -> [Entry] {
        lock.withLock {
            depth -= 1
            guard depth == 0 else { return [] }
            defer { entries = [] }
            return entries
        }
    }

    /// Ends a transaction that is rolled back.
    func abandon(from start: Int) {
        lock.withLock {
            depth -= 1
            entries.removeSubrange(min(start, entries.count)...)
        }
    }
}

/// The net changes of a transaction: an object is inserted, updated or deleted, never two of these.
struct HistoryChanges {
    private(set) var inserted: [ObjectKey] = []
    private(set) var updated: [(object: ObjectKey, keys: Set<String>)] = []
    private(set) var deleted: [ObjectKey] = []

    init(_ entries: [PendingHistory.Entry]) {
        var (new, gone): (Set<ObjectKey>, Set<ObjectKey>) = ([], [])
        var keys: [ObjectKey: Set<String>] = [:]
        for entry in entries {
            switch entry {
            case .insertion(let object): if new.insert(object).inserted { inserted.append(object) }
            case .update(let object, let changed): keys[object, default: []].formUnion(changed)
            case .deletion(let object): if gone.insert(object).inserted { deleted.append(object) }
            }
        }
        inserted.removeAll(where: gone.contains)
        deleted.removeAll(where: new.contains)
        updated = keys.filter { !new.contains($0.key) && !gone.contains($0.key) }
            .sorted { ($0.key.entity, $0.key.key) < ($1.key.entity, $1.key.key) }.map { ($0.key, $0.value) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ObjectWriter {
    /// Records a change for the history of the store, if it has one.
    func recordHistory(_ entry: PendingHistory.Entry) { store.pendingHistory?.record(entry) }

    /// Records what setting a relationship changes: the object, the objects that leave and join the relationship, and
    /// those from which joining objects are taken.
    func recordHistory(
        of object: ObjectKey, _ relationship: RelationshipDescription, _ targets: [ObjectKey]
    ) throws(CoreDataError) {
        guard store.pendingHistory != nil else { return }
        let old = try related(object, relationship)
        let (before, after) = (Set(old), Set(targets))
        let joining = targets.filter { !before.contains($0) }
        let leaving = old.filter { !after.contains($0) }
        guard !joining.isEmpty || !leaving.isEmpty || (relationship.isOrdered && targets.count > 1) else { return }
        recordHistory(.update(object, [relationship.name]))
        for other in leaving + joining { recordInverse(of: relationship, in: object.entity, other) }
        guard let inverse = store.model.inverse(of: relationship)?.relationship, !inverse.isToMany else { return }
        for other in joining {
            for owner in try related(other, inverse) where owner != object {
                recordHistory(.update(owner, [relationship.name]))
            }
        }
    }

    /// Records that the inverse of a relationship changed in an object. Without an inverse, the object changes only if its
    /// row has the foreign key, which belongs to no property of the object.
    func recordInverse(of relationship: RelationshipDescription, in entity: String, _ other: ObjectKey) {
        if let inverse = store.model.inverse(of: relationship)?.relationship {
            recordHistory(.update(other, [inverse.name]))
        } else if relationship.isToMany {
            recordHistory(.update(other, ["\(entity).\(relationship.name)"]))
        }
    }
}
