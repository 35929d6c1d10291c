import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

extension FilterRun {
    /// Writes the groups of all files.
    func write(_ groups: GroupCollector, _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = settings.query.grouping, isWhole || tally.matched > 0 else { return }
        let rows = try grouping.rows(of: groups, settings.query)
        let header = tally.problems.header
        let format = settings.output ?? OutputFormat(groupsOf: firstFormat)
        try tally.write(rows, of: grouping, format, isWhole: isWhole) { value, _ in
            guard let reading = header?.reading(of: value.text) else { return header.map { _ in false } }
            // A declared type does not say whether dates have times.
            return reading.type == .date && reading.origin == .declared ? nil : reading.isDay
        }
        for note in [noteOfLists(rows, grouping), grouping.noteOfTexts(rows)] {
            if !settings.isQuiet, let note { console.report("note: \(note)") }
        }
    }

    /// The note about grouping by lists, `--count-by labels.name`, where grouping by their elements may be meant.
    private func noteOfLists(_ rows: [[PredicateValue]], _ grouping: Grouping) -> String? {
        guard grouping.keys.count == 1, let keys = grouping.keys[0].slotPath,
            rows.contains(where: { if case .array = $0[0] { true } else { false } })
        else { return nil }
        let path = (settings.records.path.map { [$0] } ?? []) + keys.map { RecordsPath.text(of: $0) }
        let option = grouping.isCount ? FilterOption.countBy : FilterOption.groupBy
        return "'\(grouping.keys[0].text)' is a list, and each list is a group; for its elements write"
            + " --path \(path.joined(separator: ".")) --\(option.name) SELF"
    }
}

extension Grouping {
    /// The note for the minimum or maximum of texts that are numbers: the greatest of `"9"` and `"10"` is `"9"`.
    fileprivate func noteOfTexts(_ rows: [[PredicateValue]]) -> String? {
        let found = aggregates.enumerated().first { index, aggregate in
            aggregate.isExtreme
                && rows.contains {
                    if case .string(let text) = $0[keys.count + 1 + index] { text.isPlainNumber } else { false }
                }
        }
        guard let (_, aggregate) = found else { return nil }
        let name = aggregate.value.text
        return
            "'\(name)' is text, and compared as text: \"10\" comes before \"9\"; CAST(\(name), \"NSNumber\") is the number"
    }
}

extension MatchTally {
    /// Writes the rows of groups: in a format or, for `--count-by` on a terminal without `--output`, as a table with bars.
    ///
    /// Dates are written as days in columns of days. Where all dates are days, this also applies to computed columns, columns
    /// of a declared type, and columns whose source does not know. `holdsDays` is called with each value and its index, and
    /// returns nil if the source does not know. [NSP-496]
    func write(
        _ rows: [[PredicateValue]], of grouping: Grouping, _ format: OutputFormat, isWhole: Bool,
        _ holdsDays: (OutputValue, Int) -> Bool?
    ) throws(CommandFailure) {
        let (style, zone) = (settings.query.style, settings.context.zone)
        var areDays = grouping.values.enumerated().map { index, value in
            let column = index < grouping.keys.count ? index : index + 1
            let known = holdsDays(value, index)
            return known == true
                || (known == nil || value.keyPath == nil) && rows.allSatisfy { $0[column].isDayOrNil(in: zone) }
        }
        areDays.insert(false, at: grouping.keys.count)
        let places = grouping.written.map(\.place)
        let hasBars = grouping.isCount && settings.output == nil && console.terminal.isOutputTerminal
        let written = hasBars ? OutputFormat.table : format
        painter.begin(written)
        let writer = RowWriter(
            written, grouping.written.map(\.name), width: console.tableWidth,
            barsOf: hasBars ? places.firstIndex(of: grouping.keys.count) : nil, sink: painter.write)
        try CommandFailure.output { () throws(DataError) in
            for row in rows {
                try writer.write { style.cell(row[places[$0]], isDay: areDays[places[$0]]) }
            }
            try writer.finish(isWhole: isWhole)
        }
    }
}
