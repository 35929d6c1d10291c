import Foundation
import PredicateEvaluation
import PredicateQuery
import PredicateReference
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// What a road answers to a question.
struct RoadAnswer {
    var columns: [String]
    var rows: [[RoadCell]]
    /// The exit status of the command; nil where there is none.
    var status: Int32?
    var note = ""
    /// True if an error of a row has ended the query.
    var isError = false
}

/// A value of an answer, which is as a value of the reference, or not.
struct RoadCell {
    let shown: String
    let equals: (ReferenceCell) -> Bool

    /// A value that is printed as JSON.
    init(_ value: PrintedValue) {
        (shown, equals) = (value.shown, value.prints)
    }

    /// A value of a dictionary. One of a store is nil where the reference has NaN, as of a sum of infinities.
    init(_ value: PredicateValue, isStored: Bool) {
        let cell = ReferenceCell(value)
        shown = cell.shown
        equals = { ReferenceEquality.isSame($0, cell) || isStored && cell.isNull && $0.nearestDouble?.isNaN == true }
    }

    /// A cell of a table, in which strings have no quotes. Decimals of many digits may be cut to the width of the table.
    init(table text: String) {
        shown = text
        equals = { cell in
            switch cell {
            case .null: text == "nil"
            case .bool(let value): text == (value ? "YES" : "NO")
            case .decimal where text.hasSuffix("…"): "\(cell.predicateValue)".contains(text.dropLast())
            case .double(let number) where !number.isFinite: text.lowercased().contains(number.isNaN ? "nan" : "inf")
            case .integer, .double, .decimal: PrintedValue.number(text).prints(cell)
            case .date: PrintedValue.text(text).prints(cell)
            case .text(let other): text == other
            case .list, .dictionary, .other: PrintedValue.value(ofJSON: text)?.prints(cell) ?? false
            }
        }
    }
}

/// Why a road has no answer.
enum RoadRefusal: Error {
    /// SQL cannot express a part of the question.
    case notInSQL(String)
    case failed(String)
}

/// The roads to the rows of some files.
struct OutputRoads {
    let rows: OutputRows
    /// The paths of the files by their names.
    let paths: [String: String]
    let database: String
    let store: ObjectStore

    init(_ rows: OutputRows, paths: [String: String], database: String) throws {
        (self.rows, self.paths, self.database) = (rows, paths, database)
        store = try ObjectStore(StoreConnection(database), context: PredicateContext(registry: .ofOutputs))
    }

    func answer(_ question: OutputQuestion, on road: OutputRoad) throws(RoadRefusal) -> RoadAnswer {
        switch road {
        case .csv, .jsonLines, .sqlite: try command(question, road)
        case .session: try session(question)
        case .store: try dictionaries(question)
        case .statement: try results(question, isStored: true)
        case .memory: try results(question, isStored: false)
        }
    }

    // MARK: The command

    private func command(_ question: OutputQuestion, _ road: OutputRoad) throws(RoadRefusal) -> RoadAnswer {
        let outcome = filter(question.words + ["-o", "jsonl"], on: road)
        guard let lines = PrintedValue.lines(outcome.output) else { throw .failed(outcome.output + outcome.error) }
        return RoadAnswer(
            columns: lines.first?.members.map(\.name) ?? [], rows: lines.map { $0.members.map { RoadCell($0.value) } },
            status: outcome.status, note: outcome.error)
    }

    private func filter(_ words: [String], on road: OutputRoad) -> Outcome {
        let types = OutputColumn.types(on: road).map { ["--types", $0] } ?? []
        let file = road == .csv ? paths["rows.csv"] : road == .jsonLines ? paths["rows.jsonl"] : database
        return predicate(["filter"] + words + types + [file ?? ""], source: silence)
    }

    /// The status and the text of the output in a form: `["--digits", "2", "-o", "csv"]`
    func output(_ question: OutputQuestion, _ form: [String], on road: OutputRoad) -> String {
        let outcome = filter(question.words + form, on: road)
        return "\(outcome.status)\n\(outcome.output)"
    }

    // MARK: The session

    private func session(_ question: OutputQuestion) throws(RoadRefusal) -> RoadAnswer {
        question.hasGroups ? try table(question) : try matches(question)
    }

    /// Runs lines in a session of the command.
    private func replies(to lines: [String]) throws(RoadRefusal) -> Outcome {
        let types = OutputColumn.types(on: .session).map { ["--types", $0] } ?? []
        let text = lines.joined(separator: "\n") + "\n"
        return predicate(["repl"] + types + [paths["rows.jsonl", default: ""]], source: PipeSource(Array(text.utf8)))
    }

