import PredicateSyntax

/// One record of the input: its value and its text.
///
/// `{"name": "jo"}` on the third line of a JSON Lines file has `line` 3 and `index` 2.
package struct SourceRecord: Sendable {
    /// The value: a dictionary in CSV and TSV, any value in JSON.
    package var value: PredicateValue
    /// The bytes of the text, without the line end.
    package var raw: [UInt8]
    /// The line on which the record begins, from 1.
    package var line: Int
    /// The number of records before it, including records with errors.
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
    /// The bytes of the text, without the line end.
    package var raw: [UInt8]

    package init(columns: [String], raw: [UInt8]) {
        self.columns = columns
        self.raw = raw
    }
}

/// The options of a ``RecordReader``.
///
/// `RecordOptions(format: .csv, types: ["born": .date])`
package struct RecordOptions: Hashable, Sendable {
    /// The format; nil to detect it from the first bytes.
    package var format: DataFormat?
    /// The path to the array of records in a JSON document: keys separated by dots, `result.items`; a dot in a key is
    /// escaped, `v1\.0.items`. Only for `json`, which it implies if `format` is nil.
    package var recordsPath: String?
    /// The types of columns. In JSON, strings of members with these names are converted, and numbers to exact decimal
    /// ones.
    package var types: [String: ColumnType]
    /// The keys to read, nil for all. Others are checked, but left out of ``SourceRecord/value``, which saves most of
    /// the time if a predicate uses a few keys of wide records.
    package var keys: Set<String>?
    /// The maximum length of a record in bytes, 64 MiB; a longer record is an error, and reading continues with the
    /// next.
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
