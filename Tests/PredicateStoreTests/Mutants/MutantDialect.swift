@_spi(Dialect) import PredicateSQL

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
        switch mistake {
        case .searchByLike: base.features.subtracting(.textRanges)
        case .likeUnescaped: base.features.union(.nativeLike)
        default: base.features
        }
    }

    func placeholder(_ number: Int, for type: SQLBinding.ParameterType) -> String {
        base.placeholder(number, for: type)
    }

    func text(of piece: SQLPiece) -> SQLText? {
        mistake.flatMap { Self.text(of: piece, with: $0) } ?? base.text(of: piece)
    }

    /// A piece with a mistake; nil for one that the mistake does not change.
    private static func text(of piece: SQLPiece, with mistake: Mistake) -> SQLText? {
        switch (mistake, piece) {
        case (.plainEquality, .isSame(let left, let right, let negated)): .comparison(left, negated ? "<>" : "=", right)
        case (.collationWithoutCase, .comparable(let text, _, _)): "\(text.operand(.atom)) COLLATE NOCASE"
        case (.searchByLike, .search(.beginsWith, let text, let needle, _)):
            .comparison(text, "LIKE", "\(needle) || '%'")
        case (.searchByLike, .search(.contains, let text, let needle, _)):
            .comparison(text, "LIKE", "'%' || \(needle) || '%'")
        case (.endByCharacters, .search(.endsWith, let text, let needle, _)):
            .comparison("substr(\(text), -length(\(needle)))", "=", needle)
        case (.likeUnescaped, .like(let text, let pattern)): .comparison(text, "LIKE", "replace(\(pattern), '!', '')")
        case (.divisionWithFraction, .arithmetic(.divideIntegers, let left, let right)):
            .product("CAST(\(left) AS REAL)", "/", right)
        case (.nativeNumbers, .cast(let value, .integerToDouble)): value
        case (.wrongEpoch, .seconds(let date, .since1970)): date
        case (_, .call(let function, let arguments)): call(function, arguments, with: mistake)
        default: nil
        }
    }

    private static func call(_ function: SQLFunction, _ arguments: [SQLText], with mistake: Mistake) -> SQLText? {
        guard let first = arguments.first, let last = arguments.last else { return nil }
        return switch (mistake, function) {
        case (.engineLower, .foldCase), (.engineLower, .foldDiacritics), (.engineLower, .foldCaseAndDiacritics):
            "lower(\(first))"
        case (.engineUpper, .uppercase): "upper(\(first))"
        case (.lengthInCodePoints, .length): "length(\(first))"
        case (.remainderOfIntegers, .remainder): "(\(first) % \(last))"
        case (.decimalsAsText, .decimalCompare): "((\(first) > \(last)) - (\(first) < \(last)))"
        case (.divisionByZeroIsNull, .divide): "(\(first) / \(last))"
        default: nil
        }
    }
}
