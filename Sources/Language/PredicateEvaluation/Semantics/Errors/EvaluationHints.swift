import PredicateSyntax

/// The offending part of a format string. It often reveals the mistake better than the values do.
///
/// `my-key == 1`, `born > 2024-01-31`, `"age" > 3`
struct WrittenPhrase {
    private let text: [UInt8]
    private let range: Range<Int>

    init(_ text: String, _ range: Range<Int>) {
        self.text = Array(text.utf8)
        self.range = range.clamped(to: 0..<self.text.count)
    }

    /// Returns a hint that is more specific than the hints of the code alone, or nil.
    func hint(for code: EvaluationError.Code) -> String? {
        switch code {
        case .symbolOutsideIndex:
            HyphenatedKey.hint(in: text, at: range) ?? "to use it as a key, write #\(phrase)"
        case .notANumber(let found) where found.isNil:
            comment ?? misplacedOperator ?? HyphenatedKey.hint(in: text, at: range) ?? missingNumber
        case .notANumber(let found) where found.valueClass == .string:
            misplacedOperator ?? complement ?? conversion(of: found)
        case .notANumber, .notACollection: misplacedOperator
        case .incomparable(let left, let right): mixed(left, right)
        case .undefinedKey(let key, let type, _): misplacedOperator ?? ForeignMember.hint(key, of: type, base: base)
        case .unknownMessage(let selector, let type, _): ForeignMember.hint(selector, of: type, base: base)
        case .unknownFunction(let name, let nearMisses): sameFunction(name, nearMisses) ?? dateRange(name)
        default: nil
        }
    }

    private var phrase: String { String(decoding: text[range], as: UTF8.self) }

    /// The offending part if it is a key path: `arr_delay`
    private var keyPath: String? {
        let bytes = text[range]
        guard let first = bytes.first, !("0"..."9").contains(Character(Unicode.Scalar(first))) else { return nil }
        return bytes.count < 60 && bytes.allSatisfy(isPartOfPath) ? phrase : nil
    }

    private func isPartOfPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
            || (byte >= 0x30 && byte <= 0x39)
    }

    /// The path before the last dot of the offending part: `name` of `name.uppercase`
    private var base: String {
        guard let dot = phrase.lastIndex(of: "."), dot > phrase.startIndex else { return "x" }
        let base = phrase[..<dot]
        return base.utf8.allSatisfy(isPartOfPath) ? String(base) : "x"
    }
}

// MARK: - Numbers

extension WrittenPhrase {
    /// `arr_delay - dep_delay > 100` where one of them is nil
    private var missingNumber: String? {
        keyPath.map { "write \($0) != nil AND … to exclude objects without \($0)" }
    }

    /// `age > 3 -- adults`: two minus signs before a key that no object has
    private var comment: String? {
        let before = text[..<range.lowerBound].filter { $0 != UInt8(ascii: " ") }
        return before.suffix(2).elementsEqual("--".utf8) ? "leave it out: a predicate has no comments" : nil
    }

    /// `name == ~"J.*"`
    private var complement: String? {
        text[..<range.lowerBound].last { $0 != UInt8(ascii: " ") } == UInt8(ascii: "~")
            ? "write MATCHES for a regular expression: ~ is the complement of a number" : nil
    }

    /// `name + 1 > 2`
    private func conversion(of found: FoundValue) -> String? {
        keyPath.map { key in
            let joining = isSum ? "; FUNCTION(\(key), \"stringByAppendingString:\", \"…\") joins strings" : ""
            return reading(key, found) + joining
        }
    }

    /// `size > 3` where size is "12" or "12ms"
    private func reading(_ key: String, _ found: FoundValue) -> String {
        found.beginsWithNumber
            ? "write \(key).doubleValue for the number at the beginning of a string"
            : "write CAST(\(key), \"NSNumber\") to read a number from a string"
    }

