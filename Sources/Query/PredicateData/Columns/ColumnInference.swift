import PredicateJSON
import PredicateSyntax

/// Infers the types of columns from the rows under a header, in one pass and constant memory.
///
/// A column has the type that all its cells have. Rows with more fields than the header are errors and do not count, nor do
/// rows with fewer fields, unless these are allowed.
struct ColumnInference {
    private let dialect: DelimitedDialect
    private(set) var profiles: [ColumnProfile]
    /// True for the columns whose types are needed.
    private let wanted: [Bool]
    /// The columns that are examined and whose type another cell can still change, in order.
    private var open: [Int] = []
    /// True if the current row has settled a column that is still in `open`.
    private var hasSettled = false
    /// False to examine only the needed columns. The other columns are examined only for the notation of their numbers, for
    /// which a sample is sufficient.
    var looksAtAll = true {
        didSet { open = wanted.indices.filter { (looksAtAll || wanted[$0]) && !profiles[$0].isSettled } }
    }

    /// The fields of a row in open columns.
    private typealias Cells = UnsafeMutableBufferPointer<(column: Int, field: FieldScan.QuickField)>

    /// The number of bytes of a pipe from which types are inferred.
    static let sampleLength = 1 << 20

    private let isRagged: Bool

    init(_ dialect: DelimitedDialect, wanted: [Bool], isRagged: Bool) {
        (self.dialect, self.isRagged) = (dialect, isRagged)
        self.wanted = wanted
        profiles = wanted.map { _ in ColumnProfile() }
        open = Array(wanted.indices)
    }

    /// True if no further row can change a needed type.
    var isSettled: Bool { zip(wanted, profiles).allSatisfy { !$0 || $1.isSettled } }

    /// Takes all complete rows into account, and returns their length in bytes.
    mutating func note(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = bytes.baseAddress, let last = bytes.lastIndex(of: Byte.lineFeed) else { return 0 }
        let scan = FieldScan(dialect, end: start + last + 1)
        return withUnsafeTemporaryAllocation(of: Cells.Element.self, capacity: wanted.count) { cells in
            var pointer = start
            while pointer < scan.end {
                guard let lineFeed = row(pointer, scan, cells) ?? unusualRow(pointer, scan) else { break }
                pointer = lineFeed + 1
            }
            return pointer - start
        }
    }

    /// Takes the last row into account, even if it has no line feed.
    mutating func note(last bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isEmpty { return }
        var row = Array(bytes) + [Byte.lineFeed]
        row += [UInt8](repeating: 0, count: ByteWindow.margin)
        row.withUnsafeBufferPointer { _ = note($0.slice(0..<bytes.count + 1)) }
    }

    /// Takes the row at a pointer into account, and returns its line feed; nil if the row needs the full reader.
    private mutating func row(
        _ start: UnsafePointer<UInt8>, _ scan: FieldScan, _ cells: Cells
    ) -> UnsafePointer<UInt8>? {
        guard dialect.layout == .delimited else { return nil }
        var place = scan.place(at: start)
        var (pointer, column, count) = (start, 0, 0)
        var nextOpen = open.first
        while true {
            guard let field = scan.field(pointer, &place) else { return nil }
            if column == nextOpen {
                cells.initializeElement(at: count, to: (column, field))
                count += 1
                nextOpen = count < open.count ? open[count] : nil
            }
            column += 1
            pointer = field.next
            if pointer.pointee == Byte.lineFeed { break }
            pointer += 1
        }
        guard isRow(of: column) else { return pointer }
        for index in 0..<count {
            let cell = cells[index]
            note(cell.field, cell.field.content(scan.dialect), at: cell.column)
        }
        dropSettled()
        return pointer
    }

    /// Takes a row that needs the full reader into account, unless it is malformed, and returns its line feed; nil if the line
    /// feed is not in memory.
    private mutating func unusualRow(_ start: UnsafePointer<UInt8>, _ scan: FieldScan) -> UnsafePointer<UInt8>? {
        guard let lineFeed = scan.lineFeed(after: start) else { return nil }
        let row = UnsafeBufferPointer(start: start, count: lineFeed + 1 - start).withoutLineEnd
        var fields: [Field] = []
        guard dialect.hasLazyQuotes || dialect.layout != .delimited,
            (try? dialect.split(row, into: &fields)) != nil, isRow(of: fields.count)
        else { return lineFeed }
        for column in open where column < fields.count {
            let field = fields[column]
            row.content(of: field).withUnsafeBufferPointer { note($0, isQuoted: field.isQuoted, at: column) }
        }
        dropSettled()
        return lineFeed
    }

