/// Hints for what follows a whole comparison, and for odd keys and quotes.
extension ForeignPhrase {
    /// `age >= 3,000`, `born > DATE "2020-01-01"`, `name == John Smith`
    var secondClause: String? {
        if let digits { return digits }
        if let literal { return literal }
        if let rest = restOfStatement { return rest }
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
        return "put a string in quotes, \"\(text(start..<end))\", or join two comparisons with AND or OR"
    }

    /// The offset at which the operand before the error begins.
    private var operandStart: Int? {
        let start = head.lastIndex { !ByteClass.isWord($0) }.map { $0 + 1 } ?? head.startIndex
        return start < head.endIndex ? start : nil
    }

    private func bytesAt(_ offset: Int) -> UInt8 { before[offset] }

    /// `3,000`, `3 000`, `3,5`: a number with a separator.
    private var digits: String? {
        let left = head.suffix(while: ByteClass.isDigit)
        let comma = after.first == UInt8(ascii: ",")
        let right = (comma ? after.dropFirst() : tail).prefix(while: ByteClass.isDigit)
        guard !left.isEmpty, !right.isEmpty, left.count < 16, right.count < 16 else { return nil }
        let whole = text(left.startIndex..<left.endIndex), part = text(right.startIndex..<right.endIndex)
        if right.count == 3 { return "write digits without separators: \(whole)\(part)" }
        return comma ? "write a decimal point: \(whole).\(part)" : nil
    }

    /// `age > 3 ORDER BY age`, `age > 3 LIMIT 5`: the rest of an SQL statement.
    private var restOfStatement: String? {
        let words = Self.words(tail)
        switch (words.first, words.dropFirst().first) {
        case ("order", "by"), ("group", "by"):
            return "leave \(words[0].uppercased()) BY out: a predicate is only the condition"
        case ("limit", let number?) where Int(number) != nil:
            return "leave LIMIT out: a predicate is only the condition"
        default: return nil
        }
    }

    /// `DATE "2020-01-01"`: a type before a literal.
    private var literal: String? {
        guard let quote = tail.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let word = operand(endOf: before), ["date", "timestamp", "datetime", "time"].contains(word.lowercased()),
            let value = operand(startOf: after)?.dropFirst().dropLast()
        else { return nil }
        return "write a date without \(word): CAST(\"\(value)\", \"NSDate\")"
    }

    /// `20 < age < 40`, `a == b == c`, `a == 1 & b == 2`
    var chain: String? {
        let signs = "=<>!".utf8
        let second = String(decoding: after.prefix { signs.contains($0) }, as: UTF8.self)
        guard !second.isEmpty, let signEnd = head.lastIndex(where: signs.contains) else { return nil }
        let middle = head[(signEnd + 1)...]
        if middle.contains(where: "&|".utf8.contains) {
            return "join comparisons with && and ||: & and | are bitwise operators"
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
        if after.first == UInt8(ascii: "[") { return "write an index without a dot before it: a[0]" }
        if after.first == UInt8(ascii: ".") { return "write a single dot between keys: a.b" }
        let key = after.prefix { !isBlank($0) && !"=<>!()[]{},%".utf8.contains($0) }
        guard !key.isEmpty, key.count < 40 else { return nil }
        let base = operand(endOf: before) ?? "a."
        return "quote this key: \(base)#\"\(text(key.startIndex..<key.endIndex))\""
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
        if word.isIdentifier { return "write a key without quotes: \(word)" }
        return "write a key of several words as #\"\(word)\""
    }
}

extension ArraySlice<UInt8> {
    /// Returns the longest suffix whose bytes all satisfy a condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[((lastIndex { !condition($0) } ?? startIndex - 1) + 1)...]
    }
}
