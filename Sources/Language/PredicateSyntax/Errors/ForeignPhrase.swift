/// Hints for phrases of other query and programming languages.
///
/// `WHERE age > 5`, `.age > 5`, `name.contains("jo")`
struct ForeignPhrase {
    /// The format before the error and from the error on, in lowercase.
    let before, after: ArraySlice<UInt8>
    /// The format in its original case, as bytes.
    private let bytes: [UInt8]

    init(_ format: String, at offset: Int) {
        bytes = Array(format.utf8)
        let lowered = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        let offset = min(max(offset, 0), lowered.count)
        (before, after) = (lowered[..<offset], lowered[offset...])
    }

    /// Returns a hint that is more specific than the general hints for the error code; nil if there is none.
    func hint(for code: PredicateFormatError.Code) -> String? {
        if case .refused = code { return nil }
        if isStatement { return "write only the condition that would follow WHERE: age >= 21" }
        if let comment = comment(code) { return comment }
        if let entity { return entity }
        switch code {
        case .expectedExpression: return missingSide
        case .expectedOperator: return foreignOperator
        case .unknownOperator(let word, _): return meaning(of: word)
        case .foreignOperator(let sign): return cure(of: sign)
        case .expectedPredicate: return loneValue
        case .expectedLogicalOperator: return secondClause
        case .chainedComparison: return chain
        case .expectedKey: return oddKey
        case .expectedSymbol(")"): return foreignCall
        case .nonASCIIKey(let character):
            return optionLetter ?? ForeignCharacter.hint(character) ?? invisible(character)
        case .unexpectedCharacter("`"): return backtick
        case .invalidNumber: return number
        case .expectedOption: return list
        case .nestingTooDeep: return longChain
        case .surplusArguments: return surplusArgument
        case .wildcardOutsideString: return numberOfRecords
        case .predicateIsNotAValue where isQuantifier(nextWord): return Self.quantified
        default: return misplacedMark(code)
        }
    }

