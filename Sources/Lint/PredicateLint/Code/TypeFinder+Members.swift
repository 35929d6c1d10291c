import PredicateSyntax

/// The types of members, of results of functions, and of the parameters of closures.
extension TypeFinder {
    /// A property, or the result of a method, whose `suffix` is `()`.
    func member(
        of base: CodeExpression, _ name: Range<Int>, _ suffix: String, _ isOptional: Bool, label: String = ""
    ) -> TypeName? {
        let (text, owner) = (bytes.text(name), type(of: base))
        var own = owner?.member(text)
        if own == nil, let owner {
            own = reader.memberType(text + suffix, of: owner)
        } else if let type = typeName(base) {
            own = constant(name, suffix, of: type)
        }
        if own == nil, let owner, suffix.isEmpty {
            own = reader.declarations.member(name, of: owner.name, bytes).flatMap(type)
        }
        if own == nil { own = KnownMembers.type(text, suffix.isEmpty ? nil : label, of: owner, isSwift: isSwift) }
        return isOptional || owner?.isOptional ?? false ? own?.optional : own
    }

    /// `Limits.most`, `Kind.open`, `Kind.allCases`
    private func constant(_ name: Range<Int>, _ suffix: String, of type: String) -> TypeName? {
        let (owner, text) = (TypeName(name: type), bytes.text(name))
        if let own = reader.memberType(text + suffix, of: owner) { return own }
        if let own = reader.declarations.member(name, of: type, bytes), own.typeStart != nil || own.value != nil {
            return self.type(of: own)
        }
        return text == "allCases" ? owner.list : KnownMembers.constant(text, of: type)
    }

    /// `Limits` of `Limits.most`, and `Kind` of `Kind.open.rawValue`: a name that no declaration hides
    private func typeName(_ base: CodeExpression) -> String? {
        guard let name = base.names?.last(where: { (0x41...0x5A).contains(bytes[$0.lowerBound]) }),
            base.names?.first.map({ visible($0) == nil }) ?? false
        else { return nil }
        return bytes.equals("Self", name) ? reader.typeName(at: name.lowerBound) : bytes.text(name)
    }

    // MARK: Functions

    func result(of function: CodeExpression, _ arguments: [CodeArgument]) -> TypeName? {
        switch function {
        case .name(let name): return result(of: name, arguments)
        case .member(let base?, let name, let isOptional):
            if bytes.equals("init", name), case .name(let type) = base { return made(type, arguments) }
            if let list = transformed(base, name, arguments) { return list }
            if bytes.equals("reduce", name), arguments.count == 2 { return type(of: arguments[0].value) }
            let label = isSwift ? arguments.first?.label.map(bytes.text) ?? "" : ""
            if let own = member(of: base, name, "()", isOptional, label: label) { return own }
            return !isSwift && arguments.isEmpty ? member(of: base, name, "", isOptional) : nil
        case .group(let range, let parts): return arguments.isEmpty ? emptyList(range, parts) : nil
        case .closure(let closure): return result(of: closure)
        case .member, .literal, .call, .infix, .element, .cast, .choice, .forced, .branch, .refused, .unknown:
            return nil
        }
    }

    /// `[String]()`
    private func emptyList(_ range: Range<Int>, _ parts: [CodeArgument]) -> TypeName? {
        bytes[range.lowerBound] == UInt8(ascii: "[") && !parts.isEmpty ? declared(at: range.lowerBound) : nil
    }

    private func result(of name: Range<Int>, _ arguments: [CodeArgument]) -> TypeName? {
        guard isSwift else { return nil }
        let text = bytes.text(name)
        if (0x41...0x5A).contains(bytes[name.lowerBound]) { return made(name, arguments) }
        if ["min", "max", "abs", "round", "floor", "ceil"].contains(text) {
            return arguments.lazy.compactMap { type(of: $0.value) }.first
        }
        if let result = reader.declarations.result(of: name, bytes) { return declared(at: result) }
        let owner = reader.typeName(at: name.lowerBound).map { TypeName(name: $0) }
        if let own = owner.flatMap({ reader.memberType(text + "()", of: $0) }) { return own }
        return text == "zip" ? zipped(arguments) : reader.outerType(text + "()")
    }

