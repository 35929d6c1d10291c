import PredicateSyntax

/// Matches the elements of two lists by renaming identifier and by name.
struct RenamingMatch<Element> {
    private(set) var pairs: [(old: Element, new: Element)] = []
    private(set) var removed: [Element] = []
    private(set) var added: [Element] = []

    /// Each old element is matched at most once. The most specific match comes first.
    init(
        _ old: [Element], _ new: [Element], name: KeyPath<Element, String>, identifier: KeyPath<Element, String?>
    ) {
        var partners = [Int?](repeating: nil, count: new.count)
        var isTaken = [Bool](repeating: false, count: old.count)
        func match(_ key: (Element) -> String?, _ oldKey: (Element) -> String?) {
            var places: [ExactName: [Int]] = [:]
            for (index, element) in old.enumerated() where !isTaken[index] {
                if let key = oldKey(element) { places[ExactName(key), default: []].append(index) }
            }
            for (index, element) in new.enumerated() where partners[index] == nil {
                guard let key = key(element), let place = places[ExactName(key)]?.first(where: { !isTaken[$0] }) else {
                    continue
                }
                partners[index] = place
                isTaken[place] = true
            }
        }
        func canonical(_ element: Element) -> String { element[keyPath: identifier] ?? element[keyPath: name] }
        func both(_ element: Element) -> String { "\(element[keyPath: name])\u{0}\(canonical(element))" }
        match(both, both)
        match({ $0[keyPath: identifier] }, { $0[keyPath: name] })
        match(canonical, canonical)
        match({ $0[keyPath: name] }, { $0[keyPath: name] })
        for (index, element) in new.enumerated() {
            if let place = partners[index] { pairs.append((old[place], element)) } else { added.append(element) }
        }
        removed = old.indices.filter { !isTaken[$0] }.map { old[$0] }
    }
}

/// A part of a model in two versions, with the entity and the property to which its changes belong.
struct ComparedPair<Part> {
    let old: Part
    let new: Part
    /// The entity in the new version.
    let entity: String
    /// The property; nil for the entity itself.
    var name: String?
}

/// Compares two models, entity by entity.
struct ModelComparison {
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    let entities: RenamingMatch<EntityDescription>
    /// The new names of old entities, and the old names of new ones.
    private let newNames: [ExactName: String]
    private let oldNames: [ExactName: String]
    private(set) var changes: [ModelChange] = []

