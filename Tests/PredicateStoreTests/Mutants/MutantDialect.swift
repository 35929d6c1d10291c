import PredicateSQL

/// SQLite's dialect with one plausible mistake, or with other limits.
struct MutantDialect: SQLDialect {
    enum Mistake: String, Sendable, CaseIterable {
        case plainEquality = "plain = for nil"
        case collationWithoutCase = "texts compare as NOCASE does"
        case searchByLike = "BEGINSWITH and CONTAINS by LIKE"
        case endByCharacters = "ENDSWITH by characters"
        case likeUnescaped = "LIKE with % and _ as they come"
        case engineLower = "lower() for [c] and [d]"
        case engineUpper = "upper() for uppercase"
        case lengthInCodePoints = "length in code points"
        case nativeNumbers = "integers and doubles compare as in SQLite"
        case divisionWithFraction = "integers divided with their fraction"
        case remainderOfIntegers = "% for the remainder of doubles"
        case wrongEpoch = "seconds since 1970 taken for those since 2001"
        case decimalsAsText = "decimals compare as text"
        case divisionByZeroIsNull = "1.0 / 0 is NULL"
    }

    let mistake: Mistake?
    let limits: SQLLimits
    private let base = SQLiteDialect()

    init(mistake: Mistake) {
        self.mistake = mistake
        limits = base.limits
    }

    init(limits: SQLLimits) {
        mistake = nil
        self.limits = limits
    }

    var name: String { base.name }
    var features: SQLFeatures {
        mistake == .searchByLike ? base.features.subtracting(.textRanges) : base.features
    }
    var numbersPlaceholders: Bool { base.numbersPlaceholders }
    var callsApplicationFunctions: Bool { base.callsApplicationFunctions }

    func placeholder(_ number: Int, for type: SQLParameterType) -> String { base.placeholder(number, for: type) }
    func constant(_ value: Bool) -> SQLText { base.constant(value) }

    func isSame(_ left: SQLText, _ right: SQLText, negated: Bool) -> SQLText {
        guard mistake == .plainEquality else { return base.isSame(left, right, negated: negated) }
        return SQLText.comparison(left, negated ? "<>" : "=", right)
    }

    func comparable(_ text: SQLText, _ origin: SQLTextOrigin, ordered: Bool) -> SQLText? {
        guard mistake == .collationWithoutCase else { return base.comparable(text, origin, ordered: ordered) }
        return "\(text.operand(.atom)) COLLATE NOCASE"
    }

    func text(_ text: SQLText, _ relation: SQLTextRelation, _ needle: SQLNeedle) -> SQLText? {
        switch (mistake, relation) {
        case (.searchByLike, .begins): SQLText.comparison(text, "LIKE", "\(needle.text) || '%'")
        case (.searchByLike, .contains): SQLText.comparison(text, "LIKE", "'%' || \(needle.text) || '%'")
        case (.endByCharacters, .ends):
            SQLText.comparison("substr(\(text), -length(\(needle.text)))", "=", needle.text)
        default: base.text(text, relation, needle)
        }
    }

    func likePattern(_ pattern: SQLLikePattern) -> String? {
        guard mistake == .likeUnescaped else { return base.likePattern(pattern) }
        return pattern.tokens.map { token in
            switch token {
            case .text(let text): text
            case .one: "_"
            case .many: "%"
            }
        }.joined()
    }

    func like(_ text: SQLText, _ pattern: SQLText) -> SQLText {
        mistake == .likeUnescaped ? SQLText.comparison(text, "LIKE", pattern) : base.like(text, pattern)
    }

    func isIn(_ value: SQLText, json: SQLText, of type: SQLListType) -> SQLText? {
        base.isIn(value, json: json, of: type)
    }

    func arithmetic(_ operation: SQLArithmetic, _ left: SQLText, _ right: SQLText) -> SQLText? {
        guard mistake == .divisionWithFraction, operation == .divideIntegers else {
            return base.arithmetic(operation, left, right)
        }
        return SQLText.product("CAST(\(left) AS REAL)", "/", right)
    }

    func checkedInteger(_ sum: SQLText) -> SQLText { base.checkedInteger(sum) }

    func cast(_ value: SQLText, _ cast: SQLCast) -> SQLText? {
        mistake == .nativeNumbers && cast == .integerToDouble ? value : base.cast(value, cast)
    }

    func call(_ function: SQLFunction, _ arguments: [SQLText]) -> SQLText? {
        guard let first = arguments.first, let last = arguments.last else { return base.call(function, arguments) }
        return switch (mistake, function) {
        case (.engineLower, .fold): "lower(\(first))"
        case (.engineUpper, .uppercase): "upper(\(first))"
        case (.lengthInCodePoints, .length): "length(\(first))"
        case (.remainderOfIntegers, .remainder): "(\(first) % \(last))"
        case (.decimalsAsText, .decimalCompare): "((\(first) > \(last)) - (\(first) < \(last)))"
        case (.divisionByZeroIsNull, .divide): "(\(first) / \(last))"
        default: base.call(function, arguments)
        }
    }

    func seconds(_ date: SQLText, from storage: SQLType.DateStorage) -> SQLText? {
        mistake == .wrongEpoch && storage == .since1970 ? date : base.seconds(date, from: storage)
    }

    func integerSum(_ value: SQLText, distinct: Bool) -> SQLText { base.integerSum(value, distinct: distinct) }
    func nullsFirst(_ key: SQLText, ascending: Bool) -> SQLText { base.nullsFirst(key, ascending: ascending) }
    func limit(_ count: SQLText?, offset: SQLText?) -> SQLText { base.limit(count, offset: offset) }
}
