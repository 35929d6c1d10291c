/// Hints about operators, and about what stands on their sides.
extension ForeignPhrase {
    /// `name =~ /j.*/i`: the comparison with the operator that is meant.
    func cure(of sign: String) -> String? {
        guard let cure = ForeignOperator.cure(of: sign) else { return nil }
        let rest = after.dropFirst(sign.utf8.count)
        return cure.text(operand(endOf: before) ?? "key", pattern(rest) ?? operand(startOf: rest) ?? "value")
    }

    /// `/j.*/i` as a string.
    private func pattern(_ part: ArraySlice<UInt8>) -> String? {
        let part = part.drop(while: isBlank)
        let slash = UInt8(ascii: "/")
        guard part.first == slash, let end = part.dropFirst().firstIndex(of: slash) else { return nil }
        return "\"\(text(part.startIndex + 1..<end))\""
    }

    /// `name IS NULL`, `name EXISTS`: the meaning with the key before the word.
    func meaning(of word: String) -> String? {
        let left = operand(endOf: before)
        if left?.lowercased() == "exists" { return "write \(word) != nil" }
        guard let meaning = ForeignOperator.meaning(of: word) else { return nil }
        guard let key = left, key.utf8.first.map(ByteClass.isWordStart) == true else { return meaning }
        return meaning.replacing("key ", with: "\(key) ")
    }

