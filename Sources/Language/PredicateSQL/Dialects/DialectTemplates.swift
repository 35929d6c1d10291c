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
    let unregistered: SQLFunctionSet

    private init(_ base: any SQLDialect, mayLackPieces: Bool) {
        self.base = base
        self.mayLackPieces = mayLackPieces
        templates = DialectTemplates(base)
        features = base.features
        limits = base.limits
        timestamps = base.timestamps
        unregistered = SQLFunctionSet((base as? SQLiteDialect)?.unregistered ?? [])
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
    /// True if calls bind arguments that they would otherwise repeat.
    let bindsArguments: Bool
    private let constants: (true: SQLTemplate?, false: SQLTemplate?)
    private let comparableResult: (ordered: SQLTemplate?, unordered: SQLTemplate?)
    private let searches: [SQLTemplate?]
    private let lists: [SQLTemplate?]
    private let storages: [SQLTemplate?]
    private let arithmetic: [SQLTemplate?]
    private let casts: [SQLTemplate?]
    private let seconds: [SQLTemplate?]
    private let calendars: [SQLTemplate?]
    private let parts: [SQLTemplate?]
    private let calls: [SQLTemplate?]
    private let sums: [SQLTemplate?]
    private let decimalSums: [SQLTemplate?]
    private let narrowSums: [SQLTemplate?]
    private let averages: [SQLTemplate?]
    private let totals: [SQLTemplate?]
    private let means: [SQLTemplate?]
    private let truthExtremes: [SQLTemplate?]
    /// The operands are the strings, the separator and the key.
    let joined: SQLTemplate?

    init(_ dialect: any SQLDialect) {
        let (first, second, third) = (SQLText(operand: 0), SQLText(operand: 1), SQLText(operand: 2))
        func template(_ piece: SQLPiece) -> SQLTemplate? { dialect.template(of: piece) }
        constants = (template(.truth(true)), template(.truth(false)))
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
        bindsArguments = template(.boundCall(.foldCase, [first], repeated: [true])) != nil
        searches = SQLPiece.Search.allCases.flatMap { search in
            [third, nil].map { template(.search(search, in: first, for: second, bytes: $0)) }
        }
        lists = SQLPiece.ListType.allCases.map { template(.isIn(first, json: second, $0)) }
        storages = SQLPiece.Storage.allCases.map { template(.isStored(first, $0)) }
        arithmetic = SQLPiece.Arithmetic.allCases.map { template(.arithmetic($0, first, second)) }
        casts = SQLPiece.Cast.allCases.map { template(.cast(first, $0)) }
        seconds = SQLType.DateStorage.allCases.map { template(.seconds(first, $0)) }
        calendars = SQLPiece.Calendar.allCases.map { template(.calendar(first, $0)) }
        parts = SQLPiece.Calendar.allCases.map { template(.part(first, $0)) }
        calls = SQLFunction.allCases.map { function in
            template(.call(function, [first, second, third].dropLast(3 - function.argumentCount)))
        }
        let sums = [false, true].map { SQLPiece.integerSum(first, distinct: $0) }
        self.sums = sums.map(template)
        decimalSums = [false, true].map { template(.decimalSum(first, distinct: $0)) }
        narrowSums = zip(sums + sums, [.integerToLong, .integerToLong, .decimalToTerm, .decimalToTerm]).map {
            sum, cast in
            sum.standard.flatMap { template(.cast($0, cast)) }
        }
        totals = SQLPiece.Addend.allCases.map { template(.total(first, $0)) }
        means = SQLPiece.Addend.allCases.map { template(.mean(first, $0)) }
        truthExtremes = [false, true].map { template(.truthExtreme(first, isLeast: $0)) }
        joined = template(.joined(first, separator: second, by: third))
        let counts: [SQLText] = ["COUNT(*)", "COUNT(DISTINCT \(first))"]
        averages = zip([false, true], zip(sums, counts)).map { isDistinct, pair in
            let (sum, count) = pair
            if let average = template(.integerAverage(first, distinct: isDistinct)) { return average }
            return sum.standard.flatMap { dialect.text(of: .cast($0, .integerToDouble)) }.flatMap {
                SQLTemplate(SQLText.product($0, "/", "NULLIF(\(count), 0)"), dialect)
            }
        }
    }

    /// The operands are the string, the needle, and the bytes of a constant needle.
    func search(_ search: SQLPiece.Search, isConstant: Bool) -> SQLTemplate? {
        searches[2 * search.rawValue + (isConstant ? 0 : 1)]
    }

    func isIn(_ type: SQLPiece.ListType) -> SQLTemplate? { lists[type.rawValue] }
    func isStored(_ storage: SQLPiece.Storage) -> SQLTemplate? { storages[storage.rawValue] }
    func arithmetic(_ operation: SQLPiece.Arithmetic) -> SQLTemplate? { arithmetic[operation.rawValue] }
    func cast(_ cast: SQLPiece.Cast) -> SQLTemplate? { casts[cast.rawValue] }
    func call(_ function: SQLFunction) -> SQLTemplate? { calls[function.rawValue] }
    func calendar(_ part: SQLPiece.Calendar) -> SQLTemplate? { calendars[part.rawValue] }
    func part(_ part: SQLPiece.Calendar) -> SQLTemplate? { parts[part.rawValue] }
    func sum(distinct: Bool) -> SQLTemplate? { sums[distinct ? 1 : 0] }
    func decimalSum(distinct: Bool) -> SQLTemplate? { decimalSums[distinct ? 1 : 0] }
    func narrowSum(_ addend: SQLPiece.Addend, distinct: Bool) -> SQLTemplate? {
        narrowSums[2 * addend.rawValue + (distinct ? 1 : 0)]
    }
    func average(distinct: Bool) -> SQLTemplate? { averages[distinct ? 1 : 0] }

    func total(_ addend: SQLPiece.Addend) -> SQLTemplate? { totals[addend.rawValue] }
    func mean(_ addend: SQLPiece.Addend) -> SQLTemplate? { means[addend.rawValue] }
    func truthExtreme(isLeast: Bool) -> SQLTemplate? { truthExtremes[isLeast ? 1 : 0] }

    /// Returns a string as an operand of a comparison by code points.
    func comparable(_ text: ValueForm, ordered: Bool) -> SQLTemplate? {
        let pair = if case .column(let column) = text { column.column.comparable } else { comparableResult }
        return ordered ? pair.ordered : pair.unordered
    }

    func seconds(from storage: SQLType.DateStorage) -> SQLTemplate? {
        SQLType.DateStorage.allCases.firstIndex(of: storage).flatMap { seconds[$0] }
    }

    func constant(_ value: Bool) -> SQLTemplate? { value ? constants.true : constants.false }
}
