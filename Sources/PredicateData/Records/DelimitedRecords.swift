import PredicateSyntax

/// CSV and TSV: a header, then rows with the same number of fields.
struct DelimitedRecords<Syntax: DelimitedSyntax>: RecordStream {
    private let syntax: Syntax
    private let limit: Int
    private(set) var header: RecordHeader?
    /// The type of each column; nil for columns that are not read.
    private var types: [ColumnType?] = []
    private var shape: ObjectShape?
    private var fields: [Field] = []

    /// Reads the header.
    init(_ window: ByteWindow, _ syntax: Syntax, _ options: RecordOptions) throws(DataError) {
        self.syntax = syntax
        limit = options.maximumRecordLength
        guard try window.skipBlankLines() else { return }
        let start = window.position
        let columns: [String]
        do {
            guard let header = try readHeader(window) else { return }
            columns = header.columns
            self.header = header
        } catch {
            throw error.unrecoverable
        }
        try check(columns, options, start)
        let wanted = columns.map { options.keys?.contains($0) ?? true }
        types = zip(columns, wanted).map { name, isWanted in isWanted ? options.types[name] ?? .automatic : nil }
        shape = ObjectShape(keys: zip(columns, wanted).filter(\.1).map(\.0))
    }

    private mutating func readHeader(_ window: ByteWindow) throws(DataError) -> RecordHeader? {
        try withRow(window) { (records, row) throws(Fault) in
            try records.checkLineEnd(of: row)
            let columns = records.fields.map { String(decoding: row.content(of: $0), as: UTF8.self) }
            return RecordHeader(columns: columns, raw: Array(row))
        }?.value
    }

    /// Throws for a carriage return in the header: then the whole file would be one line.
    private func checkLineEnd(of row: UnsafeBufferPointer<UInt8>) throws(Fault) {
        for field in fields where !field.isQuoted {
            if let index = field.range.first(where: { row[$0] == Byte.carriageReturn }) {
                throw Fault(.carriageReturn, at: index)
            }
        }
    }

    private func check(_ columns: [String], _ options: RecordOptions, _ start: Position) throws(DataError) {
        var names: Set<String> = []
        for name in columns where !names.insert(name).inserted { throw start.error(.duplicateColumn(name)) }
        if let name = options.types.keys.sorted().first(where: { !names.contains($0) }) {
            throw start.error(.unknownColumn(name))
        }
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        if header == nil { return nil }
        let row = try withRow(window) { (records, row) throws(Fault) in
            (value: try records.value(of: row), raw: Array(row))
        }
        return row.map { SourceRecord(value: $0.value.value, raw: $0.value.raw, line: $0.line, index: index) }
    }

    /// Cuts, checks and splits a row, and returns the result of `body` with the line; nil at the end.
    private mutating func withRow<Value>(
        _ window: ByteWindow, _ body: (inout Self, UnsafeBufferPointer<UInt8>) throws(Fault) -> Value
    ) throws(DataError) -> (value: Value, line: Int)? {
        while true {
            let (boundary, start) = (syntax.makeBoundary(), window.position)
            guard let (row, length, start) = try window.cutRow(with: boundary, limit: limit, start: start)
            else { return nil }
            defer { window.drop(length) }
            if row.isEmpty, types.count != 1 { continue }
            do {
                try split(row)
                return (try body(&self, row), start.line)
            } catch {
                throw error.located(in: row, from: start, isRecoverable: true)
            }
        }
    }

    private mutating func split(_ row: UnsafeBufferPointer<UInt8>) throws(Fault) {
        if let offset = UTF8Validation.firstFault(in: row, 0..<row.count) { throw Fault(.invalidUTF8, at: offset) }
        fields.removeAll(keepingCapacity: true)
        try syntax.split(row, into: &fields)
    }

    private func value(of row: UnsafeBufferPointer<UInt8>) throws(Fault) -> PredicateValue {
        guard fields.count == types.count, let shape else {
            throw Fault(.fieldCount(expected: types.count, found: fields.count), at: 0)
        }
        var values: [PredicateValue] = []
        values.reserveCapacity(fields.count)
        for index in fields.indices {
            guard let type = types[index] else { continue }
            values.append(try value(of: index, as: type, in: row))
        }
        return .dictionary(shape.dictionary(values))
    }

    private func value(
        of index: Int, as type: ColumnType, in row: UnsafeBufferPointer<UInt8>
    ) throws(Fault) -> PredicateValue {
        let field = fields[index]
        let value =
            field.hasDoubledQuotes
            ? row.content(of: field).withUnsafeBufferPointer { type.value(of: $0, isQuoted: true) }
            : type.value(of: row.slice(field.range), isQuoted: field.isQuoted)
        if let value { return value }
        let found = String(decoding: row.content(of: field), as: UTF8.self).excerpt
        let column = header.map { $0.columns[index] } ?? ""
        throw Fault(.typeMismatch(column: column, type: type, found: found), at: field.range.lowerBound)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the text of a field, without quotes.
    func content(of field: Field) -> [UInt8] {
        field.hasDoubledQuotes ? slice(field.range).withoutDoubledQuotes() : Array(slice(field.range))
    }
}

extension DataError {
    /// The error as one that ends the input.
    fileprivate var unrecoverable: DataError {
        DataError(code, offset: offset, line: line, column: column)
    }
}
