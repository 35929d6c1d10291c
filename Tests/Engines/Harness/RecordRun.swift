import Foundation
import PredicateAgreement
import PredicateConformance
import PredicateSQL
import PredicateSyntax

/// A run of the conformance records: the rows that an engine selects are those for which the records say true.
struct RecordRun {
    let engine: any AgreementEngine

    /// Tables that are loaded at once.
    private static let batch = 60

    func run() throws -> RecordReport {
        let types = RecordTypes(traits: engine.traits, dialect: engine.dialect)
        var report = RecordReport(exceptions: try RecordExceptions(engine: engine.name))
        for path in Self.files {
            let evaluations = try ConformanceSuite.load(path: path).evaluations
            let (tables, withoutTable) = RecordTable.tables(for: evaluations, types)
            report.withoutTable += withoutTable
            for start in stride(from: 0, to: tables.count, by: Self.batch) {
                try judge(Array(tables[start..<min(start + Self.batch, tables.count)]), &report)
            }
        }
        return report
    }

    /// Records of our own, and the facts that the language meets.
    private static let files: [String] = {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = tests.appendingPathComponent("Conformance")
        let cases = folder.appendingPathComponent("Cases").path
        let names = FileManager.default.enumerator(atPath: cases)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".cases") }.sorted().map { "\(cases)/\($0)" }
            + [folder.appendingPathComponent("Facts/cases.jsonl").path]
    }()

    private func judge(_ tables: [RecordTable], _ report: inout RecordReport) throws {
        let world = AgreementWorld(tables)
        let compiler = SQLCompiler(schema: world.schema, dialect: engine.dialect, calendarZone: .gmt)
        let database = try engine.database(of: world)
        var asked: [(RecordTable, SQLFragment)] = []
        var statements: [AgreementStatement] = []
        for (number, table) in tables.enumerated() {
            do throws(SQLCompilationError) {
                let query = try compiler.compile(
                    table.predicate, entity: "R\(number)", variables: PredicateVariables(table.variables))
                asked.append((table, query.select))
                statements.append(AgreementStatement(query.select, prelude: query.prelude))
            } catch {
                report.refuse(table, error)
            }
        }
        for ((table, statement), keys) in zip(asked, database.keys(selectedBy: statements)) {
            report.add(keys, table, statement)
        }
    }
}

/// The outcome of the records on an engine.
struct RecordReport {
    /// Rows that were selected exactly if the record says so.
    private(set) var passed = 0
    private(set) var failures: [String] = []
    /// Rows whose predicate is refused, by reason.
    private(set) var refused: [String: Int] = [:]
    /// Rows beside which the engine reports an error that the values of a row may lead to.
    private(set) var unjudged = 0
    /// Rows whose objects are no rows of tables.
    var withoutTable = 0
    /// Rows that are selected otherwise for a reason on record.
    private(set) var excepted = 0
    private var exceptions: RecordExceptions

    init(exceptions: RecordExceptions) {
        self.exceptions = exceptions
    }

    mutating func refuse(_ table: RecordTable, _ error: SQLCompilationError) {
        refused[error.reason, default: 0] += table.rows.count
    }

    mutating func add(
        _ keys: Result<[SQLBinding], AgreementError>, _ table: RecordTable, _ statement: SQLFragment
    ) {
        switch keys {
        case .failure(let error) where error.isOfARow: unjudged += table.rows.count
        case .failure(let error): failures.append("\(table.rows[0].id): \(error)\n    \(statement)")
        case .success(let keys):
            let selected = Set(keys)
            for (number, row) in table.rows.enumerated() {
                if selected.contains(.integer(Int64(number))) == row.isSelected {
                    passed += 1
                } else if exceptions.covers(table.record) {
                    excepted += 1
                } else {
                    let found = row.isSelected ? "not selected" : "selected"
                    failures.append("\(row.id): \(found)\n    \(table.predicate)\n    \(statement)")
                }
            }
        }
    }

    var skipped: Int { refused.values.reduce(0, +) + unjudged + withoutTable + excepted }

    /// What is wrong: rows, exceptions without need, and fewer judged rows than an engine is known to judge.
    func complaints(floor: Int) -> [String] {
        let needless = exceptions.needless.map { "listed as an exception, yet it holds: \($0)" }
        let few = passed < floor ? ["\(passed) rows passed, fewer than \(floor)"] : []
        return failures + needless + few
    }

    /// The counts in words.
    var summary: String {
        let reasons = refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        return """
            \(passed + failures.count) rows of records judged, \(refused.values.reduce(0, +)) refused \
            (\(reasons.joined(separator: ", "))), \(unjudged) with an error of a value, \(withoutTable) that fit no table, \
            \(excepted) excepted
            """
    }
}
