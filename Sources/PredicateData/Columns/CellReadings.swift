/// The types that the text of a cell can have. A column has those that all its cells have.
struct CellReadings: OptionSet {
    let rawValue: UInt8

    /// `true`, `FALSE`
    static let boolean = CellReadings(rawValue: 1)
    /// `1234.5`, `1,234.5`
    static let pointNumber = CellReadings(rawValue: 2)
    /// `1234,5`, `1.234,5`
    static let commaNumber = CellReadings(rawValue: 4)
    /// `2024-12-25`, `2024-12-25 18:30:00`, and others of one meaning: `2024/12/25`, `25-Dec-24`
    static let isoDate = CellReadings(rawValue: 8)
    /// `25.12.2024`
    static let dayFirstDate = CellReadings(rawValue: 16)
    /// `12/25/2024`
    static let monthFirstDate = CellReadings(rawValue: 32)

    /// `t`, `F`
    static let booleanLetter = CellReadings(rawValue: 64)

    static let all = CellReadings(rawValue: 127)
    static let number: CellReadings = [.pointNumber, .commaNumber]
    static let slashedDate: CellReadings = [.dayFirstDate, .monthFirstDate]
}

/// What some cell of a column has.
struct CellTraits: OptionSet {
    let rawValue: UInt32

    /// `1.5` with a decimal point, `1,5` with a decimal comma
    static let pointFraction = CellTraits(rawValue: 1)
    static let commaFraction = CellTraits(rawValue: 2)
    /// `1,234` with a decimal point, `1.234` with a decimal comma
    static let pointGroups = CellTraits(rawValue: 4)
    static let commaGroups = CellTraits(rawValue: 8)
    /// An integer past 64 bits
    static let isBig = CellTraits(rawValue: 16)
    /// `12%`
    static let percent = CellTraits(rawValue: 32)
    /// A date with a time
    static let time = CellTraits(rawValue: 64)
    /// A word for a missing value: `NA`
    static let nilWord = CellTraits(rawValue: 128)
    /// A text that is not in quotes
    static let unquotedText = CellTraits(rawValue: 256)
    /// `$5`, `5 €`
    static let currency = CellTraits(rawValue: 512)
    /// `(5)`
    static let parentheses = CellTraits(rawValue: 1 << 10)
    /// `+5`
    static let plus = CellTraits(rawValue: 1 << 11)
    /// `-5`
    static let minus = CellTraits(rawValue: 1 << 12)
    /// A number without parentheses and plus sign
    static let bareNumber = CellTraits(rawValue: 1 << 13)
    /// `t`, and `f`
    static let trueLetter = CellTraits(rawValue: 1 << 14)
    static let falseLetter = CellTraits(rawValue: 1 << 15)
}

extension UnsafeBufferPointer<UInt8> {
    /// True for the words with which R, pandas, spreadsheets and PostgreSQL write a missing value or an error. They are nil in columns of
    /// numbers, dates and Booleans, and in columns whose texts are all in quotes.
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

    /// The Boolean of such a word; nil for other texts.
    var booleanWord: Bool? {
        guard count > 3, count <= 10 else { return nil }
        if count <= 5, case .bool(let value)? = ColumnType.word(self) { return value }
        return Self.spreadsheetWords.first { elementsEqual($0.word.utf8) }?.value
    }

    /// The Boolean of `t` and `f` in upper or lower case, as PostgreSQL and dBase write it; nil for other texts.
    var booleanLetter: Bool? {
        guard count == 1 else { return nil }
        return switch self[0] | 0x20 {
        case 0x74: true
        case 0x66: false
        default: nil
        }
    }

    /// As Excel and LibreOffice write Booleans in German, French, Spanish, Italian, Portuguese and Dutch.
    private static let spreadsheetWords: [(word: String, value: Bool)] = [
        ("WAHR", true), ("FALSCH", false), ("VRAI", true), ("FAUX", false), ("VERDADERO", true), ("FALSO", false),
        ("VERO", true), ("VERDADEIRO", true), ("WAAR", true), ("ONWAAR", false),
    ]
}
