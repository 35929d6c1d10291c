import PredicateChecks
import PredicateSyntax

/// `predicate-model` for other strings that name keys of an entity.
///
///     NSSortDescriptor(key: "nmae", ascending: true)      request.propertiesToFetch = ["nmae"]
///     NSExpression(forKeyPath: "totl")                    person.setValue("jo", forKey: "nmae")
enum KeyRule {
    static func findings(_ call: FoundCall, _ reader: TextReader, _ scope: CheckScope) -> [LintFinding] {
        guard scope.schema != nil, let use = KeyUse(call, reader.bytes) else { return [] }
        let mayBeOther = use == .object && !isPlainObject(call, reader)
        return strings(reader.expression(in: call.arguments[call.format].value), reader).compactMap { text in
            finding(text, use, scope, mayBeOther ? reader.bytes : nil)
        }
    }

    /// `request.predicate = NSPredicate { … }` for a request of an entity of the model
    static func blocks(_ call: FoundCall, _ entity: String?, _ scope: CheckScope) -> [LintFinding] {
        guard let entity, (scope.schema as? any FetchSchema)?.isFetch ?? false else { return [] }
        var finding = LintFinding(
            rule: .model, level: .warning, text: "a SQLite store cannot evaluate a block for \(entity)",
            hints: ["write a format, or filter the fetched objects in memory", "see \(blockSource)"], range: call.name)
        finding.code = .refusedByStore
        return [finding]
    }

    private static let blockSource = "https://developer.apple.com/documentation/foundation/nspredicate/init(block:)"

    /// The strings of an expression or of the elements of a list, as far as they are known.
    private static func strings(_ node: CodeExpression, _ reader: TextReader) -> [FormatText] {
        if case .group(_, let parts) = node {
            let isTable = parts.contains { $0.label != nil }
            return parts.filter { !isTable || $0.label == nil }.flatMap { strings($0.value, reader) }
        }
        let values = reader.values(of: node)
        guard values.count == 1, !values[0].isUncertain, !values[0].isPartial, !values[0].text.hasHoles else {
            return []
        }
        return [values[0].text]
    }

    private static func finding(
        _ text: FormatText, _ use: KeyUse, _ scope: CheckScope, _ classSource: Bytes?
    ) -> LintFinding? {
        let keys = text.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !keys.contains(""), keys != ["self"] else { return nil }
        let hasOperator = keys.contains { $0.hasPrefix("@") }
        let plain = FormatExpression(.keyPath(KeyPathExpression(keys.map(KeyPathExpression.Component.key))))
        guard let path = hasOperator ? try? FormatExpression(format: text.text, arguments: []) : plain else {
            return nil
        }
        let (findings, type) = Checker.findings(in: path, scope: scope)
        guard let found = findings.first ?? misuse(type, text.text, use) else { return nil }
        if let classSource, mayBeMember(found, keys[0], classSource) { return nil }
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

    /// True for an object without a class of its own: `NSEntityDescription.insertNewObject(forEntityName: "Tag", …)`
    private static func isPlainObject(_ call: FoundCall, _ reader: TextReader) -> Bool {
        guard let name = call.receiver.name,
            let own = reader.declarations.visible(name, at: name.lowerBound, reader.bytes), let start = own.value
        else { return false }
        let type = own.type.map(reader.bytes.text)
        let value = reader.bytes.text(reader.expression(from: start).range)
        guard type == nil && reader.language == .swift || type == "NSManagedObject", !value.contains(" as") else {
            return false
        }
        return value.contains("insertNewObject") || value.hasPrefix("NSManagedObject(")
    }

    /// True for a key that a class may have without being part of the model: a computed property, or one of its base class.
    private static func mayBeMember(_ finding: PredicateFinding, _ key: String, _ bytes: Bytes) -> Bool {
        finding.code != .unknownKey && finding.code != .subentityKey
            || finding.hint?.hasPrefix("did you mean") != true
            || ["var ", "func "].contains { bytes.firstOffset(of: $0 + key) != nil }
    }
}

/// How a string that names a key is used.
enum KeyUse {
    /// `NSSortDescriptor(key: "name")`
    case order
    /// `relationshipKeyPathsForPrefetching = ["orders"]`
    case prefetch
    /// `propertiesToFetch = ["name"]`, `NSExpression(forKeyPath: "name")`, `sectionNameKeyPath: "name"`
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
            self = name == "forkey" || name.hasSuffix("value") || name.hasPrefix("value") ? .object : .property
        }
    }
}
