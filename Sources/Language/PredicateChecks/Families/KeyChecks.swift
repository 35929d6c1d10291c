import PredicateSyntax

/// Keys that objects do not have, keys in quotes, and keys that are reserved words of the language.
///
///     nmae == "jo"    "age" > 3    no = 9    name == John    board-id == "x"
enum KeyChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        missing(subject) + quoted(subject) + words(subject) + hyphenated(subject)
    }

    /// The unknown keys that typing found. An unknown key on the right side may be a string without quotes, or a
    /// constant of another language.
    private static func missing(_ subject: CheckSubject) -> [PredicateFinding] {
        let words = subject.comparisons.filter { $0.right.keys?.count == 1 }
        let rightSides = Set(words.compactMap(\.right.range))
        let texts = Set(words.filter { $0.operator.takesText }.compactMap(\.right.range))
        return subject.typingFindings.map { finding in
            guard finding.code == .unknownKey, let range = finding.range, rightSides.contains(range) else {
                return finding
            }
            let word = subject.source(range)
            var copy = finding
            if texts.contains(range) { copy.guesses.append(word.quotedLiteral) }
            if let meant = QuotingChecks.constant(of: word) {
                copy.hint = meant
            } else if texts.contains(range), finding.hint?.hasPrefix("did you mean") != true {
                copy.hint = "a string needs quotes: \(word.quotedLiteral)"
            }
            return copy
        }
    }

    // MARK: Quotes

    /// `"age" > 3`: a string compared with a constant.
    private static func quoted(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard subject.source(of: comparison.left) != "%@", comparison.right.expression?.constant != nil,
                case .string(let text)? = subject.constant(comparison.left), isKey(text, subject)
            else { return nil }
            if case .string(let own) = comparison.operator, own.rightSide == .typeIdentifier { return nil }
            let isDotted = text.contains(".") && subject.keys.contains(text)
            let key = isDotted ? "#" + text.quotedLiteral : text
            return PredicateFinding(
                .quotedKey, comparison.left, "in quotes, \(text) is a string, not a key",
                isDotted ? "write \(key)" : "remove the quotes: \(key)",
                fix: comparison.left.range.map { PredicateFinding.Fix($0, key) })
        }
    }

    /// True for a key of the objects or, if their keys are unknown, for a string that has the form of a key: `name`,
    /// `dept.name`
    private static func isKey(_ text: String, _ subject: CheckSubject) -> Bool {
        if let schema = subject.schema, let entity = subject.scope.subject.entity {
            let first = text.split(separator: ".").first.map(String.init) ?? text
            if schema.property(first, of: entity)?.isKnown == true { return true }
            if schema.origin != .observed || text.contains(" ") { return false }
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            part.first.map { $0.isLetter || $0 == "_" } ?? false && part.utf8.allSatisfy(isKeyByte)
        }
    }

    // MARK: Hyphens

    /// `board-id IN {"a"}`: without quotes, a key with a hyphen is a subtraction of two keys.
    private static func hyphenated(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.flatMap { comparison -> [PredicateFinding] in
            [(comparison.left, comparison.right), (comparison.right, comparison.left)].compactMap { side, other in
                hyphenated(side, beside: other, subject)
            }
        }
    }

    private static func hyphenated(
        _ node: CheckedNode, beside other: CheckedNode, _ subject: CheckSubject
    ) -> PredicateFinding? {
        guard case .function(let call)? = node.expression, call.function == .predefined(.subtract) else { return nil }
        let source = subject.source(of: node)
        let words = source.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 1, isText(other) || words.dropFirst().allSatisfy({ $0.first?.isLetter == true }),
            words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isKeyByte) }), words[0].first?.isLetter == true
        else { return nil }
        let keys = subject.keys
        let camel = words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let joined = words.joined(separator: "_"), quoted = "#" + source.quotedLiteral
        let known = [source, joined, camel].first(where: keys.contains)
        guard known != nil || isText(other) else { return nil }
        let key = known.map { $0 == source ? quoted : $0 } ?? "\(joined) or \(quoted)"
        return PredicateFinding(
            .hyphenatedKey, node, "\(source) is \(words.joined(separator: " minus "))", "write \(key)",
            fix: known.flatMap { _ in node.range.map { PredicateFinding.Fix($0, key) } })
    }

    /// Letters, digits, and the other characters of a key path.
    private static func isKeyByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x2E
    }

    /// True for a string or a list of strings. Compared with one of these, a subtraction must be a key with a hyphen.
    private static func isText(_ node: CheckedNode) -> Bool {
        if let elements = node.type.elements { return elements.contains { $0.kinds == [.string] } }
        return node.type.kinds == [.string]
    }

    // MARK: Words

    /// `no = 9`, `true == 1`, `first == 1` where objects have a key of that name: the word means something else.
    private static func words(_ subject: CheckSubject) -> [PredicateFinding] {
        let keys = Set(subject.keys)
        return subject.tokens.indices.compactMap { index in
            let token = subject.tokens[index]
            guard token.kind == .keyword, let meaning = meaning(of: subject.source(token.range)) else { return nil }
            let word = subject.source(token.range)
            guard !isArgument(index, subject),
                let key = keys.contains(word) ? word : keys.first(where: { $0.lowercased() == word.lowercased() })
            else { return nil }
            return PredicateFinding(
                .keywordAsKey, token.range, "\(word) is \(meaning) here, not the key",
                "write #\(key), or pass \(key.quotedLiteral) for %K",
                fix: PredicateFinding.Fix(token.range, "#" + key))
        }
    }

    /// True for `NO` on the right side of a comparison with a key, where the constant is intended: `isDone == no`
    private static func isArgument(_ index: Int, _ subject: CheckSubject) -> Bool {
        guard index > 0 else { return false }
        let before = subject.tokens[index - 1]
        let text = subject.source(before.range)
        return before.kind == .symbol && "=<>!,{".contains(text.last ?? " ") || before.kind == .symbol && text == "]"
    }

    private static func meaning(of word: String) -> String? {
        guard let keyword = Keyword(word: word) else { return nil }
        switch keyword.role {
        case .bool, .null: return "the constant \(keyword.rawValue)"
        case .symbol: return "a position in an index"
        case .selfObject, .anyKey, .logical, .quantifier, .comparison, .text, .predicate, .call, .set, .reserved:
            return nil
        }
    }
}

