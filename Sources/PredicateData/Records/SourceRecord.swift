import PredicateSyntax

/// One record of the input: its value, and how it was written.
///
/// `{"name": "jo"}` on the third line of a JSON Lines file has `line` 3 and `index` 2.
package struct SourceRecord: Sendable {
    /// A dictionary in CSV and TSV; in JSON whatever stands there.
    package var value: PredicateValue
    /// The bytes exactly as written, without the line end.
    package var raw: [UInt8]
    /// The line that the record begins on, from 1.
    package var line: Int
    /// How many records stand before it, those with errors included.
    package var index: Int

    package init(value: PredicateValue, raw: [UInt8], line: Int, index: Int) {
        self.value = value
        self.raw = raw
        self.line = line
        self.index = index
    }

    /// The record as text.
    package var text: String { String(decoding: raw, as: UTF8.self) }
}

/// The first row of CSV and TSV.
///
/// `name,age`
package struct RecordHeader: Hashable, Sendable {
    /// The column names, in order.
    package var columns: [String]
    /// The bytes exactly as written, without the line end.
    package var raw: [UInt8]

    package init(columns: [String], raw: [UInt8]) {
        self.columns = columns
        self.raw = raw
    }
}

/// How a ``RecordReader`` reads.
///
/// `RecordOptions(format: .csv, types: ["born": .date])`
package struct RecordOptions: Hashable, Sendable {
    /// Nil: found out from the first bytes.
    package var format: DataFormat?
    /// Where in a JSON document the array of records is: keys divided by dots, `result.items`, a dot within a key behind
    /// a backslash, `v1\.0.items`. Only for `json`, which it implies when `format` is nil.
    package var recordsPath: String?
    /// What columns hold. In JSON it is members of that name that are strings which become the type.
    package var types: [String: ColumnType]
    /// The keys that are wanted, nil for all. Others are checked, but left out of ``SourceRecord/value``, which saves
    /// most of the time when a predicate looks at a few keys of wide records.
    package var keys: Set<String>?
    /// Bytes; a longer record is an error, and the next one is read. 64 MiB.
    package var maximumRecordLength: Int

    package init(
        format: DataFormat? = nil, recordsPath: String? = nil, types: [String: ColumnType] = [:],
        keys: Set<String>? = nil, maximumRecordLength: Int = PredicateLimits.standard.recordLength
    ) {
        self.format = format
        self.recordsPath = recordsPath
        self.types = types
        self.keys = keys
        self.maximumRecordLength = maximumRecordLength
    }
}
