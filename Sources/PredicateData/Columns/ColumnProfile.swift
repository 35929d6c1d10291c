/// What the cells of a column have in common.
struct ColumnProfile {
    private(set) var readings = CellReadings.all
    private(set) var traits: CellTraits = []
    /// The number of cells with a value.
    private(set) var count = 0
    /// The currency of the column.
    private var currency: Int?
    /// The first cell that made a text of a column of another type.
    private(set) var exception: ColumnException?

    /// A column whose texts are all in quotes is searched so far for one that is not.
    private static let quotedTexts = 1000

    /// True if no further cell changes the type.
    var isSettled: Bool { readings.isEmpty && (traits.contains(.unquotedText) || count > Self.quotedTexts) }

    /// Notes one cell.
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

    /// Keeps the types that a cell can have.
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
            let number = NumberText(cell)
            if takes(number.marks?.currency) { found = number.readings }
            traits.formUnion(number.traits)
        }
        if found.isEmpty || cell.count >= 6 && cell[0].isDigit && !readings.isDisjoint(with: .slashedDate) {
            found.formUnion(dates(cell, isNumber: !found.isEmpty))
        }
        readings.formIntersection(found)
    }

    /// Returns false for a second currency: the numbers of such a column cannot be compared.
    private mutating func takes(_ other: Int?) -> Bool {
        guard let other else { return true }
        if currency == nil { currency = other }
        return currency == other
    }

    private mutating func dates(_ cell: UnsafeBufferPointer<UInt8>, isNumber: Bool) -> CellReadings {
        guard cell.count >= 6 else { return [] }
        if cell.count >= 10, cell[4] == Byte.minus {
            guard readings.contains(.isoDate), DateText.date(from: cell) != nil else { return [] }
            if cell.count > 10 { traits.insert(.time) }
            return .isoDate
        }
        if !isNumber, readings.contains(.isoDate), let date = CalendarDate.readUnambiguous(cell) {
            if date.hasTime { traits.insert(.time) }
            return .isoDate
        }
        guard !readings.isDisjoint(with: .slashedDate) else { return [] }
        var found: CellReadings = []
        for (order, reading) in [(DateOrder.dayFirst, CellReadings.dayFirstDate), (.monthFirst, .monthFirstDate)] {
            guard let date = CalendarDate.read(cell, order) else { continue }
            found.insert(reading)
            if date.hasTime { traits.insert(.time) }
        }
        return found
    }
}

extension ColumnProfile {
    /// True if a text column could be dates with another order than that of ISO 8601.
    var looksLikeSlashedDates: Bool {
        count > 0 && !readings.isDisjoint(with: .slashedDate) && readings.isDisjoint(with: .number)
    }

    /// Some cell can only be read with a decimal comma, or only with a decimal point.
    var commaEvidence: Bool { count > 0 && isOnly(.commaNumber, .pointNumber) && traits.contains(.commaFraction) }
    var pointEvidence: Bool { count > 0 && isOnly(.pointNumber, .commaNumber) && traits.contains(.pointFraction) }

    private func isOnly(_ reading: CellReadings, _ other: CellReadings) -> Bool {
        readings.contains(reading) && !readings.contains(other)
    }

    /// Returns the type of the column, and how its cells are read.
    func reading(_ notation: NumberNotation, _ order: DateOrder?) -> ColumnReading {
        var reading = ColumnReading(.string, .inferred)
        if count > 0 {
            if readings.contains(.boolean) || readings.contains(.booleanLetter) && hasBothLetters {
                reading.type = .boolean
            } else if readings.contains(.isoDate) {
                (reading.type, reading.isDay) = (.date, !traits.contains(.time))
            } else if let order, readings.contains(order == .dayFirst ? .dayFirstDate : .monthFirstDate) {
                (reading.type, reading.dateOrder, reading.isDay) = (.date, order, !traits.contains(.time))
            } else if marksAreSure, let hasComma = notation.hasDecimalComma(self) {
                (reading.type, reading.hasDecimalComma) = (numberType(hasComma), hasComma)
                reading.hasPercentages = traits.contains(.percent)
                reading.hasParentheses = traits.contains(.parentheses)
            }
        }
        let isText = reading.type == .string
        reading.hasNilWords = traits.contains(.nilWord) && count > 0 && !(isText && traits.contains(.unquotedText))
        return reading
    }

    /// True if there are both a `t` and an `f`: one of them alone may be any letter.
    private var hasBothLetters: Bool { traits.isSuperset(of: [.trueLetter, .falseLetter]) }

    /// False for `(1)`, `(2)`, which may be notes, and for `+49`, `+1`, which may be numbers of telephones.
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

/// The notation of numbers in a file: that of the columns that can be read in one way only decides for the others.
struct NumberNotation {
    /// Nil if no column decides.
    private let isComma: Bool?
    private let hasSemicolons: Bool

    /// `given` is what the user says.
    init(_ profiles: [ColumnProfile], _ dialect: DelimitedDialect, given: Bool?) {
        hasSemicolons = dialect.delimiter == Byte.semicolon
        let (comma, point) = (profiles.contains(where: \.commaEvidence), profiles.contains(where: \.pointEvidence))
        isComma = given ?? (comma == point ? nil : comma)
    }

    /// Returns true if the numbers of a column have a decimal comma; nil if they are no numbers.
    func hasDecimalComma(_ column: ColumnProfile) -> Bool? {
        let (point, comma) = (column.readings.contains(.pointNumber), column.readings.contains(.commaNumber))
        switch (point, comma) {
        case (false, false): return nil
        case (true, false): return isComma == true && !isPlain(column) ? nil : false
        case (false, true):
            // `1.234.567` is a number where commas are decimal, and may be anything elsewhere.
            return column.traits.contains(.commaFraction) || isComma == true || hasSemicolons ? true : nil
        case (true, true): return isPlain(column) ? false : isComma ?? prefersComma(column)
        }
    }

    /// True for integers without separators.
    private func isPlain(_ column: ColumnProfile) -> Bool {
        column.traits.isDisjoint(with: [.pointFraction, .commaFraction, .pointGroups, .commaGroups])
    }

    /// `1,234` is 1.234 in a file with semicolons, which Excel writes where the comma is decimal, and 1234 in others;
    /// `1.234` is what it is in programs.
    private func prefersComma(_ column: ColumnProfile) -> Bool {
        hasSemicolons && column.traits.contains(.commaFraction) && !column.traits.contains(.pointFraction)
    }
}
