import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateQuery
import PredicateSyntax

// The matches of the last predicate: pages, order, single objects, files

/// A value by which matches are sorted, and its direction.
typealias SortColumn = (column: ShownColumn, key: SortKey)

/// The result of a predicate for all objects.
struct MatchScan {
    /// The number of objects, and of those that match.
    var total = 0
    private(set) var matches = 0
    /// The positions of the first matches.
    var first: [Int] = []
    /// The number of objects for which the predicate fails, and the first of them.
    private(set) var failures = 0
    private(set) var firstFailure: ObjectError?

    /// Adds the outcome for an object, and returns true for a match.
    mutating func add(_ outcome: ObjectOutcome, _ row: Int) -> Bool {
        switch outcome {
        case .no: return false
        case .yes: matches += 1
        case .failed(let error):
            failures += 1
            firstFailure = firstFailure ?? ObjectError(index: row, error: error)
            return false
        }
        return true
    }
}

extension Session {
    /// Returns a page of the matches from a position on, and a line that says how many follow.
    func page(
        of scan: MatchScan, from start: Int, _ count: Int, _ query: Query, _ notes: [String]
    ) throws(SessionError) -> [String] {
        let rows = scan.first.dropFirst(start).prefix(count)
        shown = start + rows.count
        let rest = scan.matches - shown
        var note = (rest > 0 ? [painter.paint("… \(Count.grouped(rest)) more; :more shows them", .faint)] : []) + notes
        if rows.isEmpty { return note }
        guard let columns else {
            let objects = try objects(at: rows)
            if scan.matches == 1, let only = objects.first {
                return [objectHeading(only.position)] + vertical(only.object)
            }
            return objectTable(objects, first: rootKeys(of: query)) + note
        }
        let lines = try table(of: Array(rows), columns, &note)
        return lines + note
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
        var notes: [String] = []
        let scan = try scan(evaluator(predicate, query), limit: overflows ? nil : end, &notes)
        guard scan.matches > shown else { return "all \(Count.grouped(scan.matches)) matches were shown" }
        return try page(of: scan, from: shown, count, query, notes).joined(separator: "\n")
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
        var notes: [String] = []
        let scan = try scan(evaluator, limit: settings.rowLimit, &notes)
        return try page(of: scan, from: 0, settings.rowLimit, query, notes)
    }

    /// Returns the last predicate, after reading the objects that it needs; nil if there is none.
    func lastPredicate() throws(SessionError) -> (query: Query, evaluator: PredicateEvaluator)? {
        guard let query = current, case .predicate(let predicate) = query.content else { return nil }
        try prepare(query)
        return (query, try evaluator(reading(predicate), query))
    }

    /// Returns the sort order that an item of `:sort` describes; the item may be the name of a column: `-age`
    private func sortColumn(_ item: ListItem) throws(SessionError) -> SortColumn {
        if let (_, key, end) = item.text.wholeMatch(of: /\+?(\w+)(?:[ :]+(?i:(asc|desc)))?/)?.output, key != item.text,
            !table.columns.contains(item.text)
        {
            let hint = ":sort \(end?.lowercased() == "desc" ? "-" : "")\(key)"
            throw SessionError(":sort takes KEY or -KEY, found '\(item.text)'", hints: [hint])
        }
        let isDescending = item.text.hasPrefix("-") && item.text.count > 1
        let text = isDescending ? String(item.text.dropFirst()).trimmed : item.text
        let shown = columns?.first { $0.name == text }
        let column = if let shown { shown } else { try shownColumn((text, nil)) }
        return (column, SortKey(text, ascending: !isDescending))
    }

    /// Returns a sorter in the order of `:sort`.
    private func sorter(limit: Int?) -> RecordSorter {
        RecordSorter(order.map { ValueOrder($0.key, context.locale) }, limit: limit)
    }

    /// Returns the matches among all objects, the first ones in the order of `:sort`. A value that cannot be evaluated is nil, and
    /// its error is noted. Throws if the user cancels. [NSP-510]
    func scan(
        _ evaluator: PredicateEvaluator, limit: Int?, _ notes: inout [String]
    ) throws(SessionError) -> MatchScan {
        var scan = MatchScan()
        let (sorter, isSorted) = (sorter(limit: limit), !order.isEmpty)
        var failure: SpillError?
        var problems = ColumnProblems(order.map(\.column))
        let values = try evaluators(of: order.map(\.column))
        let take = { (taken: TakenObject) in
            problems.add(taken)
            for value in taken.values { sorter.append(value) }
            let row = withUnsafeBytes(of: taken.index) { Array($0) }
            do throws(SpillError) { try sorter.add(row) } catch { failure = failure ?? error }
        }
        let note = { (outcomes: [ObjectOutcome], row: Int) in
            guard scan.add(outcomes[0], row), !isSorted, scan.first.count < limit ?? .max else { return }
            scan.first.append(row)
        }
        let pass = ObjectPass([evaluator], values: values, context, note: note, take: isSorted ? take : nil)
        try run(pass)
        do throws(SpillError) {
            if let failure { throw failure }
            try sorter.forEach(
                { (row) throws(SpillError) in
                    scan.first.append(UnsafeRawBufferPointer(row).loadUnaligned(as: Int.self))
                }, failing: { $0 })
        } catch {
            throw SessionError(error)
        }
        scan.total = pass.count
        notes += problems.notes
        return scan
    }

