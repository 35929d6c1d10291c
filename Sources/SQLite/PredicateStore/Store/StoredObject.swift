import Foundation
import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax
import Synchronization

/// An object of a store: a row with key-value coding.
///
/// `try FormatPredicate("boss.name == 'Jo'").evaluate(with: object)`
///
/// Attributes have the values of the row when it was read, converted to the types of the schema. Relationships are
/// read on first access and cached: a to-one relationship is an object or nil, a to-many relationship a set. Two
/// objects of the same row are equal.
///
/// An object can be an argument of a format: `FormatPredicate("boss == %@", object)`. Tasks may share it.
public final class StoredObject: KeyValueCoding, PredicateValueConvertible, @unchecked Sendable {
    private let core: StoreCore
    private let layout: EntityLayout
    private var state = LazyState()
    /// True if the lazily loaded state is not empty.
    private let isExpanded = Atomic(false)

    // `@unchecked`: a lock protects the state. The key and the row change only in `read(_:)`, while the object is uniquely
    // referenced.
    private(set) var key: SQLBinding
    /// The row that was read with the object; nil if the row is read on first access.
    private var fetchedRow: StoredRow?

    /// The parts of the object that are loaded on first access.
    private struct LazyState {
        var row: StoredRow?
        var related: [String: Related] = [:]
    }

    /// The objects of a relationship.
    enum Related: Sendable {
        case one(StoredObject?)
        case many([StoredObject])
    }

    /// The ID of the object: its entity and its primary key.
    public var id: SQLObjectID { SQLObjectID(layout.entity.name, key: layout.entity.primaryKeyType.value(of: key)) }

    /// True for an object that was read through the store's connection.
    package func isObject(of store: ObjectStore) -> Bool { core.connection === store.connection }

    /// The object of a statement's current row. Without `hasRow` the statement has only the primary key, and the row
    /// is read on first access.
    convenience init(_ core: StoreCore, _ layout: EntityLayout, _ statement: SQLiteStatement, hasRow: Bool = true) {
        self.init(core, layout, statement.value(0), hasRow ? layout.row(statement) : nil)
    }

    /// The object with an ID, whose row is read on first access.
    convenience init?(_ core: StoreCore, _ id: SQLObjectID) {
        guard let layout = try? core.layout(id.entity),
            let key = layout.entity.primaryKeyType.binding(of: id.key)
        else { return nil }
        self.init(core, layout, key, nil)
    }

    init(_ core: StoreCore, _ layout: EntityLayout, _ key: SQLBinding, _ row: StoredRow?) {
        self.core = core
        self.layout = layout
        self.key = key
        fetchedRow = row
    }

    /// Reads a statement's current row into this object, which must be uniquely referenced and have been created with a row.
    func read(_ statement: SQLiteStatement) {
        key = statement.value(0)
        if isExpanded.load(ordering: .relaxed) { forgetState() }
        // The row is moved out, so that its arrays are changed in place.
        if var row = fetchedRow.take() {
            layout.read(statement, into: &row)
            fetchedRow = row
        }
    }

    private func forgetState() {
        withState { $0 = LazyState() }
        isExpanded.store(false, ordering: .relaxed)
    }

    // MARK: - Keys

    /// The value of an attribute; nil for every other key.
    ///
    /// `object["name"]`
    ///
    /// If the row has not been read yet, it is read now. If that fails, the value is nil; ``value(of:)`` throws the
    /// error instead.
    public subscript(key: String) -> PredicateValue? {
        try? value(of: key)
    }

    /// Returns the value of an attribute: `try object.value(of: "name")`; nil for every other key.
    ///
    /// The value of a composite attribute is a dictionary of its elements that are not nil; nil if all of them are.
    ///
    /// Throws a ``StoreError`` if the row cannot be read.
    public func value(of key: String) throws(StoreError) -> PredicateValue? {
        guard let index = layout.attribute(key) else {
            guard layout.isComposite(key) else { return nil }
            return layout.composite(key, in: try row().values)
        }
        if let value = fetchedRow?.values[index] { return value }
        return try row().values[index]
    }

