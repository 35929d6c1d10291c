import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// The share of random predicates that each dialect refuses, by the construct that causes it: the table in `Grammar/Engines.md`.
///
/// What is refused is decided by the compiler, so that no engine has to run. Each engine is asked about rows that it can hold.
package struct RefusalTable {
    /// Predicates for each dialect.
    package static let predicates = 5_000

    private let dialects: [(name: String, dialect: any SQLDialect, traits: EngineTraits)] =
        [("sqlite", SQLiteDialect(), .sqlite)]
        + EngineKind.allCases.map { ($0.rawValue, $0.dialect, $0.traits) }

    package init() {}

    /// What is refused for one construct: a number for each dialect, and the shortest predicate.
    private struct Row {
        var counts: [String: Int] = [:]
        var example = ""

        var whole: Int { counts.values.reduce(0, +) }
    }

    /// The table as Markdown.
    package var markdown: String {
        var rows: [String: Row] = [:]
        for (name, dialect, traits) in dialects { count(name, dialect, traits, &rows) }
        let own = rows.filter { !$0.key.hasPrefix(Self.errors) }
        var all = Row()
        for row in own.values { all.counts.merge(row.counts, uniquingKeysWith: +) }
        let heads = ["construct", "example"] + dialects.map(\.name)
        var lines = [
            "| \(heads.joined(separator: " | ")) |",
            "|---|---|\(String(repeating: "--:|", count: dialects.count))", line("**all that is refused**", all),
        ]
        let sorted = rows.sorted { ($1.value.whole, $0.key) < ($0.value.whole, $1.key) }
        lines += sorted.map { line($0.key, $0.value) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(_ construct: String, _ row: Row) -> String {
        let shares = dialects.map { row.counts[$0.name].map(Self.percent) ?? "" }
        let example = row.example.isEmpty ? "" : "`\(row.example)`"
        return "| \(([construct, example] + shares).joined(separator: " | ")) |"
    }

    /// `3.14 %` of 157.
    private static func percent(_ count: Int) -> String {
        let hundredths = count * 10_000 / predicates
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) %"
    }

    /// The beginning of the name of what is wrong in memory too.
    private static let errors = "wrong in memory too"

    private func count(
        _ name: String, _ dialect: any SQLDialect, _ traits: EngineTraits, _ rows: inout [String: Row]
    ) {
        let run = AgreementRun(seed: 1)
        for number in AgreementRun.worlds(forPredicates: Self.predicates) {
            let (world, predicates) = run.questions(world: number, traits)
            let compiler = SQLCompiler(schema: world.schema, dialect: dialect)
            for (predicate, entity) in predicates {
                do throws(SQLCompilationError) {
                    _ = try compiler.compile(FormatPredicate(predicate), entity: entity)
                } catch {
                    note(error, predicate, name, &rows)
                }
            }
        }
    }

    private func note(
        _ error: SQLCompilationError, _ predicate: PredicateNode, _ name: String, _ rows: inout [String: Row]
    ) {
        let construct = error.construct ?? Self.errors
        rows[construct, default: Row()].counts[name, default: 0] += 1
        let example = predicate.predicateFormat
        guard Self.isPlain(example) else { return }
        let known = rows[construct]?.example ?? ""
        if known.isEmpty || (example.utf8.count, example) < (known.utf8.count, known) {
            rows[construct]?.example = example
        }
    }

    /// True for text that a table of Markdown shows as it is.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (32..<127).contains($0) && $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: "`") }
    }
}

extension SQLCompilationError {
    /// The construct that SQL does not express, in words; nil for what is an error in memory too.
    fileprivate var construct: String? {
        guard case .notExpressible(let obstacle) = code else {
            if case .tooManyParameters = code { return "more parameters than a statement takes" }
            return nil
        }
        switch obstacle {
        case .function(let name, _): return name
        case .storage(let kind): return "a \(kind) in one kind of column beside one in another, or in texts"
        case .decimalArithmetic: return "arithmetic of decimals"
        case .collectionValue: return "a collection as one value, or two constant objects"
        case .sumOfDoubles: return "a sum or an average of doubles"
        case .kindDependsOnRow: return "an integer in some rows and a double in others"
        case .nulInText: return "U+0000 in a constant"
        case .mixedKinds: return "a column of values of several kinds"
        case .construct(let name): return name
        case .property(let name): return "the property \(name)"
        case .cast(let from, let to): return "CAST of \(from) to \(to)"
        case .value(let kind): return "\(kind) as a constant"
        case .size, .depth, .joins: return "a statement past a limit of the engine"
        default: return "\(reason)"
        }
    }
}
