/// All that a dialect has to say of conditions and values, as templates.
///
/// A class, so that handing it on counts one reference.
final class DialectTemplates: Sendable {
    let constants: (true: SQLTemplate, false: SQLTemplate)
    let same: SQLTemplate
    let notSame: SQLTemplate
    let comparableResult: (ordered: SQLTemplate?, unordered: SQLTemplate?)
    let like: SQLTemplate
    let checkedInteger: SQLTemplate
    private let searches: [SQLTemplate?]
    private let lists: [SQLTemplate?]
    private let arithmetic: [SQLTemplate?]
    private let casts: [SQLTemplate?]
    private let seconds: [SQLTemplate?]
    private let calls: [SQLTemplate?]
    private let sums: [SQLTemplate]
    private let averages: [SQLTemplate?]

    init(_ dialect: any SQLDialect) {
        let (first, second, third) = (SQLText(hole: 0), SQLText(hole: 1), SQLText(hole: 2))
        constants = (SQLTemplate(dialect.constant(true)), SQLTemplate(dialect.constant(false)))
        same = SQLTemplate(dialect.isSame(first, second, negated: false))
        notSame = SQLTemplate(dialect.isSame(first, second, negated: true))
        comparableResult = (
            dialect.comparable(first, .result, ordered: true).map(SQLTemplate.init),
            dialect.comparable(first, .result, ordered: false).map(SQLTemplate.init)
        )
        like = SQLTemplate(dialect.like(first, second))
        checkedInteger = SQLTemplate(dialect.checkedInteger(first))
        searches = SQLTextRelation.allCases.flatMap { relation in
            [third, nil].map { bytes in
                dialect.text(first, relation, SQLNeedle(text: second, bytes: bytes)).map(SQLTemplate.init)
            }
        }
        lists = SQLListType.allCases.map { dialect.isIn(first, json: second, of: $0).map(SQLTemplate.init) }
        arithmetic = SQLArithmetic.allCases.map { dialect.arithmetic($0, first, second).map(SQLTemplate.init) }
        casts = SQLCast.allCases.map { dialect.cast(first, $0).map(SQLTemplate.init) }
        seconds = SQLType.DateStorage.allCases.map { dialect.seconds(first, from: $0).map(SQLTemplate.init) }
        calls = SQLFunction.allCases.map { function in
            dialect.call(function, [first, second, third].dropLast(3 - function.argumentCount)).map(SQLTemplate.init)
        }
        sums = [false, true].map { SQLTemplate("COALESCE(\(dialect.integerSum(first, distinct: $0)), 0)") }
        averages = [false, true].map { isDistinct in
            let sum: SQLText = "COALESCE(\(dialect.integerSum(first, distinct: isDistinct)), 0)"
            let count: SQLText = isDistinct ? "COUNT(DISTINCT \(first))" : "COUNT(*)"
            return dialect.cast(sum, .integerToDouble).map {
                SQLTemplate(SQLText.product($0, "/", "NULLIF(\(count), 0)"))
            }
        }
    }

    /// Operands: the text, the needle, the bytes of a needle that is known.
    func search(_ relation: SQLTextRelation, isKnown: Bool) -> SQLTemplate? {
        searches[2 * relation.rawValue + (isKnown ? 0 : 1)]
    }

    func isIn(_ type: SQLListType) -> SQLTemplate? { lists[type.rawValue] }
    func arithmetic(_ operation: SQLArithmetic) -> SQLTemplate? { arithmetic[operation.rawValue] }
    func cast(_ cast: SQLCast) -> SQLTemplate? { casts[cast.rawValue] }
    func call(_ function: SQLFunction) -> SQLTemplate? { calls[function.number] }
    func sum(distinct: Bool) -> SQLTemplate { sums[distinct ? 1 : 0] }
    func average(distinct: Bool) -> SQLTemplate? { averages[distinct ? 1 : 0] }

    /// A text as an operand of a comparison by code points.
    func comparable(_ text: ValueForm, ordered: Bool) -> SQLTemplate? {
        let pair = if case .column(let column) = text { column.column.comparable } else { comparableResult }
        return ordered ? pair.ordered : pair.unordered
    }

    func seconds(from storage: SQLType.DateStorage) -> SQLTemplate? {
        switch storage {
        case .since2001: seconds[0]
        case .since1970: seconds[1]
        case .iso8601: seconds[2]
        case .timestamp: seconds[3]
        }
    }

    func constant(_ value: Bool) -> SQLTemplate { value ? constants.true : constants.false }
}