    /// The matches, which the session writes to a file.
    private func matches(_ question: OutputQuestion) throws(RoadRefusal) -> RoadAnswer {
        let file = paths["rows.jsonl", default: ""] + UUID().uuidString + ".jsonl"
        defer { try? FileManager.default.removeItem(atPath: file) }
        var lines = [question.predicate ?? "TRUEPREDICATE"]
        // The order may be that of names of columns.
        if !question.items.isEmpty { lines.append(":columns " + question.items.map(\.words).joined(separator: ",")) }
        if !question.order.isEmpty { lines.append(":sort " + question.order.map(\.words).joined(separator: ",")) }
        let outcome = try replies(to: lines + [":write \(file)"])
        guard let text = try? String(contentsOfFile: file, encoding: .utf8), let lines = PrintedValue.lines(text) else {
            throw .failed(outcome.error)
        }
        return RoadAnswer(
            columns: lines.first?.members.map(\.name) ?? [], rows: lines.map { $0.members.map { RoadCell($0.value) } },
            note: outcome.error)
    }

    /// The groups, which the session shows as a table after a line of ours.
    private func table(_ question: OutputQuestion) throws(RoadRefusal) -> RoadAnswer {
        let lines = [question.predicate ?? "TRUEPREDICATE", ":limit 1000", question.groupCommand]
        let outcome = try replies(to: lines)
        let parts = outcome.output.components(separatedBy: "1,000 matches are shown\n")
        guard parts.count == 2 else { throw .failed(outcome.error) }
        let rows = parts[1].split(separator: "\n").prefix { !$0.hasPrefix("error") }.map(Self.cells)
        guard let head = rows.first else { throw .failed(outcome.error) }
        return RoadAnswer(
            columns: head, rows: rows.dropFirst().map { $0.map(RoadCell.init(table:)) }, note: outcome.error)
    }

