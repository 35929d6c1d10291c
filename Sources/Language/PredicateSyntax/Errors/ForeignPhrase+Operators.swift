/// Hints about operators and their operands.
extension ForeignPhrase {
    /// `name =~ /j.*/i`: the comparison with the intended operator.
    func cure(of sign: String) -> String? {
        guard let cure = ForeignOperator.cure(of: sign) else { return nil }
        let rest = after.dropFirst(sign.utf8.count)
        let value = pattern(rest) ?? operand(startOf: rest)
        let right = cure.operator.hasPrefix("MATCHES") ? value.map(Self.wholePattern) : value
        return cure.text(operand(endOf: before) ?? "key", right ?? "value")
    }

    /// Returns the literal of an expression that matches whole strings, for one that is searched: `"^j.*"` for `"^j"`.
    private static func wholePattern(_ literal: String) -> String {
        guard let quote = literal.first, quote == "\"" || quote == "'", literal.count > 1, literal.last == quote else {
            return literal
        }
        var pattern = String(literal.dropFirst().dropLast())
        if pattern.contains("|") { pattern = "(\(pattern))" }
        let isWhole = pattern.hasSuffix("$") && !pattern.hasSuffix("\\$")
        if isWhole { pattern.removeLast() }
        let ending = isWhole || pattern.hasSuffix(".*") ? "" : ".*"
        let isAnchored = pattern.hasPrefix("^")
        if isAnchored { pattern.removeFirst() }
        let beginning = isAnchored || pattern.hasPrefix(".*") ? "" : ".*"
        return "\(quote)\(beginning)\(pattern)\(ending)\(quote)"
    }

    /// `/j.*/i` as a string literal.
    private func pattern(_ part: ArraySlice<UInt8>) -> String? {
        let part = part.drop(while: isBlank)
        let slash = UInt8(ascii: "/")
        guard part.first == slash, let end = part.dropFirst().firstIndex(of: slash) else { return nil }
        return "\"\(text(part.startIndex + 1..<end))\""
    }

    /// `name IS NULL`, `name EXISTS`: a hint that contains the key before the word.
    func meaning(of word: String) -> String? {
        let left = operand(endOf: before)
        if left?.lowercased() == "exists" { return "write \(word) != nil" }
        if let left, word.lowercased() == "is", let equality = equality(left) { return equality }
        guard let meaning = ForeignOperator.meaning(of: word) else { return nil }
        guard let key = left, key.utf8.first.map(ByteClass.isWordStart) == true else { return meaning }
        return meaning.replacing("key ", with: "\(key) ")
    }

    /// `age is 40`, `city is not 'Rome'`, `city is in {'Rome'}`
    private func equality(_ key: String) -> String? {
        let words = after.dropFirst(2).drop(while: isBlank)
        let isNegated = words.starts(with: "not ".utf8)
        guard let value = operand(startOf: isNegated ? words.dropFirst(4) : words) else { return nil }
        if let keyword = Keyword(word: value), ![.null, .bool(true), .bool(false)].contains(keyword.role) {
            return isNegated
                ? "write NOT before the comparison: NOT (\(key) \(value) …)" : "leave IS out: \(key) \(value) …"
        }
        let isNil = ["null", "nil", "none", "empty", "missing"].contains(value.lowercased())
        return "write \(key) \(isNegated ? "!=" : "==") \(isNil ? "nil" : value)"
    }

