import PredicateData
import PredicateEvaluation

extension ColumnTable {
    /// The records of JSON Lines, JSON, CSV or TSV by column: `try ColumnTable(RecordReader(source: source))`.
    ///
    /// A record that cannot be read is told to `skipped` and left out. Throws the ``DataError`` after which there are no
    /// more records.
    package init(_ records: RecordReader, skipped: (DataError) -> Void = { _ in }) throws(DataError) {
        let builder = ColumnTableBuilder()
        var isAtEnd = false
        while !isAtEnd {
            do throws(DataError) {
                guard let record = try records.next() else {
                    isAtEnd = true
                    continue
                }
                builder.append(record.value)
            } catch {
                guard error.isRecoverable else { throw error }
                skipped(error)
            }
        }
        self = builder.table()
    }
}