    // MARK: - One object

    /// `:show 3`
    func show(_ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let number = try number(rest.isEmpty ? "1" : rest, .show)
        let object = try object(number, "\(number)", hint: "")
        return ([objectHeading(number - 1)] + vertical(object)).joined(separator: "\n")
    }

    /// Returns the object with this number, counted from 1. Throws if there is none. The types of columns in `keys` are those
    /// of the whole file.
    func object(
        _ number: Int?, _ word: String, hint: String, typed keys: Set<String>? = []
    ) throws(SessionError) -> KeyedValue {
        if let number, number >= 1, number <= lastNumber ?? .max,
            let found = try objects(at: [number - 1], typed: keys).first
        {
            return found.object
        }
        let end = lastNumber.map { "1 to \($0)" } ?? "1"
        throw SessionError("there is no object '\(word)'", hints: ["objects are numbered from \(end)" + hint])
    }

    private func objectHeading(_ row: Int) -> String { painter.paint("object \(row + 1)", .heading) }

    /// Returns an object with one key on each line.
    private func vertical(_ object: KeyedValue) -> [String] {
        guard let entries = object.entries else { return ["  " + ValueText.cell(object, in: zone)] }
        let names = shownNames([object])
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
        try settle(keys: nil)
        let writer = MatchWriter(self, path, try namesToWrite(path, evaluator(predicate, query)))
        var notes: [String] = []
        do throws(SessionError) {
            let scan = try write(evaluator(predicate, query), writer, &notes)
            notes = failureNote(scan.failures, scan.firstFailure, query) + notes
            if scan.matches == 0, scan.failures > 0 {
                throw SessionError(
                    "nothing is written: \(Count.of(scan.failures, "object")) could not be evaluated, and no other one matches",
                    hints: ["correct the predicate first: \(query.printed)"])
            }
            try writer.finish()
            return (["\(Count.of(scan.matches, "object")) in \(path)"] + notes).joined(separator: "\n")
        } catch {
            writer.remove()
            throw error
        }
    }

    /// Passes the matches to a writer, in the order of `:sort`.
    private func write(
        _ evaluator: PredicateEvaluator, _ writer: MatchWriter, _ notes: inout [String]
    ) throws(SessionError) -> MatchScan {
        var scan = MatchScan()
        let (sorter, order, shown) = (sorter(limit: nil), order, columns ?? [])
        var problems = ColumnProblems(order.map(\.column) + shown)
        let values = try evaluators(of: order.map(\.column) + shown)
        let pass = ObjectPass([evaluator], values: values, needsObjects: columns == nil, context) { outcomes, row in
            _ = scan.add(outcomes[0], row)
        } take: { taken in
            problems.add(taken)
            let row = writer.row(of: taken.object, taken.values[order.count...])
            if order.isEmpty { return row.withUnsafeBufferPointer(writer.write) }
            for value in taken.values.prefix(order.count) { sorter.append(value) }
            do throws(SpillError) { try sorter.add(row) } catch { writer.note(error) }
        }
        try run(pass, task: "writing")
        do throws(SpillError) {
            try sorter.forEach({ (row) throws(SpillError) in writer.write(row) }, failing: { $0 })
        } catch {
            writer.note(error)
        }
        notes += problems.notes
        return scan
    }

    /// Returns the names of the columns to write. The keys of a file without a header are those of all its matches.
    private func namesToWrite(_ path: String, _ evaluator: PredicateEvaluator) throws(SessionError) -> [String] {
        if let columns { return columns.map(\.name) }
        let format = DataFormat(fileName: path)
        guard !knowsAllKeys, format == .csv || format == .tsv else { return table.columns }
        var names = Set(table.columns)
        let pass = ObjectPass(
            [evaluator], needsObjects: true, context,
            take: { taken in
                if let keys = taken.object.entries?.keys { names.formUnion(keys) }
            })
        try run(pass, task: "writing")
        return table.columns + names.subtracting(table.columns).sorted()
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
                "'\(name[dot...])' is not a format that can be written",
                hints: ["name a file .jsonl, .json, .csv or .tsv"])
        }
        return path
    }
}