    /// `.age > 5`, `name == None`, `age > 5 AND`, `age == NOT 5`, `age == ANY ages`, `any == 5`
    var missingSide: String? {
        if let leadingDot { return leadingDot }
        if let bracket { return bracket }
        if isQuantifier(lastWord), let sign = after.first, "=<>!".utf8.contains(sign) {
            return "to use it as a key, write #\(operand(endOf: before) ?? "")"
        }
        if isQuantifier(nextWord) { return none ?? Self.quantified }
        if nextWord == "not" { return "write NOT before the whole comparison: NOT (key == value), key != nil" }
        switch (lastWord, after.first) {
        case ("and", _), ("&&", _), ("or", _), ("||", _):
            return "write a comparison on both sides of AND and OR"
        case ("not", _), ("!", _): return "write a comparison after NOT: NOT (age == 21)"
        case ("matches", UInt8(ascii: "/")):
            return "write the regular expression in quotes: MATCHES \(pattern(after) ?? "\"jo.*\"")"
        case (_, UInt8(ascii: ":")): return "write $name for a variable, %@ for an argument"
        default: return missingSign
        }
    }

    /// `.age > 5`, `select(.age > 5)`, `.[] | .age`
    private var leadingDot: String? {
        guard after.first == UInt8(ascii: ".") else { return nil }
        let rest = after.dropFirst()
        if rest.first == UInt8(ascii: "[") {
            return "write only the condition for one record, without .[] and select: age > 3"
        }
        guard let key = path(rest) else { return "write a key without a dot before it: age > 3" }
        if let elements = clause(rest), elements.contains("[]") { return Self.elements(elements, of: key) }
        return "write a key without a dot before it: \(clause(rest) ?? key)"
    }

    /// `labels[].name == "bug"`, `[age] > 40`
    private var bracket: String? {
        if before.last == UInt8(ascii: "["), after.first == UInt8(ascii: "]"),
            let key = operand(endOf: before.dropLast())
        {
            let rest = clause(after.dropFirst()) ?? ""
            return "write ANY \(key)\(rest.contains(where: "=<>!".contains) ? rest : " == value")"
        }
        guard after.first == UInt8(ascii: "["), let end = after.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let key = text(after.startIndex + 1..<end)
        guard !key.isEmpty, key.utf8.count < 40, !key.contains(",") else { return nil }
        return "write a key without brackets: " + (key.isIdentifier ? key : "#\"\(key)\"")
    }

    /// `.tags[] == "x"`, `.items[] | select(.age > 3)`
    private static func elements(_ clause: String, of key: String) -> String {
        let parts = clause.split(separator: "[]", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].contains(where: "=<>!".contains) else {
            return "write only the condition for one element of \(key), without .[] and select: age > 3"
        }
        return "write ANY \(parts[0])\(parts[1])"
    }

    /// Returns the comparison at the start of a part of the format, in its original case; nil if it is too long for a hint.
    private func clause(_ part: ArraySlice<UInt8>) -> String? {
        let end = part.firstIndex { ")|&,".utf8.contains($0) } ?? part.endIndex
        let words = text(part.startIndex..<end).split(separator: " ")
        let clause = words.prefix { !["and", "or"].contains($0.lowercased()) }.joined(separator: " ")
        return clause.utf8.count < 40 ? clause : nil
    }

    /// `name == None`: the word, if nothing follows it.
    private var none: String? {
        guard nextWord == "none", "=<>!".utf8.contains(head.last ?? 0) else { return nil }
        let rest = after.dropFirst(4).drop(while: isBlank)
        let isWhole = rest.isEmpty || rest.first == UInt8(ascii: ")") || "&|".utf8.contains(rest.first ?? 0)
        let word = String(decoding: rest.prefix(while: ByteClass.isWordStart), as: UTF8.self)
        guard isWhole || ["and", "or"].contains(word) else { return nil }
        let sign = head.dropLast().last == UInt8(ascii: "!") ? "!=" : "=="
        return "write nil for \(operand(startOf: after) ?? "None"): \(comparedKey ?? "name") \(sign) nil"
    }

    /// The key before the operator that directly precedes the error.
    private var comparedKey: String? {
        let end = head.lastIndex { !"=<>!".utf8.contains($0) } ?? head.startIndex - 1
        return operand(endOf: head[..<(end + 1)])
    }

    /// `{1, 2,}`, `a -> b`
    private var missingSign: String? {
        switch (before.last { $0 != UInt8(ascii: " ") }, after.first) {
        case (UInt8(ascii: "-"), UInt8(ascii: ">")): "write a dot before a key: a.b"
        case (UInt8(ascii: ","), UInt8(ascii: "}")), (UInt8(ascii: ","), UInt8(ascii: ")")):
            "write a value on both sides of a comma"
        default: nil
        }
    }

    /// `name.contains("jo")`, `name == "jo" OR "al"`, `TRUE`
    var loneValue: String? {
        if let method { return "write key \(method) value" }
        if let existence { return existence }
        if let truth = Self.truths[nextWord ?? ""] { return truth }
        guard ["or", "||"].contains(lastWord), let first = after.first else { return nil }
        let isConstant = "\"'%-".utf8.contains(first) || ByteClass.isDigit(first)
        return isConstant ? "repeat the comparison: key == 1 OR key == 2; or write key IN {1, 2}" : nil
    }

    private static let truths = [
        "true": "write TRUEPREDICATE, which always holds", "yes": "write TRUEPREDICATE, which always holds",
        "false": "write FALSEPREDICATE, which never holds", "no": "write FALSEPREDICATE, which never holds",
    ]

    /// `name.contains("jo")`, `tags@count > 1`, `exists(name)`
    var foreignOperator: String? {
        if let method { return "write key \(method) value" }
        if let existence { return existence }
        if isQuantifier(lastWord) { return Self.quantified }
        if let shift { return shift }
        if nextWord == "true" || nextWord == "false" { return Self.truths[nextWord ?? ""] }
        switch after.first {
        case UInt8(ascii: ".") where after.dropFirst().first.map(ByteClass.isDigit) == true:
            return "write list[0] for an element, and quote a key of digits: pair.\"0\""
        case UInt8(ascii: "@"): return "write a dot before a collection operator: tags.@count"
        case UInt8(ascii: "!"):
            return "write NOT before the whole comparison, NOT (key IN value), or write !="
        default: return nil
        }
    }

    /// `age >> 3`
    private var shift: String? {
        guard let key = operand(startOf: after), let start = after.firstIndex(where: "<>".utf8.contains),
            let sign = after.dropFirst(start - after.startIndex).first, after[start...].dropFirst().first == sign,
            let value = operand(startOf: after[start...].dropFirst(2))
        else { return nil }
        return "write \(key) \(sign == UInt8(ascii: ">") ? ">" : "<") \(value): << and >> shift bits"
    }

    /// `exists(name)`, `has("name")`, `isnull(name)`
    private var existence: String? {
        guard let open = after.firstIndex(of: UInt8(ascii: "(")),
            let isNil = Self.existences[String(decoding: after[..<open], as: UTF8.self)]
        else { return nil }
        let argument = operand(startOf: after[(open + 1)...]).map { $0.filter { !"\"'".contains($0) } } ?? "key"
        let key =
            argument.utf8.allSatisfy { ByteClass.isWord($0) || $0 == UInt8(ascii: ".") } ? argument : "#\"\(argument)\""
        return "write \(key) \(isNil ? "==" : "!=") nil"
    }

    /// Functions that test whether a value exists, each with a flag that is true if the function tests for absence.
    private static let existences = [
        "exists": false, "exist": false, "has": false, "haskey": false, "has_key": false, "defined": false,
        "isset": false, "isnotnull": false, "notnull": false, "not_null": false, "is_not_null": false, "present": false,
        "isnull": true, "is_null": true, "isnil": true, "is_nil": true, "missing": true, "isna": true, "is_na": true,
        "is_absent": true,
    ]

    /// The operator that corresponds to the called method.
    private var method: String? {
        guard let call = after.firstIndex(of: UInt8(ascii: "(")) else { return nil }
        let name = (before + after[..<call]).reversed().prefix { ByteClass.isWordStart($0) }.reversed()
        return Self.methods[String(decoding: Array(name), as: UTF8.self)]
    }

    private static let methods = [
        "contains": "CONTAINS", "includes": "CONTAINS", "hasprefix": "BEGINSWITH", "startswith": "BEGINSWITH",
        "hassuffix": "ENDSWITH", "endswith": "ENDSWITH", "equals": "==", "isequal": "==", "matches": "MATCHES",
        "match": "MATCHES", "test": "MATCHES", "regexp_matches": "MATCHES", "regexp_like": "MATCHES", "like": "LIKE",
    ]
}

