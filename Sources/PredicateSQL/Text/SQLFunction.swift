package import PredicateSyntax
import PredicateText

/// A function that SQL lacks, or gets wrong: an application registers it (SQLite), or the prelude defines it.
///
/// `predicates2_fold_cd(t0."name")`. Every one returns NULL when an argument is NULL, and gives equal results for equal
/// arguments.
public enum SQLFunction: Int, Hashable, Sendable, CaseIterable {
    /// `predicates2_fold_c(text)`: the fold of `[c]`; the number is the version of the fold
    case foldCase
    /// `predicates2_fold_d(text)`: the fold of `[d]`
    case foldDiacritics
    /// `predicates2_fold_cd(text)`: the fold of `[cd]`
    case foldCaseAndDiacritics
    /// `predicates2_compare(text, needle, 'cd')`: -1, 0 or 1 as the text comes before, with or after a folded needle, under
    /// the option letters. Without it a dialect compares the fold.
    case compare
    /// `predicates2_begins(text, needle, 'cd')`: BEGINSWITH for a folded needle, under the option letters; 0 or 1
    case begins
    /// `predicates2_ends(text, needle, 'cd')`: ENDSWITH
    case ends
    /// `predicates2_contains(text, needle, 'cd')`: CONTAINS
    case contains
    /// `predicates2_like(text, pattern, 'cd')`: LIKE under the option letters; 0 or 1
    case like
    /// `predicates_matches(text, pattern, "cd")`: MATCHES under the option letters; 0 or 1
    case matches
    /// `predicates2_upper(text)`: capitals by full case mapping
    case uppercase
    /// `predicates2_lower(text)`: small letters
    case lowercase
    /// `predicates_length(text)`: in UTF-16 code units
    case length
    /// `predicates_date(text)`: seconds since 2001 as a double; NULL for what is no date
    case date
    /// `predicates_decimal_compare(a, b)`: -1, 0 or 1; decimals as text, or integers
    case decimalCompare
    /// `predicates_decimal_double(a)`: the nearest double
    case decimalDouble
    /// `predicates_divide(a, b)`: of doubles by IEEE 754; by zero gives an infinity, NULL for not a number
    case divide
    /// `predicates_remainder(a, b)`: of doubles, with the sign of a, as `fmod`
    case remainder
    /// `predicates_power(a, b)`: an integer when both are integers, b is not below 0 and 64 bits hold it; all else as C's
    /// `pow` of doubles
    case power
    /// `predicates_abs(a)`: an integer of an integer, NULL for the least one; a double of a double
    case absolute
    /// `predicates_floor(a)`, of a double, as a double
    case floor
    /// `predicates_ceiling(a)`
    case ceiling
    /// `predicates_trunc(a)`
    case truncate
    /// `predicates_sqrt(a)`: as C's `sqrt`
    case squareRoot
    /// `predicates_ln(a)`: as C's `log`
    case naturalLogarithm
    /// `predicates_log(a)`: as C's `log10`
    case decimalLogarithm
    /// `predicates_exp(a)`: as C's `exp`
    case exponential
    /// `predicates_mixed_kinds(value, column)`: an error for a value of another kind than the column's, where only an
    /// evaluator knows what the predicate makes of it
    case mixedKinds

    /// The name under which it is called.
    public var name: String {
        switch self {
        case .foldCase: "predicates\(Folding.version)_fold_c"
        case .foldDiacritics: "predicates\(Folding.version)_fold_d"
        case .foldCaseAndDiacritics: "predicates\(Folding.version)_fold_cd"
        case .compare: "predicates\(Folding.version)_compare"
        case .begins: "predicates\(Folding.version)_begins"
        case .ends: "predicates\(Folding.version)_ends"
        case .contains: "predicates\(Folding.version)_contains"
        case .like: "predicates\(Folding.version)_like"
        case .matches: "predicates_matches"
        case .uppercase: "predicates\(Folding.version)_upper"
        case .lowercase: "predicates\(Folding.version)_lower"
        case .length: "predicates_length"
        case .date: "predicates_date"
        case .decimalCompare: "predicates_decimal_compare"
        case .decimalDouble: "predicates_decimal_double"
        case .divide: "predicates_divide"
        case .remainder: "predicates_remainder"
        case .power: "predicates_power"
        case .absolute: "predicates_abs"
        case .floor: "predicates_floor"
        case .ceiling: "predicates_ceiling"
        case .truncate: "predicates_trunc"
        case .squareRoot: "predicates_sqrt"
        case .naturalLogarithm: "predicates_ln"
        case .decimalLogarithm: "predicates_log"
        case .exponential: "predicates_exp"
        case .mixedKinds: "predicates_mixed_kinds"
        }
    }

