import PredicateSyntax

/// Follows a key path through a schema, to the type of its values or the first unknown key.
struct KeyPathTyping {
    private let schema: (any PredicateSchema)?
    private let path: KeyPathExpression
    private let range: Range<Int>?
    /// The index of the current key in the path.
    private var index = 0

    init(_ schema: (any PredicateSchema)?, _ path: KeyPathExpression, _ range: Range<Int>?) {
        (self.schema, self.path, self.range) = (schema, path, range)
    }

    mutating func type(
        of components: ArraySlice<KeyPathExpression.Component>, from base: KnownType, _ typing: inout Typing
    ) -> KnownType {
        var current = base
        var rest = components
        while let component = rest.popFirst() {
            guard case .key(let key) = component else { return .unknown }
            index = rest.startIndex - 1
            if let known = KeyPathOperator(rawValue: key), !isOwnKey(key, of: current) {
                return result(of: known, rest, current, &typing)
            }
            // Another check reports operators that do not exist.
            if key.utf8.first == UInt8(ascii: "@"), !isOwnKey(key, of: current) { return .unknown }
            current = step(key, from: current, &typing)
        }
        return current
    }

    /// True if the key looks like an operator but the entity has a key of that name: `@count` in JSON.
    private func isOwnKey(_ key: String, of type: KnownType) -> Bool {
        guard let schema, let entity = type.entity else { return false }
        return schema.property(key, of: entity)?.isKnown ?? false
    }

    // MARK: Operators

    /// `@count`, `@avg.age`, `@distinctUnionOfObjects.name`
    private mutating func result(
        of known: KeyPathOperator, _ rest: ArraySlice<KeyPathExpression.Component>, _ base: KnownType,
        _ typing: inout Typing
    ) -> KnownType {
        if !base.isToMany, base.entity != nil, !base.kinds.contains(.array), !base.kinds.contains(.dictionary),
            base.path?.isEmpty != true
        {
            typing.note(.toOneKey, range, "\(known.rawValue) takes several objects, but this is \(typing.noun(base))")
        }
        let inner = base.path?.isEmpty == true && !rest.isEmpty ? .unknown : type(of: rest, from: base.element, &typing)
        switch known.result {
        case .kind(let kind):
            var result = KnownType([kind])
            if known == .count { result.isWhole = true }
            if kind == .array { (result.kinds, result.entity, result.isToMany) = (inner.kinds, inner.entity, true) }
            return result
        case .element, .argument, .arithmetic:
            var result = inner.element
            result.path = nil
            return result
        }
    }

    // MARK: Steps

    private func step(_ key: String, from current: KnownType, _ typing: inout Typing) -> KnownType {
        let path = current.path.map { $0 + [key] }
        guard var next = found(key, from: current, &typing) else {
            var missing = KnownType.unknown
            missing.path = path
            return missing
        }
        next.path = path
        next.isOfSeveral = current.isOfSeveral || next.isToMany && current.isToMany && current.path?.isEmpty == false
        if next.isToMany, let path = next.path { next.manyIndex = path.count - 1 }
        // A key of several objects has several values.
        if current.isToMany || current.kinds.contains(.array), !isOfCollection(key, current) {
            next.manyIndex = next.manyIndex ?? current.manyIndex ?? current.path.map { $0.count - 1 }
            next.isToMany = true
        }
        return next
    }

    /// The type of the values of a key. An unknown key is noted, and the result is nil.
    private func found(_ key: String, from current: KnownType, _ typing: inout Typing) -> KnownType? {
        if let entity = current.entity, let schema {
            if let property = schema.property(key, of: entity) {
                note(property, key, entity, &typing)
                return KnownType(property)
            }
            if let own = ownKey(key, of: current, schema) { return own }
            noteMissing(key, entity, current, schema, &typing)
            return nil
        }
        if current.isOpen || current.constant != nil && current.isNil { return .unknown }
        let results = current.kinds.compactMap { $0.key(key) }
        if results.isEmpty, !isOfCollection(key, current) {
            // Objects of the host have keys of their own. The keys of a dictionary are known only through its entity.
            guard current.kinds.isDisjoint(with: [.object, .dictionary, .array]) else { return .unknown }
            noteUnknownProperty(key, current, &typing)
            return nil
        }
        if isOfCollection(key, current) { return ofCollection(key, current) }
        return type(giving: results, current)
    }

    /// The type of a key of plain values: `name.length`
    private func type(giving keys: [any ValueKey], _ current: KnownType) -> KnownType {
        if keys.contains(where: { $0.rawValue == UniversalKey.`self`.rawValue }) { return current }
        let kinds = keys.map(\.result)
        var type = KnownType(kinds.contains(nil) ? [] : Set(kinds.compactMap(\.self)))
        if keys.allSatisfy({ $0.rawValue == StringKey.length.rawValue }) { type.isWhole = true }
        return type
    }

