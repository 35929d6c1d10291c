import PredicateSyntax

extension TextReader {
    func type(in range: Range<Int>) -> TypeName? { type(of: expression(in: range)) }

    /// The type of an expression, if the sources determine it.
    func type(of node: CodeExpression) -> TypeName? { TypeFinder(self).type(of: node) }

    /// True for the name of a variable, even if a type in the source declares it: its value may change in places that are not
    /// in the source.
    func isVariable(_ node: CodeExpression) -> Bool {
        if let own = local(node) { return own.isVariable }
        guard let (type, name) = lastMember(of: node) else { return false }
        return declarations.member(name, of: bytes.text(type), bytes)?.isVariable ?? false
    }

    /// True for a string parameter of the enclosing function.
    func isTextParameter(_ node: CodeExpression) -> Bool {
        guard let own = local(node), own.isParameter, !own.isLiteral(bytes) else { return false }
        return type(of: node)?.isString ?? false
    }

    // MARK: Members

    /// The type of a member of a type: `age`, `find()`; from this source, from another source, or from the model.
    func memberType(_ key: String, of owner: TypeName) -> TypeName? {
        guard !owner.isCollection, !owner.name.isEmpty, !declarations.isGeneric(owner.name) else { return nil }
        let member = NeededMember(type: owner.name, name: key)
        if let own = needs.ownTypes(source).type(key, of: owner) { return resolved(own) }
        needs.note(member)
        return (members.type(key, of: owner) ?? modelType(member)).map(resolved)
    }

    /// The result type of a function, `find()`, or the type of a constant, outside all types.
    func outerType(_ name: String) -> TypeName? {
        let member = NeededMember(type: "", name: name)
        if let own = needs.ownTypes(source).type(of: member) { return resolved(own) }
        needs.note(member)
        return members.type(of: member).map(resolved)
    }

    /// The type that a type alias stands for: `[String]` for `Names` after `typealias Names = [String]`
    func resolved(_ type: TypeName) -> TypeName {
        guard type.kind == nil, type.elementKind == nil, !type.name.isEmpty, !declarations.isGeneric(type.name) else {
            return type
        }
        let member = NeededMember(type: type.name, name: NeededMember.alias)
        if members.type(of: member) == nil { needs.note(member) }
        guard var own = needs.ownTypes(source).type(of: member) ?? members.type(of: member) else { return type }
        if type.isCollection { own = own.list ?? type }
        own.isOptional = own.isOptional || type.isOptional
        return own
    }

    /// The type of a property that Xcode generates for an entity.
    private func modelType(_ member: NeededMember) -> TypeName? {
        guard let entity = schema?.entity(named: member.type), let own = schema?.property(member.name, of: entity)
        else { return nil }
        guard let kind = own.kinds.count == 1 ? own.kinds.first : nil else { return nil }
        let names: [PredicateValue.Kind: String] = [
            .string: "String", .date: "Date", .uuid: "UUID", .data: "Data", .url: "URL", .number: "NSNumber",
            .boolean: "NSNumber",
        ]
        return own.isToMany ? nil : (own.entity ?? names[kind]).map { TypeName(name: $0, isOptional: true) }
    }
}

// MARK: - Key paths

extension TextReader {
    /// The keys of `#keyPath(Person._name)`, with their names in Objective-C as in `@objc(name) var _name`; nil for any other
    /// expression, and if the type of a key before the last one is unknown.
    func keyPath(_ node: CodeExpression) -> String? {
        guard case .call(.name(let name), let arguments, _) = node, bytes.equals("#keyPath", name),
            let words = arguments.first?.value.names
        else { return nil }
        // The type is the last of the capitalized names at the beginning: `App.Person.name`
        let types = max(1, words.prefix { (0x41...0x5A).contains(bytes[$0.lowerBound]) }.count)
        guard types < words.count else { return nil }
        var (owner, keys): (String?, [String]) = (bytes.text(words[types - 1]), [])
        for word in words.dropFirst(types) {
            let found = owner.flatMap { property(word, of: $0) }
            if found == nil, owner != nil, !keys.isEmpty { return nil }
            keys.append(found?.name ?? bytes.text(word))
            owner = found?.type
        }
        return keys.joined(separator: ".")
    }

    /// The type, and the name in Objective-C if it differs; nil for an unknown property.
    private func property(_ name: Range<Int>, of owner: String) -> (name: String?, type: String?)? {
        let member = NeededMember(type: owner, name: bytes.text(name))
        let own = language == .swift ? needs.ownTypes(source).property(member) : nil
        if own == nil { needs.note(member) }
        return (own ?? members.property(member)).map { ($0.objectiveCName, $0.type?.name) }
    }
}
