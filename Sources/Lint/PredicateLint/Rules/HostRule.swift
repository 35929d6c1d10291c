import PredicateChecks
import PredicateSyntax

/// `predicate-model` for hosts with their own keys, values and operators: a misspelled key, a value whose kind differs from the
/// documented one, a value or operator that the documentation excludes.
///
/// `app.buttons.matching(NSPredicate(format: "lable == %@", title))`, `log show --predicate 'proccess == "sshd"'`
enum HostRule {
    /// The findings in a format about the objects of a host; none for another entity.
    static func findings(_ subject: LintSubject, _ entity: String?, _ hosts: HostTable) -> [LintFinding] {
        guard case .predicate(let predicate) = subject.parse.outcome,
            let host = entity.flatMap({ hosts.host(named: $0) })
        else { return [] }
        return keys(subject, host, hosts, predicate) + refusals(subject, host)
    }

    private static func keys(
        _ subject: LintSubject, _ host: PredicateHost, _ hosts: HostTable, _ predicate: FormatPredicate
    ) -> [LintFinding] {
        guard !host.properties.isEmpty else { return [] }
        let scope = CheckScope(hosts, entity: host.name)
        let unknown = SourceRanges(subject.unknownText)
        let all = Checker.findings(
            in: predicate, open: subject.openParts, scope: scope, further: [{ HostValues.findings(in: $0, hosts) }])
        return all.compactMap { finding in
            guard let range = finding.range, !unknown.overlap(range), isOfHost(finding, host) else { return nil }
            let place = subject.knownArgument(at: range) ?? subject.source(range)
            var result = self.finding(finding.message, place, subject, host)
            if let hint = finding.hint { result.hints.insert(hint, at: 0) }
            result.code = finding.code
            return result
        }
    }

    /// True for a finding that depends on the documented keys.
    static func isOfHost(_ finding: PredicateFinding, _ host: PredicateHost) -> Bool {
        switch finding.code {
        case .unknownKey: host.isClosed || finding.hint?.hasPrefix("did you mean") == true
        case .kindMismatch, .toManyKey, HostValues.code, .textWithoutQuotes: true
        case .hyphenatedKey: finding.fix != nil
        default: false
        }
    }

    private static func finding(
        _ text: String, _ range: Range<Int>, _ subject: LintSubject, _ host: PredicateHost
    ) -> LintFinding {
        let hints = host.source.isEmpty ? [] : ["see \(host.source)"]
        return subject.finding(.model, text, hints: hints, at: range, level: .warning)
    }

    // MARK: Operators

    private static func refusals(_ subject: LintSubject, _ host: PredicateHost) -> [LintFinding] {
        let tokens = TolerantToken.tokens(of: subject.parse.text.text)
        // Not the bytes of the format, in which an escape may have left other bytes than UTF-8.
        let text = Array(subject.parse.text.text.utf8)
        let holes = SourceRanges(subject.parse.text.holes.map(\.range))
        return host.refusals.flatMap { refusal -> [LintFinding] in
            let message = "\(host.words) \(refusal.reason)"
            if refusal.parts.contains("FORMAT") { return [finding(message, subject.text.literal, subject, host)] }
            if refusal.parts.contains("OR"), let place = alternatives(around: subject) {
                return [finding(message, place, subject, host)]
            }
            return tokens.indices.filter { !holes.overlap(tokens[$0].range) }.compactMap { index in
                refusal.parts.contains(part(index, tokens, text))
                    ? finding(message, subject.source(tokens[index].range), subject, host) : nil
            }
        }
    }

    /// `orPredicateWithSubpredicates` in the statement before a format
    private static func alternatives(around subject: LintSubject) -> Range<Int>? {
        let word: StaticString = "orPredicateWithSubpredicates"
        let statement = subject.call.statement..<max(subject.call.statement, subject.call.name.lowerBound)
        guard subject.reader != nil else { return nil }
        return subject.bytes.firstOffset(of: word, in: statement).map { $0..<$0 + word.utf8CodeUnitCount }
    }