    /// `zip(names, numbers)`
    private func zipped(_ lists: [CodeArgument]) -> TypeName? {
        let parts = lists.compactMap { type(of: $0.value)?.element.map { TypeName.Part(type: $0) } }
        return parts.count == 2 ? TypeName.tuple(parts).list : nil
    }

    /// `Search()`, `Int(text)`, `Set(names)`: a value of the type, optional where the initializer may fail
    private func made(_ name: Range<Int>, _ arguments: [CodeArgument]) -> TypeName? {
        let (text, label) = (bytes.text(name), arguments.first?.label.map(bytes.text))
        guard !reader.declarations.isGeneric(text) else { return nil }
        let isGeneric = bytes[name.upperBound] == UInt8(ascii: "<")
        let own = isGeneric ? declared(at: name.lowerBound) : reader.resolved(TypeName(name: text))
        let first = arguments.first.flatMap { type(of: $0.value) }
        if text == "Array" || text == "Set" {
            return isGeneric ? own : label == nil && first?.isCollection ?? false ? first?.element?.list : nil
        }
        if label == "array", text.hasPrefix("NS"), first?.isCollection ?? false { return first?.element?.list }
        let mayFail = label.map { ["uuidString", "string", "exactly", "rawValue"].contains($0) } ?? false
        let reads = label == nil && own?.isNumber ?? false && first?.isString ?? false
        return (mayFail && text != "NSString") || reads ? own?.optional : own
    }

    // MARK: Closures

    /// `ids.map { $0.uuidString }`, `orders.map(\.number)`, `values.compactMap(Int.init)`, `names.sorted()`
    private func transformed(
        _ base: CodeExpression, _ name: Range<Int>, _ arguments: [CodeArgument]
    ) -> TypeName? {
        let word = bytes.text(name)
        let isMap = ["map", "compactMap", "flatMap", "mapValues"].contains(word)
        guard isSwift, isMap || KnownMembers.keepers.contains(word), let list = type(of: base) else { return nil }
        guard isMap else { return list.isOptional ? nil : list.isTable && word != "filter" ? list.element?.list : list }
        guard let element = list.isOptional ? list.unwrapped : word == "mapValues" ? list.value : list.element,
            list.isOptional || list.isCollection,
            let result = arguments.first.flatMap({ applied($0.value, to: element) })
        else { return nil }
        if list.isOptional { return result.optional }
        guard result.isCollection == (word == "flatMap") else { return nil }
        guard word == "mapValues" else { return result.isCollection ? result : result.unwrapped.list }
        var table = list
        (table.name, table.parts) = (result.name, result.parts)
        return table
    }

    /// The result type of a closure, a key path or an initializer that is applied to an element.
    private func applied(_ function: CodeExpression, to element: TypeName) -> TypeName? {
        switch function {
        case .closure(let closure): return result(of: closure)
        case .unknown(let range) where bytes[range.lowerBound] == UInt8(ascii: "\\"):
            let names = bytes.text(range).split(separator: ".").dropFirst()
            return names.reduce(element) { owner, name in
                owner.flatMap { KnownMembers.member(String(name), of: $0, reader) }
            }
        case .member(.name(let type)?, let name, _), .call(.member(.name(let type)?, let name, _), _, _):
            return bytes.equals("init", name) ? TypeName(name: bytes.text(type)) : nil
        case .name(let name): return result(of: name, [])
        case .unknown, .member, .call, .literal, .infix, .group, .element, .cast, .choice, .forced, .branch, .refused:
            return nil
        }
    }

