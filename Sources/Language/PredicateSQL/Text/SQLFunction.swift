package import PredicateSyntax
import PredicateText

/// A function that SQL lacks or defines differently. An application registers it (SQLite), or the prelude defines it.
///
/// `predicates2_fold_cd(t0."name")`. Every function returns NULL if an argument is NULL, and equal results for equal
/// arguments; an aggregate, such as ``decimalSum``, skips NULL.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SQLFunction: String, Hashable, Sendable, CaseIterable {
    /// `predicates2_fold_c(text)`: the fold of `[c]`; the number is the version of the fold
    case foldCase = "fold_c"
    /// `predicates2_fold_d(text)`: the fold of `[d]`
    case foldDiacritics = "fold_d"
    /// `predicates2_fold_cd(text)`: the fold of `[cd]`
    case foldCaseAndDiacritics = "fold_cd"
    /// `predicates2_compare(text, needle, 'cd')`: -1, 0 or 1 if the string is less than, equal to or greater than a
    /// folded needle, under the option letters. A dialect without it compares the folds.
    case compare
    /// `predicates2_begins(text, needle, 'cd')`: BEGINSWITH for a folded needle, under the option letters; 0 or 1
    case begins
    /// `predicates2_ends(text, needle, 'cd')`: ENDSWITH
    case ends
    /// `predicates2_contains(text, needle, 'cd')`: CONTAINS
    case contains
    /// `predicates2_like(text, pattern, 'cd')`: LIKE under the option letters; 0 or 1
    case like
    /// `predicates_matches(text, pattern, 'cd')`: MATCHES under the option letters; 0 or 1
    case matches
    /// `predicates2_upper(text)`: upper case by full case mapping
    case uppercase = "upper"
    /// `predicates2_lower(text)`: lower case
    case lowercase = "lower"
    /// `predicates_length(text)`: the number of UTF-16 code units
    case length
    /// `predicates_date(text)`: seconds since 2001 as a double; NULL if the string is not a date
    case date
    /// `predicates_decimal_compare(a, b)`: -1, 0 or 1 for two decimals as strings, or integers
    case decimalCompare = "decimal_compare"
    /// `predicates_decimal_double(a)`: the nearest double
    case decimalDouble = "decimal_double"
    /// `predicates_decimal_add(a, b)`: the sum of two decimals, as a string; NULL if it exceeds 38 digits before the
    /// decimal point
    case decimalAdd = "decimal_add"
    /// `predicates_decimal_subtract(a, b)`
    case decimalSubtract = "decimal_subtract"
    /// `predicates_decimal_multiply(a, b)`
    case decimalMultiply = "decimal_multiply"
    /// `predicates_decimal_divide(a, b)`: the quotient with the digits that the evaluator keeps; NULL for a divisor of 0
    case decimalDivide = "decimal_divide"
    /// `predicates_decimal_sum(a)`: the sum over rows; 0 without rows
    case decimalSum = "decimal_sum"
    /// `predicates_decimal_average(a)`: the average over rows, in which NULL counts as 0; NULL without rows
    case decimalAverage = "decimal_average"
    /// `predicates_decimal_min(a)`: the least of the decimals of several rows
    case decimalLeast = "decimal_min"
    /// `predicates_decimal_max(a)`: the greatest of the decimals of several rows
    case decimalGreatest = "decimal_max"
    /// `predicates_decimal_order(a)`: a string whose bytes have the order of the numbers
    case decimalOrder = "decimal_order"
    /// `predicates_divide(a, b)`: division of doubles as in IEEE 754; division by zero returns an infinity, or NULL for NaN
    case divide
    /// `predicates_remainder(a, b)`: the remainder of doubles, with the sign of a, as in `fmod`
    case remainder
    /// `predicates_power(a, b)`: an integer if both are integers, b is not negative and the result fits in 64 bits; else a
    /// double, as C's `pow`
    case power
    /// `predicates_abs(a)`: an integer for an integer, but NULL for the least one; a double for a double, and a
    /// decimal for a string
    case absolute = "abs"
    /// `predicates_floor(a)`: the floor of a double, as a double
    case floor
    /// `predicates_ceiling(a)`
    case ceiling
    /// `predicates_trunc(a)`
    case truncate = "trunc"
    /// `predicates_sqrt(a)`: C's `sqrt`
    case squareRoot = "sqrt"
    /// `predicates_ln(a)`: C's `log`
    case naturalLogarithm = "ln"
    /// `predicates_log(a)`: C's `log10`
    case decimalLogarithm = "log"
    /// `predicates_exp(a)`: C's `exp`
    case exponential = "exp"
    /// `predicates_sum(a)`: the exact sum of the numbers of several rows, rounded once: an integer for integers if it fits in
    /// 64 bits, a string for decimals, else a double; NULL without numbers
    case numberSum = "sum"
    /// `predicates_average(a)`: their average, as a double; NULL without numbers
    case numberAverage = "average"
    /// `predicates_median(a)`: the number in the middle, or the mean of the two in the middle; NULL without numbers
    case numberMedian = "median"
    /// `predicates_deviation(a)`: their standard deviation as a whole population; NULL without numbers
    case numberDeviation = "deviation"
    /// `predicates_percentile(a, 95.0)`: the number below which 95 percent of them are, interpolated
    case numberPercentile = "percentile"
    /// `predicates_joined(a, ', ', id)`: the values of several rows as one string, in the order of the keys, with a
    /// separator between them; NULL without values
    case joined
    /// `predicates_date_part(seconds, 'month')`: a part of a date in UTC, from its seconds since 2001; NULL beyond the
    /// calendar
    case datePart = "date_part"
    /// `predicates_date_start(seconds, 'month')`: the seconds of the first moment of a unit
    case dateStart = "date_start"
    /// `predicates_mixed_kinds(value, column)`: makes the statement fail for a value of a type other than the column's, if the
    /// predicate can only be evaluated in memory for such a value
    case mixedKinds = "mixed_kinds"
    /// `predicates_json_kind(payload, '{"user","id"}')`: the kind of a member of a JSON object: `object`, `array`, `string`,
    /// `number` or `boolean`; NULL if the member is null or missing
    case jsonKind = "json_kind"
    /// `predicates_json_path_kind(payload, '{"users","id"}')`: like ``jsonKind``, but a key of an array is a key of each
    /// element, and a key of a string, a number or a Boolean has the kind `error`
    case jsonPathKind = "json_path_kind"
    /// `predicates_json_text(payload, '{"name"}')`: a string of a JSON object; NULL for any other value
    case jsonText = "json_text"
    /// `predicates_json_number(payload, '{"age"}')`: the double nearest to a number
    case jsonNumber = "json_number"
    /// `predicates_json_boolean(payload, '{"isNew"}')`: 0 or 1
    case jsonBoolean = "json_boolean"
    /// `predicates_json_elements(payload, '{"tags"}')`: the elements of an array, or the values of an object, as a JSON array
    /// of strings, each of which is the JSON of one value
    case jsonElements = "json_elements"

    /// The name of the function in SQL.
    public var name: String { "predicates\(dependsOnFold ? "\(Folding.version)" : "")_\(rawValue)" }

    /// True for a function whose results, and so its name, depend on the version of the fold.
    private var dependsOnFold: Bool { self == .compare || isOfPrelude && self != .length }

    /// The number of arguments.
    public var argumentCount: Int {
        switch self {
        case .compare, .begins, .ends, .contains, .like, .matches, .joined: 3
        case .decimalCompare, .decimalAdd, .decimalSubtract, .decimalMultiply, .decimalDivide, .divide, .remainder,
            .power, .datePart, .dateStart, .numberPercentile, .mixedKinds, .jsonKind,
            .jsonPathKind, .jsonText, .jsonNumber, .jsonBoolean, .jsonElements:
            2
        case .foldCase, .foldDiacritics, .foldCaseAndDiacritics, .uppercase, .lowercase, .length, .date, .decimalDouble,
            .decimalSum, .decimalAverage, .decimalLeast, .decimalGreatest, .decimalOrder, .absolute, .floor, .ceiling,
            .truncate, .squareRoot, .naturalLogarithm, .decimalLogarithm, .exponential, .numberSum, .numberAverage,
            .numberMedian, .numberDeviation:
            1
        }
    }
}