    private static func cells(_ line: Substring) -> [String] {
        line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    // MARK: The store

    private func dictionaries(_ question: OutputQuestion) throws(RoadRefusal) -> RoadAnswer {
        do {
            let keys = try question.resultKeys
            let found = try store.fetchDictionaries(try request(question), keys, try question.resultRows)
            let names = keys.map(\.name)
            return RoadAnswer(
                columns: names, rows: found.map { row in names.map { RoadCell(row[$0] ?? .null, isStored: true) } })
        } catch let error as StoreError {
            if case .compilation = error.code { throw .notInSQL("\(error)") }
            throw .failed("\(error)")
        } catch {
            throw .failed("\(error)")
        }
    }

    private func request(_ question: OutputQuestion) throws -> PredicateFetchRequest {
        PredicateFetchRequest(
            "t", try question.predicate.map { try FormatPredicate(format: $0, arguments: []) },
            sortKeys: question.sortKeys, limit: question.limit, offset: question.offset)
    }

    // MARK: Texts of queries

    /// The results of a query over the objects of the store, or in memory.
    private func results(_ question: OutputQuestion, isStored: Bool) throws(RoadRefusal) -> RoadAnswer {
        do {
            let query = try FormatQuery(
                format: question.queryText(OutputColumn.columns(on: isStored ? .statement : .memory)), arguments: [])
            let objects = isStored ? [] : rows.values(on: .memory)
            let results =
                isStored
                ? try store.results(of: query, from: "t")
                : try objects.results(of: query, context: PredicateContext(registry: .ofOutputs))
            return RoadAnswer(
                columns: results.columns, rows: results.rows.map { $0.map { RoadCell($0, isStored: isStored) } })
        } catch let error as EvaluationError {
            return RoadAnswer(columns: [], rows: [], note: "\(error)", isError: true)
        } catch let error as StoreError where error.isOfRow {
            return RoadAnswer(columns: [], rows: [], note: "\(error)", isError: true)
        } catch {
            throw .failed("\(question.line)\n\(error)")
        }
    }
}

extension StoreError {
    /// True if memory could not evaluate an expression for an object.
    fileprivate var isOfRow: Bool { if case .evaluation = code { true } else { false } }
}

extension EvaluationRegistry {
    /// The functions that the command registers.
    static let ofOutputs: EvaluationRegistry = {
        var registry = EvaluationRegistry.standard
        registry.registerCalendarFunctions(timeZone: .gmt)
        return registry
    }()
}

// MARK: - Commands of a session

extension OutputQuestion {
    /// `:count-by city`, `:avg age AS v0, price BY city AS g`, `:group city AS g, count(), avg(age) AS v0`
    fileprivate var groupCommand: String {
        let keys = groups.map(\.words)
        let list = keys.joined(separator: ", ")
        guard !isCount, let function = aggregates.first?.function else { return ":count-by \(list)" }
        if hasCalls { return ":group " + (keys + ["count()"] + aggregates.map(\.call)).joined(separator: ", ") }
        let values = aggregates.map(\.item.words).joined(separator: ", ")
        return ":\(function.word) \(values)" + (keys.isEmpty ? "" : " BY \(list)")
    }
}

// MARK: - Queries

extension OutputQuestion {
    /// `DISTINCT city AS k0 WHERE age > 20 ORDER BY (lowercase(city))[c] NUMERIC DESC NULLS FIRST LIMIT 3`
    fileprivate func queryText(_ all: [OutputColumn]) -> String {
        let columns = items.isEmpty ? all.map(\.name) : items.map(\.words)
        let results = groups.map(\.words) + ["count() AS count"] + aggregates.map(\.call)
        let page = limit.map { ["LIMIT \($0)"] } ?? []
        let clauses: [String?] = [
            (isDistinct ? "DISTINCT " : "") + (hasGroups ? results : columns).joined(separator: ", "),
            predicate.map { "WHERE " + (isInverted ? "NOT (\($0))" : $0) },
            hasGroups ? "GROUP BY " + (groups.isEmpty ? "()" : groups.map(\.name).joined(separator: ", ")) : nil,
            having.map { "HAVING \($0)" },
            distinctOn.isEmpty ? nil : "LIMIT \(each) BY " + distinctOn.joined(separator: ", "),
            order.isEmpty ? nil : "ORDER BY " + order.map(words(of:)).joined(separator: ", "),
            last.map { "LAST \($0)" } ?? (page + (offset > 0 ? ["OFFSET \(offset)"] : [])).joined(separator: " "),
        ]
        return clauses.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func words(of key: Order) -> String {
        let isWord = key.text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        let nils = key.nils.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" }
        return (isWord ? key.text : "(\(key.text))") + (ignoresCase ? "[c]" : "") + (isNumeric ? " NUMERIC" : "")
            + (key.isDescending ? " DESC" : "") + (nils ?? "")
    }
}

// MARK: - Requests

extension OutputFunction {
    fileprivate var ofStore: ResultKey.Aggregate {
        switch self {
        case .sum: .sum
        case .avg: .average
        case .min: .minimum
        case .max: .maximum
        case .median: .median
        case .count: .count
        case .countDistinct: .countDistinct
        case .stddev: .standardDeviation
        case .percentile(let share): .percentile(Double(share))
        case .joined(let separator): .joined(separator: separator)
        }
    }
}

extension OutputQuestion.Item {
    /// The text as an operand, so that functions of the host are parsed.
    fileprivate var operand: String { "(\(text))" }
}

extension OutputQuestion {
    fileprivate var sortKeys: [SortKey] {
        let options: ComparisonOptions = ignoresCase ? .caseInsensitive : []
        return order.map {
            SortKey($0.text, ascending: !$0.isDescending, options: options, nils: $0.nils, isNumeric: isNumeric)
        }
    }

    fileprivate var resultKeys: [ResultKey] {
        get throws {
            let columns =
                items.isEmpty && !hasGroups ? OutputColumn.columns(on: .store).map { Item(text: $0.name) } : items
            var keys = try (columns + groups).map(Self.key)
            if hasGroups { keys.append(.count(as: "count")) }
            for aggregate in aggregates {
                let value = try FormatExpression(format: aggregate.item.operand, arguments: [])
                keys.append(.aggregate(aggregate.function.ofStore, of: value, as: aggregate.name))
            }
            return keys
        }
    }

    private static func key(_ item: Item) throws -> ResultKey {
        if OutputColumn.all.contains(where: { $0.name == item.text }) { return ResultKey(item.text, as: item.name) }
        return ResultKey(try FormatExpression(format: item.operand, arguments: []), as: item.name)
    }

    fileprivate var resultRows: ResultRows {
        get throws {
            if isDistinct { return .distinct }
            guard hasGroups else { return .all }
            let paths = groups.map { item in OutputColumn.all.contains { $0.name == item.text } ? item.text : item.name
            }
            return .grouped(by: paths, having: try having.map { try FormatPredicate(format: $0, arguments: []) })
        }
    }
}