    private func isRow(of fields: Int) -> Bool { fields == profiles.count || isRagged && fields < profiles.count }

    private mutating func note(
        _ field: FieldScan.QuickField, _ content: UnsafeBufferPointer<UInt8>, at column: Int
    ) {
        guard field.hasDoubledQuotes else { return note(content, isQuoted: field.isQuoted, at: column) }
        content.withoutDoubledQuotes().withUnsafeBufferPointer { note($0, isQuoted: true, at: column) }
    }

    private mutating func note(_ content: UnsafeBufferPointer<UInt8>, isQuoted: Bool, at column: Int) {
        profiles[column].note(content, isQuoted: isQuoted)
        hasSettled = hasSettled || profiles[column].isSettled
    }

    /// Closes the columns that have settled in a row.
    private mutating func dropSettled() {
        guard hasSettled else { return }
        hasSettled = false
        open = open.filter { !profiles[$0].isSettled }
    }
}

extension ColumnInference {
    /// Returns how each column is read. Declared types are kept, with the notation of the file.
    func readings(
        _ columns: [String], _ options: RecordOptions, _ origin: ColumnReading.TypeOrigin
    ) -> [ColumnReading] {
        let notation = NumberNotation(profiles, dialect, given: options.hasDecimalComma)
        return zip(columns, profiles).map { name, profile in
            if let known = options.known.columns[name] { return known.reading }
            guard let type = options.types[name] else {
                var reading = profile.reading(notation, options.dates.others)
                (reading.origin, reading.zone) = (origin, options.zone)
                return reading
            }
            var reading = options.reading(name, type)
            reading.hasDecimalComma = options.hasDecimalComma ?? notation.hasDecimalComma(profile) ?? false
            return reading
        }
    }

    /// The reasons why columns that could have had another type are read as strings.
    func exceptions(_ columns: [String], _ readings: [ColumnReading]) -> [String: ColumnException] {
        var exceptions: [String: ColumnException] = [:]
        for (index, column) in columns.enumerated() where readings[index].type == .string {
            exceptions[column] = readings[index].origin == .declared ? nil : profiles[index].exception
        }
        return exceptions
    }
}

/// The properties that the cells of a column have in common.
struct ColumnProfile {
    private(set) var readings = CellReadings.all
    private(set) var traits: CellTraits = []
    /// The number of cells with a value.
    private(set) var count = 0
    /// The currency of the column, as an index.
    private var currency: Int?
    /// The first cell that does not fit the type of the cells before it, which makes the column a string column.
    private(set) var exception: ColumnException?

    /// The number of cells after which a column is assumed to have all its strings in quotes.
    private static let quotedTexts = 1000

    /// True if no further cell can change the type.
    var isSettled: Bool { readings.isEmpty && (traits.contains(.unquotedText) || count > Self.quotedTexts) }

    /// Takes one cell into account.
    mutating func note(_ cell: UnsafeBufferPointer<UInt8>, isQuoted: Bool) {
        if cell.isEmpty { return }
        if !isQuoted, cell.isNilWord { return traits.formUnion(.nilWord) }
        let known = readings
        let bare = cell.withoutOuterSpaces
        if bare.isEmpty { return }
        count += 1
        if !readings.isEmpty { narrow(bare) }
        guard readings.isEmpty else { return }
        if !isQuoted { traits.insert(.unquotedText) }
        if !known.isEmpty, count > 1 { exception = ColumnException(cell, after: known) }
    }

    /// Keeps the readings that a cell allows.
    private mutating func narrow(_ cell: UnsafeBufferPointer<UInt8>) {
        let first = cell[0]
        if first.isDigit || first == Byte.minus || first == Byte.dot { return noteNumberOrDate(cell) }
        if readings.contains(.boolean), cell.isBooleanWord { return readings.formIntersection(.boolean) }
        if readings.contains(.booleanLetter), let value = cell.booleanLetter {
            traits.insert(value ? .trueLetter : .falseLetter)
            return readings.formIntersection(.booleanLetter)
        }
        noteNumberOrDate(cell)
    }

