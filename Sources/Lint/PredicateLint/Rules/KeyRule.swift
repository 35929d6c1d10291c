import PredicateChecks
import PredicateSyntax

/// `predicate-model` for other strings that name keys of an entity.
///
///     NSSortDescriptor(key: "nmae", ascending: true)      request.propertiesToFetch = ["nmae"]
///     NSExpression(forKeyPath: "totl")                    person.setValue("jo", forKey: "nmae")
enum KeyRule {
    static func findings(_ call: FoundCall, _ reader: TextReader, _ scope: CheckScope) -> [LintFinding] {
        guard scope.schema != nil, let use = KeyUse(call, reader.bytes) else { return [] }
        let mayBeOther = use == .section || use == .object && !isPlainObject(call, reader)
        let value = use == .object ? KeyValue(call, reader) : nil
        return strings(reader.expression(in: call.arguments[call.format].value), reader).compactMap { text in
            finding(text, use, value, scope, mayBeOther ? reader : nil)
        }
    }

    /// `request.predicate = NSPredicate { … }` for a request of an entity of the model
    static func blocks(
        _ call: FoundCall, _ entity: String?, _ scope: CheckScope, _ hosts: HostTable
    ) -> [LintFinding] {
        guard let entity else { return [] }
        var (text, source) = ("a SQLite store cannot evaluate a block for \(entity)", blockSource)
        if call.kind == .keys { text = "a SQLite store cannot evaluate a comparator for \(entity)" }
        if call.kind == .block, let host = hosts.host(named: entity), let reason = host.refusal(of: "BLOCK") {
            (text, source) = ("\(host.words) \(reason)", host.source)
        } else if scope.schema?.entity(named: entity) == nil || (scope.schema as? any FetchSchema)?.isFetch != true {
            return []
        }
        var finding = LintFinding(
            rule: .model, level: .warning, text: text,
            hints: ["write a format, or filter the fetched objects in memory", "see \(source)"], range: call.name)
        finding.code = .refusedByStore
        return [finding]
    }

    private static let blockSource = "https://developer.apple.com/documentation/foundation/nspredicate/init(block:)"

    /// The known strings of an expression or of the elements of a list.
    private static func strings(_ node: CodeExpression, _ reader: TextReader) -> [FormatText] {
        if case .group(_, let parts) = node {
            let isTable = parts.contains { $0.label != nil }
            return parts.filter { !isTable || $0.label == nil }.flatMap { strings($0.value, reader) }
        }
        return reader.values(of: node).only.map { [$0] } ?? []
    }

    private static func finding(
        _ text: FormatText, _ use: KeyUse, _ value: KeyValue?, _ scope: CheckScope, _ reader: TextReader?
    ) -> LintFinding? {
        let keys = text.text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !keys.contains(""), keys != ["self"] else { return nil }
        let hasOperator = keys.contains { $0.hasPrefix("@") }
        let plain = FormatExpression(.keyPath(KeyPathExpression(keys.map(KeyPathExpression.Component.key))))
        guard let path = hasOperator ? try? FormatExpression(format: text.text, arguments: []) : plain else {
            return nil
        }
        let (findings, type) = Checker.findings(in: path, scope: scope)
        let mistake = findings.first ?? misuse(type, text.text, use)
        if let mistake, let reader, mayBeMember(mistake, keys, use, scope, reader) { return nil }
        guard let found = mistake ?? value?.mistake(type, text.text, scope) else { return nil }
        if let hosts = scope.schema as? HostTable, let host = scope.subject.entity.flatMap(hosts.host(named:)),
            use != .order || !HostRule.isOfHost(found, host)
        {
            return nil
        }
        var result = LintFinding(
            rule: .model, level: found.level, text: found.message, hints: found.hint.map { [$0] } ?? [],
            range: text.literal, format: text.text, literal: text.literal)
        result.code = found.code
        return result
    }

