/// A dialect with its templates and limits. They are computed once.
final class CompilerDialect: Sendable {
    let base: any SQLDialect
    let templates: DialectTemplates
    let features: SQLFeatures
    let limits: SQLLimits
    let timestamps: SQLTimestamps?
    /// True for a dialect, such as a host's, that may lack a function or a piece that its features promise.
    let mayLackPieces: Bool
    /// The functions that the host's connections lack.
    let unregistered: Set<SQLFunction>

    private init(_ base: any SQLDialect, mayLackPieces: Bool) {
        self.base = base
        self.mayLackPieces = mayLackPieces
        templates = DialectTemplates(base)
        features = base.features
        limits = base.limits
        timestamps = base.timestamps
        unregistered = Set((base as? SQLiteDialect)?.unregistered ?? [])
    }

    private static let sqlite = CompilerDialect(SQLiteDialect(), mayLackPieces: false)
    private static let postgreSQL = CompilerDialect(PostgreSQLDialect(), mayLackPieces: false)
    private static let duckDB = CompilerDialect(DuckDBDialect(), mayLackPieces: false)
    private static let mariaDB = CompilerDialect(MariaDBDialect(), mayLackPieces: false)
    private static let mySQL = CompilerDialect(MySQLDialect(), mayLackPieces: false)
    private static let spark = CompilerDialect(SparkDialect(), mayLackPieces: false)
    private static let sparkWithNames = CompilerDialect(SparkDialect(parameters: .named), mayLackPieces: false)

    /// Returns the compiler's form of a dialect. The dialects of this module are read once per process.
    static func of(_ dialect: any SQLDialect) -> CompilerDialect {
        switch dialect {
        case let dialect as SQLiteDialect:
            dialect.unregistered.isEmpty ? sqlite : CompilerDialect(dialect, mayLackPieces: true)
        case is PostgreSQLDialect: postgreSQL
        case is DuckDBDialect: duckDB
        case is MariaDBDialect: mariaDB
        case is MySQLDialect: mySQL
        case let dialect as SparkDialect:
            dialect.features.contains(.numberedPlaceholders) ? sparkWithNames : spark
        default: CompilerDialect(dialect, mayLackPieces: true)
        }
    }

    var name: String { base.name }
}

/// The pieces of a dialect as templates; nil for a piece that the dialect lacks.
///
/// A class, so that passing it on retains one reference.
final class DialectTemplates: Sendable {
    let same: SQLTemplate?
    let notSame: SQLTemplate?
    let like: SQLTemplate?
    let mayBegin: SQLTemplate?
    let matches: SQLTemplate?
    let finds: SQLTemplate?
    /// True if ``finds`` replaces the name of the marks in its pattern.
    let namesMarks: Bool
    let defaultValues: SQLTemplate?
    let checkedInteger: SQLTemplate?
    let selection: SQLTemplate?
    let decimalExcess: SQLTemplate?
    /// The operands are the strings, the separator and the key.
    let joined: SQLTemplate?
    /// True if calls bind arguments that they would otherwise repeat.
    let bindsArguments: Bool
    let constant: [Bool: SQLTemplate]
    let isIn: [SQLPiece.ListType: SQLTemplate]
    let isStored: [SQLPiece.Storage: SQLTemplate]
    let arithmetic: [SQLPiece.Arithmetic: SQLTemplate]
    let cast: [SQLPiece.Cast: SQLTemplate]
    let seconds: [SQLType.DateStorage: SQLTemplate]
    let calendar: [SQLPiece.Calendar: SQLTemplate]
    let part: [SQLPiece.Calendar: SQLTemplate]
    let call: [SQLFunction: SQLTemplate]
    /// Aggregates by whether they are of distinct values.
    let sum: [Bool: SQLTemplate]
    let decimalSum: [Bool: SQLTemplate]
    let average: [Bool: SQLTemplate]
    let total: [SQLPiece.Addend: SQLTemplate]
    let mean: [SQLPiece.Addend: SQLTemplate]
    /// By whether it is the least.
    let truthExtreme: [Bool: SQLTemplate]
    private let narrowSums: (integer: [Bool: SQLTemplate], decimal: [Bool: SQLTemplate])
    private let comparableResult: (ordered: SQLTemplate?, unordered: SQLTemplate?)
    private let searches: (constant: [SQLPiece.Search: SQLTemplate], value: [SQLPiece.Search: SQLTemplate])

