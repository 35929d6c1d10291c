import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateQuery
import PredicateSyntax

// The matches of the last predicate: pages, order, single objects, files

/// A value by which matches are sorted, and its direction.
typealias SortColumn = (column: ShownColumn, key: SortKey)

extension Session {
    /// Returns a page of the matches from a position on, and a line that says how many follow.
    func page(of scan: TableScan, from start: Int, _ count: Int, _ query: Query) throws(SessionError) -> [String] {
        var notes: [String] = []
        let rows = try ordered(scan.first, &notes).dropFirst(start).prefix(count)
        shown = start + rows.count
        let rest = scan.matches - shown
        let note = (rest > 0 ? [painter.paint("… \(Count.grouped(rest)) more; :more shows them", .faint)] : []) + notes
        if let columns { return rows.isEmpty ? note : try table(of: Array(rows), columns) + note }
        if scan.matches == 1, let only = rows.first { return [objectHeading(only)] + vertical(only) }
        return rows.isEmpty ? note : objectTable(Array(rows), first: rootKeys(of: query)) + note
    }

    /// `:limit 50`, `:limit`
    func setLimit(_ rest: String) throws(SessionError) -> String {
        if !rest.isEmpty {
            settings.rowLimit = try number(rest, .limit)
        }
        return "\(Count.grouped(settings.rowLimit)) \(settings.rowLimit == 1 ? "match is" : "matches are") shown"
    }

    /// `:more`, `:more 100`
    func more(_ rest: String) throws(SessionError) -> String {
        let count = rest.isEmpty ? settings.rowLimit : try number(rest, .more)
        let (query, predicate) = try predicate()
        try requireObjects()
        try prepare(query)
        let (end, overflows) = shown.addingReportingOverflow(count)
        let limit = order.isEmpty && !overflows ? end : .max
        let scan = try scan(evaluator(predicate, query), limit: limit)
        guard scan.matches > shown else { return "all \(Count.grouped(scan.matches)) matches were shown" }
        return try page(of: scan, from: shown, count, query).joined(separator: "\n")
    }

    private func number(_ word: String, _ command: SessionCommand) throws(SessionError) -> Int {
        guard let number = Int(word), number > 0 else {
            throw SessionError(
                ":\(command.rawValue) takes a number above 0, found '\(word)'", hints: [command.example])
        }
        return number
    }

    // MARK: - Order

    /// `:sort city, -age * 2`, `:sort --`, `:sort`. Shows the matches of the last predicate in the new order.
    func sort(_ rest: String) throws(SessionError) -> String {
        if rest == "--" {
            order = []
        } else if !rest.isEmpty {
            order = try items(rest).map(sortColumn)
        }
        let keys = order.map { $0.column.name + ($0.key.ascending ? "" : ", descending") }
        let sentence = "matches are shown in the order of " + (keys.isEmpty ? "the data" : keys.joined(separator: "; "))
        return try ([sentence] + (rest.isEmpty ? [] : lastMatches())).joined(separator: "\n")
    }

    /// Returns the first matches of the last predicate; nothing if there is none.
    func lastMatches() throws(SessionError) -> [String] {
        guard !table.isEmpty, let (query, evaluator) = try lastPredicate() else { return [] }
        let scan = try scan(evaluator, limit: order.isEmpty ? settings.rowLimit : .max)
        return try page(of: scan, from: 0, settings.rowLimit, query)
    }

    /// Returns the last predicate, after reading the objects that it needs; nil if there is none.
    func lastPredicate() throws(SessionError) -> (query: Query, evaluator: PredicateEvaluator)? {
        guard let query = current, case .predicate(let predicate) = query.content else { return nil }
        try prepare(query)
        return (query, try evaluator(reading(predicate), query))
    }

    /// Returns the sort order that an item of `:sort` describes; the item may be the name of a column: `-age`
    private func sortColumn(_ item: ListItem) throws(SessionError) -> SortColumn {
        let isDescending = item.text.hasPrefix("-") && item.text.count > 1
        let text = isDescending ? String(item.text.dropFirst()).trimmed : item.text
        let shown = columns?.first { $0.name == text }
        let column = if let shown { shown } else { try shownColumn((text, nil)) }
        return (column, SortKey(text, ascending: !isDescending))
    }

    /// Returns the rows in the order of `:sort`. A value that cannot be evaluated is nil, and its error is noted. [NSP-510]
    private func ordered(_ rows: [Int], _ notes: inout [String]) throws(SessionError) -> [Int] {
        guard !order.isEmpty else { return rows }
        let keys = try order.map { (column, key) throws(SessionError) in key.of(try value(of: column)) }
        let numbers = try ask(rows, order.map(\.column), &notes) { (objects, settings) throws(EvaluationError) in
            try objects.numbers(selectedBy: FormatQuery(sortKeys: keys), settings)
        }
        return numbers.map { rows[$0] }
    }

    // MARK: - One object

    /// `:show 3`
    func show(_ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let number = try number(rest.isEmpty ? "1" : rest, .show)
        guard number <= table.count else {
            throw SessionError(
                "there is no object '\(number)'", hints: ["objects are numbered from 1 to \(table.count)"])
        }
        return ([objectHeading(number - 1)] + vertical(number - 1)).joined(separator: "\n")
    }

    private func objectHeading(_ row: Int) -> String { painter.paint("object \(row + 1)", .heading) }

