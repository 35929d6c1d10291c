import PredicateAgreement
@_spi(Dialect) import PredicateSQL
import PredicateSyntax

/// A database engine behind a bridge. It holds the tables of one world at a time.
package final class ServerEngine: AgreementEngine {
    package let kind: EngineKind
    package var name: String { kind.rawValue }
    package let dialect: any SQLDialect
    package let traits: EngineTraits
    package var patience: Int { kind.patience }
    private let bridge: Bridge
    /// The statements that have installed functions.
    private var installed: Set<String> = []
    /// The quoted names of the tables that are there.
    private var tables: [PredicateValue] = []
    /// The database whose tables are there.
    private weak var loaded: ServerDatabase?

    /// Starts the bridge by a command, to which the engine's name is added, and the address.
    package init(_ kind: EngineKind, bridge command: [String]) throws {
        self.kind = kind
        dialect = kind.dialect
        traits = kind.traits
        bridge = try Bridge(command)
        try run(dialect.setup)
    }

    package func database(of world: AgreementWorld) throws -> any AgreementDatabase {
        let database = ServerDatabase(self, WorldTables(world, traits).all)
        try load(database)
        return database
    }

    /// Runs statements one after another.
    package func run(_ statements: [String]) throws(BridgeError) {
        guard !statements.isEmpty else { return }
        _ = try bridge.answer(to: ["do": "run", "statements": .array(statements.map(PredicateValue.string))])
    }

    /// Returns the first value of a statement's first row as a string.
    func text(of fragment: SQLFragment) throws(BridgeError) -> String {
        let answer = try bridge.answer(to: ["do": "ask", "statements": [fragment.request]])
        guard case .array(let answers)? = answer["answers"], case .dictionary(let members)? = answers.first,
            case .array(let rows)? = members["rows"], case .array(let values)? = rows.first,
            let value = values.first.flatMap(SQLBinding.init(answer:))
        else { throw BridgeError(name: fragment.text, message: "\(answer)") }
        if case .text(let text) = value { return text }
        return "\(value)"
    }

    /// Returns the plan of a statement, with the name of the index that it uses.
    func plan(of fragment: SQLFragment) throws(BridgeError) -> String {
        guard case .dictionary(var statement) = fragment.request else { return "" }
        statement["text"] = .string("EXPLAIN \(fragment.text)")
        let answer = try bridge.answer(to: ["do": "ask", "statements": [.dictionary(statement)]])
        guard case .array(let answers)? = answer["answers"], case .dictionary(let members)? = answers.first,
            case .array(let rows)? = members["rows"]
        else { return "\(answer)" }
        // MariaDB lists the indexes that it might use before the one that it uses.
        let places = kind == .mariadb ? 5..<6 : 0..<1
        return rows.map { row in
            guard case .array(let values) = row else { return "" }
            return values[places.clamped(to: values.indices)].map { "\($0)" }.joined()
        }.joined(separator: "\n")
    }

    fileprivate func load(_ database: ServerDatabase) throws(BridgeError) {
        guard loaded !== database else { return }
        let next = database.tables.map { $0.request(dialect) }
        let names = database.tables.map { PredicateValue.string(dialect.quoted($0.name) ?? $0.name) }
        let drop = tables + names.filter { !tables.contains($0) }
        tables = names
        loaded = nil
        _ = try bridge.answer(to: ["do": "load", "drop": .array(drop), "tables": .array(next)])
        loaded = database
    }

    /// Puts statements to the engine, after those that install the functions they call.
    fileprivate func answers(
        _ what: String, _ requests: [PredicateValue], _ statements: [AgreementStatement]
    ) throws(BridgeError) -> [PredicateValue] {
        try run(statements.flatMap(\.prelude).filter { installed.insert($0).inserted })
        let answer = try bridge.answer(to: ["do": .string(what), "statements": .array(requests)])
        guard case .array(let answers)? = answer["answers"] else { return [] }
        return answers
    }
}

/// The tables of a world on a server.
private final class ServerDatabase: AgreementDatabase {
    let tables: [WorldTable]
    private let engine: ServerEngine

    init(_ engine: ServerEngine, _ tables: [WorldTable]) {
        self.engine = engine
        self.tables = tables
    }

    func keys(selectedBy statements: [AgreementStatement]) -> [Result<[SQLBinding], AgreementError>] {
        results("ask", statements.map(\.fragment.request), statements) { Self.firstColumn(of: $0["rows"]) }
    }

