/// Facts of the operators of comparisons: the spelling that prints, the tokens that parse, numbers, features.
extension ComparisonOperator {
    /// `==`, `BETWEEN`, `isKindOfClass:`
    package var spelling: String {
        switch self {
        case .lessThan: Symbol.less.rawValue
        case .lessThanOrEqualTo: Symbol.lessOrEqual.rawValue
        case .greaterThan: Symbol.greater.rawValue
        case .greaterThanOrEqualTo: Symbol.greaterOrEqual.rawValue
        case .equalTo: Symbol.equal.rawValue
        case .notEqualTo: Symbol.notEqual.rawValue
        case .between: Keyword.between.rawValue
        case .in: Keyword.in.rawValue
        case .customSelector(let name): name
        }
    }

    /// The number that archives and bridges use for the operator.
    package var archivedNumber: Int {
        switch self {
        case .lessThan: 0
        case .lessThanOrEqualTo: 1
        case .greaterThan: 2
        case .greaterThanOrEqualTo: 3
        case .equalTo: 4
        case .notEqualTo: 5
        case .in: 10
        case .customSelector: 11
        case .between: 100
        }
    }

    /// The feature by which a policy allows or refuses the operator.
    var feature: PredicateFeature {
        switch self {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: .ordering
        case .equalTo, .notEqualTo: .equality
        case .between: .between
        case .in: .in
        case .customSelector: .selector
        }
    }

    package init?(_ symbol: Symbol) {
        switch symbol {
        case .equal, .singleEqual: self = .equalTo
        case .notEqual, .lessGreater: self = .notEqualTo
        case .less: self = .lessThan
        case .lessOrEqual, .equalLess: self = .lessThanOrEqualTo
        case .greater: self = .greaterThan
        case .greaterOrEqual, .equalGreater: self = .greaterThanOrEqualTo
        case .doubleAmpersand, .doubleBar, .exclamation, .plus, .hyphen, .asterisk, .doubleAsterisk, .slash,
            .ampersand, .bar, .caret, .tilde, .doubleLess, .doubleGreater, .assign, .colon, .comma, .dot,
            .openParenthesis, .closeParenthesis, .openBracket, .closeBracket, .openBrace, .closeBrace, .nullObject:
            return nil
        }
    }
}

extension StringOperator {
    /// `BEGINSWITH`, `UTI-EQUALS`
    package var spelling: String { keyword.rawValue }

    var keyword: Keyword {
        switch self {
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .contains: .contains
        case .like: .like
        case .matches: .matches
        case .utiConformsTo: .utiConformsTo
        case .utiEquals: .utiEquals
        }
    }

    /// The number that archives and bridges use; the type identifier operators have none of their own.
    package var archivedNumber: Int? {
        switch self {
        case .matches: 6
        case .like: 7
        case .beginsWith: 8
        case .endsWith: 9
        case .contains: 99
        case .utiConformsTo, .utiEquals: nil
        }
    }

    init?(_ keyword: Keyword) {
        guard case .text(let own) = keyword.role else { return nil }
        self = own
    }

    /// The kind of text on the right side of an operator.
    package enum RightSide: Hashable, Sendable {
        /// `name CONTAINS "jo"`: a text that is searched for as it is
        case needle
        /// `name LIKE "j*n"`
        case likePattern
        /// `name MATCHES "j.*n"`
        case regularExpression
        /// `type UTI-EQUALS "public.png"`
        case typeIdentifier
    }

    /// The kind of text on the right side, from which the policy, SQL templates and checks of patterns follow.
    package var rightSide: RightSide {
        switch self {
        case .beginsWith, .endsWith, .contains: .needle
        case .like: .likePattern
        case .matches: .regularExpression
        case .utiConformsTo, .utiEquals: .typeIdentifier
        }
    }

    /// The feature by which a policy allows or refuses the operator.
    var feature: PredicateFeature {
        switch self {
        case .beginsWith, .endsWith: .textEnds
        case .contains: .contains
        case .like: .like
        case .matches: .matches
        case .utiConformsTo, .utiEquals: .typeIdentifiers
        }
    }
}

extension ComparisonModifier {
    /// `ANY`, `ALL`; nothing for a direct comparison.
    package var spelling: String? {
        switch self {
        case .direct: nil
        case .all: Keyword.all.rawValue
        case .any: Keyword.any.rawValue
        }
    }
}

extension LogicalType {
    /// `AND`, `OR`, `NOT`
    package var spelling: String {
        switch self {
        case .not: Keyword.not.rawValue
        case .and: Keyword.and.rawValue
        case .or: Keyword.or.rawValue
        }
    }
}

extension ComparisonOptions {
    /// The letters in the order in which they print.
    static let letters: [(letter: Unicode.Scalar, option: ComparisonOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    /// The options that print.
    static let lettered = letters.reduce(into: ComparisonOptions()) { $0.formUnion($1.option) }

    /// Letters of old formats that are accepted and have no effect. [NSP-077]
    static let lettersWithoutEffect: [Unicode.Scalar] = ["w", "s", "t"]

    /// The option of a lowercase letter; nil for any other letter.
    init?(letter: Unicode.Scalar) {
        for entry in Self.letters where entry.letter == letter {
            self = entry.option
            return
        }
        guard Self.lettersWithoutEffect.contains(letter) else { return nil }
        self = []
    }

    /// `[cd]`, or nothing.
    package var spelling: String {
        var printer = Printer()
        printer.write(options: self)
        return printer.text
    }
}
