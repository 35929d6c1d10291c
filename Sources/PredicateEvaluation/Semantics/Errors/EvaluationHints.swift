import PredicateSyntax

/// The offending text of a format string, which may tell more about the mistake than the values do.
///
/// `my-key == 1`, `born > 2024-01-31`, `last == "Doe"`
struct WrittenPhrase {
    private let text: [UInt8]
    private let range: Range<Int>

    init(_ text: String, _ range: Range<Int>) {
        self.text = Array(text.utf8)
        self.range = range.clamped(to: 0..<self.text.count)
    }

    /// A hint that fits better than those of the code alone, or nil.
    func hint(for code: EvaluationError.Code) -> String? {
        if case .symbolOutsideIndex = code {
            if let hint = HyphenatedKey.hint(in: text, at: range) { return hint }
            return "as a key it is written #\(String(decoding: text[range], as: UTF8.self))"
        }
        if case .notANumber(let found) = code, found.isNil { return HyphenatedKey.hint(in: text, at: range) }
        if case .incomparable = code { return BareDate.hint(in: text[range]) }
        return nil
    }
}

/// Functions of other languages, and their counterparts.
///
/// `len(name) > 3`, `coalesce(a, b)`
enum ForeignFunction {
    /// A hint that names the counterpart of a function, in any case; nil for a name that no other language has.
    static func meaning(of name: String) -> String? {
        switch name.lowercased() {
        case "len", "strlen", "char_length": "write length(x); an array has x.@count"
        case "lower", "lcase", "tolower": "write lowercase(x), or compare with [c]"
        case "upper", "ucase", "toupper": "write uppercase(x), or compare with [c]"
        case "coalesce", "ifnull", "nvl", "isnull": "write TERNARY(a != nil, a, b)"
        case "if", "iif", "case": "write TERNARY(predicate, a, b)"
        case "date", "datetime", "todate", "to_date": "write CAST(\"2024-01-31T12:00:00Z\", \"NSDate\")"
        case "avg", "mean": "write average(a, b), or x.@avg.self of an array"
        case "pow": "write a ** b"
        case "ceil": "write ceiling(x)"
        case "round": "write floor(x + 0.5)"
        case "mod": "write modulus:by:(a, b)"
        case "concat": "write FUNCTION(a, \"stringByAppendingString:\", b)"
        case "substr", "substring": "write FUNCTION(x, \"substringToIndex:\", 3)"
        case "int", "number", "tonumber": "write CAST(x, \"NSNumber\")"
        case "str", "string", "tostring": "write CAST(x, \"NSString\")"
        default: nil
        }
    }
}
