import PredicateSyntax

/// CSV and TSV: a header, then rows with the same number of fields.
struct DelimitedRecords: RecordStream {
    private let dialect: DelimitedDialect
    private let limit: Int
    private(set) var header: RecordHeader?
    private let isWanted: [Bool]
    private var readings: [ColumnReading] = []
    private let shape: ObjectShape?
    private var fields: [Field] = []

    /// Reads the header.
    init(_ window: ByteWindow, _ dialect: DelimitedDialect, _ options: RecordOptions) throws(DataError) {
        self.dialect = dialect
        limit = options.maximumRecordLength
        guard try window.skipBlankLines() else {
            (isWanted, shape) = ([], nil)
            return
        }
        let start = window.position
        let header: RecordHeader?
        do {
            header = try Self.readHeader(window, dialect, limit)
        } catch {
            throw error.unrecoverable
        }
        let columns = header?.columns ?? []
        if !options.mayLackTypedColumns, let name = options.types.keys.sorted().first(where: { !columns.contains($0) }),
            header != nil
        {
            throw start.error(.unknownColumn(name, nearMisses: NearMiss.candidates(for: name, among: columns)))
        }
        self.header = header
        isWanted = columns.map { options.keys?.contains($0) ?? true }
        shape = ObjectShape(keys: zip(columns, isWanted).filter(\.1).map(\.0))
        use(columns.map { ColumnReading(options.types[$0] ?? .automatic, .declared) })
    }

    /// Sets how the columns are read.
    mutating func use(_ readings: [ColumnReading]) {
        self.readings = readings
        header?.readings = readings
    }

    /// Sets why columns are text.
    mutating func use(_ exceptions: [String: ColumnException]) { header?.exceptions = exceptions }

    private static func readHeader(
        _ window: ByteWindow, _ dialect: DelimitedDialect, _ limit: Int
    ) throws(DataError) -> RecordHeader? {
        var fields: [Field] = []
        let start = window.position
        guard let (row, length, _) = try window.cutRow(with: dialect.makeBoundary(), limit: limit, start: start) else {
            return nil
        }
        defer { window.drop(length) }
        do {
            try split(row, dialect, &fields)
            try checkLineEnd(of: row, fields)
            let names = fields.map { String(decoding: row.content(of: $0), as: UTF8.self) }
            return RecordHeader(names: names, raw: Array(row), dialect: dialect)
        } catch {
            throw error.located(in: row, from: start)
        }
    }

    /// Throws for a carriage return in the header: then the whole file would be one line.
    private static func checkLineEnd(of row: UnsafeBufferPointer<UInt8>, _ fields: [Field]) throws(Fault) {
        for field in fields where !field.isQuoted {
            if let index = field.range.first(where: { row[$0] == Byte.carriageReturn }) {
                throw Fault(.carriageReturn, at: index)
            }
        }
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        guard let header else { return nil }
        while true {
            let start = window.position
            guard let (row, length, _) = try window.cutRow(with: dialect.makeBoundary(), limit: limit, start: start)
            else { return nil }
            defer { window.drop(length) }
            if row.isEmpty, header.columns.count != 1 { continue }
            do {
                fields.removeAll(keepingCapacity: true)
                try Self.split(row, dialect, &fields)
                let value = try value(of: row, index)
                return SourceRecord(value: value, raw: Array(row), line: start.line, index: index)
            } catch {
                throw error.located(in: row, from: start, isRecoverable: true)
            }
        }
    }

    private static func split(
        _ row: UnsafeBufferPointer<UInt8>, _ dialect: DelimitedDialect, _ fields: inout [Field]
    ) throws(Fault) {
        if let offset = UTF8Validation.firstFault(in: row, 0..<row.count) { throw Fault(.invalidUTF8, at: offset) }
        try dialect.split(row, into: &fields)
    }

    private func value(of row: UnsafeBufferPointer<UInt8>, _ index: Int) throws(Fault) -> PredicateValue {
        guard fields.count == readings.count, let shape else {
            throw Fault(.fieldCount(expected: readings.count, found: fields.count), at: 0)
        }
        var values: [PredicateValue] = []
        values.reserveCapacity(fields.count)
        for column in fields.indices where isWanted[column] {
            let (field, reading) = (fields[column], readings[column])
            let value =
                field.hasDoubledQuotes
                ? row.content(of: field).withUnsafeBufferPointer { reading.value(of: $0, isQuoted: true) }
                : reading.value(of: row.slice(field.range), isQuoted: field.isQuoted)
            guard let value else { throw mismatch(column, in: row, index) }
            values.append(value)
        }
        return .dictionary(shape.dictionary(values))
    }

    private func mismatch(_ column: Int, in row: UnsafeBufferPointer<UInt8>, _ index: Int) -> Fault {
        let (field, reading) = (fields[column], readings[column])
        let found = String(decoding: row.content(of: field), as: UTF8.self).excerpt
        let name = header.map { $0.columns[column] } ?? ""
        let code: DataError.Code =
            switch reading.origin {
            case .declared: .typeMismatch(column: name, type: reading.type, found: found)
            case .inferred, .sampled:
                .inferredTypeMismatch(column: name, type: reading.type, found: found, row: index + 1)
            }
        return Fault(code, at: field.range.lowerBound)
    }
}

extension DataError {
    /// The error as one that ends the input.
    fileprivate var unrecoverable: DataError {
        DataError(code, offset: offset, line: line, column: column)
    }
}
