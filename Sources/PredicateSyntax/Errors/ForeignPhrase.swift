/// Hints for phrases of other query and programming languages.
///
/// `WHERE age > 5`, `age === 5`, `name.contains("jo")`
struct ForeignPhrase {
    /// The format before and from the offset of the error, in lower case.
    private let before, after: ArraySlice<UInt8>
    /// The format in its own case.
    private let format: String

    init(_ format: String, at offset: Int) {
        let bytes = format.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let offset = min(max(offset, 0), bytes.count)
        (before, after) = (bytes[..<offset], bytes[offset...])
        self.format = format
    }

    /// A more specific hint than that of the code; nil if there is none.
    func hint(for code: PredicateFormatError.Code) -> String? {
        if isStatement { return "a predicate is what stands behind WHERE: age >= 21" }
        if case .expectedExpression = code { return missingSide }
        if case .expectedOperator = code { return foreignOperator }
        if case .expectedPredicate = code { return loneValue }
        if case .expectedSymbol(")") = code { return foreignCall }
        if case .nonASCIIKey(let character) = code { return optionLetter ?? invisible(character) }
        if case .invalidNumber = code { return number }
        if case .nestingTooDeep = code { return longChain }
        if code == .predicateIsNotAValue, isQuantifier(nextWord) { return Self.quantified }
        return misplacedMark(code)
    }

    /// `a + b + c + …`: each term is one level more.
    private var longChain: String? {
        let start = after.prefix(64)
        let (sign, bracket) = (
            start.firstIndex { "+-*/&|^".utf8.contains($0) }, start.firstIndex { "([{".utf8.contains($0) }
        )
        guard let sign, sign < bracket ?? .max, sign > after.startIndex else { return nil }
        return
            "each term of a chain is a level: sum({a, b, c}) adds many, and parentheses divide a chain: (a * b) * (c * d)"
    }

    /// `age > 5;`, `age == ?`, `name == @"jo"`, `age == ${limit}`, `{"k": 1}`
    private func misplacedMark(_ code: PredicateFormatError.Code) -> String? {
        if code == .unexpectedCharacter(";") { return "leave it out: nothing ends a predicate" }
        if code == .unexpectedCharacter("?") { return questionMark }
        guard let second = after.dropFirst().first else { return nil }
        if code == .loneMark("@"), second == UInt8(ascii: "\"") {
            return "a text has quotes and nothing before them: \"jo\""
        }
        if code == .loneMark("$"), second == UInt8(ascii: "{") { return "write $name, without braces" }
        return code == .quoteInsideString ? misplacedQuote(second) : nil
    }

    /// `{"k": 1}`, `name == "jo"cd`
    private func misplacedQuote(_ next: UInt8) -> String? {
        if next == UInt8(ascii: ":") { return "braces hold values alone: a dictionary is passed for %@" }
        let letters = String(decoding: after.dropFirst().prefix(while: ByteClass.isWordStart), as: UTF8.self)
        return ["c", "d", "cd", "dc", "cdw", "cdwt"].contains(letters)
            ? "options stand behind the operator: ==[cd] \"jo\"" : nil
    }

    private var isStatement: Bool {
        let blank = UInt8(ascii: " ")
        let first = before.drop { $0 == blank }.prefix { $0 != blank }
        return ["where", "select"].contains(String(decoding: first, as: UTF8.self))
    }

    /// `age === 5`, `age > 5 AND`, `age == NOT 5`, `age == ANY ages`, `any == 5`
    private var missingSide: String? {
        if isQuantifier(lastWord), let sign = after.first, "=<>!".utf8.contains(sign) {
            return "as a key it is written #\(Self.words(Array(format.utf8.prefix(before.count))[...]).last ?? "")"
        }
        if isQuantifier(nextWord) { return Self.quantified }
        if nextWord == "not" { return "NOT stands before the whole comparison: NOT (key == value), key != nil" }
        switch (lastWord, after.first) {
        case ("and", _), ("&&", _), ("or", _), ("||", _):
            return "AND and OR stand between two comparisons: one is missing here"
        case ("not", _), ("!", _): return "NOT stands before a comparison: NOT (age == 21)"
        case ("matches", UInt8(ascii: "/")): return "an expression is a text: MATCHES \"jo.*\""
        case (_, UInt8(ascii: ":")): return "$name is a variable, %@ an argument"
        default: return missingSign
        }
    }

    /// `age === 5`, `{1, 2,}`
    private var missingSign: String? {
        switch (before.last { $0 != UInt8(ascii: " ") }, after.first) {
        case (UInt8(ascii: "="), UInt8(ascii: "=")): "write == or !="
        case (UInt8(ascii: "-"), UInt8(ascii: ">")): "a dot leads to a key: a.b"
        case (UInt8(ascii: ","), UInt8(ascii: "}")), (UInt8(ascii: ","), UInt8(ascii: ")")):
            "a comma stands between two values: one is missing here"
        default: nil
        }
    }

    /// `IF(age > 17, "adult", "child")`
    private var foreignCall: String? {
        guard let open = before.lastIndex(of: UInt8(ascii: "(")) else { return nil }
        let name = before[..<open].reversed().prefix(while: ByteClass.isWordStart).reversed()
        return ["if", "iif", "iff"].contains(String(decoding: Array(name), as: UTF8.self)) ? Self.choice : nil
    }