    /// Returns a part of the format in its original case.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private var isStatement: Bool {
        let blank = UInt8(ascii: " ")
        let first = before.drop { $0 == blank }.prefix { $0 != blank }
        return ["where", "select"].contains(String(decoding: first, as: UTF8.self))
    }

    /// `age &gt; 40`, `name == &quot;jo&quot;`: text that was copied out of HTML or XML.
    private var entity: String? {
        let entities = [
            ("&#39;", "'"), ("&amp;", "&"), ("&apos;", "'"), ("&gt;", ">"), ("&lt;", "<"), ("&quot;", "\""),
        ]
        let around = String(decoding: before.suffix(6) + after.prefix(6), as: UTF8.self)
        let found = entities.first { around.contains($0.0) }
        return found.map { "write the character itself: \($0.1) for \($0.0)" }
    }

    /// `COUNT(*) > 3`
    private var numberOfRecords: String? {
        before.suffix(6).elementsEqual("count(".utf8)
            ? "a predicate tests one record, and can count only a list inside it: list.@count > 3" : nil
    }

    /// `age > 3 # adults`, `age > 3 // adults`, `age > 3 -- adults only`
    private func comment(_ code: PredicateFormatError.Code) -> String? {
        let isSecond = { (mark: UInt8) in before.last == mark && after.first == mark }
        switch code {
        case .loneMark("#") where after.dropFirst().first.map(isBlank) ?? true: return Self.comments
        case .expectedLogicalOperator where after.first == UInt8(ascii: "#") || hasDoubleHyphen: return Self.comments
        case .expectedExpression where isSecond(UInt8(ascii: "/")): return Self.comments
        case .expectedExpression where before.suffix(2).elementsEqual("--".utf8) || hasDoubleHyphen:
            return Self.comments
        case .wildcardOutsideString where before.last == UInt8(ascii: "/"): return Self.comments
        default: return nil
        }
    }

    private static let comments = "leave it out: a predicate has no comments"

    private var hasDoubleHyphen: Bool {
        before.count > 1 && zip(before, before.dropFirst()).contains { $0 == 0x2D && $1 == 0x2D }
    }

    /// `name == '%@'`, `@K == 1`: the reason why an argument has no specifier.
    private var surplusArgument: String {
        var quote: UInt8?
        var isQuoted = false
        for (byte, next) in zip(after, after.dropFirst()) {
            if let open = quote {
                if byte == UInt8(ascii: "%"), "@k".utf8.contains(next) { isQuoted = true }
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        let hint = "write a specifier for each argument, %@ or %K"
        if isQuoted { return hint + "; in quotes it is part of a string" }
        return String(decoding: after, as: UTF8.self).contains("@k") ? hint + "; write %K, not @K" : hint
    }

    /// `a + b + c + …`: each term adds a level.
    private var longChain: String? {
        let start = after.prefix(64)
        let (sign, bracket) = (
            start.firstIndex { "+-*/&|^".utf8.contains($0) }, start.firstIndex { "([{".utf8.contains($0) }
        )
        guard let sign, sign < bracket ?? .max, sign > after.startIndex else { return nil }
        return
            "use sum({a, b, c}) to add many terms, or divide the chain with parentheses: (a * b) * (c * d)"
    }

    /// `age > 5;`, `age == ?`, `name == @"jo"`, `age == ${limit}`, `$.age > 5`
    private func misplacedMark(_ code: PredicateFormatError.Code) -> String? {
        if code == .unexpectedCharacter(";") { return "leave it out: a predicate has no terminator" }
        if code == .unexpectedCharacter("?") { return questionMark }
        guard let second = after.dropFirst().first else { return nil }
        if code == .loneMark("@") || code == .loneMark("$"), second == UInt8(ascii: "."),
            let key = path(after.dropFirst(2))
        {
            return "write the key alone: \(key)"
        }
        if code == .loneMark("@"), second == UInt8(ascii: "\"") {
            return "write a string in quotes, without @: \"jo\""
        }
        if code == .loneMark("$"), second == UInt8(ascii: "{") { return "write $name, without braces" }
        if code == .loneMark("$"), ByteClass.isDigit(second), let number = operand(startOf: after.dropFirst()) {
            return "write a number without $: \(number)"
        }
        return code == .quoteInsideString ? misplacedQuote(second) : nil
    }

    /// `{"k": 1}`, `name == "jo"cd`
    private func misplacedQuote(_ next: UInt8) -> String? {
        if next == UInt8(ascii: ":") { return "pass a dictionary for %@: braces hold only values" }
        let letters = String(decoding: after.dropFirst().prefix(while: ByteClass.isWordStart), as: UTF8.self)
        return ["c", "d", "cd", "dc", "cdw", "cdwt"].contains(letters)
            ? "write options after the operator: ==[cd] \"jo\"" : nil
    }

    /// `IF(age > 17, "adult", "child")`
    private var foreignCall: String? {
        guard let open = before.lastIndex(of: UInt8(ascii: "(")) else { return nil }
        let name = before[..<open].reversed().prefix(while: ByteClass.isWordStart).reversed()
        let word = String(decoding: Array(name), as: UTF8.self)
        if ["if", "iif", "iff"].contains(word) { return Self.choice }
        if isQuantifier(word) { return Self.quantified }
        if word == "extract" { return "write a function of dates: year(joined)" }
        return "=<>!".utf8.contains(after.first ?? 0)
            ? "write TERNARY(predicate, 1, 0): a predicate is not a value" : nil
    }

    private static let choice = "write TERNARY(predicate, a, b) to choose a value: TERNARY(a != nil, a, b)"

    /// `a ? b : c`, `age == ?`
    private var questionMark: String? {
        let last = before.last { $0 != UInt8(ascii: " ") }
        if let last, "=<>({,".utf8.contains(last) { return "write %@ for an argument, $name for a variable" }
        if after.dropFirst().first == UInt8(ascii: ".") { return "write a dot alone: a.b is nil if a is nil" }
        let isChoice = after.dropFirst().first == UInt8(ascii: "?") || after.contains(UInt8(ascii: ":"))
        return isChoice ? Self.choice : nil
    }

    /// `1_000`, `1..5`, `2024-01-31T00:00:00Z`, `2fa`
    private var number: String? {
        if isDate { return "write a date as CAST(\"2024-01-31T12:00:00Z\", \"NSDate\")" }
        let word = after.prefix { ByteClass.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
        if word.contains(UInt8(ascii: "_")) {
            return "write digits without separators: \(text(word.startIndex..<word.endIndex).filter { $0 != "_" })"
        }
        if let whole = thousands(word) { return "write digits without separators: \(whole)" }
        if String(decoding: word, as: UTF8.self).contains("..") { return "write two bounds: BETWEEN {1, 5}" }
        let letter = after.dropFirst(word.count).first
        if letter == UInt8(ascii: "k"), word.allSatisfy(ByteClass.isDigit),
            !isPartOfWord(after.dropFirst(word.count + 1).first)
        {
            return "write the number in full: \(String(decoding: word, as: UTF8.self))000"
        }
        guard word.first != UInt8(ascii: "0"), letter != UInt8(ascii: "e") else { return nil }
        return "quote a key that begins with a digit, #\"2fa\", and a string, \"2fa\""
    }

    /// `3.000.000`: the digits of a number with points between its thousands.
    private func thousands(_ word: ArraySlice<UInt8>) -> String? {
        let groups = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard groups.count > 2, groups[0].count < 4, groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
            return nil
        }
        return String(decoding: word.filter { $0 != UInt8(ascii: ".") }, as: UTF8.self)
    }

    private func isPartOfWord(_ byte: UInt8?) -> Bool { byte.map(ByteClass.isWord) ?? false }

    /// `city IN ["Rome"]`
    private var list: String? {
        guard let first = after.first, "\"'".utf8.contains(first) || ByteClass.isDigit(first) else { return nil }
        return "write a collection in braces: IN {1, 2}"
    }

    /// True if the error is at the day of a date and a time follows.
    private var isDate: Bool {
        BareDate.isDate(before.suffix(8) + after.prefix(2)) && after.dropFirst(2).first == UInt8(ascii: "t")
    }

    /// `name ==[é] "jo"`
    private var optionLetter: String? {
        guard before.last == UInt8(ascii: "["), let sign = before.dropLast().last, !ByteClass.isWordStart(sign) else {
            return nil
        }
        return "use the options c, d, n and l: ==[cd]"
    }

    private func invisible(_ character: String) -> String? {
        guard let scalar = character.unicodeScalars.first, scalar.isInvisible else { return nil }
        return scalar.properties.isWhitespace
            ? "write a space in place of \(scalar.codePoint)" : "delete the invisible character \(scalar.codePoint)"
    }
}

// MARK: - Words around the error

extension ForeignPhrase {
    static let quantified = "write ANY, ALL or NONE before the comparison: ANY tags == \"red\""

    @inline(never)
    func isQuantifier(_ word: String?) -> Bool {
        word.map { ["any", "some", "all", "none"].contains($0) } ?? false
    }

    func isBlank(_ byte: UInt8) -> Bool { ByteClass.isSpace(byte) }

    /// The part of the format before the error, without trailing blanks.
    var head: ArraySlice<UInt8> { before[..<((before.lastIndex { !isBlank($0) } ?? before.startIndex - 1) + 1)] }

    /// The part of the format from the error on, without leading blanks.
    var tail: ArraySlice<UInt8> { after.drop(while: isBlank) }

    var lastWord: String? { Self.words(before).last }

    @inline(never)
    static func words(_ text: ArraySlice<UInt8>) -> [String] {
        text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "(") }.map { String(decoding: $0, as: UTF8.self) }
    }

    var nextWord: String? {
        let word = after.prefix { ByteClass.isWordStart($0) }
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    private static let longestOperand = 40

    /// Returns the key, number or string at the end of a part of the format, in its original case.
    func operand(endOf part: ArraySlice<UInt8>) -> String? {
        let part = part[..<((part.lastIndex { !isBlank($0) } ?? part.startIndex - 1) + 1)]
        guard let last = part.last else { return nil }
        var start = part.endIndex
        if last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") {
            guard let opening = part.dropLast().lastIndex(of: last) else { return nil }
            start = opening
        } else {
            while start > part.startIndex, isPartOfKey(part[start - 1]) { start -= 1 }
        }
        return shown(start..<part.endIndex)
    }

    /// Returns the key, number or string at the start of a part of the format, in its original case.
    func operand(startOf part: ArraySlice<UInt8>) -> String? {
        let part = part.drop(while: isBlank)
        guard let first = part.first else { return nil }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            guard let closing = part.dropFirst().firstIndex(of: first) else { return nil }
            return shown(part.startIndex..<closing + 1)
        }
        let sign = first == UInt8(ascii: "-") ? 1 : 0
        let end = part.dropFirst(sign).firstIndex { !isPartOfKey($0) } ?? part.endIndex
        return end > part.startIndex + sign ? shown(part.startIndex..<end) : nil
    }

    /// Returns the key path at the start of a part of the format: `user.name`
    func path(_ part: ArraySlice<UInt8>) -> String? {
        guard let first = part.first, ByteClass.isWordStart(first) else { return nil }
        return operand(startOf: part)
    }

    private func isPartOfKey(_ byte: UInt8) -> Bool { ByteClass.isWord(byte) || ".@#$%".utf8.contains(byte) }

    private func shown(_ range: Range<Int>) -> String? {
        range.isEmpty || range.count > Self.longestOperand ? nil : text(range)
    }
}
