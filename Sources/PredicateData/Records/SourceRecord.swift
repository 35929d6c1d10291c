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

/// The first row of CSV and TSV, and how the rows under it are read.
///
/// `name,age`
package struct RecordHeader: Hashable, Sendable {
    /// The column names, in order. A repeated name gets a number, `name_2`, and a column without a name that of its
    /// place: `column3`.
    package let columns: [String]
    /// The columns that were renamed since an earlier one has the name.
    package let renamed: [Renaming]
    /// The bytes of the text, without the line end.
    package let raw: [UInt8]
    package let dialect: DelimitedDialect
    /// How each column is read.
    package internal(set) var readings: [ColumnReading] = []
    /// The columns that are text because of one cell.
    package internal(set) var exceptions: [String: ColumnException] = [:]

    package struct Renaming: Hashable, Sendable {
        package let old: String
        package let new: String
    }

    /// Creates a header of the names in the file.
    package init(names: [String], raw: [UInt8], dialect: DelimitedDialect = .csv) {
        var (columns, renamed): ([String], [Renaming]) = ([], [])
        var taken = Set(names)
        var seen: Set<String> = []
        for (index, name) in names.enumerated() {
            if !name.isEmpty, seen.insert(name).inserted {
                columns.append(name)
                continue
            }
            let new = name.isEmpty ? Self.free("column", index + 1, taken) : Self.free(name + "_", 2, taken)
            taken.insert(new)
            columns.append(new)
            if !name.isEmpty { renamed.append(Renaming(old: name, new: new)) }
        }
        (self.columns, self.renamed, self.raw, self.dialect) = (columns, renamed, raw, dialect)
    }

    /// Returns the first name with a number that no column has.
    private static func free(_ stem: String, _ first: Int, _ taken: Set<String>) -> String {
        var number = first
        while taken.contains(stem + String(number)) { number += 1 }
        return stem + String(number)
    }

    /// Returns how a column is read.
    package func reading(of column: String) -> ColumnReading? {
        columns.firstIndex(of: column).flatMap { $0 < readings.count ? readings[$0] : nil }
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
    /// The types of columns. In JSON, strings of members with these names are converted, and numbers to doubles and
    /// exact decimal ones.
    package var types: [String: ColumnType]
    /// True where CSV and TSV may be without a column that has a type.
    package var mayLackTypedColumns = false
    /// The keys to read, nil for all. Others are checked, but left out of ``SourceRecord/value``, which saves most of
    /// the time if a predicate uses a few keys of wide records.
    package var keys: Set<String>?
    /// The maximum length of a record in bytes, 64 MiB; a longer record is an error, and reading continues with the
    /// next.
    package var maximumRecordLength: Int
    /// The byte between the fields of CSV and TSV; nil to find it in the first rows.
    package var delimiter: UInt8?
    /// The number of lines before the header of CSV and TSV: titles, comments.
    package var skippedLines = 0
    /// The encoding; nil for UTF-8, UTF-16 with a byte order mark, or Windows-1252 in CSV, TSV and lines.
    package var encoding: TextEncoding?
    /// The order of dates in CSV and TSV such as `25.12.2024`, which are texts without it.
    package var dateOrder: DateOrder?
    /// True for `1.234,5` in CSV and TSV, false for `1,234.5`; nil to find it in the columns.
    package var hasDecimalComma: Bool?

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