// MARK: - Operators of other languages

/// Operators of other languages with their equivalents.
///
/// `name STARTSWITH "jo"`, `age IS NULL`, `name =~ "J.*"`
enum ForeignOperator {
    /// Returns a hint for a word, ignoring case; nil for a word that is not an operator of another language.
    static func meaning(of word: String) -> String? {
        switch word.lowercased() {
        case "is", "isnt": "for IS NULL write key == nil, for IS NOT NULL key != nil; == and != compare other values"
        case "exists", "exist", "defined": "write key != nil"
        case "equals", "equal", "eq": "write =="
        case "ne", "neq": "write !="
        case "gt", "after": "write >"
        case "gte", "ge": "write >="
        case "lt", "before": "write <"
        case "lte", "le": "write <="
        case "startswith", "starts", "begins", "hasprefix": "write BEGINSWITH, one word"
        case "ends", "hassuffix": "write ENDSWITH, one word"
        case "includes", "has": "write CONTAINS"
        case "ilike": "write LIKE[c], with * and ? as wildcards"
        case "glob": "write LIKE, with * and ? as wildcards"
        case "regexp", "rlike", "regex", "similar", "match", "matching":
            "write MATCHES, whose expression must match the whole string"
        case "when": "write TERNARY(condition, a, b) for CASE WHEN condition THEN a ELSE b END"
        case "mod": "write modulus:by:(a, b)"
        case "div": "write /"
        case "xor": "write (a OR b) AND NOT (a AND b)"
        default: nil
        }
    }
}

// MARK: - Signs