    /// True for a key that belongs to the array or set because its elements lack it: `tags.count`
    private func isOfCollection(_ key: String, _ current: KnownType) -> Bool {
        guard CollectionKey(rawValue: key) != nil, schema?.origin != .stored else { return false }
        if let entity = current.entity, schema?.property(key, of: entity) != nil { return false }
        if current.kinds == [.array] { return true }
        return current.isToMany
    }

    private func ofCollection(_ key: String, _ current: KnownType) -> KnownType {
        guard let own = CollectionKey(rawValue: key) else { return .unknown }
        if let kind = own.result, kind != .array { return KnownType([kind]) }
        return own.result == nil ? current.element : current
    }

    /// `rooms.count` of a dictionary, `boss.description`
    private func ownKey(_ key: String, of current: KnownType, _ schema: any PredicateSchema) -> KnownType? {
        if key == UniversalKey.`self`.rawValue { return current }
        guard schema.origin != .stored else { return nil }
        if isOfCollection(key, current) { return ofCollection(key, current) }
        let others = current.kinds.subtracting([.object, .array])
        let found = others.compactMap { $0.key(key) }
        return found.isEmpty ? nil : type(giving: found, current)
    }

    // MARK: Findings

    private func note(_ property: PredicateProperty, _ key: String, _ entity: String, _ typing: inout Typing) {
        switch property.limitation {
        case nil, .archived: break
        case .transient:
            typing.note(
                .transientKey, range, "\(entity).\(key) is transient and is not stored",
                "fetch without it, and filter the objects in memory")
        case .subentities(let owners):
            typing.note(
                .subentityKey, range, "\(entity) has no key '\(key)': \(SubentityKey.owners(owners))",
                SubentityKey.hint(owners))
        }
    }

    private func noteMissing(
        _ key: String, _ entity: String, _ current: KnownType, _ schema: any PredicateSchema, _ typing: inout Typing
    ) {
        let absence = schema.absence(of: key, in: entity)
        let names = schema.keys(of: entity)
        let near = NearMiss.candidates(for: key, among: names)
        typing.note(
            .unknownKey, range, absence.message,
            absence.hint ?? question(near) ?? suggestion(key, names, current), guesses: near.map(replacingKey),
            level: absence.isError ? .error : .warning)
    }

    private func question(_ near: [String]) -> String? {
        near.isEmpty ? nil : "did you mean \(near.joined(separator: " or "))?"
    }

    /// Returns the path with another key in place of the current one: `boss.name` for `boss.nmae`
    private func replacingKey(by key: String) -> String {
        var components = path.components
        components[index] = .key(key)
        return ExpressionNode.keyPath(KeyPathExpression(base: path.base, components)).expressionFormat
    }

    private func suggestion(_ key: String, _ names: [String], _ current: KnownType) -> String? {
        if current.isToMany, key == CollectionKey.count.rawValue {
            return "the number of objects is @count: write \((current.path ?? []).joined(separator: ".")).@count"
        }
        if names.isEmpty { return nil }
        return "the keys are \(names.prefix(8).joined(separator: ", "))" + (names.count > 8 ? ", …" : "")
    }

    /// `name.lenght`, `age.name`
    private func noteUnknownProperty(_ key: String, _ current: KnownType, _ typing: inout Typing) {
        let noun = current.kinds.noun
        let owner = current.path?.last.map { "\($0), \(noun)," } ?? noun
        let names = current.kinds.flatMap(\.keys)
        let near = NearMiss.candidates(for: key, among: names)
        typing.note(
            .unknownProperty, range, "\(owner) has no key '\(key)'",
            ForeignKey.cure(of: key, current.path) ?? question(near), guesses: near.map(replacingKey))
    }
}

/// Methods of other languages that are mistaken for keys of strings: `name.uppercase`, `name.toLowerCase`
enum ForeignKey {
    static func cure(of key: String, _ path: [String]?) -> String? {
        let name = (path ?? ["x"]).joined(separator: ".")
        return switch key.lowercased() {
        case "uppercase", "uppercased", "toupper", "touppercase", "upper", "localizeduppercasestring":
            "write uppercase(\(name)), or compare with [c]"
        case "lowercase", "lowercased", "tolower", "tolowercase", "lower", "localizedlowercasestring":
            "write lowercase(\(name)), or compare with [c]"
        case "size", "len", "count": "write length(\(name)) or \(name).length"
        default: nil
        }
    }
}
