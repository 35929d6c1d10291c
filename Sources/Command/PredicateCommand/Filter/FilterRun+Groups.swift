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
        let areDays = grouping.areDays(rows, settings.context.zone) { value, _ in
            guard let reading = header?.reading(of: value.text) else { return header.map { _ in false } }
            // A declared type does not say whether dates have times.
            return reading.type == .date && reading.origin == .declared ? nil : reading.isDay
        }
        let format = settings.output ?? OutputFormat(groupsOf: firstFormat)
        painter.begin(format)
        try grouping.write(rows, areDays: areDays, settings.query.style, format, isWhole: isWhole, console, painter)
        for note in [noteOfLists(rows, grouping), grouping.noteOfTexts(rows)] {
            if !settings.isQuiet, let note { console.report("note: \(note)") }
        }
    }

    /// The note for groups by lists, `--count-by labels.name`, where groups by their elements may be meant.
    private func noteOfLists(_ rows: ArraySlice<[PredicateValue]>, _ grouping: Grouping) -> String? {
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
    fileprivate func noteOfTexts(_ rows: ArraySlice<[PredicateValue]>) -> String? {
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

    /// Returns which columns have their dates written as days: columns of days in the source, and, if all their dates are days,
    /// computed columns, columns of a declared type, and columns of a source that does not know. `holdsDays` is called with
    /// each value and its place, and returns nil if the source does not know. [NSP-496]
    func areDays(
        _ rows: ArraySlice<[PredicateValue]>, _ zone: LocalZone?, _ holdsDays: (OutputValue, Int) -> Bool?
    ) -> [Bool] {
        var place = 0
        return sources.enumerated().map { column, source in
            guard let source else { return false }
            defer { place += 1 }
            let known = holdsDays(source, place)
            if known == true { return true }
            return (known == nil || source.keyPath == nil) && rows.allSatisfy { $0[column].isDayOrNil(in: zone) }
        }
    }

    /// Writes the rows of the groups.
    func write(
        _ rows: ArraySlice<[PredicateValue]>, areDays: [Bool], _ style: NumberStyle, _ format: OutputFormat,
        isWhole: Bool, _ console: Console, _ painter: OutputPainter
    ) throws(CommandFailure) {
        let writer = RowWriter(format, written.map(\.name), width: console.tableWidth, sink: painter.write)
        do throws(DataError) {
            for row in rows {
                try writer.write(written.map { style.cell(row[$0.place], isDay: areDays[$0.place]) })
            }
            try writer.finish(isWhole: isWhole)
        } catch {
            throw .output(error)
        }
    }
}