extension ForeignOperator {
    /// The comparison that corresponds to an operator of another language.
    struct Cure {
        let `operator`: String
        var isNegated = false
        /// A remark about the operator.
        var remark: String?

        /// `write name MATCHES "J.*": the expression must match the whole string`
        func text(_ left: String, _ right: String) -> String {
            let comparison = "\(left) \(`operator`) \(right)"
            return "write " + (isNegated ? "NOT (\(comparison))" : comparison) + (remark.map { ": \($0)" } ?? "")
        }
    }

    /// Returns the cure for an operator symbol of another language; nil for all other symbols, including this language's own.
    static func cure(of sign: String) -> Cure? {
        switch sign {
        case "=~", "==~", "~": Cure(operator: "MATCHES", remark: wholeText)
        case "~=": Cure(operator: "MATCHES", remark: "\(wholeText); write != for unequal")
        case "!~": Cure(operator: "MATCHES", isNegated: true, remark: wholeText)
        case "~*", "=~*": Cure(operator: "MATCHES[c]", remark: wholeText)
        case "!~*": Cure(operator: "MATCHES[c]", isNegated: true, remark: wholeText)
        case "~~": Cure(operator: "LIKE", remark: wildcards)
        case "~~*": Cure(operator: "LIKE[c]", remark: wildcards)
        case "!~~": Cure(operator: "LIKE", isNegated: true, remark: wildcards)
        case "!~~*": Cure(operator: "LIKE[c]", isNegated: true, remark: wildcards)
        case "===": Cure(operator: "==")
        case "<=>": Cure(operator: "==", remark: "nil equals nil, and nothing else")
        case "!==", "=!", "=!=", "=/=", "/=": Cure(operator: "!=")
        case "!<": Cure(operator: ">=")
        case "!>": Cure(operator: "<=")
        case "*=", "|=": Cure(operator: "CONTAINS")
        case "^=": Cure(operator: "BEGINSWITH")
        case "$=": Cure(operator: "ENDSWITH")
        default: nil
        }
    }

    private static let wholeText = "the expression must match the whole string"
    private static let wildcards = "the wildcards are * and ?"

    private static let longest = 4

    /// Returns the range of the foreign operator that begins the run of symbols around an offset; nil if there is none.
    static func range(in bytes: UnsafeBufferPointer<UInt8>, around offset: Int) -> Range<Int>? {
        var start = min(offset, bytes.count)
        while start > 0, isSign(bytes[start - 1]) { start -= 1 }
        var end = start
        while end < bytes.count, end < start + longest, isSign(bytes[end]) { end += 1 }
        while end > start {
            if cure(of: String(bytes, start..<end)) != nil { return start..<end }
            end -= 1
        }
        return nil
    }

    private static func isSign(_ byte: UInt8) -> Bool { "=!<>~*^$|/".utf8.contains(byte) }
}

// MARK: - Characters

/// Characters that word processors and other keyboards insert instead of the ASCII characters of a format.
///
/// `age > 3 – 1`, `name == “Jo”`, `age ≥ 21`
enum ForeignCharacter {
    /// Returns a hint for a non-ASCII character; nil if it has no equivalent in a format.
    static func hint(_ character: String) -> String? {
        guard let scalar = character.unicodeScalars.first else { return nil }
        if quotes.contains(scalar) { return "write straight quotes, \" or '" }
        return spelling(of: scalar).map { "write \($0)" }
    }

    private static func spelling(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FE58}", "\u{FE63}", "\u{FF0D}":
            "-, the ASCII hyphen, for minus"
        case "\u{2264}", "\u{2A7D}": "<="
        case "\u{2265}", "\u{2A7E}": ">="
        case "\u{2260}": "!="
        case "\u{D7}", "\u{2217}", "\u{22C5}": "*"
        case "\u{F7}", "\u{2215}", "\u{2044}": "/"
        case "\u{2227}": "AND"
        case "\u{2228}": "OR"
        case "\u{AC}": "NOT"
        case "\u{2208}": "IN"
        case "\u{2192}": "a dot before a key: a.b"
        // Fullwidth letters and symbols.
        case "\u{FF01}"..."\u{FF5E}": Unicode.Scalar(scalar.value - 0xFEE0).map { "\($0), the ASCII character" }
        default: nil
        }
    }

    private static let quotes: Set<Unicode.Scalar> = [
        "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{2032}",
        "\u{2033}", "\u{2039}", "\u{203A}", "\u{AB}", "\u{BB}", "\u{B4}", "\u{2BC}", "\u{FF02}", "\u{FF07}",
    ]
}
