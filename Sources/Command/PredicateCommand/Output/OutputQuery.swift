import Foundation
import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateSyntax

/// What is written for the matches: the columns of records or groups, their order, and which of the rows.
///
/// `-k 'name, price * 2 AS double' --sort -price --first 10`, `--group-by city --avg price --having 'count > 3'`
struct OutputQuery {
    /// The values to write; nil for whole records.
    private(set) var keys: [OutputValue]?
    private(set) var grouping: Grouping?
    private(set) var sort: SortOrder?
    private(set) var page: FormatQuery.Page
    /// A Boolean value that indicates whether equal rows are written once.
    let isDistinct: Bool
    /// The keys of `--distinct-on`: only the first match for each combination of their values is written; nil without it.
    private(set) var distinctKeys: [OutputValue]?
    /// The number of matches that are written for each combination of these values.
    let limitOfEach: Int
    let style: NumberStyle
    let context: PredicateContext

    private typealias Option = FilterOption

    init(_ reader: ArgumentReader, _ context: PredicateContext, isQuiet: Bool) throws(CommandFailure) {
        self.context = context
        grouping = try Grouping(reader, context)
        try grouping?.readHaving(reader)
        keys = reader.has(Option.keys) && grouping == nil ? try OutputValue.all(Option.keys, reader, context) : nil
        sort = try SortOrder(FilterOption.sort, reader, context, columns: grouping == nil ? keys ?? [] : [])
        page = isQuiet ? .first(limit: 1, offset: 0) : try FormatQuery.Page(reader)
        isDistinct = reader.has(Option.distinct)
        let hasKeys = reader.has(Option.distinctOn)
        distinctKeys = hasKeys ? try OutputValue.all(Option.distinctOn, reader, context) : nil
        limitOfEach = try FormatQuery.Page.number(Option.each, reader, from: 1, default: 1) ?? 1
        style = try NumberStyle(reader)
        try checkCombinations(reader)
        numberValues()
    }

    /// Assigns consecutive numbers to the values of matches.
    private func numberValues() {
        let (keyCount, sortCount) = (keys?.count ?? 0, sort?.values.count ?? 0)
        keys?.number(from: 0)
        sort?.values.number(from: keyCount)
        distinctKeys?.number(from: keyCount + sortCount)
    }

    /// Returns the same query for the objects of an entity, whose attributes come before expressions with the same spelling.
    func of(_ entity: SQLEntity) -> OutputQuery {
        var query = self
        (query.keys, query.distinctKeys) = (keys?.of(entity), distinctKeys?.of(entity))
        (query.grouping, query.sort) = (grouping?.of(entity), sort?.of(entity))
        return query
    }

    /// Returns the same columns, for rows that arrive in the right order, none of which is left out.
    var ofRowsInOrder: OutputQuery {
        var query = self
        (query.sort, query.page) = (nil, .whole)
        return query
    }

    /// Returns the indices of the rows that are written, in the order of `--sort` or else in their own order. The keys of
    /// `--sort` and `having` are the names of columns.
    func indices(of rows: QueryResults, having: FormatPredicate? = nil) throws(CommandFailure) -> [Int] {
        if having == nil, sort == nil { return Array(page.rows(Array(rows.rows.indices))) }
        var clauses = FormatQuery(having: having, sortKeys: sort?.keys(among: rows.columns) ?? [])
        clauses.page = page
        return try CommandFailure.evaluating { () throws(EvaluationError) in
            try rows.indices(selectedBy: clauses, context: context)
        }
    }

    /// The values of records that are grouped and aggregated or, without groups, sorted by and compared by `--distinct-on`.
    var arranging: [OutputValue] { grouping?.values ?? (sort?.values ?? []) + (distinctKeys ?? []) }

    /// The values of a match that are needed besides its bytes, if a file has this header; nil if the whole record is needed.
    func valuesOfMatches(_ header: RecordHeader?) -> [OutputValue]? {
        if isDistinct, keys == nil { return nil }
        let written = (keys ?? []).filter { key in
            isDistinct || key.evaluator != nil && header.map { key.column(in: $0.columns) == nil } ?? true
        }
        return written + (sort?.values ?? []) + (distinctKeys ?? [])
    }

    /// A Boolean value that indicates whether matches are left out because others have the same values.
    var leavesOutMatches: Bool { isDistinct || distinctKeys != nil }

    /// All values of records that are written, sorted by, grouped by or aggregated.
    var values: [OutputValue] { (keys ?? []) + arranging }

    /// Returns notes about divisions of integers in expressions, which drop the fraction.
    func divisions(_ scope: CheckScope) -> [String] {
        values.flatMap { value in
            guard value.evaluator != nil,
                let comparison = try? FormatPredicate(format: "(\(value.text)) > 0.5", arguments: [])
            else { return [String]() }
            return PredicateNotes.divisions(comparison, scope)
        }
    }

