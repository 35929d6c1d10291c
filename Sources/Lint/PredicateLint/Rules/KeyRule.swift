import PredicateChecks
import PredicateSyntax

/// `predicate-model` for other strings that name keys of an entity.
///
///     NSSortDescriptor(key: "nmae", ascending: true)      request.propertiesToFetch = ["nmae"]
///     NSExpression(forKeyPath: "totl")                    person.setValue("jo", forKey: "nmae")
enum KeyRule {
    static func findings(_ call: FoundCall, _ reader: TextReader, _ scope: CheckScope) -> [LintFinding] {
        guard scope.schema != nil, let use = KeyUse(call, reader.bytes) else { return [] }
        return strings(reader.expression(in: call.arguments[call.format].value), reader).compactMap { text in
            finding(text, use, scope, reader.bytes)
        }
    }

    /// The strings of an expression or of the elements of a list, as far as they are known.
    private static func strings(_ node: CodeExpression, _ reader: TextReader) -> [FormatText] {
        if case .group(_, let parts) = node { return parts.flatMap { strings($0.value, reader) } }
        let values = reader.values(of: node)
        guard values.count == 1, !values[0].isUncertain, !values[0].isPartial, !values[0].text.hasHoles else {
            return []
        }
        return [values[0].text]
    }

    private static func finding(
        _ text: FormatText, _ use: KeyUse, _ scope: CheckScope, _ bytes: Bytes
    ) -> LintFinding? {
        let keys = text.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !keys.contains(where: { $0.isEmpty || $0.hasPrefix("@") }), keys != ["self"] else { return nil }
        let path = FormatExpression(.keyPath(KeyPathExpression(keys.map(KeyPathExpression.Component.key))))
        let (findings, type) = Checker.findings(in: path, scope: scope)
        guard let found = findings.first ?? misuse(type, text.text, use) else { return nil }
        if use == .object, mayBeMember(found, keys[0], bytes) { return nil }
        var result = LintFinding(
            rule: .model, level: LintLevel(found.level), text: found.message, hints: found.hint.map { [$0] } ?? [],
            range: text.literal, format: text.text, literal: text.literal)
        result.code = found.code
        return result
    }

    /// What is wrong with the use of a key that the entity has.
    private static func misuse(_ type: KnownType, _ path: String, _ use: KeyUse) -> PredicateFinding? {
        switch use {
        case .order where type.isToMany:
            PredicateFinding(.toManyKey, nil, "a fetch cannot be sorted by \(path), which has several values")
        case .prefetch where type.entity == nil && !type.kinds.isEmpty:
            PredicateFinding(
                .toOneKey, nil, "\(path) is no relationship, and only relationships are fetched in advance")
        case .order, .prefetch, .property, .object: nil
        }
    }

    /// True for a key that a class may have without being part of the model: a computed property, or one of its base class.
    private static func mayBeMember(_ finding: PredicateFinding, _ key: String, _ bytes: Bytes) -> Bool {
        finding.code != .unknownKey && finding.code != .subentityKey
            || finding.hint?.hasPrefix("did you mean") != true
            || ["var ", "func "].contains { bytes.firstOffset(of: $0 + key) != nil }
    }
}

/// How a string that names a key is used.
private enum KeyUse {
    /// `NSSortDescriptor(key: "name")`
    case order
    /// `relationshipKeyPathsForPrefetching = ["orders"]`
    case prefetch
    /// `propertiesToFetch = ["name"]`, `NSExpression(forKeyPath: "name")`
    case property
    /// `person.setValue("jo", forKey: "name")`
    case object

    init?(_ call: FoundCall, _ bytes: Bytes) {
        let name = bytes.text(call.name).lowercased()
        if name.contains("sortdescriptor") {
            self = .order
        } else if name.contains("prefetching") {
            self = .prefetch
        } else {
            self = name == "forkey" || name.hasSuffix("value") ? .object : .property
        }
    }
}
