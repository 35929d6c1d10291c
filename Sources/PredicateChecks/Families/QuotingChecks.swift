import PredicateSyntax

/// Quotes where a constant, a number or a variable was meant, and a text without quotes.
///
///     name == "nil"    active == "YES"    age > "18"    name == "$NAME"    name == Bob
enum QuotingChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        variables(subject)
            + subject.comparisons.compactMap { comparison in
                constant(comparison, subject) ?? number(comparison, subject) ?? misspelled(comparison, subject)
                    ?? bareText(comparison, subject)
            }
    }

    /// `name == "$NAME"`
    private static func variables(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.tokens.filter { $0.kind == .string }.compactMap { token in
            let text = subject.source(token.range).dropFirst().dropLast()
            guard text.first == "$", let letter = text.dropFirst().first, letter.isLetter || letter == "_",
                text.dropFirst().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { return nil }
            return PredicateFinding(
                .variableInQuotes, token.range, "in quotes \(text) is a string, not the variable",
                "write \(text) without quotes", fix: PredicateFinding.Fix(token.range, String(text)))
        }
    }

    /// `name == "nil"`, `active == "YES"`
    private static func constant(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator.isEquality, case .string(let text)? = subject.constant(comparison.right),
            let meant = meant(by: text, comparison)
        else { return nil }
        if comparison.left.type.kinds == [.string], meant != "nil" { return nil }
        let written = "\(comparison.left.text) \(comparison.operator.spelling) \(meant)"
        return PredicateFinding(
            .constantInQuotes, comparison.right, "in quotes \(text) is a string, not \(meant)", "write \(written)",
            fix: comparison.right.range.map { PredicateFinding.Fix($0, meant) })
    }

    private static func meant(by text: String, _ comparison: CheckedComparison) -> String? {
        if ["nil", "NIL", "null", "NULL", "<null>", "(null)"].contains(text) { return "nil" }
        guard let word = ["yes": "YES", "no": "NO", "true": "TRUE", "false": "FALSE"][text.lowercased()],
            text == word || isNamedAsBoolean(comparison.left)
        else { return nil }
        return word
    }

    /// `isDone`, `hasFriends`, `item.canFly`, `active`
    private static func isNamedAsBoolean(_ node: CheckedNode) -> Bool {
        guard let key = lastKey(of: node) else { return false }
        return adjectives.contains(key)
            || ["is", "has", "can", "should", "was", "did", "will"].contains { prefix in
                key.hasPrefix(prefix)
                    && (key.dropFirst(prefix.count).first.map { $0.isUppercase || $0 == "_" } ?? false)
            }
    }

    private static let adjectives: Set<String> = [
        "active", "enabled", "disabled", "deleted", "visible", "hidden", "done", "completed", "finished", "archived",
        "locked", "selected", "checked", "favorite", "starred", "paid", "verified",
    ]

    /// `age > "18"`: texts have the order of a dictionary, in which "9" is greater than "18".
    private static func number(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator.isOrdering, case .string(let text)? = subject.constant(comparison.right),
            !text.isEmpty, text.utf8.count < 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text == "0" || !text.hasPrefix("0"), comparison.left.type.isOpen
        else { return nil }
        return PredicateFinding(
            .numberInQuotes, comparison.right, "in quotes \(text) is a string, and \"9\" > \"18\" as strings",
            "write \(comparison.left.text) \(comparison.operator.spelling) \(text)",
            fix: comparison.right.range.map { PredicateFinding.Fix($0, text) })
    }

    /// `name == nill`, `due < now`: words of other languages for constants, which are keys here.
    private static func misspelled(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard subject.schema == nil, lastKey(of: comparison.left) != nil, !subject.isUnknown(comparison.node),
            case .keyPath(let path)? = comparison.right.expression, let word = path.singleKey,
            let meant = constants[word], meant == "now()" || comparison.operator.isEquality
        else { return nil }
        return PredicateFinding(
            .textWithoutQuotes, comparison.right, "\(word) is a key here",
            constant(of: word),
            fix: comparison.right.range.map { PredicateFinding.Fix($0, meant) })
    }

    /// `nil is the constant` for a word of another language that means it.
    static func constant(of word: String) -> String? {
        constants[word].map { "\($0) is \($0 == "nil" ? "the constant" : "the current date")" }
    }

    private static let constants = [
        "nill": "nil", "nul": "nil", "none": "nil", "None": "nil", "undefined": "nil", "Null": "nil", "Nil": "nil",
        "now": "now()", "today": "now()", "NOW": "now()", "CURRENT_DATE": "now()", "CURRENT_TIMESTAMP": "now()",
    ]

    /// `name == Bob`: a word without quotes is a key. Keys begin with a lowercase letter, as the one on the left does.
    private static func bareText(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator.takesText, subject.schema == nil, !subject.isUnknown(comparison.node),
            let left = lastKey(of: comparison.left), left.first?.isLowercase == true,
            case .keyPath(let path)? = comparison.right.expression, let word = path.singleKey,
            word.first?.isUppercase == true, word.dropFirst().contains(where: \.isLowercase)
        else { return nil }
        return PredicateFinding(
            .textWithoutQuotes, comparison.right, "without quotes \(word) is a key",
            "a string needs quotes: \(word.quotedLiteral)",
            fix: comparison.right.range.map { PredicateFinding.Fix($0, word.quotedLiteral) })
    }

    private static func lastKey(of node: CheckedNode) -> String? {
        guard case .keyPath(let path)? = node.expression, case .key(let key)? = path.components.last else { return nil }
        return key
    }
}