    func outcomes(of changes: [AgreementChange]) -> [Result<AgreementChange.Outcome, AgreementError>] {
        let requests = changes.map { change -> PredicateValue in
            ["change": change.statement.fragment.request, "then": change.then.fragment.request]
        }
        return results("change", requests, changes.flatMap { [$0.statement, $0.then] }) { answer in
            guard let count = answer["count"]?.integer, let keys = Self.firstColumn(of: answer["rows"]),
                let rest = Self.firstColumn(of: answer["then"])
            else { return nil }
            return AgreementChange.Outcome(count: count, keys: keys, rest: rest)
        }
    }

    /// The results of requests, in their order; one answer that fails does not disturb the others.
    private func results<Content>(
        _ what: String, _ requests: [PredicateValue], _ statements: [AgreementStatement],
        _ content: ([String: PredicateValue]) -> Content?
    ) -> [Result<Content, AgreementError>] {
        guard !requests.isEmpty else { return [] }
        do throws(BridgeError) {
            try engine.load(self)
            return try engine.answers(what, requests, statements).map { answer in
                guard case .dictionary(let members) = answer else { return .failure(AgreementError("no answer")) }
                if let error = BridgeError(members["error"]) { return .failure(failure(error)) }
                return content(members).map { .success($0) } ?? .failure(AgreementError("not understood: \(answer)"))
            }
        } catch {
            return requests.map { _ in .failure(failure(error)) }
        }
    }

    private func failure(_ error: BridgeError) -> AgreementError {
        AgreementError("\(error.name): \(error.message)", isOfARow: engine.traits.rowErrors.contains(error.name))
    }

    private static func firstColumn(of rows: PredicateValue?) -> [SQLBinding]? {
        guard case .array(let rows)? = rows else { return nil }
        return rows.compactMap { row in
            guard case .array(let values) = row else { return nil }
            return values.first.flatMap { SQLBinding(answer: $0) }
        }
    }
}

extension PredicateValue {
    fileprivate var integer: Int? {
        if case .integer(let value) = self { Int(exactly: value) } else { nil }
    }
}

extension WorldTable {
    /// The table of a request, with the statement that creates it and the one that inserts a row.
    fileprivate func request(_ dialect: any SQLDialect) -> PredicateValue {
        let name = dialect.quoted(name) ?? name
        let names = columns.map { dialect.quoted($0.name) ?? $0.name }
        let types = columns.map { $0.type.parameterType(dialect) }
        let declared = zip(names, columns).map { "\($0) \($1.declaration)" }.joined(separator: ", ")
        let places = zip(columns, types).enumerated().map { number, column in
            column.0.place(dialect.placeholder(number + 1, for: column.1), dialect)
        }.joined(separator: ", ")
        return [
            "name": .string(name), "create": .string("CREATE TABLE \(name) (\(declared))"),
            "insert": .string("INSERT INTO \(name) VALUES (\(places))"),
            "columns": .array(zip(columns, types).map { [.string($0.name), .string($0.kind ?? $1.name)] }),
            "rows": .array(rows.map { row in .array(zip(row, types).map { $0.stored(as: $1).request(as: $1) }) }),
        ]
    }
}

extension WorldTable.Column {
    /// A placeholder in INSERT: an array is bound as JSON, which no column of arrays takes.
    fileprivate func place(_ placeholder: String, _ dialect: any SQLDialect) -> String {
        guard case .array(let element, .native) = type else { return placeholder }
        switch dialect.name {
        case "postgresql":
            let name = element == .string ? "text" : "bigint"
            let elements = "ARRAY(SELECT e FROM jsonb_array_elements_text(\(placeholder)) AS e)"
            return "CASE WHEN \(placeholder) IS NOT NULL THEN \(elements)::\(name)[] END"
        case "duckdb": return "from_json(\(placeholder), '[\"\(element == .string ? "VARCHAR" : "BIGINT")\"]')"
        default: return placeholder
        }
    }

    /// The type of a column of a view, where it is not that of a parameter: `array<string>`
    fileprivate var kind: String? {
        if !declaration.isEmpty { return declaration }
        return switch type {
        case .array(.string, .native): "array<string>"
        case .array(_, .native): "array<bigint>"
        case .single: "float"
        default: nil
        }
    }
}

extension SQLBinding {
    /// The value as a column of a type takes it: sixteen bytes as a UUID where there is a type for those.
    fileprivate func stored(as type: ParameterType) -> SQLBinding {
        guard case .blob(let bytes) = self, type == .uuid, bytes.count == 16 else { return self }
        let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
        let ends = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return .text(ends.map { digits[$0].joined() }.joined(separator: "-"))
    }
}