    /// True for an operand of + whose other operand is not a number: `name + city`
    private var isSum: Bool {
        let signs = [UInt8(ascii: " "), UInt8(ascii: "+")]
        let before = text[..<range.lowerBound], after = text[range.upperBound...]
        let others = [before.reversed().drop(while: signs.contains).first, after.drop(while: signs.contains).first]
        let isBeside = [before.last { $0 != signs[0] }, after.first { $0 != signs[0] }].contains(signs[1])
        return isBeside && !others.contains { $0.map { $0 >= 0x30 && $0 <= 0x39 } ?? false }
    }
}

// MARK: - Comparisons

extension WrittenPhrase {
    /// `born > 2024-01-31`, `"age" > 3`, `age > "3"`, `zip > 5`
    private func mixed(_ left: FoundValue, _ right: FoundValue) -> String? {
        let hasDate = left.valueClass == .date || right.valueClass == .date
        if let hint = BareDate.hint(in: text[range], comparesStrings: !hasDate) { return hint }
        let (first, second) = sides
        if let year = year(beside: left, second) ?? year(beside: right, first) { return year }
        if let count = count(left, first) ?? count(right, second) { return count }
        if left.valueClass == .string, let name = quoted(first), name.isKeyPath { return quotedKey(name) }
        if right.valueClass == .string, let name = quoted(second), name.isKeyPath, left.valueClass != .date {
            return quotedKey(name)
        }
        for (side, found, other) in [(first, left, right), (second, right, left)]
        where found.valueClass == .string && other.isNumber {
            if let number = quoted(side), Double(number) != nil { return "write a number without quotes: \(number)" }
            if side.isKeyPath { return reading(side, found) }
        }
        return nil
    }

    /// `joined > 2020`
    private func year(beside other: FoundValue, _ side: String) -> String? {
        guard other.valueClass == .date, side.utf8.count == 4, let year = Int(side), year > 999 else { return nil }
        return "write CAST(\"\(year)-01-01\", \"NSDate\"): \(year) is a number"
    }

    /// `tags.length > 3`
    private func count(_ found: FoundValue, _ side: String) -> String? {
        guard found.isCollection, let dot = side.lastIndex(of: "."), side.isKeyPath,
            ["length", "size", "len"].contains(side[dot...].dropFirst().lowercased())
        else { return nil }
        return "write \(side[..<dot]).@count for the number of elements"
    }

    private func quotedKey(_ name: String) -> String { "write a key without quotes: \(name)" }

    /// The parts before and after the operator of a comparison.
    private var sides: (String, String) {
        let isSign = { (byte: UInt8) in "=<>!".utf8.contains(byte) }
        let excerpt = text[range]
        guard let start = excerpt.firstIndex(where: isSign), let end = excerpt.lastIndex(where: isSign) else {
            return ("", "")
        }
        func trimmed(_ part: ArraySlice<UInt8>) -> String {
            String(decoding: part, as: UTF8.self).split(separator: " ").joined(separator: " ")
        }
        return (trimmed(excerpt[..<start]), trimmed(excerpt[(end + 1)...]))
    }

    /// `"age" > 3`, `@avg.price`
    fileprivate var misplacement: String? {
        if let misplacedOperator { return misplacedOperator }
        guard let name = quoted(sides.0), name.isKeyPath else { return nil }
        return quotedKey(name)
    }

    /// Returns the string between the quotes; nil without quotes.
    private func quoted(_ side: String) -> String? {
        guard side.count > 2, let mark = side.first, mark == "\"" || mark == "'", side.last == mark else { return nil }
        return String(side.dropFirst().dropLast())
    }
}

// MARK: - Keys and functions

extension WrittenPhrase {
    /// `@sum.items.price`, `@avg.price`: a collection operator before the key of the collection.
    private var misplacedOperator: String? {
        let keys = phrase.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let name = keys.first, KeyPathOperator(rawValue: name) != nil, keys.count > 1 else { return nil }
        guard keys.count > 2 else {
            return "write the collection first: items.\(name).\(keys[1])"
        }
        return "write the collection first: \(keys[1]).\(name).\(keys[2...].joined(separator: "."))"
    }