    func isPrimaryKey(_ key: String) -> Bool { layout.entity.primaryKey.hasSameCodePoints(as: key) }

    /// Returns the objects of a relationship: `try object.related("phones")`; at most one if it is to-one.
    ///
    /// Throws a ``StoreError``: `unknownKey` for a key that is not a relationship, or an error of reading the objects.
    public func related(_ key: String) throws(StoreError) -> [StoredObject] {
        switch try relationship(key) {
        case .one(let object)?: return object.map { [$0] } ?? []
        case .many(let objects)?: return objects
        case nil:
            throw layout.unknownRelationship(key)
        }
    }

    public func value(forKey key: String) -> KeyedValue? {
        do throws(StoreError) {
            if let value = try value(of: key) { return value.keyedValue }
            switch try relationship(key) {
            case .one(let object)?: return object.map { .object($0) } ?? .null
            case .many(let objects)?:
                return Self.set(objects, isOrdered: layout.entity.relationships[key]?.orderColumn != nil)
            case nil: return isPrimaryKey(key) ? id.key.keyedValue : nil
            }
        } catch {
            core.record(error)
            return nil
        }
    }

    public var allKeys: [String] { layout.allKeys }

    public var attributeKeys: [String] { layout.attributes }

    /// The object as an argument or a constant of a predicate.
    public var predicateValue: PredicateValue { .object(PredicateObject(self)) }

    private static func set(_ objects: [StoredObject], isOrdered: Bool) -> KeyedValue {
        let kind = isOrdered ? KeyedCollection.Kind.orderedSet : .set
        if objects.isEmpty { return .value(isOrdered ? .orderedSet([]) : .set([])) }
        return .collection(KeyedCollection(objects.map { .object($0) }, kind: kind))
    }

    // MARK: - Reading

    /// Runs a function under the lock. It must not read the file: a task that holds the connection may wait for this object.
    private func withState<Result>(_ body: (inout LazyState) -> Result) -> Result {
        core.objectLock.withLock { body(&state) }
    }

    private func row() throws(StoreError) -> StoredRow {
        if let fetchedRow { return fetchedRow }
        if let row = withState({ $0.row }) { return row }
        let row = try core.row(layout, key: key) ?? layout.emptyRow
        return withState { state in
            state.row = state.row ?? row
            return state.row ?? row
        }
    }

    /// The foreign key of a to-one relationship.
    func foreignKey(_ index: Int) throws(StoreError) -> SQLBinding { try row().foreignKeys[index] }

    /// Caches prefetched objects of a relationship.
    func keep(_ related: Related, for key: String) {
        withState { $0.related[key] = related }
        isExpanded.store(true, ordering: .relaxed)
    }

    func relationship(_ key: String) throws(StoreError) -> Related? {
        if let related = withState({ $0.related[key] }) { return related }
        guard let related = try readRelationship(key) else { return nil }
        isExpanded.store(true, ordering: .relaxed)
        return withState { state in
            state.related[key] = state.related[key] ?? related
            return state.related[key]
        }
    }

    private func readRelationship(_ key: String) throws(StoreError) -> Related? {
        switch layout.location(of: key) {
        case .attribute?, nil: return nil
        case .toOne(let index, let destination)?: return .one(try object(destination, try row().foreignKeys[index]))
        case .toMany(let destination, let condition)?:
            return .many(try core.objects(destination, where: condition, key: self.key))
        }
    }

    private func object(_ entity: String, _ key: SQLBinding) throws(StoreError) -> StoredObject? {
        if case .null = key { return nil }
        return StoredObject(core, try core.layout(entity), key, nil)
    }
}

extension StoredObject: Hashable, CustomStringConvertible {
    /// Objects are equal if they have the same row of the same store; a ``ObjectStore/reader()`` belongs to its store.
    public static func == (left: StoredObject, right: StoredObject) -> Bool {
        left.core.isSameStore(as: right.core) && left.layout.identity == right.layout.identity
            && left.id.key == right.id.key
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(layout.identity)
        hasher.combine(id.key)
    }

    /// `Person 7`
    public var description: String {
        id.name
    }
}