    init(_ dialect: any SQLDialect) {
        let (first, second, third) = (SQLText(operand: 0), SQLText(operand: 1), SQLText(operand: 2))
        func template(_ piece: SQLPiece) -> SQLTemplate? { dialect.template(of: piece) }
        func narrowed(_ isDistinct: Bool, _ cast: SQLPiece.Cast) -> SQLTemplate? {
            SQLPiece.integerSum(first, distinct: isDistinct).standard.flatMap { template(.cast($0, cast)) }
        }
        let flags = [false, true]
        same = template(.isSame(first, second, negated: false))
        notSame = template(.isSame(first, second, negated: true))
        comparableResult = (
            template(.comparable(first, .result, ordered: true)), template(.comparable(first, .result, ordered: false))
        )
        like = template(.like(first, pattern: second))
        mayBegin = template(.mayBegin(first, pattern: second))
        matches = template(.matches(first, pattern: second))
        defaultValues = template(.defaultValues)
        let pattern = dialect.text(of: .pattern(second))
        namesMarks = pattern != nil
        finds = template(.finds(first, pattern: pattern ?? second))
        checkedInteger = template(.checkedInteger(first, steps: second))
        selection = template(.selection(first))
        decimalExcess = template(.decimalExcess(first, over: second))
        joined = template(.joined(first, separator: second, by: third))
        bindsArguments = template(.boundCall(.foldCase, [first], repeated: [true])) != nil
        searches = (
            table { template(.search($0, in: first, for: second, bytes: third)) },
            table { template(.search($0, in: first, for: second, bytes: nil)) }
        )
        constant = table(flags) { template(.truth($0)) }
        isIn = table { template(.isIn(first, json: second, $0)) }
        isStored = table { template(.isStored(first, $0)) }
        arithmetic = table { template(.arithmetic($0, first, second)) }
        cast = table { template(.cast(first, $0)) }
        seconds = table { template(.seconds(first, $0)) }
        calendar = table { template(.calendar(first, $0)) }
        part = table { template(.part(first, $0)) }
        call = table { template(.call($0, [first, second, third].dropLast(3 - $0.argumentCount))) }
        sum = table(flags) { template(.integerSum(first, distinct: $0)) }
        decimalSum = table(flags) { template(.decimalSum(first, distinct: $0)) }
        narrowSums = (
            table(flags) { narrowed($0, .integerToLong) }, table(flags) { narrowed($0, .decimalToTerm) }
        )
        average = table(flags) { template(.integerAverage(first, distinct: $0)) ?? Self.quotient($0, first, dialect) }
        total = table { template(.total(first, $0)) }
        mean = table { template(.mean(first, $0)) }
        truthExtreme = table(flags) { template(.truthExtreme(first, isLeast: $0)) }
    }

    /// The average of integers from their sum, which has 64 bits.
    private static func quotient(_ isDistinct: Bool, _ value: SQLText, _ dialect: any SQLDialect) -> SQLTemplate? {
        let count: SQLText = isDistinct ? "COUNT(DISTINCT \(value))" : "COUNT(*)"
        return SQLPiece.integerSum(value, distinct: isDistinct).standard
            .flatMap { dialect.text(of: .cast($0, .integerToDouble)) }
            .flatMap { SQLTemplate(SQLText.product($0, "/", "NULLIF(\(count), 0)"), dialect) }
    }

    /// The operands are the string, the needle, and the bytes of a constant needle.
    func search(_ search: SQLPiece.Search, isConstant: Bool) -> SQLTemplate? {
        isConstant ? searches.constant[search] : searches.value[search]
    }

    func narrowSum(_ addend: SQLPiece.Addend, distinct: Bool) -> SQLTemplate? {
        switch addend {
        case .integer: narrowSums.integer[distinct]
        case .decimal: narrowSums.decimal[distinct]
        }
    }

    /// Returns a string as an operand of a comparison by code points.
    func comparable(_ text: ValueForm, ordered: Bool) -> SQLTemplate? {
        let pair = if case .column(let column) = text { column.column.comparable } else { comparableResult }
        return ordered ? pair.ordered : pair.unordered
    }
}

/// Returns the templates of the keys for which there is one.
private func table<Key: Hashable>(_ keys: [Key], _ template: (Key) -> SQLTemplate?) -> [Key: SQLTemplate] {
    Dictionary(uniqueKeysWithValues: keys.compactMap { key in template(key).map { (key, $0) } })
}

private func table<Key: Hashable & CaseIterable>(_ template: (Key) -> SQLTemplate?) -> [Key: SQLTemplate] {
    table(Array(Key.allCases), template)
}
