/// A predicate as a tree, without source ranges and without the spelling of a format string.
///
/// `age >= 21 AND name BEGINSWITH[cd] "jo"`
///
/// A node is a value: equal trees are equal predicates. Every later stage rejects trees that are deeper than
/// ``PredicateLimits/nesting``.
///
/// A node is one word in size and owns one allocation: a box, or the array of a compound that does not have exactly
/// two parts.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PredicateNode: Hashable, Sendable {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case constant(Bool)
    /// `age >= 21`
    indirect case comparison(ComparisonPredicate)
    /// `name BEGINSWITH[cd] "jo"`
    indirect case string(StringPredicate)
    /// `a == 1 AND b == 2`, `NOT a == 1`
    case compound(CompoundPredicate)
    /// `FormatPredicate(name: "adult") { … }`: a closure of the host; no format produces one
    indirect case block(BlockPredicate)
}

/// Two expressions with an operator between them: a ``ComparisonPredicate`` or a ``StringPredicate``.
///
/// `ANY scores >= 21`, `name BEGINSWITH[cd] "jo"`
public struct OperatorComparison<Operator: Hashable & Sendable>: Hashable, Sendable {
    /// The left operand.
    public var leftExpression: ExpressionNode
    /// The operator: `==`, `BEGINSWITH`, `IN`, …
    public var `operator`: Operator
    /// The right operand.
    public var rightExpression: ExpressionNode
    /// `ANY` or `ALL` of the elements on the left, or a direct comparison.
    public var modifier: ComparisonModifier
    /// `[c]`, `[d]`, `[l]`, `[n]`.
    public var options: ComparisonOptions

    /// Makes a comparison of two expressions.
    public init(
        _ leftExpression: ExpressionNode, _ operator: Operator, _ rightExpression: ExpressionNode,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = []
    ) {
        self.leftExpression = leftExpression
        self.operator = `operator`
        self.rightExpression = rightExpression
        self.modifier = modifier
        self.options = options
    }
}

/// A comparison of two expressions by value: equality, order, range or membership.
///
/// `ANY scores >= 21`, `age BETWEEN {18, 65}`, `name ==[c] "jo"`, `self isKindOfClass: %@`
public typealias ComparisonPredicate = OperatorComparison<ComparisonOperator>

/// A comparison of strings: a prefix, suffix or substring, a pattern, a type identifier.
///
/// `name BEGINSWITH[cd] "jo"`, `name LIKE "j*n"`, `tags CONTAINS "swift"`
///
/// `CONTAINS` also searches a collection for an element.
public typealias StringPredicate = OperatorComparison<StringOperator>

/// Predicates joined by a logical operator.
///
/// `a == 1 AND b == 2 AND c == 3` is one compound of three. Without subpredicates, AND is true and OR is false.
/// [NSP-090]
public struct CompoundPredicate: Hashable, Sendable {
    /// Two subpredicates, the most common case, are boxed and never stored in an array; any other number is stored in
    /// an array. The operator of an array is encoded in the case, so that a compound is one word in size.
    package enum Storage: Hashable, Sendable {
        indirect case two(LogicalType, PredicateNode, PredicateNode)
        case not([PredicateNode])
        case and([PredicateNode])
        case or([PredicateNode])
    }

    package private(set) var parts: Storage

    /// AND, OR or NOT.
    public var type: LogicalType {
        get {
            switch parts {
            case .two(let type, _, _): type
            case .not: .not
            case .and: .and
            case .or: .or
            }
        }
        set { self = CompoundPredicate(newValue, subpredicates) }
    }

    /// The subpredicates: any number for AND and OR, exactly one for NOT.
    public var subpredicates: [PredicateNode] {
        get {
            switch parts {
            case .two(_, let first, let second): [first, second]
            case .not(let nodes), .and(let nodes), .or(let nodes): nodes
            }
        }
        _modify {
            let type = type
            var nodes = subpredicates
            // Nothing else may hold the list while it changes; otherwise it would be copied.
            parts = .and([])
            defer { self = CompoundPredicate(type, nodes) }
            yield &nodes
        }
    }

    /// The number of subpredicates. Together with the subscript, it allows iteration without making an array.
    package var count: Int {
        switch parts {
        case .two: 2
        case .not(let nodes), .and(let nodes), .or(let nodes): nodes.count
        }
    }

    package subscript(_ index: Int) -> PredicateNode {
        switch parts {
        case .two(_, let first, let second): index == 0 ? first : second
        case .not(let nodes), .and(let nodes), .or(let nodes): nodes[index]
        }
    }

    /// Makes a compound: predicates joined by AND or OR, or the negation of one.
    public init(_ type: LogicalType, _ subpredicates: [PredicateNode]) {
        parts =
            switch type {
            case _ where subpredicates.count == 2: .two(type, subpredicates[0], subpredicates[1])
            case .not: .not(subpredicates)
            case .and: .and(subpredicates)
            case .or: .or(subpredicates)
            }
    }

