import PredicateCoreData
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

extension Subcommand {
    static let update = Subcommand(
        "store update", "Change the objects of a Core Data store that match a predicate",
        usage: ["predicate store update [OPTION...] FORMAT STORE --entity NAME --set KEY=VALUE..."],
        operands: [.predicate, .files],
        options: [[.changedEntity, .changedValue, .argument, .untrusted], OptionGroup.change],
        help: [
            .paragraph(
                "Change the objects of a Core Data store that match a predicate, in one transaction, and increment their"
                    + " versions. " + HelpPage.Block.whichStores),
            .options, .storedValues, .changeStatus,
            .examples([
                "predicate store update 'due < %@' ToDo.sqlite --arg date:2026-01-31 --entity ToDo --set isDone=YES",
                "predicate store update TRUEPREDICATE Photos.sqlite --entity Asset --set favorite=NO --allow-write Mine.sqlite",
                "predicate store update 'isDone == NO' ToDo.sqlite --entity ToDo --set due=null --once 'dates are cleared'",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try UpdateCommand(reader).run(console) }

    static let delete = Subcommand(
        "store delete", "Delete the objects of a Core Data store that match a predicate",
        usage: ["predicate store delete [OPTION...] FORMAT STORE --entity NAME"], operands: [.predicate, .files],
        options: [[.changedEntity, .argument, .untrusted], OptionGroup.change],
        help: [
            .paragraph(
                "Delete the objects of a Core Data store that match a predicate, in one transaction, by the delete"
                    + " rules of the model: Cascade deletes related objects too, Deny stops the whole deletion. "
                    + HelpPage.Block.whichStores),
            .options, .values, .changeStatus,
            .examples(["predicate store delete 'isDone == YES' ToDo.sqlite --entity ToDo"]),
        ]
    ) { (reader, console) throws(CommandFailure) in try DeleteCommand(reader).run(console) }
}

/// `predicate store update 'due < now()' ToDo.sqlite --entity ToDo --set isDone=YES`: sets values in the matching objects.
struct UpdateCommand {
    private let selection: SelectionOptions
    private let settings: [String]

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        selection = try SelectionOptions(reader)
        settings = reader.values(of: .changedValue)
        guard !settings.isEmpty else { throw reader.failure("expected the values to change: --set KEY=VALUE") }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try selection.run(console) { (store, entity, format, writesIDs) throws(CommandFailure) in
            let values = try ChangeValues.values(settings, of: entity, in: store)
            return { () throws(CoreDataError) in
                let report = try store.update(entity, values, where: format, returning: .primaryKeys)
                return try report.changed(entity, in: store, writesIDs: writesIDs)
            }
        }
    }
}

/// `predicate store delete 'isDone == YES' ToDo.sqlite --entity ToDo`: deletes the matching objects by the delete rules of
/// the model.
struct DeleteCommand {
    private let selection: SelectionOptions

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        selection = try SelectionOptions(reader)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try selection.run(console) { (store, entity, format, writesIDs) throws(CommandFailure) in
            { () throws(CoreDataError) in
                // A URI contains the entity of its row, so it must be read before the row is deleted.
                let uris = writesIDs ? try store.uris(entity, where: format) : []
                let report = try store.delete(entity, where: format, returning: .primaryKeys)
                return ChangeOptions.Changed(count: report.keys.count, uris: uris)
            }
        }
    }
}

/// The predicate and the store of `update` and `delete`.
private struct SelectionOptions {
    private let change: ChangeOptions
    private let predicate: PredicateOptions

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count == 2 else {
            let hints = ["TRUEPREDICATE selects all objects of the entity"]
            throw reader.failure("expected a format and one store", hints: hints)
        }
        change = try ChangeOptions(reader, file: reader.operands[1])
        predicate = try PredicateOptions(reader.operands[0], reader, takesVariables: false)
    }

    /// Runs a change to those objects of an entity that match the predicate, as ``ChangeOptions/run(_:_:)`` does.
    func run(
        _ console: Console,
        _ prepare: (
            CoreDataStore, _ entity: String, FormatPredicate, _ writesIDs: Bool
        ) throws(CommandFailure) -> ChangeOptions.Change
    ) throws(CommandFailure) -> ExitStatus {
        let format = try predicate.predicate()
        return try change.run(console) { (store, writesIDs) throws(CommandFailure) in
            guard let entity = store.schema.entities[change.entity] else {
                // The store's error suggests similar names.
                return try prepare(store, change.entity, format, writesIDs)
            }
            let format = try Optional(store).reading(format, of: entity, in: store.schema, zone: nil)
            return try prepare(store, change.entity, format, writesIDs)
        }
    }
}

extension ChangeReport {
    fileprivate var keys: [PredicateValue] { if case .primaryKeys(let keys) = self { keys } else { [] } }

    fileprivate func changed(
        _ entity: String, in store: CoreDataStore, writesIDs: Bool
    ) throws(CoreDataError) -> ChangeOptions.Changed {
        var uris: [ObjectURI] = []
        if writesIDs { for key in keys { uris.append(try store.uri(of: SQLObjectID(entity, key: key))) } }
        return ChangeOptions.Changed(count: keys.count, uris: uris)
    }
}

extension CoreDataStore {
    /// The URIs of the objects that match a predicate.
    fileprivate func uris(_ entity: String, where predicate: FormatPredicate) throws(CoreDataError) -> [ObjectURI] {
        let ids = try storing { () throws(StoreError) in
            try objects.fetchIDs(PredicateFetchRequest(entity, predicate))
        }
        var uris: [ObjectURI] = []
        for id in ids { uris.append(try uri(of: id)) }
        return uris
    }
}
