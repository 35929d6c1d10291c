import PredicateSyntax

/// Infers the types of columns from the rows under a header, in one pass and constant memory.
///
/// A column has the type that all its cells have. Rows with more or fewer fields than the header do not count.
struct ColumnInference {
    private let dialect: DelimitedDialect
    private(set) var profiles: [ColumnProfile]
    /// The columns whose types are wanted.
    private let wanted: [Bool]
    private var cells: [(column: Int, field: FieldScan.QuickField)] = []
    /// False to look at the wanted columns only: others tell the notation of numbers, for which a sample is enough.
    var looksAtAll = true

    /// The number of bytes of a pipe from which types are inferred.
    static let sampleLength = 1 << 20

    init(_ dialect: DelimitedDialect, wanted: [Bool]) {
        self.dialect = dialect
        self.wanted = wanted
        profiles = wanted.map { _ in ColumnProfile() }
    }

    /// True if no further row changes a wanted type.
    var isSettled: Bool { zip(wanted, profiles).allSatisfy { !$0 || $1.isSettled } }

    /// Notes all complete rows, and returns the number of bytes that they take.
    mutating func note(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = bytes.baseAddress, let last = bytes.lastIndex(of: Byte.lineFeed) else { return 0 }
        let scan = FieldScan(dialect: dialect, end: start + last + 1)
        var pointer = start
        while pointer < scan.end {
            guard let lineFeed = row(pointer, scan) ?? scan.lineFeed(after: pointer) else { break }
            pointer = lineFeed + 1
        }
        return pointer - start
    }

    /// Notes the last row, which may have no line feed.
    mutating func note(last bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isEmpty { return }
        var row = Array(bytes) + [Byte.lineFeed]
        row += [UInt8](repeating: 0, count: ByteWindow.margin)
        row.withUnsafeBufferPointer { _ = note($0.slice(0..<bytes.count + 1)) }
    }

    /// Notes the row at a pointer, and returns its line feed; nil if it is not understood.
    private mutating func row(_ start: UnsafePointer<UInt8>, _ scan: FieldScan) -> UnsafePointer<UInt8>? {
        cells.removeAll(keepingCapacity: true)
        var (pointer, column, high) = (start, 0, UInt64(0))
        while true {
            guard let field = scan.field(pointer, &high) else { return nil }
            if column < profiles.count, looksAtAll || wanted[column], !profiles[column].isSettled {
                cells.append((column, field))
            }
            column += 1
            pointer = field.next
            if pointer.pointee == Byte.lineFeed { break }
            pointer += 1
        }
        if column == profiles.count { for cell in cells { note(cell.field, at: cell.column) } }
        return pointer
    }

    private mutating func note(_ field: FieldScan.QuickField, at column: Int) {
        guard field.hasDoubledQuotes else { return profiles[column].note(field.bytes, isQuoted: field.isQuoted) }
        field.bytes.withoutDoubledQuotes().withUnsafeBufferPointer { profiles[column].note($0, isQuoted: true) }
    }
}

extension ColumnInference {
    /// Returns how each column is read. Declared types stay, with the notation of the file.
    func readings(
        _ columns: [String], _ options: RecordOptions, _ origin: ColumnReading.Origin
    ) -> [ColumnReading] {
        let notation = NumberNotation(profiles, dialect, given: options.hasDecimalComma)
        return zip(columns, profiles).map { name, profile in
            guard let type = options.types[name] else {
                var reading = profile.reading(notation, options.dateOrder)
                reading.origin = origin
                return reading
            }
            var reading = ColumnReading(type, .declared)
            reading.dateOrder = options.dateOrder
            reading.hasDecimalComma = options.hasDecimalComma ?? notation.hasDecimalComma(profile) ?? false
            return reading
        }
    }

    /// Why columns are read as texts that could have had another type.
    func exceptions(_ columns: [String], _ readings: [ColumnReading]) -> [String: ColumnException] {
        var exceptions: [String: ColumnException] = [:]
        for (index, column) in columns.enumerated() where readings[index].type == .string {
            exceptions[column] = readings[index].origin == .declared ? nil : profiles[index].exception
        }
        return exceptions
    }

    /// The columns that are read as texts and look like dates with another order than that of ISO 8601.
    func slashedDates(_ columns: [String], _ readings: [ColumnReading]) -> [String] {
        zip(zip(columns, profiles), readings).compactMap { column, reading in
            reading.type == .string && reading.origin != .declared && column.1.looksLikeSlashedDates ? column.0 : nil
        }
    }
}