    private mutating func noteNumberOrDate(_ cell: UnsafeBufferPointer<UInt8>) {
        var found: CellReadings = []
        if !readings.isDisjoint(with: .number) {
            let number = SpreadsheetNumber(cell)
            if takes(number.marks?.currency) { found = number.readings }
            traits.formUnion(number.traits)
        }
        if found.isEmpty || cell.count >= 6 && cell[0].isDigit && !readings.isDisjoint(with: .slashedDate) {
            found.formUnion(dates(cell, isNumber: !found.isEmpty))
        }
        readings.formIntersection(found)
    }

    /// Returns false for a second currency: numbers in different currencies cannot be compared.
    private mutating func takes(_ other: Int?) -> Bool {
        guard let other else { return true }
        if currency == nil { currency = other }
        return currency == other
    }

    private mutating func dates(_ cell: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> CellReadings {
        guard cell.count >= 6 else { return [] }
        if cell.count >= 10, cell[4] == Byte.minus, cell[1].isDigit, cell[2].isDigit {
            guard readings.contains(.isoDate), ISO8601.isDay(cell) || JSONDate.date(from: cell) != nil else {
                return []
            }
            if cell.count > 10 { traits.insert(.time) }
            return .isoDate
        }
        if !isNumber, readings.contains(.isoDate), let date = CalendarDate.readUnambiguous(cell, in: nil) {
            if date.hasTime { traits.insert(.time) }
            return .isoDate
        }
        guard !readings.isDisjoint(with: .slashedDate) else { return [] }
        var found: CellReadings = []
        for order in DateNotation.orders where !readings.isDisjoint(with: order.reading) {
            guard let date = CalendarDate.read(cell, order, in: nil) else { continue }
            found.insert(order.reading)
            if date.hasTime { traits.insert(.time) }
        }
        return found
    }
}

extension ColumnProfile {
    /// The orders of day, month and year that all cells allow; a single one is certain.
    private var orders: [DateNotation] { DateNotation.orders.filter { !readings.isDisjoint(with: $0.reading) } }

    /// True if some cell can only be read with a decimal comma, and none only with a decimal point.
    var commaEvidence: Bool { count > 0 && isOnly(.commaNumber, .pointNumber) && traits.contains(.commaFraction) }
    var pointEvidence: Bool { count > 0 && isOnly(.pointNumber, .commaNumber) && traits.contains(.pointFraction) }

    private func isOnly(_ reading: CellReadings, _ other: CellReadings) -> Bool {
        readings.contains(reading) && !readings.contains(other)
    }

    /// Returns the type of the column and how its cells are read.
    func reading(_ notation: NumberNotation, _ given: DateNotation?) -> ColumnReading {
        var reading = ColumnReading(.string, .inferred)
        if count > 0 {
            let orders = orders
            let isNumber = !readings.isDisjoint(with: .number)
            if readings.contains(.boolean) || readings.contains(.booleanLetter) && hasBothLetters {
                reading.type = .boolean
            } else if readings.contains(.isoDate) {
                (reading.type, reading.isDay) = (.date, !traits.contains(.time))
            } else if let order = orders.count == 1 && !isNumber ? orders[0] : orders.first(where: { $0 == given }) {
                (reading.type, reading.dateNotation, reading.isDay) = (.date, order, !traits.contains(.time))
            } else if marksAreSure, let hasComma = notation.hasDecimalComma(self) {
                (reading.type, reading.hasDecimalComma) = (numberType(hasComma), hasComma)
                reading.hasPercentages = traits.contains(.percent)
                reading.hasParentheses = traits.contains(.parentheses)
            } else if !isNumber {
                reading.possibleDates = orders
            }
        }
        let isText = reading.type == .string
        reading.hasNilWords = traits.contains(.nilWord) && count > 0 && !(isText && traits.contains(.unquotedText))
        return reading
    }

    /// True if both `t` and `f` occur. One of them alone may be any letter.
    private var hasBothLetters: Bool { traits.isSuperset(of: [.trueLetter, .falseLetter]) }