    /// Returns an object with one key on each line.
    private func vertical(_ row: Int) -> [String] {
        let object = table[row]
        guard let entries = object.entries else { return ["  " + ValueText.cell(object, in: zone)] }
        let names = table.columns.filter { entries[$0] != nil }
        let width = names.map { DisplayWidth.of($0.printable) }.max() ?? 0
        return names.map { name in
            let value = ValueText.cell(entries[name] ?? .null, in: zone)
            return "  \(name.printable.padded(toColumns: width))  \(value)".cut(
                toColumns: max(settings.width, width + 20))
        }
    }

    // MARK: - Files

    /// `:write adults.jsonl`
    func write(_ rest: String) throws(SessionError) -> String {
        let path = try fileToWrite(rest)
        let (query, predicate) = try predicate()
        try requireObjects()
        try prepare(query)
        let scan = try scan(evaluator(predicate, query), limit: .max)
        if scan.matches == 0, scan.failures > 0 {
            throw SessionError(
                "nothing is written: \(Count.of(scan.failures, "object")) could not be evaluated, and no other matches",
                hints: ["correct the predicate first: \(query.printed)"])
        }
        var notes = failureNote(scan.failures, scan.firstFailure, query)
        let rows = try ordered(scan.first, &notes)
        let text = try matchesText(rows, &notes)
        let isNew: Bool
        do throws(DataError) { isNew = try environment.create(path, text.text(for: path)) } catch {
            throw SessionError(error, in: path)
        }
        guard isNew else {
            throw SessionError("\(path) already exists", hints: ["choose another name; files are not overwritten"])
        }
        return (["\(Count.of(rows.count, "object")) in \(path)"] + notes).joined(separator: "\n")
    }

    private func matchesText(_ rows: [Int], _ notes: inout [String]) throws(SessionError) -> MatchesText {
        guard let columns else {
            return MatchesText(objects: rows.map { table[$0] }, columns: table.columns, days: days, zone: zone)
        }
        let ofDays = columns.filter { days.contains($0.query.format) }.map(\.name)
        return MatchesText(
            objects: try objects(rows, with: columns, &notes), columns: columns.map(\.name), days: Set(ofDays),
            zone: zone)
    }

    /// Returns the file that `:write` names. Throws for the extension of a format that cannot be written.
    private func fileToWrite(_ rest: String) throws(SessionError) -> String {
        let words = Self.fileWords(rest)
        guard words.count == 1, let path = words.first else {
            throw SessionError(
                ":write takes one file", hints: [words.count > 1 ? ":write \"\(rest)\"" : SessionCommand.write.example])
        }
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path }
        guard DataFormat(fileName: "x" + name[dot...]) != nil else {
            throw SessionError(
                "'\(name[dot...])' is no format that is written", hints: ["name a file .jsonl, .json, .csv or .tsv"])
        }
        return path
    }
}

/// Objects as the contents of a file.
struct MatchesText {
    let objects: [KeyedValue]
    /// The keys, in the order of the data.
    let columns: [String]
    /// The keys whose dates have no time.
    let days: Set<String>
    /// The zone of these dates; nil for UTC.
    let zone: LocalZone?

    /// Returns the objects in the format of the file name; JSON Lines for a name without an extension.
    func text(for path: String) -> String {
        switch DataFormat(fileName: path) {
        case .json: "[" + objects.map(json).joined(separator: ",\n") + "]\n"
        case .csv: delimited(.csv)
        case .tsv: delimited(.tsv)
        case .jsonLines, .lines, .log, .logfmt, .deb822, nil: objects.map { json($0) + "\n" }.joined()
        }
    }

    private func json(_ object: KeyedValue) -> String {
        guard let entries = object.entries else { return JSONWriter().text(of: object.predicateValue ?? .null) }
        let members = columns.filter { entries[$0] != nil }.map { name in
            var bytes: [UInt8] = []
            cell(entries[name], name).writeJSON(to: &bytes)
            return JSONWriter().text(of: .string(name)) + ":" + String(decoding: bytes, as: UTF8.self)
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func cell(_ value: KeyedValue?, _ name: String) -> RowCell {
        RowCell(value?.predicateValue ?? .null, isDay: days.contains(name), in: zone)
    }

    private func delimited(_ dialect: DelimitedDialect) -> String {
        var bytes: [UInt8] = []
        dialect.write(row: columns.map { Array($0.utf8) }, to: &bytes)
        for object in objects {
            let cells = columns.map { cell(object.entries?[$0], $0) }
            dialect.write(row: cells.map(\.text), to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: - History

extension Session {
    /// `:history`, `:history 50`, `:history name`
    func listHistory(_ rest: String) throws(SessionError) -> String {
        let count = Int(rest) ?? 20
        let isWord = !rest.isEmpty && Int(rest) == nil
        let found = entries.enumerated().dropLast().filter { !isWord || $1.lowercased().contains(rest.lowercased()) }
        if found.isEmpty { return isWord ? "no entry contains '\(rest)'" : "there are no entries yet" }
        let last = found.suffix(max(1, count))
        let width = String(last.last.map { $0.offset + 1 } ?? 1).count
        return last.map { number, entry in
            let text = String(number + 1)
            return String(repeating: " ", count: width - text.count) + text + "  "
                + entry.replacing("\n", with: "\n" + String(repeating: " ", count: width + 2))
        }.joined(separator: "\n")
    }
}