    /// The number of its arguments.
    public var argumentCount: Int {
        switch self {
        case .compare, .begins, .ends, .contains, .like, .matches: 3
        case .decimalCompare, .divide, .remainder, .power, .mixedKinds: 2
        case .foldCase, .foldDiacritics, .foldCaseAndDiacritics, .uppercase, .lowercase, .length, .date, .decimalDouble,
            .absolute, .floor, .ceiling, .truncate,
            .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential:
            1
        }
    }
}

extension SQLFunction {
    /// The function of a fold; nil for no fold.
    init?(folding mode: FoldMode) {
        switch mode {
        case .none: return nil
        case .caseInsensitive: self = .foldCase
        case .diacriticInsensitive: self = .foldDiacritics
        case .caseAndDiacriticInsensitive: self = .foldCaseAndDiacritics
        }
    }

    /// The function of the fold of options, `.foldCase` for `[c]`; nil for options that are not those of one fold.
    package init?(folding options: ComparisonOptions) {
        guard ComparisonOptions.foldModes.contains(options) else { return nil }
        self.init(folding: options.foldMode)
    }

    /// The function that searches under a fold; nil without one, which the operators of SQL can do.
    init?(_ search: SQLPiece.Search, _ mode: FoldMode) {
        guard mode != .none else { return nil }
        switch search {
        case .beginsWith: self = .begins
        case .endsWith: self = .ends
        case .contains: self = .contains
        }
    }

    /// True for a function that searches in the characters of a text.
    var searches: Bool {
        switch self {
        case .begins, .ends, .contains, .like: true
        case .foldCase, .foldDiacritics, .foldCaseAndDiacritics, .compare, .matches, .uppercase, .lowercase, .length,
            .date, .decimalCompare, .decimalDouble, .divide, .remainder, .power, .absolute, .floor, .ceiling, .truncate,
            .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential, .mixedKinds:
            false
        }
    }

    /// True for a function whose arguments are texts.
    var takesTexts: Bool { isOfPrelude || [.compare, .matches, .date].contains(self) }

    /// True for a function of texts that preludes define.
    var isOfPrelude: Bool {
        foldMode != nil || searches || [.uppercase, .lowercase, .length].contains(self)
    }

    /// The fold that the function performs; nil for other functions.
    package var foldMode: FoldMode? {
        switch self {
        case .foldCase: .caseInsensitive
        case .foldDiacritics: .diacriticInsensitive
        case .foldCaseAndDiacritics: .caseAndDiacriticInsensitive
        case .compare, .begins, .ends, .contains, .like, .matches, .uppercase, .lowercase, .length, .date,
            .decimalCompare, .decimalDouble, .divide, .remainder, .power, .absolute, .floor, .ceiling, .truncate,
            .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential, .mixedKinds:
            nil
        }
    }
}

extension Set<SQLFunction> {
    /// The functions and, beside LIKE, the folds, which it calls for the literal parts of its pattern.
    var withFoldsOfPatterns: Set<SQLFunction> {
        contains(.like) ? union([.foldCase, .foldDiacritics, .foldCaseAndDiacritics]) : self
    }
}

/// Functions that a text calls.
struct SQLFunctionSet: Sendable {
    private var bits: UInt32 = 0

    init(_ functions: [SQLFunction] = []) {
        functions.forEach { insert($0) }
    }

    func contains(_ function: SQLFunction) -> Bool {
        bits & 1 << UInt32(function.rawValue) != 0
    }

    mutating func insert(_ function: SQLFunction) {
        bits |= 1 << UInt32(function.rawValue)
    }

    /// The functions as a set of the standard library.
    var functions: Set<SQLFunction> {
        bits == 0 ? [] : Set(SQLFunction.allCases.filter { bits & 1 << UInt32($0.rawValue) != 0 })
    }
}

extension FoldMode {
    /// The option letters.
    var letters: StaticString {
        switch self {
        case .none: ""
        case .caseInsensitive: "c"
        case .diacriticInsensitive: "d"
        case .caseAndDiacriticInsensitive: "cd"
        }
    }
}