    /// `YEAR(joined) = 2020` where `year:` is registered.
    private func sameFunction(_ name: String, _ nearMisses: [String]) -> String? {
        let names = nearMisses.map { $0.prefix { $0 != ":" } }
        guard let same = names.first(where: { $0.lowercased() == name.lowercased() }) else { return nil }
        return "write \(same)\(phrase.drop { $0 != "(" })"
    }

    /// `YEAR(joined) = 2020`: a range of dates.
    private func dateRange(_ name: String) -> String? {
        guard ForeignFunction.isPartOfDate(name) else { return nil }
        let argument = phrase.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" && $0 != "," }.filter {
            !$0.isWhitespace
        }
        let key = argument.isKeyPath ? argument : "joined"
        let rest = text[range.upperBound...].drop { " =".utf8.contains($0) }.prefix { $0 >= 0x30 && $0 <= 0x39 }
        let year = rest.count == 4 ? Int(String(decoding: rest, as: UTF8.self)) ?? 2020 : 2020
        func day(_ year: Int) -> String { "CAST(\"\(year)-01-01\", \"NSDate\")" }
        let isYear = name.lowercased() == "year"
        return (isYear ? "write " : "write a range of dates: ")
            + "\(key) >= \(day(year)) AND \(key) < \(day(year + 1))"
    }
}

extension FoundValue {
    fileprivate var isNumber: Bool { valueClass == .number || valueClass == .decimalNumber }

    /// True for a string such as `12ms`.
    fileprivate var beginsWithNumber: Bool {
        guard valueClass == .string, let text = description.split(separator: "\"").dropFirst().first else {
            return false
        }
        return text.utf8.first.map { (0x30...0x39).contains($0) } == true && Double(text) == nil
    }
}

extension String {
    /// True for keys joined by dots.
    fileprivate var isKeyPath: Bool {
        !isEmpty && split(separator: ".", omittingEmptySubsequences: false).allSatisfy { String($0).isIdentifier }
    }
}

/// Hints about a part of a format, for stages that find the same mistakes without evaluating.
package enum WrittenHints {
    package static func ofUnknownFunction(_ name: String, in text: String, at range: Range<Int>) -> [String] {
        let nearMisses = EvaluationRegistry.standard.functionNames(near: name)
        let code = EvaluationError.Code.unknownFunction(name, nearMisses: nearMisses)
        return WrittenPhrase(text, range).hint(for: code).map { [$0] } ?? code.hints
    }

    /// Returns the hint for a property or a method of another language: `name.uppercase`
    package static func ofMember(_ name: String, in text: String, at range: Range<Int>) -> String? {
        let classes: [PredicateValue.ClassName] = [.string, .number, .date]
        return classes.lazy.compactMap {
            WrittenPhrase(text, range).hint(for: .undefinedKey(name, of: $0.name, nearMisses: []))
        }.first
    }

    /// Returns the hint for a key in quotes, or for a collection operator before its collection: `"age" > 3`,
    /// `@avg.price`
    package static func ofPhrase(in text: String, at range: Range<Int>) -> String? {
        WrittenPhrase(text, range).misplacement
    }
}

/// Properties and methods of strings and numbers in other languages, with their counterparts.
///
/// `name.toLowerCase() == "jo"`, `name.len > 3`
enum ForeignMember {
    /// Returns a hint that names the counterpart; nil for a name that is not in the table.
    static func hint(_ name: String, of type: String, base: String) -> String? {
        let word = name.lowercased().filter { $0 != "_" && $0 != ":" }
        switch PredicateValue.ClassName(type) {
        case .string: return ofString(word, base)
        case .number, .decimalNumber: return ofNumber(word, base)
        case .date: return ofDate(word, base)
        case .array, .set, .orderedSet:
            return ["length", "size", "count", "len"].contains(word) ? "write \(base).@count" : nil
        default: return nil
        }
    }

