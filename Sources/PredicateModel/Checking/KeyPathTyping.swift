import PredicateSyntax

/// The way of a key path through a model: what it leads to, and the first key that is not there.
struct KeyPathTyping {
    private let components: [KeyPathExpression.Component]
    private let node: Int

    init(_ components: [KeyPathExpression.Component], node: Int) {
        self.components = components
        self.node = node
    }

    func value(from base: KnownValue, in typing: inout PredicateTyping) -> KnownValue {
        walk(components[...], from: base, &typing)
    }

    private func walk(
        _ components: ArraySlice<KeyPathExpression.Component>, from base: KnownValue, _ typing: inout PredicateTyping
    ) -> KnownValue {
        var current = base
        var rest = components
        while let component = rest.popFirst() {
            guard case .key(let key) = component else { return .unknown }
            if key.hasPrefix("@") { return operation(key, rest, current, &typing) }
            // FIRST, LAST and SIZE as `#first`.
            if key.hasPrefix("#") { return .unknown }
            let next = step(key, from: current, &typing)
            if next.sort == .unknown, rest.isEmpty == false { return .unknown }
            current = next
        }
        return current
    }

    /// `@count`, `@avg.age`, `@distinctUnionOfObjects.name`
    private func operation(
        _ name: String, _ rest: ArraySlice<KeyPathExpression.Component>, _ base: KnownValue,
        _ typing: inout PredicateTyping
    ) -> KnownValue {
        if !base.isToMany, !base.isOpen, case .object = base.sort {
            typing.note(
                .toOneKey, node, "\(name) takes several objects, this is \(base.sort.noun)", isWarning: true)
        }
        let inner = walk(rest, from: base.element, &typing)
        switch name {
        case "@count", "@sum", "@avg": return .number
        case "@min", "@max": return inner.element
        default: return KnownValue(sort: inner.sort, isToMany: true)
        }
    }

    private func step(_ key: String, from current: KnownValue, _ typing: inout PredicateTyping) -> KnownValue {
        switch current.sort {
        case .unknown, .null, .other: return .unknown
        case .object(let entity): return property(key, of: entity, current.isToMany, &typing)
        case .composite(let name): return compositeKey(key, name, current.isToMany, &typing)
        case .fetchedProperty: return key == "userInfo" ? KnownValue(sort: .userInfo) : .unknown
        case .userInfo: return userInfo(key, &typing)
        case .number, .boolean, .string, .date, .data, .uuid, .url:
            if ModelScope.keys(of: current.sort)?.contains(key) == false {
                let owner = current.attribute.map { "\($0.name), \(current.sort.noun)," } ?? current.sort.noun
                typing.note(.unknownProperty, node, "\(owner) has no key '\(key)'")
            }
            return KnownValue(sort: .unknown, isToMany: current.isToMany)
        }
    }

    private func property(
        _ key: String, of entity: String, _ isToMany: Bool, _ typing: inout PredicateTyping
    ) -> KnownValue {
        let model = typing.scope.model
        if let found = model.property(key, of: entity)?.property {
            if typing.scope.isFetch, found.isTransient { noteTransient(key, entity, &typing) }
            return value(of: found, isToMany)
        }
        if ModelScope.keysOfObjects.contains(key) {
            return key == "self"
                ? KnownValue(sort: .object(entity), isToMany: isToMany) : KnownValue(sort: .unknown, isToMany: isToMany)
        }
        if model.entity(entity) == nil { return .unknown }
        let owners = model.subentities(of: entity, having: key)
        if let found = owners.first?.property(key) {
            typing.note(
                .subentityKey, node, "\(entity) has no key '\(key)': \(SubentityKey.owners(owners.map(\.name)))",
                hint: SubentityKey.hint(owners.map(\.name)), isWarning: true)
            return value(of: found, isToMany)
        }
        let names = model.properties(of: entity).map(\.name)
        var near = NearMiss.candidates(for: key, among: names)
        if near.isEmpty { near = NearMiss.candidates(for: key, among: model.keysOfSubentities(of: entity)) }
        typing.note(.unknownKey, node, "\(entity) has no key '\(key)'", hint: Self.hint(near, names))
        return .unknown
    }

    private func noteTransient(_ key: String, _ entity: String, _ typing: inout PredicateTyping) {
        typing.note(
            .transientKey, node, "\(entity).\(key) is transient: a store has no column for it",
            hint: "fetch without it, and filter the objects in memory", isWarning: true)
    }

    private static func hint(_ near: [String], _ names: [String]) -> String? {
        if !near.isEmpty { return "did you mean \(near.joined(separator: " or "))?" }
        if names.isEmpty { return nil }
        return "its keys are \(names.sorted().prefix(8).joined(separator: ", "))" + (names.count > 8 ? ", …" : "")
    }

    private func value(of property: PropertyDescription, _ isToMany: Bool) -> KnownValue {
        switch property {
        case .attribute(let attribute):
            var value = KnownValue(attribute)
            value.isToMany = isToMany
            return value
        case .relationship(let relationship):
            return KnownValue(
                sort: relationship.destinationEntityName.map(KnownValue.Sort.object) ?? .unknown,
                isToMany: isToMany || relationship.isToMany)
        case .fetchedProperty(let property):
            return KnownValue(
                sort: property.fetchRequest?.entityName.map(KnownValue.Sort.object) ?? .unknown, isToMany: true)
        }
    }

    private func compositeKey(
        _ key: String, _ name: String, _ isToMany: Bool, _ typing: inout PredicateTyping
    ) -> KnownValue {
        guard let composite = typing.scope.model.composites.first(where: { $0.name == name }) else { return .unknown }
        if let attribute = composite.attributes.first(where: { $0.name.hasSameCodePoints(as: key) }) {
            return value(of: .attribute(attribute), isToMany)
        }
        let names = composite.attributes.map(\.name)
        typing.note(
            .unknownKey, node, "the composite \(name) has no key '\(key)'",
            hint: Self.hint(NearMiss.candidates(for: key, among: names), names))
        return .unknown
    }

    private func userInfo(_ key: String, _ typing: inout PredicateTyping) -> KnownValue {
        guard let entries = typing.scope.userInfo else { return .unknown }
        if let value = entries[key] { return KnownValue(value) }
        typing.note(
            .unknownUserInfo, node, "the fetched property has no entry '\(key)' in userInfo: it is nil",
            hint: Self.hint(NearMiss.candidates(for: key, among: entries.keys), Array(entries.keys)), isWarning: true)
        return .unknown
    }
}