    /// False for `(1)`, `(2)`, which may be footnotes, and for `+49`, `+1`, which may be phone numbers.
    private var marksAreSure: Bool {
        let amounts: CellTraits = [.currency, .percent, .pointFraction, .commaFraction]
        if traits.contains(.parentheses), traits.isDisjoint(with: amounts.union(.bareNumber)) { return false }
        return !traits.contains(.plus) || !traits.isDisjoint(with: amounts.union(.minus))
    }

    private func numberType(_ hasComma: Bool) -> ColumnType {
        if traits.contains(hasComma ? .commaFraction : .pointFraction) || traits.contains(.percent) { return .double }
        return traits.contains(.isBig) ? .decimal : .integer
    }
}

/// The notation of numbers in a file. A column that can be read in only one way decides the notation of the others.
struct NumberNotation {
    /// Nil if no column decides.
    private let isComma: Bool?
    private let hasSemicolons: Bool

    /// `given` is the notation that the user declared.
    init(_ profiles: [ColumnProfile], _ dialect: DelimitedDialect, given: Bool?) {
        hasSemicolons = dialect.delimiter == Byte.semicolon
        let (comma, point) = (profiles.contains(where: \.commaEvidence), profiles.contains(where: \.pointEvidence))
        isComma = given ?? (comma == point ? nil : comma)
    }

    /// Returns true if the numbers of a column have a decimal comma; nil if they are not numbers.
    func hasDecimalComma(_ column: ColumnProfile) -> Bool? {
        let (point, comma) = (column.readings.contains(.pointNumber), column.readings.contains(.commaNumber))
        switch (point, comma) {
        case (false, false): return nil
        case (true, false): return isComma == true && !isPlain(column) ? nil : false
        case (false, true):
            // `1.234.567` is a number if commas are decimal separators, and may be anything otherwise.
            return column.traits.contains(.commaFraction) || isComma == true || hasSemicolons ? true : nil
        case (true, true): return isPlain(column) ? false : isComma ?? prefersComma(column)
        }
    }

    /// True for integers without separators.
    private func isPlain(_ column: ColumnProfile) -> Bool {
        column.traits.isDisjoint(with: [.pointFraction, .commaFraction, .pointGroups, .commaGroups])
    }

    /// In a file with semicolons, `1,234` is 1.234, because Excel writes semicolons where the comma is the decimal
    /// separator. In other files it is 1234. `1.234` is 1.234, as in programming languages.
    private func prefersComma(_ column: ColumnProfile) -> Bool {
        hasSemicolons && column.traits.contains(.commaFraction) && !column.traits.contains(.pointFraction)
    }
}

/// The types that a cell can have. A column has the types that all its cells have.
struct CellReadings: OptionSet {
    let rawValue: UInt8

    /// `true`, `FALSE`
    static let boolean = CellReadings(rawValue: 1)
    /// `1234.5`, `1,234.5`
    static let pointNumber = CellReadings(rawValue: 2)
    /// `1234,5`, `1.234,5`
    static let commaNumber = CellReadings(rawValue: 4)
    /// `2024-12-25`, `2024-12-25 18:30:00`, and other unambiguous forms: `2024/12/25`, `25-Dec-24`
    static let isoDate = CellReadings(rawValue: 8)
    /// `25.12.2024`
    static let dayFirstDate = CellReadings(rawValue: 16)
    /// `12/25/2024`
    static let monthFirstDate = CellReadings(rawValue: 32)
    /// `24-12-25`
    static let yearFirstDate = CellReadings(rawValue: 128)
    /// `t`, `F`
    static let booleanLetter = CellReadings(rawValue: 64)

    static let all = CellReadings(rawValue: 255)
    static let number: CellReadings = [.pointNumber, .commaNumber]
    static let slashedDate: CellReadings = [.dayFirstDate, .monthFirstDate, .yearFirstDate]
}

extension DateNotation {
    /// The reading of cells in this order; empty for numbers, which are dates only if the user declares them to be.
    fileprivate var reading: CellReadings {
        switch self {
        case .dayFirst: .dayFirstDate
        case .monthFirst: .monthFirstDate
        case .yearFirst: .yearFirstDate
        case .epoch, .epochMilliseconds: []
        }
    }
}

/// Properties of the cells of a column.
struct CellTraits: OptionSet {
    let rawValue: UInt32