    @inline(__always)
    init(_ type: LogicalType, _ first: consuming PredicateNode, _ second: consuming PredicateNode) {
        parts = .two(type, first, second)
    }
}

// MARK: - Operators

/// An operator that compares two values.
///
/// Each case lists its spellings, the canonical one first.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ComparisonOperator: Hashable, Sendable {
    /// `age < 21`
    case lessThan
    /// `age <= 21`, `age =< 21`
    case lessThanOrEqualTo
    /// `age > 21`
    case greaterThan
    /// `age >= 21`, `age => 21`
    case greaterThanOrEqualTo
    /// `age == 21`, `age = 21`
    case equalTo
    /// `age != 21`, `age <> 21`
    case notEqualTo
    /// `age BETWEEN {18, 65}`
    case between
    /// `name IN {"jo", "al"}`
    case `in`
    /// `self isKindOfClass: %@`: a selector with one argument
    case customSelector(String)
}

/// An operator that compares strings.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StringOperator: Hashable, Sendable, CaseIterable {
    /// `name BEGINSWITH "jo"`
    case beginsWith
    /// `name ENDSWITH "jo"`
    case endsWith
    /// `name CONTAINS "jo"`
    case contains
    /// `name LIKE "j*n"`
    case like
    /// `name MATCHES "j.*n"`
    case matches
    /// `type UTI-CONFORMS-TO "public.image"`
    case utiConformsTo
    /// `type UTI-EQUALS "public.png"`
    case utiEquals
}

/// The quantifier of a comparison whose left operand is a collection.
public enum ComparisonModifier: Int, Hashable, Sendable, CaseIterable {
    /// `age > 21`: a single comparison with the value itself
    case direct = 0
    /// `ALL ages > 21`
    case all = 1
    /// `ANY ages > 21`, `SOME ages > 21`
    case any = 2
}

/// The logical operator of a compound.
public enum LogicalType: Int, Hashable, Sendable, CaseIterable {
    /// `NOT a == 1`, `!a == 1`
    case not = 0
    /// `a == 1 AND b == 2`, `a == 1 && b == 2`
    case and = 1
    /// `a == 1 OR b == 2`, `a == 1 || b == 2`
    case or = 2
}

extension SetExpression {
    /// An operator that combines two collections into a set.
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        /// `a UNION b`
        case union = "UNION"
        /// `a INTERSECT b`
        case intersect = "INTERSECT"
        /// `a MINUS b`
        case minus = "MINUS"
    }
}

/// The option letters in brackets after an operator.
///
/// `name ==[cd] "jo"`
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `[c]`: ignores case
    public static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`: ignores diacritics
    public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `[n]`: compares literally; overrides `[c]` and `[d]` [NSP-078]
    public static let normalized = ComparisonOptions(rawValue: 4)
    /// `[l]`: uses the rules of the evaluator's locale; without a locale it has no effect [NSP-184]
    public static let localeSensitive = ComparisonOptions(rawValue: 8)
}

/// Properties of operators: the printed spelling, the tokens that are parsed, archived numbers, policy features.
extension ComparisonOperator {
    /// The operators with a spelling of the language: all but selectors.
    package static let spelled: [ComparisonOperator] = [
        .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .in,
    ]

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

    /// The number of the operator in archives and bridges.
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

    /// The feature that a policy must allow for the operator.
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

    /// The number in archives and bridges; nil for the type identifier operators, which have none.
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

    /// The kind of string on the right of an operator.
    package enum RightSide: Hashable, Sendable {
        /// `name CONTAINS "jo"`: a string that is searched for literally
        case needle
        /// `name LIKE "j*n"`
        case likePattern
        /// `name MATCHES "j.*n"`
        case regularExpression
        /// `type UTI-EQUALS "public.png"`
        case typeIdentifier
    }

    /// The policy, SQL templates and checks of patterns depend on it.
    package var rightSide: RightSide {
        switch self {
        case .beginsWith, .endsWith, .contains: .needle
        case .like: .likePattern
        case .matches: .regularExpression
        case .utiConformsTo, .utiEquals: .typeIdentifier
        }
    }

    /// The feature that a policy must allow for the operator.
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
    /// `ANY`, `ALL`; nil for a direct comparison.
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
    /// The letters in the order in which they are printed.
    static let letters: [(letter: Unicode.Scalar, option: ComparisonOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    /// The options that are printed.
    static let lettered = letters.reduce(into: ComparisonOptions()) { $0.formUnion($1.option) }

    /// Letters of old formats, which are accepted without effect. [NSP-077]
    static let lettersWithoutEffect: [Unicode.Scalar] = ["w", "s", "t"]

    /// Makes the option of a lowercase letter; nil for any other letter.
    init?(letter: Unicode.Scalar) {
        for entry in Self.letters where entry.letter == letter {
            self = entry.option
            return
        }
        guard Self.lettersWithoutEffect.contains(letter) else { return nil }
        self = []
    }

    /// `[cd]`, or an empty string.
    package var spelling: String {
        var printer = Printer()
        printer.write(options: self)
        return printer.text
    }
}
