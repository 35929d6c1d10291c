import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Stores that Core Data wrote, in the folder that `PREDICATES_COREDATA` names: every table, column and join is worked out, and
/// counts, values and to-many paths agree with SQL that is written here by hand.
@Suite struct RealStoreTests {
    private static let variable = "PREDICATES_COREDATA"

    @Test func storesAreReadAsTheyAre() throws {
        guard let folder = ProcessInfo.processInfo.environment[Self.variable] else {
            print("NOT RUN: the stores of other people are read where \(Self.variable) names their folder")
            return
        }
        let all = RealStores(folder)
        #expect(!all.paths.isEmpty, "there is no store in \(folder)")
        var counts = (stores: 0, entities: 0, attributes: 0, relationships: 0, objects: 0)
        for path in all.paths {
            let before = RealStores.traces(beside: path)
            do throws(CoreDataError) {
                let store = try CoreDataStore(path)
                try check(store, &counts)
            } catch {
                switch error.code {
                case .noModel: try checkWithModels(path, all, &counts)
                case .notAStore: break
                default: Issue.record("\(path): \(error)")
                }
            }
            #expect(RealStores.traces(beside: path) == before, "\(path) was changed")
        }
        print("\(counts)")
        #expect(counts.attributes > 0)
    }

    private typealias Counts = (stores: Int, entities: Int, attributes: Int, relationships: Int, objects: Int)

    /// A store that keeps no model is opened with those of its repository. Where none of them has the entities of the store, as
    /// in a folder that lacks the model, opening it is an error that names tables.
    private func checkWithModels(_ path: String, _ all: RealStores, _ counts: inout Counts) throws {
        let models = all.models(near: path)
        guard !models.isEmpty else { return }
        do throws(CoreDataError) {
            let store = try CoreDataStore(path, models: models)
            #expect(store.omissions.isEmpty, "\(path)")
            try check(store, &counts)
        } catch {
            let names = try RealStores.entityNames(in: path)
            let isModelThere = models.contains { model in names.isSubset(of: model.entities.map(\.name)) }
            guard case .modelMismatch(_, let differences) = error.code, !isModelThere else {
                Issue.record("\(path): \(error)")
                return
            }
            #expect(!differences.isEmpty)
            print("\(path): its repository has no model of \(names.sorted())")
        }
    }

    private func check(_ store: CoreDataStore, _ counts: inout Counts) throws(CoreDataError) {
        counts.stores += 1
        #expect(store.omissions.isEmpty, "\(store.path): \(store.omissions)")
        let differences = store.file.differences(from: store.model)
        #expect(differences.isEmpty, "\(store.path): \(differences)")
        for name in store.schema.entities.keys.sorted() {
            do throws(StoreError) {
                try checkEntity(name, store, &counts)
            } catch {
                Issue.record("\(store.path), \(name): \(error)")
            }
        }
    }

    private func checkEntity(_ name: String, _ store: CoreDataStore, _ counts: inout Counts) throws(StoreError) {
        guard let entity = store.schema.entities[name], let stored = store.layout.entities[name] else { return }
        counts.entities += 1
        counts.attributes += entity.attributes.count
        counts.relationships += entity.relationships.count
        let numbers = ([stored.number] + stored.descendants).map(String.init).joined(separator: ",")
        let table = "\"\(stored.table)\" WHERE Z_ENT IN (\(numbers))"
        let keys = try store.raw("SELECT Z_PK FROM \(table) ORDER BY Z_PK").compactMap { $0.first?.number }
        #expect(try store.objects.fetchCount(PredicateFetchRequest(name)) == keys.count, "\(store.path), \(name)")
        counts.objects += keys.count
        let found = try store.objects.fetchIDs(PredicateFetchRequest(name)).map { $0.key }
        #expect(Set(found) == Set(keys.map { .integer($0) }), "\(store.path), \(name)")
        try checkValues(entity, table, store)
        for (key, relationship) in entity.relationships {
            try checkRelationship(key, relationship, entity, table, store)
        }
    }

    /// Every column of some objects, read by its name.
    private func checkValues(_ entity: SQLEntity, _ table: String, _ store: CoreDataStore) throws(StoreError) {
        let objects = try store.objects.fetchAll(PredicateFetchRequest(entity.name, limit: 20))
        for object in objects {
            guard case .integer(let pk) = object.id.key else { continue }
            for (key, attribute) in entity.attributes {
                let column = "\"\(attribute.column ?? key)\""
                let row = try store.raw("SELECT \(column) FROM \(table) AND Z_PK = \(pk)").first?.first ?? .null
                let value = try object.value(of: key) ?? .null
                #expect(agrees(value, row, attribute), "\(store.path), \(object), \(key): \(value) \(row)")
            }
        }
    }

    private func agrees(_ value: PredicateValue, _ row: SQLBinding, _ attribute: SQLAttribute) -> Bool {
        switch (value, row) {
        case (.null, .null): true
        case (.integer(let value), .integer(let row)): value == row
        case (.bool(let value), .integer(let row)): row == (value ? 1 : 0)
        case (.double(let value), .double(let row)): value == row
        case (.double(let value), .integer(let row)): value == Double(row)
        case (.string(let value), .text(let row)): value == row
        case (.date(let value), .double(let row)): value.timeIntervalSinceReferenceDate == row
        case (.date(let value), .integer(let row)): value.timeIntervalSinceReferenceDate == Double(row)
        case (.uuid(let value), .blob(let row)): withUnsafeBytes(of: value.uuid) { Data($0) } == row
        case (.data(let value), .blob(let row)):
            value == row || attribute.externalFolder != nil && (value == row.dropFirst() || row.first == 2)
        default: false
        }
    }

    /// `key.@count > 0`, or `key != nil`, against SQL over the tables.
    private func checkRelationship(
        _ key: String, _ relationship: SQLRelationship, _ entity: SQLEntity, _ table: String, _ store: CoreDataStore
    ) throws(StoreError) {
        let condition: String
        let format: String
        let other = store.schema.entities[relationship.destination]?.table ?? ""
        switch relationship.kind {
        case .toOne(let column): (condition, format) = ("\"\(column)\" IS NOT NULL", "%K != nil")
        case .toMany(let column):
            condition = "Z_PK IN (SELECT \"\(column)\" FROM \"\(other)\")"
            format = "%K.@count > 0"
        case .manyToMany(let join, let source, let target):
            // Some tests of apps leave pairs of objects that are not there.
            let pairs = "\"\(join)\" WHERE \"\(target)\" IN (SELECT Z_PK FROM \"\(other)\")"
            condition = "Z_PK IN (SELECT \"\(source)\" FROM \(pairs))"
            format = "%K.@count > 0"
        }
        let expected = try store.raw("SELECT count(*) FROM \(table) AND \(condition)").first?.first?.number
        let predicate = try? FormatPredicate(format, key)
        let count = try store.objects.fetchCount(PredicateFetchRequest(entity.name, predicate))
        #expect(Int64(count) == expected, "\(store.path), \(entity.name).\(key)")
    }
}

extension CoreDataStore {
    /// The rows of a statement.
    fileprivate func raw(_ text: String) throws(StoreError) -> [[SQLBinding]] {
        try objects.connection.rows(of: SQLFragment(verbatim: text)).all()
    }
}
