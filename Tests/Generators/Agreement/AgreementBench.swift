import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A world in a file and in memory at once, of which predicates are asked.
package final class AgreementBench {
    package let world: AgreementWorld
    package let graph: AgreementGraph
    package let connection: SQLiteConnection
    /// The file of the database.
    package let path: String

    package init(_ world: AgreementWorld) throws {
        self.world = world
        graph = AgreementGraph(world)
        path = NSTemporaryDirectory() + "/predicates-agreement-\(UUID().uuidString).sqlite"
        connection = try SQLiteConnection(path, SQLiteOptions(.create))
        try world.write(to: connection)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The evaluator's result for every object, by index: true, false, or nil for an error.
    package func answers(_ predicate: PredicateNode, about entity: String) -> [Int: Bool?] {
        let objects = graph.objects[entity] ?? []
        guard let evaluator = try? PredicateEvaluator(FormatPredicate(inMemory(predicate))) else {
            return Dictionary(uniqueKeysWithValues: objects.map { ($0.number, nil) })
        }
        return Dictionary(
            uniqueKeysWithValues: objects.map { ($0.number, try? evaluator.evaluate(.object($0))) })
    }

    /// The predicate with objects where identities stand.
    package func inMemory(_ predicate: PredicateNode) -> PredicateNode {
        predicate.mappingConstants { constant in
            constant.mappingObjects { object in
                guard let id = object.base as? SQLObjectID, let found = self.graph.object(id) else {
                    return .object(object)
                }
                return .object(PredicateObject(found))
            }
        }
    }

    /// The numbers of the rows that a statement selects.
    package func selected(by statement: SQLFragment) throws -> Set<Int> {
        let rows = try connection.rows(of: statement)
        var numbers: Set<Int> = []
        while let row = try rows.next() {
            guard let key = row.first, let number = number(of: key) else { continue }
            // A row twice would be wrong too.
            if !numbers.insert(number).inserted { numbers.insert(-1) }
        }
        return numbers
    }

    private func number(of key: SQLBinding) -> Int? {
        switch key {
        case .integer(let value): Int(exactly: value)
        case .text(let text): Int(text.dropFirst("key ".count))
        case .null, .double, .boolean, .blob: nil
        }
    }
}

/// The outcome of one predicate.
package enum AgreementVerdict {
    /// Both selected the same of the rows that could be judged.
    case agreed(selected: Int, rows: Int, unjudged: Int)
    /// The compiler refused it, for a reason.
    case refused(String)
    /// The evaluator ended in an error for every row, or SQLite in one that a row may be the reason for.
    case unjudged
    case disagreed(AgreementDifference)
}

/// A difference between memory and the file.
package struct AgreementDifference {
    package var statement: SQLFragment?
    /// The message of SQLite, if it failed.
    package var error: String?
    /// The rows that memory selects and the file does not.
    package var missing: Set<Int> = []
    /// The rows that the file selects and memory does not.
    package var surplus: Set<Int> = []
}

extension AgreementBench {
    /// True if a translation selects the rows that the evaluator selects.
    package func verdict(
        _ predicate: PredicateNode, about entity: String, by translation: Translation = .exact,
        answers known: [Int: Bool?]? = nil
    ) -> AgreementVerdict {
        let query: SQLQuery
        do {
            query = try translation.query(for: predicate, about: entity, in: world.schema)
        } catch {
            return .refused((error as? SQLCompilationError)?.reason ?? "\(error)")
        }
        let answers = known ?? answers(predicate, about: entity)
        let judged = answers.compactMapValues(\.self)
        if judged.isEmpty, !answers.isEmpty { return .unjudged }
        return compare(translation.changed(query.select), query.residual, entity, judged, rows: answers.count)
    }

    private func compare(
        _ statement: SQLFragment, _ residual: FormatPredicate?, _ entity: String, _ judged: [Int: Bool], rows: Int
    ) -> AgreementVerdict {
        var selected: Set<Int>
        do {
            selected = try self.selected(by: statement)
        } catch {
            // Where memory has an error for a row, SQLite has one for the whole statement; and it may look at more
            // rows than memory does, which stops at the first part of an AND that does not hold.
            let isOfARow = (error as? StoreError)?.isOfARow == true
            return isOfARow ? .unjudged : .disagreed(AgreementDifference(statement: statement, error: "\(error)"))
        }
        if let residual {
            let rest = self.answers(residual.node, about: entity)
            selected = selected.filter { rest[$0] != .some(.some(false)) }
        }
        let wanted = Set(judged.filter(\.value).keys)
        // -1 stands for a row that was selected twice.
        let surplus = selected.subtracting(wanted).filter { judged[$0] == false || $0 == -1 }
        let missing = wanted.subtracting(selected)
        guard surplus.isEmpty, missing.isEmpty else {
            return .disagreed(AgreementDifference(statement: statement, missing: missing, surplus: surplus))
        }
        return .agreed(selected: wanted.count, rows: rows, unjudged: rows - judged.count)
    }
}

extension StoreError {
    /// True if the error may come from a row: an invalid pattern, a sum that overflows.
    package var isOfARow: Bool {
        if case .evaluation = code { true } else { message == "integer overflow" }
    }
}

extension SQLCompilationError {
    /// The reason in a word or two: the name of the case.
    package var reason: String {
        if case .notExpressible(let obstacle) = code { return "\(obstacle)".caseName }
        return "\(code)".caseName
    }
}

extension String {
    fileprivate var caseName: String { String(prefix { $0 != "(" }) }
}
