/// Operators of other languages with their equivalents.
///
/// `name STARTSWITH "jo"`, `age IS NULL`, `name =~ "J.*"`
enum ForeignOperator {
    /// A hint for a word, whatever its case; nil for a word that is no operator elsewhere.
    static func meaning(of word: String) -> String? {
        switch word.lowercased() {
        case "is", "isnt": "for IS NULL write key == nil, for IS NOT NULL key != nil; == and != compare other values"
        case "exists", "exist", "defined": "write key != nil"
        case "equals", "equal", "eq": "write =="
        case "ne", "neq": "write !="
        case "gt": "write >"
        case "gte", "ge": "write >="
        case "lt": "write <"
        case "lte", "le": "write <="
        case "startswith", "starts", "begins", "hasprefix": "write BEGINSWITH, one word"
        case "ends", "hassuffix": "write ENDSWITH, one word"
        case "includes", "has": "write CONTAINS"
        case "ilike": "write LIKE[c], with * and ? for wildcards"
        case "glob": "write LIKE, with * and ? for wildcards"
        case "regexp", "rlike", "regex", "similar", "match", "matching":
            "write MATCHES, which takes an expression for the whole text"
        case "mod": "write modulus:by:(a, b)"
        case "div": "write /"
        case "xor": "write (a OR b) AND NOT (a AND b)"
        default: nil
        }
    }
}

// MARK: - Signs

extension ForeignOperator {
    /// The comparison that an operator of another language stands for.
    struct Cure {
        let `operator`: String
        var isNegated = false
        /// A remark about the operator.
        var remark: String?

        /// `write name MATCHES "J.*": the expression is for the whole text`
        func text(_ left: String, _ right: String) -> String {
            let comparison = "\(left) \(`operator`) \(right)"
            return "write " + (isNegated ? "NOT (\(comparison))" : comparison) + (remark.map { ": \($0)" } ?? "")
        }
    }

    /// The cure for an operator of signs; nil for one that no other language has, and for those of predicates.
    static func cure(of sign: String) -> Cure? {
        switch sign {
        case "=~", "==~", "~": Cure(operator: "MATCHES", remark: wholeText)
        case "~=": Cure(operator: "MATCHES", remark: "\(wholeText); unequal is !=")
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

    private static let wholeText = "the expression is for the whole text"
    private static let wildcards = "the wildcards are * and ?"

    private static let longest = 4

    /// The range of the operator of another language that the signs without blanks around an offset begin with; nil if there
    /// is none.
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
