import PredicateSyntax

/// An order of strings that hold versions: `"9.0"` comes after `"10.0"`.
///
///     munki_version >= "10.0"
enum OrderChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard comparison.operator.isOrdering || comparison.operator == .comparison(.between),
                isOfVersions(comparison.left, comparison.right, subject)
                    || isOfVersions(comparison.right, comparison.left, subject)
            else { return nil }
            return PredicateFinding(
                .versionOrder, comparison.node,
                "versions are compared as strings, in which \"9.0\" is greater than \"10.0\"",
                "compare one part as a number, or use MATCHES; == and BEGINSWITH are not affected")
        }
    }

    /// A string without another kind, by a key that is named as one of versions, beside a version.
    private static func isOfVersions(_ node: CheckedNode, _ other: CheckedNode, _ subject: CheckSubject) -> Bool {
        guard node.type.isOpen || node.type.kinds == [.string], let key = node.keys?.last?.lowercased(),
            let constant = subject.constant(other)
        else { return false }
        let texts = [constant] + (constant.elements ?? [])
        return ["version", "release", "build", "vers"].contains { key.contains($0) }
            && texts.contains { if case .string(let text) = $0 { isVersion(text) } else { false } }
    }

    /// `10.0`, `6.7.0.4731`; not `01.02`, whose parts are padded to be ordered
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (2...6).contains(parts.count)
            && parts.allSatisfy { part in
                (1...6).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (part == "0" || part.first != "0")
            }
    }
}