    /// The name that tables of hosts use for the part of the language to which a token belongs.
    private static func part(_ index: Int, _ tokens: [TolerantToken], _ text: [UInt8]) -> String {
        switch tokens[index].kind {
        case .token(.keyword(.contains)): isTextSearch(index, tokens, text) ? "TEXT" : "CONTAINS"
        case .token(.keyword(let keyword)): keyword.rawValue
        case .token(.symbol(.dot)): index > 0 ? "." : ""
        case .token(.symbol): word(tokens[index].range, text)
        case .token, .error: ""
        }
    }

    /// True for CONTAINS with options, or after a key whose name suggests a string rather than a list.
    private static func isTextSearch(_ index: Int, _ tokens: [TolerantToken], _ text: [UInt8]) -> Bool {
        guard index > 0 else { return false }
        let key = word(tokens[index - 1].range, text)
        if index + 1 < tokens.count, tokens[index + 1].kind == .token(.symbol(.openBracket)) { return key != "self" }
        return texts.contains(where: key.hasSuffix)
    }

    private static func word(_ range: Range<Int>, _ text: [UInt8]) -> String {
        String(decoding: text[range.clamped(to: text.indices)], as: UTF8.self).lowercased()
    }

    private static let texts = [
        "name", "title", "text", "note", "body", "description", "content", "subject", "message", "summary", "comment",
        "caption", "address",
    ]
}

/// Checks comparisons of keys that have a closed set of values, and strings without quotes.
///
/// `machine_type == "notebook"`, `messageType == errr`, `process == sshd`
private enum HostValues {
    /// The code of findings about a value that a key never has.
    static let code = PredicateFinding.Code.neverHolds

    static func findings(in subject: CheckSubject, _ hosts: HostTable) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard let host = subject.scope.subject.entity.flatMap({ hosts.host(named: $0) }),
                let key = comparison.left.keys?.first,
                comparison.left.keys?.count == 1,
                comparison.operator.isEquality || comparison.operator == .comparison(.in)
            else { return nil }
            // Only the command `log` reads a word without quotes as a string.
            if let values = host.values[key], host.name == HostTable.log || bareWord(comparison.right) == nil {
                return excluded(comparison, key, values)
            }
            guard let keys = comparison.right.keys, let first = keys.first, comparison.left.type.kinds == [.string],
                hosts.property(first, of: host.name) == nil
            else { return nil }
            let word = keys.joined(separator: ".")
            return PredicateFinding(
                .textWithoutQuotes, comparison.right, "without quotes, \(word) is a key",
                "a string needs quotes: \"\(word)\"")
        }
    }

    private static func excluded(
        _ comparison: CheckedComparison, _ key: String, _ values: [String]
    ) -> PredicateFinding? {
        let ignoresCase = !comparison.options.isEmpty
        let known = ignoresCase ? values.map { $0.lowercased() } : values
        guard let text = texts(comparison.right).first(where: { !known.contains(ignoresCase ? $0.lowercased() : $0) })
        else { return nil }
        let close = NearMiss.candidates(for: text, among: values, limit: 1).first
        let list = values.prefix(8).joined(separator: ", ") + (values.count > 8 ? ", …" : "")
        return PredicateFinding(
            code, comparison.right, "\(key) is never '\(text)'",
            close.map { "did you mean \($0)?" } ?? "its values: \(list)")
    }

    /// The strings on one side of a comparison: one string, or a list. A word without quotes counts as a string.
    private static func texts(_ node: CheckedNode) -> [String] {
        if let word = bareWord(node) { return [word] }
        guard let constant = node.expression?.constant else { return node.children.flatMap(texts) }
        return (constant.elements ?? [constant]).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    private static func bareWord(_ node: CheckedNode) -> String? {
        guard let keys = node.keys, keys.count == 1, node.expression?.constant == nil else { return nil }
        return keys[0]
    }
}