    /// The values that decide at once whether a match is left out as a repetition; empty for whole records, and if
    /// `--distinct-on` is combined with a sort order.
    var identifyingValues: [OutputValue] { isDistinct ? keys ?? [] : sort == nil ? distinctKeys ?? [] : [] }

    /// The number of rows after which no more records are needed; nil if all records are needed.
    var stoppingLimit: Int? { sort == nil && grouping == nil ? page.end : nil }

    /// A Boolean value that indicates whether values of the keys are written, rather than parts of the records' text.
    var hasColumns: Bool { keys.map { isDistinct || $0.contains(where: \.needsColumn) } ?? false }

    /// A Boolean value that indicates whether each match is needed separately, and not only as part of a run of lines.
    var needsEachRow: Bool { leavesOutMatches || page.skipsRows || hasColumns }

    private func checkCombinations(_ reader: ArgumentReader) throws(CommandFailure) {
        try OutputConflicts.check(reader, hasGroups: grouping != nil)
        if reader.has(Option.each), distinctKeys == nil { throw reader.failure("--each needs --distinct-on KEY,...") }
        guard let grouping else {
            if reader.has(Option.having) { throw reader.failure("--having needs groups: --group-by KEY,...") }
            return
        }
        try checkSort(in: grouping)
    }

    /// Throws for a key that is not a column of the groups.
    private func checkSort(in grouping: Grouping) throws(CommandFailure) {
        for value in sort?.values ?? [] {
            guard let name = try value.missingKey(in: grouping.columnNames) else { continue }
            let hint = SortOrder.hint(for: name, among: grouping.columnNames)
            throw .message(
                "the groups have no column '\(name)' to sort by",
                hints: hint.map { [$0] } ?? [grouping.columnHint] + (Grouping.aggregate(named: name).map { [$0] } ?? [])
            )
        }
    }
}

/// The rows that are written: `--offset 20 --first 10`, `--last 5`.
extension FormatQuery.Page {
    /// All rows.
    static let whole = Self.first(limit: nil, offset: 0)

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        let limit = try Self.number(FilterOption.first, reader, from: 1, default: 1)
        let last = try Self.number(FilterOption.last, reader, from: 1, default: 1)
        let offset = try Self.number(FilterOption.offset, reader, from: 0, default: 0) ?? 0
        self = last.map { .last($0) } ?? .first(limit: limit, offset: offset)
        guard last != nil, let other = [FilterOption.first, FilterOption.offset].first(where: reader.has) else {
            return
        }
        throw reader.failure("--last and --\(other.name) cannot be combined: one counts from the end")
    }

    static func number(
        _ option: CommandOption, _ reader: ArgumentReader, from least: Int, default: Int
    ) throws(CommandFailure) -> Int? {
        guard reader.has(option) else { return nil }
        guard let text = reader.value(of: option) else { return `default` }
        if let number = Int(text), number >= least { return number }
        let bound = least == 0 ? "a number from 0" : "a number above 0"
        throw reader.failure("--\(option.name) takes \(bound), found '\(text)'")
    }

    /// The number of rows at the end; nil for a page that counts from the first row.
    var last: Int? { if case .last(let count) = self { count } else { nil } }

    /// The number of rows that are skipped at the beginning.
    var offset: Int { if case .first(_, let offset) = self { offset } else { 0 } }

    /// The number of rows after the offset; nil for no limit.
    var limit: Int? { if case .first(let limit, _) = self { limit } else { nil } }

    /// A Boolean value that indicates whether rows are skipped before those that are written.
    var skipsRows: Bool { offset > 0 || last != nil }
}

/// The notation of computed numbers: `--digits 2` writes 54.80603846153846 as 54.81.
struct NumberStyle {
    /// The number of digits after the decimal point; nil for as many as needed.
    let digits: Int?
    /// The zone of days; nil for UTC.
    let zone: LocalZone?

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        zone = reader.context.zone
        guard let text = reader.value(of: FilterOption.digits) else {
            digits = nil
            return
        }
        guard let number = Int(text), (0...15).contains(number) else {
            throw reader.failure("--digits takes a number from 0 to 15, found '\(text)'")
        }
        digits = number
    }

    /// Returns the cell of a computed value. If `isDay` is true, the value is a midnight in a column of days.
    func cell(_ value: PredicateValue, isDay: Bool = false) -> RowCell {
        guard let digits, !isDay else { return RowCell(value, isDay: isDay, in: zone) }
        switch value {
        case .double(let number) where number.isFinite && number.magnitude < 1e15:
            return .json(Array(String(format: "%.\(digits)f", number).utf8))
        case .decimal(let number): return .json(Array(number.rounded(to: digits).description.utf8))
        default: return .value(value)
        }
    }
}