    /// The type of the value that a closure returns.
    private func result(of closure: CodeClosure) -> TypeName? {
        if closure.body.count == 1 { return inner()?.type(of: closure.body[0]) }
        let results = reader.results(
            in: closure.range.lowerBound + 1..<max(closure.range.lowerBound + 1, closure.range.upperBound - 1))
        return inner()?.common(results)
    }

    /// The type of `$0` or `$1`: a parameter of the innermost enclosing closure whose parameters are known.
    func unnamed(_ name: Range<Int>) -> TypeName? {
        guard let position = Int(bytes.text(name).dropFirst()) else { return nil }
        let scopes = reader.declarations.scopes
        var scope: Int? = scopes.index(at: name.lowerBound)
        while let own = scope {
            let block = scopes[own].start..<min(scopes[own].end, bytes.count)
            let hasTwo = block.lowerBound < block.upperBound && bytes.firstOffset(of: "$1", in: block) != nil
            if let type = parameter(position, part: hasTwo ? position : nil, ofClosureAt: block.lowerBound) {
                return type
            }
            scope = scopes[own].parent
        }
        return nil
    }

    /// The type of a parameter of a closure that is passed to a method of a list; `part` is the index in a tuple.
    func parameter(_ position: Int, part: Int?, ofClosureAt brace: Int) -> TypeName? {
        guard let (word, operand) = reader.list(ofClosureAt: brace), let list = inner()?.type(of: operand) else {
            return nil
        }
        if list.isOptional { return word == "map" || word == "flatMap" ? list.unwrapped : nil }
        guard list.isCollection, let element = list.element else { return nil }
        if word == "mapValues" { return list.value }
        if word == "reduce" { return position == 1 ? element : nil }
        if KnownMembers.comparers.contains(word), part != nil { return element }
        guard KnownMembers.visitors.contains(word) || KnownMembers.comparers.contains(word) else { return nil }
        return part.map { element.part($0) } ?? element
    }
}

extension TextReader {
    /// The method that takes the closure at a brace, and the list on which it is called.
    func list(ofClosureAt brace: Int) -> (method: String, list: CodeExpression)? {
        let tokens = source.tokens
        let index = tokens.tokens.firstIndex(from: brace, \.start)
        guard language == .swift, tokens[index].is("{"), let method = tokens.method(ofClosureAt: index) else {
            return nil
        }
        return (tokens.text(method), expression(in: tokens.operand(endingAt: method - 2)))
    }
}

extension CodeTokens {
    /// The maximum number of tokens of an expression before a closure.
    private static let mostBefore = 256

    /// The index of the method that takes a closure: `map` in `names.map {` and `names.first(where: {`; nil for other braces.
    fileprivate func method(ofClosureAt brace: Int) -> Int? {
        var index = brace - 1
        if self[index].is(":"), self[index - 1].kind == .word { index -= 2 }
        if self[index].is("(") {
            index -= 1
        } else if self[index].is(")") {
            index = open(of: index) - 1
        }
        return self[index].kind == .word && self[index - 1].is(".") ? index : nil
    }

    /// The range of the operand that ends with a token: `store.orders.filter { … }`
    func operand(endingAt last: Int) -> Range<Int> {
        var index = last
        let least = last - Self.mostBefore
        while index > least {
            if self[index].is("?") || self[index].is("!") { index -= 1 }
            let isBracket = self[index].is(")") || self[index].is("]") || self[index].is("}")
            if isBracket { index = open(of: index) }
            let isCall = isBracket && self[index - 1].end == self[index].start || self[index].is("{")
            if isCall, self[index - 1].kind == .word || self[index - 1].is(")") || self[index - 1].is("]") {
                index -= 1
            } else if self[index - 1].is(".") {
                index -= 2
            } else {
                break
            }
        }
        return self[max(index, 0)].start..<max(self[max(index, 0)].start, self[last].end)
    }

    /// The index of the partner of a closing bracket.
    private func open(of close: Int) -> Int {
        var index = close - 1
        while index > max(0, close - Self.mostBefore), self.close(of: index) != close { index -= 1 }
        return max(index, 0)
    }
}