    /// The mistake in the use of a key that the entity has.
    private static func misuse(_ type: KnownType, _ path: String, _ use: KeyUse) -> PredicateFinding? {
        switch use {
        case .order where type.isToMany:
            PredicateFinding(.toManyKey, nil, "a fetch cannot be sorted by \(path), which has several values")
        case .prefetch where type.entity == nil && !type.kinds.isEmpty:
            PredicateFinding(
                .toOneKey, nil, "\(path) is not a relationship; only relationships can be prefetched")
        case .order, .prefetch, .property, .section, .object: nil
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

    /// True for a key that may be a member of the class but is not in the model: a computed property, or one of a base class.
    private static func mayBeMember(
        _ finding: PredicateFinding, _ keys: [String], _ use: KeyUse, _ scope: CheckScope, _ reader: TextReader
    ) -> Bool {
        guard finding.code == .unknownKey || finding.code == .subentityKey,
            let (key, entity) = missing(keys, scope)
        else { return true }
        reader.needs.note(NeededMember(type: entity, name: NeededMember.whole))
        let own = reader.needs.ownTypes(reader.source)
        if own.declares(key, of: entity) || reader.members.declares(key, of: entity) { return true }
        let isKnown = reader.members.isAnswer && isKnown(entity, reader.members)
        if finding.code == .unknownKey, use == .section || isKnown { return false }
        return finding.hint?.hasPrefix("did you mean") != true
            || ["var ", "func "].contains { reader.bytes.firstOffset(of: $0 + key) != nil }
    }

    /// The first key of a path that the entity before it does not have, and that entity.
    private static func missing(_ keys: [String], _ scope: CheckScope) -> (key: String, entity: String)? {
        guard let schema = scope.schema, var entity = scope.subject.entity else { return nil }
        for key in keys {
            guard let property = schema.property(key, of: entity), property.limitation == nil else {
                return (key, entity)
            }
            guard let next = property.entity else { return nil }
            entity = next
        }
        return nil
    }

    /// True if the project declares or extends the class of an entity, and the class has no base class other than Core Data's.
    private static func isKnown(_ entity: String, _ types: SourceTypes) -> Bool {
        guard let type = types[entity] else { return types.know(entity) }
        return type.form == .object && type.supertypes.isSubset(of: ["NSManagedObject", "Identifiable"])
    }
}

/// The value that is set for a key, or the type to which the value of a key is cast.
///
/// `person.setValue("jo", forKey: "age")`, `person.value(forKey: "age") as? String`, `person.mutableSetValue(forKey: "age")`
enum KeyValue {
    case set(TypeName?, PredicateValue?)
    case cast(TypeName)
    case collection

    init?(_ call: FoundCall, _ reader: TextReader) {
        let name = reader.bytes.text(call.name)
        let isSetter = name == "setValue" || name == "setPrimitiveValue" || name == "forKey"
        if name.hasPrefix("mutableSetValue") {
            self = .collection
        } else if isSetter, call.format > 0 {
            let node = reader.expression(in: call.arguments[call.format - 1].value)
            self = .set(reader.type(of: node), reader.constant(node))
        } else if let type = Self.castType(call, reader) {
            self = .cast(type)
        } else {
            return nil
        }
    }

    private static func castType(_ call: FoundCall, _ reader: TextReader) -> TypeName? {
        guard reader.language == .swift else { return nil }
        let end = reader.bytes.blankEnd(from: call.range.upperBound)
        let tokens = CodeTokens(reader.bytes, .swift, in: end..<min(reader.bytes.count, end + 128))
        guard tokens.isWord(0, "as") else { return nil }
        var types = TypeNameReader(tokens, from: tokens[1].is("?") || tokens[1].is("!") ? 2 : 1)
        return types.typeName()
    }

    /// The mistake in the value for a key of a known type.
    func mistake(_ key: KnownType, _ path: String, _ scope: CheckScope) -> PredicateFinding? {
        switch self {
        case .collection where !key.isToMany && !key.kinds.isEmpty:
            return PredicateFinding(
                .toOneKey, nil, "\(path) has one value, but mutableSetValue takes a to-many key")
        case .cast(let type) where !Self.mayBe(type, key):
            return mismatch("the value of \(path) is \(noun(key, scope)), not of the type \(type.name)")
        case .set(let type?, _) where !Self.mayBe(type, key):
            let found = type.isCollection ? "a collection" : type.kind?.noun ?? "an object of \(type.name)"
            return mismatch("\(path) takes \(noun(key, scope)), but this is \(found)")
        case .set(_, .integer(let number)?):
            guard let range = key.property?.range, !range.contains(number) else { return nil }
            let message = "\(path) holds \(range.lowerBound) to \(range.upperBound)"
            return PredicateFinding(.outOfRange, nil, message)
        case .set, .cast, .collection: return nil
        }
    }

    private func mismatch(_ message: String) -> PredicateFinding { PredicateFinding(.kindMismatch, nil, message) }

    private func noun(_ key: KnownType, _ scope: CheckScope) -> String {
        if let entity = key.entity { return scope.schema?.noun(of: entity) ?? entity }
        return key.kinds.sorted { $0.noun < $1.noun }.map(\.noun).joined(separator: " or ")
    }

    /// True if a value of a type may be a value of a key. Numbers, Booleans and NSNumber are not distinguished.
    private static func mayBe(_ type: TypeName, _ key: KnownType) -> Bool {
        guard !key.kinds.isEmpty, !key.kinds.contains(.array), !key.kinds.contains(.dictionary) else { return true }
        if type.isCollection { return key.isToMany }
        guard let kind = type.kind else { return true }
        guard key.entity == nil, !key.isToMany else { return false }
        let numbers: Set<PredicateValue.Kind> = [.number, .boolean]
        return key.kinds.contains(.object) || key.kinds.contains(kind)
            || numbers.contains(kind) && !numbers.isDisjoint(with: key.kinds)
    }
}

/// How a string that names a key is used.
enum KeyUse {
    /// `NSSortDescriptor(key: "name")`
    case order
    /// `relationshipKeyPathsForPrefetching = ["orders"]`
    case prefetch
    /// `propertiesToFetch = ["name"]`, `NSExpression(forKeyPath: "name")`
    case property
    /// `sectionNameKeyPath: "name"`, which may also name a property of the class
    case section
    /// `person.setValue("jo", forKey: "name")`
    case object

    /// `NSSortDescriptor(key: "name", ascending: true, comparator: { … })`
    static func comparesByCode(_ call: FoundCall, _ bytes: Bytes) -> Bool {
        let isTrailing =
            bytes.equals("NSSortDescriptor", call.name)
            && bytes[bytes.spaceEnd(from: call.range.upperBound)] == UInt8(ascii: "{")
        return isTrailing || call.arguments.contains { $0.label.map { bytes.equals("comparator", $0) } ?? false }
    }

    init?(_ call: FoundCall, _ bytes: Bytes) {
        let name = bytes.text(call.name).lowercased()
        if name.contains("sortdescriptor") || name == "init" || name == "initwithkey" {
            self = .order
        } else if name.contains("prefetching") {
            self = .prefetch
        } else if name == "nsfetchedresultscontroller" || name == "sectionnamekeypath" {
            self = .section
        } else {
            self = name == "forkey" || name.hasSuffix("value") || name.hasPrefix("value") ? .object : .property
        }
    }
}