extension PredicateProperty {
    var isKnown: Bool { !kinds.isEmpty || entity != nil }
}

/// Quotes around a constant, a number or a variable, and strings without quotes.
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
                .variableInQuotes, token.range, "in quotes, \(text) is a string, not a variable",
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
            .constantInQuotes, comparison.right, "in quotes, \(text) is a string, not \(meant)", "write \(written)",
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

    /// `age > "18"`: strings are ordered alphabetically, so "9" is greater than "18".
    private static func number(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator.isOrdering, case .string(let text)? = subject.constant(comparison.right),
            !text.isEmpty, text.utf8.count < 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text == "0" || !text.hasPrefix("0"), comparison.left.type.isOpen
        else { return nil }
        return PredicateFinding(
            .numberInQuotes, comparison.right, "in quotes, \(text) is a string, and \"9\" > \"18\" as strings",
            "write \(comparison.left.text) \(comparison.operator.spelling) \(text)",
            fix: comparison.right.range.map { PredicateFinding.Fix($0, text) })
    }

    /// `name == nill`, `due < now`: names that other languages have for constants; here they are keys.
    private static func misspelled(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard subject.schema == nil, lastKey(of: comparison.left) != nil, !subject.isUnknown(comparison.node),
            case .keyPath(let path)? = comparison.right.expression, let word = path.singleKey,
            let meant = constants[word], meant == "now()" || comparison.operator.isEquality
        else { return nil }
        return PredicateFinding(
            .textWithoutQuotes, comparison.right, "here \(word) is a key",
            constant(of: word),
            fix: comparison.right.range.map { PredicateFinding.Fix($0, meant) })
    }

    /// Returns `the constant is nil` for the name of that constant in another language.
    static func constant(of word: String) -> String? {
        constants[word].map { "\($0 == "nil" ? "the constant is" : "the current date is") \($0)" }
    }

    private static let constants = [
        "nill": "nil", "nul": "nil", "none": "nil", "None": "nil", "undefined": "nil", "Null": "nil", "Nil": "nil",
        "now": "now()", "today": "now()", "NOW": "now()", "CURRENT_DATE": "now()", "CURRENT_TIMESTAMP": "now()",
    ]

    /// `name == Bob`: a word without quotes is a key. Only a capitalized word compared with a lowercase key is
    /// reported.
    private static func bareText(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.operator.takesText, subject.schema == nil, !subject.isUnknown(comparison.node),
            let left = lastKey(of: comparison.left), left.first?.isLowercase == true,
            case .keyPath(let path)? = comparison.right.expression, let word = path.singleKey,
            word.first?.isUppercase == true, word.dropFirst().contains(where: \.isLowercase)
        else { return nil }
        return PredicateFinding(
            .textWithoutQuotes, comparison.right, "without quotes, \(word) is a key",
            "a string needs quotes: \(word.quotedLiteral)",
            fix: comparison.right.range.map { PredicateFinding.Fix($0, word.quotedLiteral) })
    }

    private static func lastKey(of node: CheckedNode) -> String? {
        guard case .keyPath(let path)? = node.expression, case .key(let key)? = path.components.last else { return nil }
        return key
    }
}
