import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

extension FilterRun {
    /// Writes the groups of all files.
    func write(_ groups: GroupCollector, _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = settings.query.grouping, isWhole || tally.matched > 0 else { return }
        let rows = try groups.rows(settings.query)
        let areDays = areDays(grouping.sources, rows)
        let style = settings.query.style
        let format = settings.output ?? OutputFormat(groupsOf: firstFormat)
        painter.begin(format)
        let writer = RowWriter(format, grouping.columns, width: console.tableWidth, sink: painter.write)
        do throws(DataError) {
            for row in rows {
                try writer.write(zip(row, areDays).map { style.cell($0, isDay: $1) })
            }
            try writer.finish(isWhole: isWhole)
        } catch {
            throw .output(error)
        }
    }

    /// Returns which columns have dates that are written as days: those of days in the file, and computed ones if all
    /// of their dates are.
    private func areDays(_ sources: [OutputValue?], _ rows: ArraySlice<[PredicateValue]>) -> [Bool] {
        sources.enumerated().map { column, source in
            if let source, tally.problems.header?.reading(of: source.text)?.isDay == true { return true }
            return source?.keyPath == nil && rows.allSatisfy { $0[column].isDayOrNil }
        }
    }
}
