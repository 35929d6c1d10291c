public import PredicateEvaluation
public import PredicateSQL
public import PredicateSyntax
import Synchronization

/// An object of a store: a row with key-value coding.
///
/// `try FormatPredicate("boss.name == 'Jo'").evaluate(with: object)`
///
/// Attributes have the values that the row had when it was read, converted to the types of the schema. Relationships are
/// read on first access and cached: a to-one relationship is an object or nil, a to-many relationship a set. Two objects
/// of one row are equal.
///
/// It can be an argument of a format: `FormatPredicate("boss == %@", object)`. Tasks may share it.
public final class StoredObject: KeyValueCoding, PredicateValueConvertible, @unchecked Sendable {
    private let core: StoreCore
    private let layout: EntityLayout
    private let state = Mutex(State())
    /// True if the state has anything.
    private let isExpanded = Atomic(false)

    // `@unchecked`: these change in `read(_:)` only, while nobody else has the object.
    private(set) var key: SQLBinding
    /// The row that was read with the object; nil for one that is read on first access.
    private var givenRow: StoredRow?

    /// The parts of the object that have been read later.
    private struct State {
        var row: StoredRow?
        var related: [String: Related] = [:]
    }

    /// The objects at the end of a relationship.
    enum Related: Sendable {
        case one(StoredObject?)
        case many([StoredObject])
    }

    /// The identity of the object: its entity and its primary key.
    public var id: SQLObjectID { SQLObjectID(layout.entity.name, key: layout.entity.primaryKeyType.value(of: key)) }

    /// The object of a statement's current row; without `hasRow` the statement has the primary key only, and the row is
    /// read on first access.
    convenience init(_ core: StoreCore, _ layout: EntityLayout, _ statement: SQLiteStatement, hasRow: Bool = true) {
        self.init(core, layout, statement.value(0), hasRow ? layout.row(statement) : nil)
    }

    /// The object with an identity, whose row is read on first access.
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
        givenRow = row
    }

    /// Becomes the object of a statement's current row. For an object that was read with its row, and that nobody else has.
    func read(_ statement: SQLiteStatement) {
        key = statement.value(0)
        if isExpanded.load(ordering: .relaxed) { forgetState() }
        // Taken out meanwhile, so that its arrays are changed in place.
        if var row = givenRow.take() {
            layout.read(statement, into: &row)
            givenRow = row
        }
    }

    private func forgetState() {
        state.withLock { $0 = State() }
        isExpanded.store(false, ordering: .relaxed)
    }

    // MARK: - Keys

    /// The value of an attribute; nil for every other key.
    ///
    /// `object["name"]`
    ///
    /// An object that was reached through a relationship reads its row now. If that fails, the value is nil;
    /// ``value(of:)`` throws the error.
    public subscript(key: String) -> PredicateValue? {
        try? value(of: key)
    }

    /// Returns the value of an attribute: `try object.value(of: "name")`; nil for every other key.
    ///
    /// That of a composite attribute is the dictionary of its elements that have a value, or nil where none has.
    ///
    /// Throws a ``StoreError`` if the row cannot be read.
    public func value(of key: String) throws(StoreError) -> PredicateValue? {
        guard let index = layout.attribute(key) else {
            guard layout.isComposite(key) else { return nil }
            return layout.composite(key, in: try row().values)
        }
        if let value = givenRow?.values[index] { return value }
        return try row().values[index]
    }

    /// True for the name of the primary key.
    func isPrimaryKey(_ key: String) -> Bool { layout.entity.primaryKey.hasSameCodePoints(as: key) }

    /// The values of all attributes, in the order of the layout.
    func values() throws(StoreError) -> [PredicateValue] { try row().values }

    /// Returns the objects at the end of a relationship: `try object.related("phones")`; at most one if it is to-one.
    ///
    /// Throws a ``StoreError`` if they cannot be read, `unknownKey` for a key that is not a relationship.
    public func related(_ key: String) throws(StoreError) -> [StoredObject] {
        switch try relationship(key) {
        case .one(let object)?: return object.map { [$0] } ?? []
        case .many(let objects)?: return objects
        case nil:
            throw layout.lackOfRelationship(key)
        }
    }

    public func value(forKey key: String) -> KeyedValue? {
        do throws(StoreError) {
            if let value = try value(of: key) { return value.keyedValue }
            switch try relationship(key) {
            case .one(let object)?: return object.map { .object($0) } ?? .null
            case .many(let objects)?: return Self.set(objects, isOrdered: layout.entity.orderColumns[key] != nil)
            case nil: return nil
            }
        } catch {
            core.note(error)
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

    // No read happens under the lock of the state: a task that has the connection may wait for this object.

    private func row() throws(StoreError) -> StoredRow {
        if let givenRow { return givenRow }
        if let row = state.withLock({ $0.row }) { return row }
        let row = try core.row(layout, key: key) ?? layout.emptyRow
        return state.withLock { state in
            state.row = state.row ?? row
            return state.row ?? row
        }
    }

    /// The primary key of the object at the end of a to-one relationship, as the row has it.
    func link(_ index: Int) throws(StoreError) -> SQLBinding { try row().links[index] }

    /// Keeps the objects at the end of a relationship, which were read together with those of other objects.
    func keep(_ related: Related, for key: String) {
        state.withLock { $0.related[key] = related }
        isExpanded.store(true, ordering: .relaxed)
    }

    func relationship(_ key: String) throws(StoreError) -> Related? {
        if let related = state.withLock({ $0.related[key] }) { return related }
        guard let related = try readRelationship(key) else { return nil }
        isExpanded.store(true, ordering: .relaxed)
        return state.withLock { state in
            state.related[key] = state.related[key] ?? related
            return state.related[key]
        }
    }

    private func readRelationship(_ key: String) throws(StoreError) -> Related? {
        switch layout.column(key) {
        case .attribute?, nil: return nil
        case .toOne(let index, let destination)?: return .one(try object(destination, try row().links[index]))
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
    /// Objects are equal if they are of one row and one connection.
    public static func == (left: StoredObject, right: StoredObject) -> Bool {
        left.core.connection === right.core.connection && left.layout.identity == right.layout.identity
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
