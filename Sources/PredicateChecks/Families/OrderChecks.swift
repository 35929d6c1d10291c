import PredicateSyntax

/// An order of strings that hold versions: `"9.0"` comes after `"10.0"`.
///
///     munki_version >= "10.0"
enum OrderChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard comparison.operator.isOrdering || comparison.operator == .comparison(.between),
                let text = text(comparison, subject), isVersion(text), mayBeVersions(comparison.left, text)
            else { return nil }
            return PredicateFinding(
                .versionOrder, comparison.node,
                "versions are compared as strings, in which \"9.0\" is greater than \"10.0\"",
                "compare one part as a number, or use MATCHES; == and BEGINSWITH are not affected")
        }
    }

    /// The constant beside the value, or the first bound.
    private static func text(_ comparison: CheckedComparison, _ subject: CheckSubject) -> String? {
        guard let constant = subject.constant(comparison.right), !subject.isUnknown(comparison.left) else { return nil }
        if case .string(let text) = constant { return text }
        if case .string(let text)? = constant.elements?.first { return text }
        return nil
    }

    /// `10.0`, `6.7.0.4731`
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (2...6).contains(parts.count)
            && parts.allSatisfy { (1...6).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// A number in quotes has one dot, too: then the key must be named as one of versions.
    private static func mayBeVersions(_ node: CheckedNode, _ text: String) -> Bool {
        guard node.type.isOpen || node.type.kinds == [.string], let key = node.keys?.last?.lowercased() else {
            return false
        }
        let isNamed = ["version", "release", "build", "vers"].contains { key.contains($0) }
        return isNamed || text.filter { $0 == "." }.count > 1
    }
}