    /// `1.5` with a decimal point, `1,5` with a decimal comma
    static let pointFraction = CellTraits(rawValue: 1)
    static let commaFraction = CellTraits(rawValue: 2)
    /// `1,234` with a decimal point, `1.234` with a decimal comma
    static let pointGroups = CellTraits(rawValue: 4)
    static let commaGroups = CellTraits(rawValue: 8)
    /// An integer that does not fit into 64 bits
    static let isBig = CellTraits(rawValue: 16)
    /// `12%`
    static let percent = CellTraits(rawValue: 32)
    /// A date with a time
    static let time = CellTraits(rawValue: 64)
    /// A word for a missing value: `NA`
    static let nilWord = CellTraits(rawValue: 128)
    /// A string without quotes
    static let unquotedText = CellTraits(rawValue: 256)
    /// `$5`, `5 €`
    static let currency = CellTraits(rawValue: 512)
    /// `(5)`
    static let parentheses = CellTraits(rawValue: 1 << 10)
    /// `+5`
    static let plus = CellTraits(rawValue: 1 << 11)
    /// `-5`
    static let minus = CellTraits(rawValue: 1 << 12)
    /// A number without parentheses and without a plus sign
    static let bareNumber = CellTraits(rawValue: 1 << 13)
    /// `t`, and `f`
    static let trueLetter = CellTraits(rawValue: 1 << 14)
    static let falseLetter = CellTraits(rawValue: 1 << 15)
}

extension UnsafeBufferPointer<UInt8> {
    /// True for the words that R, pandas, spreadsheets and PostgreSQL write for a missing value or an error. They are
    /// nil in columns of numbers, dates and Booleans, and in columns whose strings are all in quotes.
    var isNilWord: Bool {
        guard count <= 7, count > 1, let first, first == 0x4E || first == 0x6E || first == 0x23 || first == 0x5C
        else { return false }
        return Self.nilWords.contains { elementsEqual($0.utf8) }
    }

    private static let nilWords = [
        "\\N", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None", "#DIV/0!", "#VALUE!", "#REF!", "#NUM!",
        "#NAME?", "#NULL!",
    ]

    /// True for `true` and `false` in upper or lower case, and for the words of spreadsheets in other languages.
    var isBooleanWord: Bool { booleanWord != nil }

    /// The value of such a word; nil for other strings.
    var booleanWord: Bool? {
        guard count > 3, count <= 10 else { return nil }
        if count <= 5, case .bool(let value)? = ColumnType.word(self) { return value }
        return Self.spreadsheetWords.first { elementsEqual($0.word.utf8) }?.value
    }

    /// The value of `t` and `f` in upper or lower case, as PostgreSQL and dBase write it; nil for other strings.
    var booleanLetter: Bool? {
        guard count == 1 else { return nil }
        return switch self[0] | 0x20 {
        case 0x74: true
        case 0x66: false
        default: nil
        }
    }

    /// The words that Excel and LibreOffice write in German, French, Spanish, Italian, Portuguese and Dutch.
    private static let spreadsheetWords: [(word: String, value: Bool)] = [
        ("WAHR", true), ("FALSCH", false), ("VRAI", true), ("FAUX", false), ("VERDADERO", true), ("FALSO", false),
        ("VERO", true), ("VERDADEIRO", true), ("WAAR", true), ("ONWAAR", false),
    ]
}

/// The first cell that made a column a string column.
///
/// `x` after `5` and `7` is not a number.
package struct ColumnException: Hashable, Sendable {
    /// The beginning of the cell.
    package let text: String
    /// The type of the cells before it.
    package let type: ColumnType

    /// `since 'x' is not a number`
    package var reason: String { "since '\(text)' is not \(type.noun)" }

    init(_ cell: UnsafeBufferPointer<UInt8>, after readings: CellReadings) {
        text = String(decoding: cell.prefix(200), as: UTF8.self).excerpt
        type =
            !readings.isDisjoint(with: .number)
            ? .double
            : readings.isDisjoint(with: [.boolean, .booleanLetter]) ? .date : .boolean
    }
}
