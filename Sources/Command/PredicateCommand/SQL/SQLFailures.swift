import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

extension CommandFailure {
    /// Creates the failure for a predicate that cannot be compiled to SQL. Its hints name options of the command. If
    /// `mayLeaveResidual` is false, no part of the statement can be left to memory.
    static func compilation(
        _ error: SQLCompilationError, _ schema: SQLSchema, mayLeaveResidual: Bool = true
    ) -> CommandFailure {
        .text(
            ErrorRenderer.render(
                title: error.title, source: error.text, range: error.range, label: error.label,
                hints: mayLeaveResidual ? hints(error, schema) : statementHints(error, schema)))
    }

    private static let residual =
        "with --residual, SQL selects more rows, and the rest of the predicate is evaluated in memory"

    private static func statementHints(_ error: SQLCompilationError, _ schema: SQLSchema) -> [String] {
        switch error.code {
        case .notExpressible(.sumOfDoubles):
            ["the least, the greatest and the count are exact; predicate filter adds the doubles of a SQLite file"]
        default:
            error.concernsSQLOnly
                ? ["predicate filter computes it over the rows of a SQLite file"] : hints(error, schema)
        }
    }

    private static func hints(_ error: SQLCompilationError, _ schema: SQLSchema) -> [String] {
        if error.concernsSQLOnly { return [residual] }
        if let path = pathOfForeignKey(in: error, schema) { return ["write the relationship: \(path)"] }
        return switch error.code {
        case .notExpressible(.predicateAsValue): error.hints
        case .notExpressible(.hostFunction(let name)):
            WrittenHints.ofUnknownFunction(name, in: error.text, at: error.range).map(RecordErrorText.plain)
        case .notExpressible(.property(let name)):
            WrittenHints.ofMember(name, in: error.text, at: error.range).map { [RecordErrorText.plain($0)] }
                ?? UsageError.suggestions(for: name, among: SQLCompilationError.keysInMemory)
        case .incomparable, .expected:
            ((WrittenHints.ofPhrase(in: error.text, at: error.range) ?? numberInQuotes(error)).map { [$0] }
                ?? error.hints).map(RecordErrorText.plain)
        case .notAColumn(let key): ["write a key that has a column: \(key) refers to other rows or is computed"]
        case .unknownKey(_, let entity, let nearMisses) where nearMisses.isEmpty:
            schema.entities[entity].map { [NameList.hint("keys", $0.keys)] } ?? []
        case .notExpressible, .unknownEntity, .unknownKey, .subentityKey, .unboundVariable,
            .nilOperand,
            .toManyWithoutModifier, .subpredicateCount, .nestingTooDeep, .exceeds,
            .tooManyParameters,
            .unusableName, .residualInChange, .valueKind, .nothingToUpdate, .nothingToSelect,
            .duplicateResult, .aggregateWithoutGroups, .notGrouped, .keysNotReturned, .noKey:
            error.hints.map(RecordErrorText.plain)
        }
    }

