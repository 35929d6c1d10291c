import PredicateChecks
import PredicateSyntax

/// `predicate-model` for queries of Spotlight, which have their own language: misspelled attributes, and words that exist only
/// in predicates.
///
/// `NSPredicate(fromMetadataQueryString: "kMDItemFSNmae == '*.txt'c")`, `mdfind 'kMDItemKind == "PDF" AND …'`
enum MetadataRule {
    static func findings(_ text: FormatText, _ hosts: HostTable) -> [LintFinding] {
        words(of: text).compactMap { range in
            let word = String(decoding: text.bytes[range], as: UTF8.self)
            guard let (message, hint, code) = mistake(word, hosts) else { return nil }
            let ofRule = word.hasPrefix(HostTable.ruleKeys) ? hosts.host(named: HostTable.ruleKeys)?.source : nil
            var finding = LintFinding(
                rule: .model, level: .warning, text: message, hints: [hint, "see \(ofRule ?? source)"],
                range: text.sourceRange(of: range), format: text.text, literal: text.literal)
            finding.code = code
            return finding
        }
    }

    private static let source =
        "https://developer.apple.com/library/archive/documentation/Carbon/Conceptual/SpotlightQuery/Concepts/QueryFormat.html"

    private static func mistake(
        _ word: String, _ hosts: HostTable
    ) -> (message: String, hint: String, code: PredicateFinding.Code?)? {
        if let cure = operators[word] { return ("a metadata query has no \(word)", "write \(cure)", nil) }
        let host = word.hasPrefix(HostTable.ruleKeys) ? HostTable.ruleKeys : HostTable.metadata
        guard word.hasPrefix(HostTable.ruleKeys) || word.hasPrefix("kMDItem"), hosts.property(word, of: host) == nil,
            let close = NearMiss.candidates(for: word, among: hosts.keys(of: host), limit: 1).first
        else { return nil }
        return ("\(hosts.noun(of: host)) has no key '\(word)'", "did you mean \(close)?", .unknownKey)
    }

    private static let operators = [
        "AND": "&&", "OR": "||", "CONTAINS": "attribute == \"*text*\"", "BEGINSWITH": "attribute == \"text*\"",
        "ENDSWITH": "attribute == \"*text\"", "LIKE": "attribute == \"text*\"",
    ]

    /// The words outside quotes and holes.
    private static func words(of text: FormatText) -> [Range<Int>] {
        let holes = SourceRanges(text.holes.map(\.range).filter { !$0.isEmpty })
        var (found, offset, quote): ([Range<Int>], Int, UInt8) = ([], 0, 0)
        while offset < text.bytes.count {
            let byte = text.bytes[offset]
            var end = offset + 1
            if quote == 0, byte.isNameStart {
                while end < text.bytes.count, text.bytes[end].isName { end += 1 }
                if !holes.overlap(offset..<end) { found.append(offset..<end) }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = quote == 0 ? byte : quote == byte ? 0 : quote
            }
            offset = end
        }
        return found
    }
}
