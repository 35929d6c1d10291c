import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Columns whose rows hold values of other kinds than their type.
@Suite struct MixedKindsTests {
    private static func setting(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment["PREDICATES_MIXED_\(name)"].flatMap(Int.init) ?? standard
    }

    /// Random predicates over columns of every type and affinity with values of every storage class select the objects
    /// for which they are true in memory, or are refused.
    ///
    /// `PREDICATES_MIXED_COUNT=100000 PREDICATES_MIXED_SEED=7 swift test --filter MixedKindsTests`
    @Test func fileAndMemorySelectTheSame() throws {
        var random = RandomSource(seed: UInt64(clamping: Self.setting("SEED", 1)))
        var (agreed, selective, unjudged, refused) = (0, 0, 0, 0)
        let count = Self.setting("COUNT", 6000)
        for _ in 0..<max(1, count / 100) {
            let table = MixedTable(&random)
            let store = try table.store()
            let objects = try store.fetchAll("t")
            var generator = PredicateGenerator(seed: random.next(), world: table.world)
            for _ in 0..<100 {
                let predicate = random.percent(50) ? generator.predicate(about: "t") : table.comparison(&random)
                switch try Self.verdict(FormatPredicate(predicate), store, objects) {
                case .agreed(let isSelective):
                    agreed += 1
                    selective += isSelective ? 1 : 0
                case .refused: refused += 1
                case .unjudged: unjudged += 1
                case .differs(let words):
                    Issue.record("\(words)\n\(table.description)")
                    return
                }
            }
        }
        print("mixed kinds: \(agreed) agreed, \(selective) selective, \(refused) refused, \(unjudged) unjudged")
        #expect(agreed * 100 > count * 55)
        #expect(selective * 100 > count * 12)
    }

    /// What ends a statement, because SQLite has no value for a result.
    private static let statementErrors = ["integer overflow", "the result of decimal arithmetic is not a number"]

    /// SQLite has no NaN, which is less than every other number in memory. [NSP-411]
    @Test func decimalArithmeticWithoutANumberEndsTheStatement() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, c); INSERT INTO t VALUES (1, 9e999), (2, '1.5'), (3, -9e999)")
        let schema = SQLSchema([
            SQLEntity("t", attributes: ["id": SQLAttribute(.integer), "c": SQLAttribute(.decimal)])
        ])
        let store = try ObjectStore(connection, schema: schema)
        func request(_ format: String) throws -> PredicateFetchRequest {
            PredicateFetchRequest("t", try FormatPredicate(format: format, arguments: []))
        }
        #expect(try store.fetchCount(request("c > 1")) == 2)
        #expect(try store.fetchCount(request("c * 2 > 1")) == 2)
        #expect(try store.fetchCount(request("c < -1")) == 1)
        #expect(try store.fetchCount(request("c < id * (c + c)")) == 1)
        let undecided = try request("id >> 8 > c * 0")
        let error = StoreError.thrown { try store.fetchCount(undecided) }
        #expect(error?.message == "the result of decimal arithmetic is not a number")
    }

    private enum Verdict {
        case agreed(isSelective: Bool)
        case refused
        case unjudged
        case differs(String)
    }

    private static func verdict(
        _ predicate: FormatPredicate, _ store: ObjectStore, _ objects: [StoredObject]
    ) throws -> Verdict {
        let found: Set<SQLObjectID>
        do throws(StoreError) {
            found = Set(try store.fetchAll(PredicateFetchRequest("t", predicate)).map(\.id))
        } catch {
            switch error.code {
            case .compilation: return .refused
            case .mixedKinds, .evaluation: return .unjudged
            case .sqlite where statementErrors.contains(error.message): return .unjudged
            default: return .differs("\(predicate.predicateFormat): \(error)")
            }
        }
        guard let evaluator = try? PredicateEvaluator(predicate) else { return .unjudged }
        var (wanted, judged) = (0, 0)
        for object in objects {
            guard let isWanted = try? evaluator.evaluate(with: object) else { continue }
            judged += 1
            wanted += isWanted ? 1 : 0
            guard isWanted == found.contains(object.id) else {
                let sql = try? SQLCompiler(schema: store.schema).compile(predicate, entity: "t").where
                return .differs(
                    """
                    \(predicate.predicateFormat): memory says \(isWanted) of \(object)
                    \(sql?.text ?? "") \(sql?.bindings ?? [])
                    """)
            }
        }
        return judged == 0 ? .unjudged : .agreed(isSelective: wanted > 0 && wanted < judged)
    }
}

/// A table of columns of random declared types, types and values.
private struct MixedTable: CustomStringConvertible {
    let columns: [(name: String, declared: String, type: SQLType)]
    let rows: [[SQLBinding]]