extension SQLFunction {
    /// Creates the function of a fold; nil without a fold.
    init?(folding mode: FoldMode) {
        switch mode {
        case .none: return nil
        case .caseInsensitive: self = .foldCase
        case .diacriticInsensitive: self = .foldDiacritics
        case .caseAndDiacriticInsensitive: self = .foldCaseAndDiacritics
        }
    }

    /// Creates the function of the fold under some options, `.foldCase` for `[c]`; nil for other options.
    package init?(folding options: ComparisonOptions) {
        guard ComparisonOptions.foldModes.contains(options) else { return nil }
        self.init(folding: options.foldMode)
    }

    /// Creates the function that searches under a fold; nil without a fold, where SQL's operators suffice.
    init?(_ search: SQLPiece.Search, _ mode: FoldMode) {
        guard mode != .none else { return nil }
        switch search {
        case .beginsWith: self = .begins
        case .endsWith: self = .ends
        case .contains: self = .contains
        }
    }

    /// True for a function that searches the characters of a string.
    var searches: Bool { Self.searching.contains(self) }

    private static let searching: Set<SQLFunction> = [.begins, .ends, .contains, .like]

    /// True for a function that reads a member of a JSON object.
    var readsMembers: Bool { Self.readingMembers.contains(self) }

    private static let readingMembers: Set<SQLFunction> = [
        .jsonKind, .jsonPathKind, .jsonText, .jsonNumber, .jsonBoolean, .jsonElements,
    ]

    /// True for a function that folds strings, or searches under a fold.
    var comparesFolds: Bool { searches || foldMode != nil }

    /// True for a function whose arguments are strings.
    var takesTexts: Bool { readsText || self == .date }

    /// True for a function whose work grows with the length of a string.
    var readsText: Bool { isOfPrelude || self == .compare || self == .matches }

    /// True for a string function that preludes define.
    var isOfPrelude: Bool {
        foldMode != nil || searches || self == .uppercase || self == .lowercase || self == .length
    }

    /// The fold that the function performs; nil for any other function.
    package var foldMode: FoldMode? {
        if self == .foldCase { return .caseInsensitive }
        if self == .foldDiacritics { return .diacriticInsensitive }
        return self == .foldCaseAndDiacritics ? .caseAndDiacriticInsensitive : nil
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