    private static let choice = "TERNARY(predicate, a, b) chooses a value: TERNARY(a != nil, a, b)"

    /// `name.contains("jo")`, `name == "jo" OR "al"`, `TRUE`
    private var loneValue: String? {
        if let method { return "write key \(method) value" }
        if ["true", "yes"].contains(nextWord) { return "TRUEPREDICATE always holds" }
        if ["false", "no"].contains(nextWord) { return "FALSEPREDICATE never holds" }
        guard ["or", "||"].contains(lastWord), let first = after.first else { return nil }
        let isConstant = "\"'%-".utf8.contains(first) || ByteClass.isDigit(first)
        return isConstant ? "repeat the comparison: key == 1 OR key == 2; or write key IN {1, 2}" : nil
    }

    /// `a ? b : c`, `age == ?`
    private var questionMark: String? {
        let last = before.last { $0 != UInt8(ascii: " ") }
        if let last, "=<>({,".utf8.contains(last) { return "%@ stands for an argument, $name for a variable" }
        let isChoice = after.dropFirst().first == UInt8(ascii: "?") || after.contains(UInt8(ascii: ":"))
        return isChoice ? Self.choice : nil
    }

    /// `1_000`, `1..5`, `2024-01-31T00:00:00Z`, `2fa`
    private var number: String? {
        if isDate { return "a date is CAST(\"2024-01-31T12:00:00Z\", \"NSDate\")" }
        let word = after.prefix { ByteClass.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
        if word.contains(UInt8(ascii: "_")) { return "digits stand without signs between them: 1000" }
        if String(decoding: word, as: UTF8.self).contains("..") { return "two bounds: BETWEEN {1, 5}" }
        let letter = after.dropFirst(word.count).first
        guard word.first != UInt8(ascii: "0"), letter != UInt8(ascii: "e") else { return nil }
        return "a key that begins with a digit is quoted, #\"2fa\"; a text too, without #"
    }

    /// True at the day of a date with a time after it.
    private var isDate: Bool {
        BareDate.isDate(before.suffix(8) + after.prefix(2)) && after.dropFirst(2).first == UInt8(ascii: "t")
    }

    /// `name ==[é] "jo"`
    private var optionLetter: String? {
        guard before.last == UInt8(ascii: "["), let sign = before.dropLast().last, !ByteClass.isWordStart(sign) else {
            return nil
        }
        return "the options are c, d, n and l: ==[cd]"
    }

    private static let quantified = "ANY, ALL and NONE stand before the comparison: ANY tags == \"red\""

    @inline(never)
    private func isQuantifier(_ word: String?) -> Bool {
        word.map { ["any", "some", "all", "none"].contains($0) } ?? false
    }

    private var lastWord: String? { Self.words(before).last }

    @inline(never)
    private static func words(_ text: ArraySlice<UInt8>) -> [String] {
        text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }.map { String(decoding: $0, as: UTF8.self) }
    }

    private var nextWord: String? {
        let word = after.prefix { ByteClass.isWordStart($0) }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// `name.contains("jo")`, `tags@count > 1`, `name ~= "jo"`
    private var foreignOperator: String? {
        if let method { return "write key \(method) value" }
        if isQuantifier(lastWord) { return Self.quantified }
        if let truth = ["true": "TRUEPREDICATE always holds", "false": "FALSEPREDICATE never holds"][nextWord ?? ""] {
            return truth
        }
        switch after.first {
        case UInt8(ascii: ".") where after.dropFirst().first.map(ByteClass.isDigit) == true:
            return "the elements of an array are list[0], a key of digits stands in quotes: pair.\"0\""
        case UInt8(ascii: "@"): return "a dot stands before an operator of collections: tags.@count"
        case UInt8(ascii: "!") where after.dropFirst().first != UInt8(ascii: "~"):
            return "NOT stands before the whole comparison: NOT (key IN value); the operator is !="
        case UInt8(ascii: "~"), UInt8(ascii: "!"): return "write MATCHES, which takes an expression for the whole text"
        default: return nil
        }
    }

    /// The operator for the method that is called here.
    private var method: String? {
        guard let call = after.firstIndex(of: UInt8(ascii: "(")) else { return nil }
        let name = (before + after[..<call]).reversed().prefix { ByteClass.isWordStart($0) }.reversed()
        return Self.methods[String(decoding: Array(name), as: UTF8.self)]
    }

    private static let methods = [
        "contains": "CONTAINS", "includes": "CONTAINS", "hasprefix": "BEGINSWITH", "startswith": "BEGINSWITH",
        "hassuffix": "ENDSWITH", "endswith": "ENDSWITH", "equals": "==", "isequal": "==", "matches": "MATCHES",
    ]

    private func invisible(_ character: String) -> String? {
        guard let scalar = character.unicodeScalars.first, scalar.isInvisible else { return nil }
        return scalar.properties.isWhitespace
            ? "\(scalar.codePoint) looks like a space, but is none: write a space"
            : "\(scalar.codePoint) cannot be seen: delete it"
    }
}