    /// For a path over a foreign key column, returns the path over its relationship: `ReportsTo.LastName`
    private static func pathOfForeignKey(in error: SQLCompilationError, _ schema: SQLSchema) -> String? {
        for (_, column, key) in error.text.matches(of: /(\w+)\.(\w+)/).map(\.output) {
            for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
                guard let relationship = entity.relationship(over: String(column)),
                    let target = entity.relationships[relationship].flatMap({ schema.entities[$0.destination] }),
                    target.keys.contains(String(key))
                else { continue }
                return "\(relationship).\(key)"
            }
        }
        return nil
    }

    /// Suggests the number for `age > "30"`.
    private static func numberInQuotes(_ error: SQLCompilationError) -> String? {
        guard case .incomparable(let left, let right) = error.code, left != .date, right != .date else { return nil }
        let bytes = Array(error.text.utf8)
        let phrase = String(decoding: bytes[error.range.clamped(to: 0..<bytes.count)], as: UTF8.self)
        return phrase.firstMatch(of: /["'](-?\d+(?:\.\d+)?)["']/).map { "write a number without quotes: \($0.1)" }
    }

    /// Runs work on a SQLite file.
    static func storing<Outcome>(
        _ path: String, _ work: () throws(StoreError) -> Outcome
    ) throws(CommandFailure) -> Outcome {
        do throws(StoreError) { return try work() } catch { throw .store(error, path) }
    }

    /// Creates the failure for an error of a SQLite file.
    static func store(_ error: StoreError, _ path: String) -> CommandFailure {
        switch error.code {
        case .invalidPath, .noSuchFile, .isDirectory: return .message(error.code.title)
        case .missingTable, .missingColumn: return .message("\(path): \(error.code.title)", hints: error.code.hints)
        case .encoding, .sqlite, .notOneStatement, .bindingCount, .valueTooLarge, .mixedKinds, .missingValue,
            .negativeLimit, .negativeOffset, .severalObjects, .notAStringAttribute, .unsupportedFolding,
            .readOnlyConnection, .conflict, .noSuchObject, .deletionDenied, .managedVersion, .unsupportedMetadata,
            .inMemory, .exceeds,
            .schema, .compilation, .evaluation, .undecodable:
            let text = error.description
            return .text(text.hasPrefix("error: ") ? "error: \(path): \(text.dropFirst(7))" : text)
        }
    }

    /// Creates the failure for an error of a store. It lists the tables if the requested one is missing.
    static func store(_ error: StoreError, _ store: ObjectStore) -> CommandFailure {
        let path = store.connection.path
        if case .compilation(let error) = error.code { return .compilation(error, store.schema) }
        guard case .missingTable = error.code else { return .store(error, path) }
        let tables = (try? store.connection.introspect().schema.entities.values.map(\.table)) ?? []
        let hints = error.code.hints + (tables.isEmpty ? [] : [NameList.hint("tables", tables.sorted())])
        return .message("\(path): \(error.code.title)", hints: hints)
    }

    static func schema(_ error: SQLSchemaError, _ source: String) -> CommandFailure {
        let location = error.path.isEmpty ? "" : " at \(error.path)"
        return .message("\(source): \(error.title)\(location)", hints: error.hints)
    }
}

extension SQLEntity {
    /// Returns the to-one relationship whose foreign key column is also an attribute.
    fileprivate func relationship(over column: String) -> String? {
        guard let attribute = attributes[column], relationships[column] == nil else { return nil }
        return relationships.keys.sorted().first { key in
            if case .toOne(let own)? = relationships[key]?.kind { own == attribute.column ?? column } else { false }
        }
    }
}

extension SQLCompilationError {
    /// A Boolean value that indicates whether only SQL lacks a part of the predicate, so that it can be evaluated in memory. A
    /// misspelled property, in contrast, is also an error in memory.
    var concernsSQLOnly: Bool {
        switch code {
        case .notExpressible(.predicateAsValue), .notExpressible(.hostFunction): false
        case .notExpressible(.property(let name)): Self.keysInMemory.contains(name)
        case .notExpressible: true
        case .incomparable, .expected, .notAColumn, .unknownEntity, .unknownKey, .subentityKey,
            .unboundVariable, .nilOperand, .toManyWithoutModifier, .subpredicateCount,
            .nestingTooDeep, .exceeds, .tooManyParameters, .unusableName, .residualInChange, .valueKind,
            .nothingToUpdate, .nothingToSelect, .duplicateResult, .aggregateWithoutGroups, .notGrouped,
            .keysNotReturned, .noKey:
            false
        }
    }
}

extension SQLCompilationError {
    /// The keys and operators that values have in memory, without repetitions.
    fileprivate static let keysInMemory = Set(
        names(of: StringKey.self) + names(of: NumberKey.self) + names(of: DateKey.self) + names(of: DataKey.self)
            + names(of: UUIDKey.self) + names(of: UniversalKey.self) + names(of: KeyPathOperator.self)
    ).sorted()

    private static func names<Key: RawRepresentable<String> & CaseIterable>(of _: Key.Type) -> [String] {
        Key.allCases.map(\.rawValue)
    }
}

/// Lists of names in hints.
enum NameList {
    private static let longest = 20

    /// `the tables are people, pets`
    static func hint(_ noun: String, _ names: [String]) -> String {
        let shown = names.prefix(longest).joined(separator: ", ")
        return "the \(noun) are \(shown)\(names.count > longest ? ", …" : "")"
    }
}

extension SQLEntity {
    /// The names of the attributes and relationships.
    var keys: [String] { attributes.keys.sorted() + relationships.keys.sorted() }
}
