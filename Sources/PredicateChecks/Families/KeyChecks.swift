import PredicateSyntax

/// Keys that objects do not have, keys in quotes, and words of the language that are keys of the data.
///
///     nmae == "jo"    "age" > 3    no = 9    name == John    board-id == "x"
enum KeyChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        missing(subject) + quoted(subject) + words(subject) + hyphenated(subject)
    }

    /// The findings of the pass over the tree; a word on the right that is no key may be a text, or a constant of another
    /// language.
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
            if let meant = QuotingChecks.constant(of: word) {
                copy.hint = meant
            } else if texts.contains(range), finding.hint?.hasPrefix("did you mean") != true {
                copy.hint = "a string needs quotes: \(word.quotedLiteral)"
            }
            return copy
        }
    }

    // MARK: Quotes

    /// `"age" > 3`: a text, beside a constant.
    private static func quoted(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard subject.source(of: comparison.left) != "%@", comparison.right.expression?.constant != nil,
                case .string(let text)? = subject.constant(comparison.left), isKey(text, subject)
            else { return nil }
            if case .string(let own) = comparison.operator, own.rightSide == .typeIdentifier { return nil }
            return PredicateFinding(
                .quotedKey, comparison.left, "in quotes \(text) is a string, not the key",
                "leave out the quotes: \(text)",
                fix: comparison.left.range.map { PredicateFinding.Fix($0, text) })
        }
    }

    /// True for a key of the objects, and where none are known for what looks like one: `name`, `dept.name`
    private static func isKey(_ text: String, _ subject: CheckSubject) -> Bool {
        if let schema = subject.schema, let entity = subject.scope.subject.entity {
            let first = text.split(separator: ".").first.map(String.init) ?? text
            if schema.property(first, of: entity)?.isKnown == true { return true }
            if schema.origin != .observed || text.contains(" ") { return false }
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            part.first.map { $0.isLetter || $0 == "_" } ?? false
                && part.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
                }
        }
    }

    // MARK: Hyphens

    /// `board-id IN {"a"}`: without quotes a key with a hyphen is a difference of two keys.
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

    /// Letters, digits, and what else a path of keys has.
    private static func isKeyByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x2E
    }

    /// True for a string or a list of strings, which is beside no difference.
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

    /// True for `NO` behind an operator beside a key, where the constant is meant: `isDone == no`
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

extension SchemaProperty {
    /// True if something is known about the values.
    var isKnown: Bool { !kinds.isEmpty || entity != nil }
}