    /// `.age > 5`, `name == None`, `age > 5 AND`, `age == NOT 5`, `age == ANY ages`, `any == 5`
    var missingSide: String? {
        if let leadingDot { return leadingDot }
        if isQuantifier(lastWord), let sign = after.first, "=<>!".utf8.contains(sign) {
            return "as a key it is written #\(operand(endOf: before) ?? "")"
        }
        if isQuantifier(nextWord) { return none ?? Self.quantified }
        if nextWord == "not" { return "NOT stands before the whole comparison: NOT (key == value), key != nil" }
        switch (lastWord, after.first) {
        case ("and", _), ("&&", _), ("or", _), ("||", _):
            return "AND and OR stand between two comparisons: one is missing here"
        case ("not", _), ("!", _): return "NOT stands before a comparison: NOT (age == 21)"
        case ("matches", UInt8(ascii: "/")): return "an expression is a text: MATCHES \(pattern(after) ?? "\"jo.*\"")"
        case (_, UInt8(ascii: ":")): return "$name is a variable, %@ an argument"
        default: return missingSign
        }
    }

    /// `.age > 5`, `select(.age > 5)`, `.[] | .age`
    private var leadingDot: String? {
        guard after.first == UInt8(ascii: ".") else { return nil }
        let rest = after.dropFirst()
        if rest.first == UInt8(ascii: "[") {
            return "a predicate is a condition for one record, without .[] and select: age > 3"
        }
        guard let key = path(rest) else { return "a key has no dot before it: age > 3" }
        return "a key has no dot before it: \(clause(rest) ?? key)"
    }

    /// The comparison that a part of the format begins with, in its own case; nil for a long one.
    private func clause(_ part: ArraySlice<UInt8>) -> String? {
        let end = part.firstIndex { ")|&,".utf8.contains($0) } ?? part.endIndex
        let words = text(part.startIndex..<end).split(separator: " ")
        let clause = words.prefix { !["and", "or"].contains($0.lowercased()) }.joined(separator: " ")
        return clause.utf8.count < 40 ? clause : nil
    }

    /// `name == None`: the word with nothing after it.
    private var none: String? {
        guard nextWord == "none", "=<>!".utf8.contains(head.last ?? 0) else { return nil }
        let rest = after.dropFirst(4).drop(while: isBlank)
        let isWhole = rest.isEmpty || rest.first == UInt8(ascii: ")") || "&|".utf8.contains(rest.first ?? 0)
        let word = String(decoding: rest.prefix(while: ByteClass.isWordStart), as: UTF8.self)
        guard isWhole || ["and", "or"].contains(word) else { return nil }
        let sign = head.dropLast().last == UInt8(ascii: "!") ? "!=" : "=="
        return "\(operand(startOf: after) ?? "None") is nil here: \(comparedKey ?? "name") \(sign) nil"
    }

    /// The key before the operator that ends here.
    private var comparedKey: String? {
        let end = head.lastIndex { !"=<>!".utf8.contains($0) } ?? head.startIndex - 1
        return operand(endOf: head[..<(end + 1)])
    }

    /// `{1, 2,}`, `a -> b`
    private var missingSign: String? {
        switch (before.last { $0 != UInt8(ascii: " ") }, after.first) {
        case (UInt8(ascii: "-"), UInt8(ascii: ">")): "a dot leads to a key: a.b"
        case (UInt8(ascii: ","), UInt8(ascii: "}")), (UInt8(ascii: ","), UInt8(ascii: ")")):
            "a comma stands between two values: one is missing here"
        default: nil
        }
    }

    /// `name.contains("jo")`, `name == "jo" OR "al"`, `TRUE`
    var loneValue: String? {
        if let method { return "write key \(method) value" }
        if let existence { return existence }
        if ["true", "yes"].contains(nextWord) { return "TRUEPREDICATE always holds" }
        if ["false", "no"].contains(nextWord) { return "FALSEPREDICATE never holds" }
        guard ["or", "||"].contains(lastWord), let first = after.first else { return nil }
        let isConstant = "\"'%-".utf8.contains(first) || ByteClass.isDigit(first)
        return isConstant ? "repeat the comparison: key == 1 OR key == 2; or write key IN {1, 2}" : nil
    }

    /// `name.contains("jo")`, `tags@count > 1`, `exists(name)`
    var foreignOperator: String? {
        if let method { return "write key \(method) value" }
        if let existence { return existence }
        if isQuantifier(lastWord) { return Self.quantified }
        if let truth = ["true": "TRUEPREDICATE always holds", "false": "FALSEPREDICATE never holds"][nextWord ?? ""] {
            return truth
        }
        switch after.first {
        case UInt8(ascii: ".") where after.dropFirst().first.map(ByteClass.isDigit) == true:
            return "the elements of an array are list[0], a key of digits stands in quotes: pair.\"0\""
        case UInt8(ascii: "@"): return "a dot stands before an operator of collections: tags.@count"
        case UInt8(ascii: "!"):
            return "NOT stands before the whole comparison: NOT (key IN value); the operator is !="
        default: return nil
        }
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

    /// Functions that ask for a value, and if they ask for none.
    private static let existences = [
        "exists": false, "exist": false, "has": false, "haskey": false, "has_key": false, "defined": false,
        "isset": false, "isnotnull": false, "notnull": false, "not_null": false, "is_not_null": false, "present": false,
        "isnull": true, "is_null": true, "isnil": true, "is_nil": true, "missing": true, "isna": true, "is_na": true,
        "is_absent": true,
    ]

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
}

// MARK: - After a whole comparison

extension ForeignPhrase {
    /// `age >= 3,000`, `born > DATE "2020-01-01"`, `name == John Smith`
    var secondClause: String? {
        if let digits { return digits }
        if let literal { return literal }
        guard let last = head.last, ByteClass.isWord(last), let next = tail.first,
            ByteClass.isWord(next) || next == UInt8(ascii: "@"), let start = operandStart,
            !ByteClass.isDigit(bytesAt(start))
        else { return nil }
        let isEnd = { (word: String) in ["and", "or"].contains(word) }
        var end = after.startIndex
        for word in after.split(separator: UInt8(ascii: " ")) {
            if isEnd(String(decoding: word, as: UTF8.self)) || word.contains(where: { "=<>!()&|\"'".utf8.contains($0) })
            {
                break
            }
            end = word.endIndex
        }
        guard end > after.startIndex, end - start < 40 else { return nil }
        return "a string needs quotes: \"\(text(start..<end))\"; two comparisons are joined with AND or OR"
    }

    /// The offset at which the operand before the error begins.
    private var operandStart: Int? {
        let start = head.lastIndex { !ByteClass.isWord($0) }.map { $0 + 1 } ?? head.startIndex
        return start < head.endIndex ? start : nil
    }

