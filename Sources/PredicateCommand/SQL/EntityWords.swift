import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The options that select a table: `--schema`, `--entity`, `--table`.
struct EntityWords {
    let schema: String?
    let entity: String?
    let table: String?
    /// `--model`: the model of a store of Core Data that does not keep its own.
    let model: String?

    /// Throws if both `--entity` and `--table` are given.
    init(
        schema: String?, entity: String?, table: String?, model: String? = nil, in command: Command
    ) throws(CommandFailure) {
        if entity != nil, table != nil {
            throw .usage(UsageError("--entity and --table both select a table: use one of them", in: command))
        }
        self.schema = schema
        self.entity = entity
        self.table = table
        self.model = model
        if model != nil, schema != nil {
            throw .usage(UsageError("--model and --schema both describe the file: use one of them", in: command))
        }
    }

    /// The same choice in a file that is the schema itself.
    func withoutSchema() throws(CommandFailure) -> EntityWords {
        try EntityWords(schema: nil, entity: entity, table: table, model: model, in: .sql)
    }

    /// True if none was given.
    var isEmpty: Bool { schema == nil && entity == nil && table == nil }

    /// Returns the named entity, or the only one.
    func entity(of file: SchemaFile) throws(CommandFailure) -> SQLEntity {
        let entities = file.schema.entities.values.sorted { $0.name < $1.name }
        if let name = entity ?? table {
            guard let found = find(name, in: entities) else { throw unknown(name, file, entities) }
            return found
        }
        guard !entities.isEmpty else {
            throw .message("\(file.name): there are no \(file.noun.plural)", hints: hints(file.leftOut))
        }
        guard let only = file.schema.onlyTable else {
            let hints = [
                NameList.hint(file.noun.plural, entities.map(\.name)), "--\(file.noun.singular) NAME chooses one",
            ]
            throw .message("\(file.name): there is more than one \(file.noun.singular)", hints: hints)
        }
        return only
    }

    /// Finds an entity by its exact name, or by its table's name without regard to case, as SQLite does.
    private func find(_ name: String, in entities: [SQLEntity]) -> SQLEntity? {
        let key: KeyPath<SQLEntity, String> = entity == nil ? \.table : \.name
        if let found = entities.first(where: { $0[keyPath: key].hasSameCodePoints(as: name) }) { return found }
        return entity == nil ? entities.first { $0.table.lowercased() == name.lowercased() } : nil
    }

    private func unknown(_ name: String, _ file: SchemaFile, _ entities: [SQLEntity]) -> CommandFailure {
        let noun = entity == nil ? SchemaFile.Noun.table : file.noun
        let names = entities.map { entity == nil ? $0.table : $0.name }
        var hints = self.hints(file.leftOut.filter { $0.tableName == name })
        hints += UsageError.suggestions(for: name, among: names)
        if !names.isEmpty { hints.append(NameList.hint(noun.plural, names)) }
        return .message("\(file.name): there is no \(noun.singular) '\(name)'", hints: hints)
    }

    private func hints(_ omissions: [IntrospectedSchema.Omission]) -> [String] {
        omissions.map { "left out: \($0.reason)" }
    }
}
