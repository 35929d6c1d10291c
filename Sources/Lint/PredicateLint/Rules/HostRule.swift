import PredicateChecks
import PredicateSyntax

/// `predicate-model` for hosts with keys and operators of their own: a misspelled key, a value of another kind than the
/// documented one, a key or operator that the documentation of the host excludes.
///
/// `app.buttons.matching(NSPredicate(format: "lable == %@", title))`, `log show --predicate 'proccess == "sshd"'`
enum HostRule {
    static func findings(_ subject: LintSubject, _ host: PredicateHost) -> [LintFinding] {
        guard case .predicate(let predicate) = subject.parse.outcome else { return [] }
        return keys(subject, host, predicate) + refusals(subject, host)
    }

    private static func keys(
        _ subject: LintSubject, _ host: PredicateHost, _ predicate: FormatPredicate
    ) -> [LintFinding] {
        guard !host.properties.isEmpty else { return [] }
        let scope = CheckScope(host, entity: host.name)
        let unknown = SourceRanges(subject.unknownText)
        return Checker.findings(in: predicate, open: subject.openParts, scope: scope).compactMap { finding in
            guard let range = finding.range, !unknown.overlap(range), isOfHost(finding, host) else { return nil }
            let place = subject.knownArgument(at: range) ?? subject.source(range)
            var result = subject.finding(
                .model, finding.message, hints: [finding.hint, "see \(host.source)"].compactMap(\.self), at: place,
                level: .warning)
            result.code = finding.code
            return result
        }
    }

    /// True for a finding that depends on the documented keys.
    private static func isOfHost(_ finding: PredicateFinding, _ host: PredicateHost) -> Bool {
        if finding.code == .unknownKey { return host.isClosed || finding.hint?.hasPrefix("did you mean") == true }
        return finding.code == .kindMismatch || finding.code == .hyphenatedKey && finding.fix != nil
    }

    // MARK: Operators

    private static func refusals(_ subject: LintSubject, _ host: PredicateHost) -> [LintFinding] {
        if host.refusals.contains(.formats) {
            return [
                finding(
                    "\(host.words) accepts only the predicates that its class makes", subject.text.literal, subject,
                    host)
            ]
        }
        guard !host.refusals.isEmpty else { return [] }
        let text = subject.parse.text.text
        let tokens = TolerantToken.tokens(of: text)
        let holes = SourceRanges(subject.parse.text.holes.map(\.range))
        return tokens.indices.compactMap { index in
            let token = tokens[index]
            guard !holes.overlap(token.range), let reason = reason(index, tokens, text),
                host.refusals.contains(reason.refusal)
            else { return nil }
            return finding("\(host.words) \(reason.words)", subject.source(token.range), subject, host)
        }
    }

    private static func finding(
        _ text: String, _ range: Range<Int>, _ subject: LintSubject, _ host: PredicateHost
    ) -> LintFinding {
        subject.finding(.model, text, hints: ["see \(host.source)"], at: range)
    }

    private static func reason(
        _ index: Int, _ tokens: [TolerantToken], _ text: String
    ) -> (refusal: HostRefusal, words: String)? {
        switch tokens[index].kind {
        case .token(.keyword(.or)), .token(.symbol(.doubleBar)):
            (.or, "cannot be queried with OR; make a query for each alternative")
        case .token(.keyword(.endsWith)), .token(.keyword(.like)), .token(.keyword(.matches)):
            (.textOperators, "can be searched with BEGINSWITH and with 'self CONTAINS', not with this operator")
        case .token(.keyword(.contains)) where isTextSearch(index, tokens, text):
            (.textSearch, "cannot be searched for a part of a string; did you mean 'self CONTAINS'?")
        case .token(.symbol(.dot)) where index > 0:
            (.keyPaths, "cannot be queried through key paths of other records")
        case .token, .error: nil
        }
    }

    /// True for CONTAINS with options, or after a key whose name suggests a string rather than a list.
    private static func isTextSearch(_ index: Int, _ tokens: [TolerantToken], _ text: String) -> Bool {
        guard index > 0 else { return false }
        if index + 1 < tokens.count, tokens[index + 1].kind == .token(.symbol(.openBracket)) {
            return !isSelf(tokens[index - 1].range, text)
        }
        let key = word(tokens[index - 1].range, text)
        return texts.contains(where: key.hasSuffix)
    }

    private static func isSelf(_ range: Range<Int>, _ text: String) -> Bool {
        word(range, text) == "self"
    }

    private static func word(_ range: Range<Int>, _ text: String) -> String {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: range.lowerBound)
        return String(decoding: text.utf8[start...].prefix(range.count), as: UTF8.self).lowercased()
    }

    private static let texts = [
        "name", "title", "text", "note", "body", "description", "content", "subject", "message", "summary", "comment",
        "caption", "address",
    ]
}