    private func bytesAt(_ offset: Int) -> UInt8 { before[offset] }

    /// `3,000`, `3 000`, `3,5`: a number with another sign in it.
    private var digits: String? {
        let left = head.suffix(while: ByteClass.isDigit)
        let comma = after.first == UInt8(ascii: ",")
        let right = (comma ? after.dropFirst() : tail).prefix(while: ByteClass.isDigit)
        guard !left.isEmpty, !right.isEmpty, left.count < 16, right.count < 16 else { return nil }
        let whole = text(left.startIndex..<left.endIndex), part = text(right.startIndex..<right.endIndex)
        if right.count == 3 { return "digits stand without signs between them: \(whole)\(part)" }
        return comma ? "the decimal sign is a point: \(whole).\(part)" : nil
    }

    /// `DATE "2020-01-01"`: a type before a literal.
    private var literal: String? {
        guard let quote = tail.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let word = operand(endOf: before), ["date", "timestamp", "datetime", "time"].contains(word.lowercased()),
            let value = operand(startOf: after)?.dropFirst().dropLast()
        else { return nil }
        return "a date is a text, without \(word): CAST(\"\(value)\", \"NSDate\")"
    }

    /// `20 < age < 40`, `a == b == c`, `a == 1 & b == 2`
    var chain: String? {
        let signs = "=<>!".utf8
        let second = String(decoding: after.prefix { signs.contains($0) }, as: UTF8.self)
        guard !second.isEmpty, let signEnd = head.lastIndex(where: signs.contains) else { return nil }
        let middle = head[(signEnd + 1)...]
        if middle.contains(where: "&|".utf8.contains) {
            return "& and | are operators of numbers: && and || join comparisons"
        }
        let signStart = (head[..<signEnd].lastIndex { !signs.contains($0) } ?? head.startIndex - 1) + 1
        let first = text(signStart..<signEnd + 1)
        guard let low = operand(endOf: head[..<signStart]), let key = operand(startOf: middle),
            let high = operand(startOf: after.dropFirst(second.utf8.count))
        else { return nil }
        let joined = "write \(low) \(first) \(key) AND \(key) \(second) \(high)"
        switch (first.first, second.first) {
        case ("<", "<"): return joined + "; \(key) BETWEEN {\(low), \(high)} includes both bounds"
        case (">", ">"): return joined + "; \(key) BETWEEN {\(high), \(low)} includes both bounds"
        default: return joined
        }
    }

    /// `reactions.+1 > 2`, `a.[0]`, `a..b`
    var oddKey: String? {
        if after.first == UInt8(ascii: "[") { return "an index has no dot before it: a[0]" }
        if after.first == UInt8(ascii: ".") { return "one dot leads from key to key: a.b" }
        let key = after.prefix { !isBlank($0) && !"=<>!()[]{},%".utf8.contains($0) }
        guard !key.isEmpty, key.count < 40 else { return nil }
        let base = operand(endOf: before) ?? "a."
        return "such a key is quoted: \(base)#\"\(text(key.startIndex..<key.endIndex))\""
    }

    /// ``name == `Jo` ``, `` `age` > 3``
    var backtick: String? {
        let rest = after.dropFirst()
        let end = rest.firstIndex(of: UInt8(ascii: "`")) ?? rest.endIndex
        guard end > rest.startIndex, end - rest.startIndex < 40 else { return "write straight quotes, \" or '" }
        let word = text(rest.startIndex..<end)
        if "=<>".utf8.contains(head.last ?? 0)
            || ["contains", "like", "matches", "beginswith", "endswith", "in"].contains(lastWord)
        {
            return "write straight quotes: \"\(word)\""
        }
        return word.isIdentifier ? "a key has no quotes: \(word)" : "a key of several words is written #\"\(word)\""
    }
}

extension ArraySlice<UInt8> {
    /// The longest end of which every byte fulfils a condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[((lastIndex { !condition($0) } ?? startIndex - 1) + 1)...]
    }
}