    init(_ old: ManagedObjectModel, _ new: ManagedObjectModel) {
        self.old = old
        self.new = new
        entities = RenamingMatch(
            old.entities, new.entities, name: \.name, identifier: \.renamingIdentifier)
        newNames = Dictionary(
            entities.pairs.map { (ExactName($0.old.name), $0.new.name) }, uniquingKeysWith: { first, _ in first })
        oldNames = Dictionary(
            entities.pairs.map { (ExactName($0.new.name), $0.old.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name of an old entity in the new version; nil if it was removed.
    func newName(of name: String) -> String? { newNames[ExactName(name)] }

    func oldName(of name: String) -> String? { oldNames[ExactName(name)] }

    mutating func run() -> [ModelChange] {
        for entity in entities.added { note(.entityAdded, entity: entity.name, .inferable) }
        for entity in entities.removed { note(.entityRemoved, entity: entity.name, .inferable) }
        for (old, new) in entities.pairs { compare(old, new) }
        compareHierarchies()
        compareModels()
        return changes
    }

    mutating func note(
        _ kind: ModelChange.Kind, entity: String?, name: String? = nil, old: String? = nil, new: String? = nil,
        _ effect: MigrationEffect
    ) {
        changes.append(ModelChange(kind: kind, entity: entity, name: name, old: old, new: new, effect: effect))
    }

    /// Records a change if a value of a part differs. `words` describe the old and the new value.
    mutating func compare<Part, Value: Equatable>(
        _ pair: ComparedPair<Part>, _ value: KeyPath<Part, Value>, _ kind: ModelChange.Kind,
        _ effect: MigrationEffect, words: (Value) -> String? = { _ in nil }
    ) {
        let (old, new) = (pair.old[keyPath: value], pair.new[keyPath: value])
        guard old != new else { return }
        note(kind, entity: pair.entity, name: pair.name, old: words(old), new: words(new), effect)
    }

    // MARK: Entities

    private mutating func compare(_ old: EntityDescription, _ new: EntityDescription) {
        let (name, pair) = (new.name, ComparedPair(old: old, new: new, entity: new.name))
        if old.name.hasSameCodePoints(as: name) {
            compare(pair, \.renamingIdentifier, .renamingIdentifierChanged, .nothing) { $0 }
        } else {
            note(.entityRenamed, entity: name, old: old.name, new: name, .inferable)
        }
        if old.superentityName.map({ newName(of: $0) ?? $0 }) != new.superentityName {
            note(.superentityChanged, entity: name, old: old.superentityName, new: new.superentityName, .inferable)
        }
        compare(pair, \.isAbstract, .abstractChanged, abstractEffect(old, new))
        compare(pair, \.versionHashModifier, .hashModifierChanged, .inferable) { $0 }
        compare(pair, \.managedObjectClassName, .classChanged, .nothing) { $0 }
        compare(pair, \.userInfo, .userInfoChanged, .nothing)
        if Set(old.indexes) != Set(new.indexes) || Set(old.compoundIndexes) != Set(new.compoundIndexes) {
            note(.indexesChanged, entity: name, .nothing)
        }
        compareUniqueness(old, new)
        compareProperties(old, new)
    }

    private func abstractEffect(_ old: EntityDescription, _ new: EntityDescription) -> MigrationEffect {
        guard new.isAbstract else { return .inferable }
        return .refused(
            "objects of \(old.name) itself exist, and it is now abstract", of: old.name,
            where: "entity.name == \"\(old.name)\"")
    }

    private mutating func compareUniqueness(_ old: EntityDescription, _ new: EntityDescription) {
        let renamed = Dictionary(
            RenamingMatch(old.attributes, new.attributes, name: \.name, identifier: \.renamingIdentifier).pairs
                .map { ($0.old.name, $0.new.name) }, uniquingKeysWith: { first, _ in first })
        let before = Set(old.uniquenessConstraints.map { $0.map { renamed[$0] ?? $0 } })
        let after = Set(new.uniquenessConstraints)
        for constraint in after.subtracting(before).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let keys = constraint.joined(separator: ", ")
            let reason = "two objects of \(old.name) are equal in \(keys)"
            note(.uniquenessAdded, entity: new.name, new: keys, .refused(reason, of: old.name, 134_111))
        }
        for constraint in before.subtracting(after).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            note(.uniquenessRemoved, entity: new.name, old: constraint.joined(separator: ", "), .inferable)
        }
    }

    // MARK: Hierarchies

    /// Reports entities that now share a superentity, but shared none in the old version.
    private mutating func compareHierarchies() {
        for parent in new.entities {
            let children = new.subentities(of: parent.name)
            guard children.count > 1 else { continue }
            let before = children.compactMap { oldName(of: $0.name) }.map { name in
                (name: name, ancestors: Set(old.lineage(of: name).dropFirst().map { ExactName($0.name) }))
            }
            guard let first = before.first,
                let apart = before.dropFirst().first(where: { $0.ancestors.isDisjoint(with: first.ancestors) })
            else { continue }
            note(
                .hierarchiesMerged, entity: parent.name, old: "\(first.name), \(apart.name)",
                .needsMapping(
                    errorNumber: 134190,
                    reason: "\(first.name) and \(apart.name) had no superentity in common, and now have \(parent.name)")
            )
        }
    }

    // MARK: The model itself

    private mutating func compareModels() {
        if old.versionIdentifiers != new.versionIdentifiers {
            note(
                .versionIdentifiersChanged, entity: nil, old: old.versionIdentifiers.joined(separator: ", "),
                new: new.versionIdentifiers.joined(separator: ", "), .nothing)
        }
        compareNamed(old.fetchRequestTemplates, new.fetchRequestTemplates, \.name) { before, after in
            switch (before, after) {
            case (nil, _?): .fetchRequestAdded
            case (_?, nil): .fetchRequestRemoved
            case (let before?, let after?): before == after ? nil : .fetchRequestChanged
            case (nil, nil): nil
            }
        }
        compareNamed(old.configurations, new.configurations, \.name) { before, after in
            before.map { Set($0.entityNames) } == after.map { Set($0.entityNames) } ? nil : .configurationChanged
        }
        compareComposites()
    }

    private mutating func compareNamed<Element>(
        _ before: [Element], _ after: [Element], _ name: KeyPath<Element, String>,
        _ kind: (Element?, Element?) -> ModelChange.Kind?
    ) {
        let names = before.map { $0[keyPath: name] } + after.map { $0[keyPath: name] }
        for key in Set(names).sorted() {
            let found = kind(
                before.first { $0[keyPath: name] == key }, after.first { $0[keyPath: name] == key })
            if let found { note(found, entity: nil, name: key, .nothing) }
        }
    }

    /// Reports changed composite types. The effect on objects is reported for each attribute of such a type.
    private mutating func compareComposites() {
        for after in new.composites {
            guard let before = old.composites.first(where: { $0.name == after.name }),
                before.attributes != after.attributes
            else { continue }
            note(.compositeChanged, entity: nil, name: after.name, .nothing)
        }
    }
}