    fileprivate static func ofString(_ word: String, _ base: String) -> String? {
        switch word {
        case "lower", "lcase", "lowercase", "lowercased", "tolower", "tolowercase", "downcase":
            "write lowercase(\(base)), or compare with [c]"
        case "upper", "ucase", "uppercase", "uppercased", "toupper", "touppercase", "upcase":
            "write uppercase(\(base)), or compare with [c]"
        case "len", "size", "count", "length": "write \(base).length"
        case "isempty", "empty": "write \(base) == \"\""
        case "trim", "strip", "trimmed": "write \(base) MATCHES \"\\\\s*…\\\\s*\" to allow white space"
        case "tonumber", "toint", "int", "tofloat", "float", "double", "number":
            "write CAST(\(base), \"NSNumber\") to read a number from a string"
        case "startswith", "hasprefix": "write \(base) BEGINSWITH \"…\""
        case "endswith", "hassuffix": "write \(base) ENDSWITH \"…\""
        case "contains", "includes", "indexof": "write \(base) CONTAINS \"…\""
        default: nil
        }
    }

    fileprivate static func ofNumber(_ word: String, _ base: String) -> String? {
        switch word {
        case "floor", "abs", "sqrt", "exp", "ln", "log", "trunc": "write \(word)(\(base))"
        case "ceil", "ceiling": "write ceiling(\(base))"
        case "round", "rounded": "write floor(\(base) + 0.5)"
        case "tostring", "str", "string", "description": "write CAST(\(base), \"NSString\")"
        default: nil
        }
    }

    private static func ofDate(_ word: String, _ base: String) -> String? {
        guard ForeignFunction.isPartOfDate(word) else { return nil }
        let (first, last) = ("CAST(\"2020-01-01\", \"NSDate\")", "CAST(\"2021-01-01\", \"NSDate\")")
        return "write a range of dates: \(base) >= \(first) AND \(base) < \(last)"
    }
}

/// Functions of other languages, with their counterparts.
///
/// `len(name) > 3`, `coalesce(a, b)`
enum ForeignFunction {
    /// True for a function that returns a part of a date: `year`, `DATE_TRUNC`.
    static func isPartOfDate(_ name: String) -> Bool {
        [
            "year", "month", "day", "hour", "minute", "second", "weekday", "dayofweek", "dayofyear", "week", "quarter",
            "extract", "datepart", "date_part", "datetrunc", "date_trunc", "strftime", "date_format", "getfullyear",
            "getmonth", "getyear", "to_char",
        ].contains(name.lowercased())
    }

    /// Returns a hint that names the counterpart of a function, ignoring case; nil for a name that is not in the
    /// table.
    static func meaning(of name: String) -> String? {
        switch name.lowercased() {
        case "len", "size", "strlen", "char_length": "write length(x); an array has x.@count"
        case "coalesce", "ifnull", "nvl", "isnull": "write TERNARY(a != nil, a, b)"
        case "if", "iif", "case": "write TERNARY(predicate, a, b)"
        case "date", "datetime", "todate", "to_date", "timestamp": "write CAST(\"2024-01-31T12:00:00Z\", \"NSDate\")"
        case "avg", "mean": "write average(a, b), or x.@avg.self of an array"
        case "pow": "write a ** b"
        case "mod": "write modulus:by:(a, b)"
        case "concat": "write FUNCTION(a, \"stringByAppendingString:\", b)"
        case "substr", "substring", "left": "write FUNCTION(x, \"substringToIndex:\", 3) for the first characters"
        case "right", "mid": "write FUNCTION(x, \"substringFromIndex:\", 3) for the characters after the first ones"
        case "split", "split_part", "string_split", "explode", "regexp_extract", "capture":
            "write FUNCTION(x, \"componentsSeparatedByString:\", \",\")[0]"
        case "replace", "gsub", "sub":
            "write FUNCTION(x, \"stringByReplacingOccurrencesOfString:withString:\", \"a\", \"b\")"
        case "regexp_matches", "regexp_like", "rlike", "regex", "match", "test": "write x MATCHES \".*a.*\""
        case "int", "number", "tonumber": "write CAST(x, \"NSNumber\")"
        case "exists", "has", "haskey", "defined", "isset": "write x != nil"
        default: ForeignMember.ofString(name.lowercased(), "x") ?? ForeignMember.ofNumber(name.lowercased(), "x")
        }
    }
}