    private static let declarations = [
        "INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB", "", "BOOLEAN", "DATETIME", "TEXT COLLATE NOCASE", "STRING", "INT",
    ]
    private static let types: [SQLType] = [
        .integer, .integer, .double, .double, .string, .string, .boolean, .date(.since2001), .date(.since1970),
        .date(.iso8601), .uuid(.blob), .uuid(.text), .uuid(.lowercaseText), .data, .decimal, .any, .any,
    ]

    init(_ random: inout RandomSource) {
        columns = (0..<(3 + random.below(4))).map { number in
            ("c\(number)", random.one(of: Self.declarations), random.one(of: Self.types))
        }
        let types = columns.map(\.type)
        rows = (0..<(4 + random.below(10))).map { _ in types.map { Self.value($0, &random) } }
    }

    /// Half of the values are of the column's type.
    private static func value(_ type: SQLType, _ random: inout RandomSource) -> SQLBinding {
        if random.percent(12) { return .null }
        if random.percent(50), type != .any { return Cell(type, &random).stored }
        let text = random.any(of: SampleValues.strings + ["7", "2.5", "1e3", "abc", "2016-03-02", "true"]) ?? ""
        let uuid = UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89")
        switch random.below(8) {
        case 0, 1: return .integer(random.any(of: SampleValues.integers) ?? 0)
        case 2, 3: return .double(random.any(of: SampleValues.doubles) ?? 0)
        case 4: return .text(text)
        case 5: return .blob(Data(text.utf8))
        case 6: return .text(random.percent(50) ? uuid?.uuidString ?? "" : uuid?.uuidString.lowercased() ?? "")
        default: return .blob(uuid?.bytes ?? Data())
        }
    }

    /// A comparison of a column with a constant, or with another column.
    func comparison(_ random: inout RandomSource) -> PredicateNode {
        let left = ExpressionNode.keyPath(KeyPathExpression([.key(columns[random.below(columns.count)].name)]))
        let operators: [ComparisonOperator] = [
            .equalTo, .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
        ]
        if random.percent(25) {
            let right = ExpressionNode.keyPath(KeyPathExpression([.key(columns[random.below(columns.count)].name)]))
            return .comparison(.init(left, random.one(of: operators), right))
        }
        let constant = ExpressionNode.constantValue(constant(&random))
        if random.percent(15) {
            let list = (0..<4).map { _ in self.constant(&random) }
            return .comparison(.init(left, .in, .constantValue(.array(list))))
        }
        if random.percent(25), case .constantValue(.string) = constant {
            let operators: [StringOperator] = [.beginsWith, .endsWith, .contains, .like]
            let options: ComparisonOptions = random.percent(40) ? [.caseInsensitive, .diacriticInsensitive] : []
            return .string(.init(left, random.one(of: operators), constant, options: options))
        }
        return random.percent(80)
            ? .comparison(.init(left, random.one(of: operators), constant))
            : .comparison(.init(constant, random.one(of: operators), left))
    }

    /// A constant of any kind, often one that a row holds.
    private func constant(_ random: inout RandomSource) -> PredicateValue {
        if random.percent(50) {
            switch random.one(of: random.one(of: rows)) {
            case .null: return .null
            case .integer(let value): return .integer(value)
            case .double(let value): return .double(value)
            case .boolean(let value): return .bool(value)
            case .text(let text): return .string(text)
            case .blob(let data): return .data(data)
            }
        }
        return Cell(random.one(of: Self.types.filter { $0 != .any }), &random).value
    }

    var world: AgreementWorld {
        AgreementWorld(schema: schema, rows: [:], pairs: [:])
    }

    var schema: SQLSchema {
        var attributes = ["id": SQLAttribute(.integer, isNullable: false)]
        for column in columns {
            let declared = column.declared.replacing(" COLLATE NOCASE", with: "")
            attributes[column.name] = SQLAttribute(
                column.type,
                affinity: column.type == .any ? nil : SQLiteAffinity(declaredType: declared))
        }
        return SQLSchema([SQLEntity("t", attributes: attributes)])
    }

    func store() throws -> ObjectStore {
        let connection = try StoreConnection.inMemory()
        let declared = columns.map { "\($0.name) \($0.declared)" }.joined(separator: ", ")
        try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, \(declared))")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let names = columns.map(\.name).joined(separator: ", ")
        for row in rows {
            try connection.run(SQLFragment(verbatim: "INSERT INTO t (\(names)) VALUES (\(places))", bindings: row))
        }
        return try ObjectStore(connection, schema: schema)
    }

    var description: String {
        let head = columns.map { "\($0.name) \($0.declared): \($0.type)" }.joined(separator: ", ")
        return head + "\n" + rows.map { "\($0)" }.joined(separator: "\n")
    }
}
