/// Types with their members: `@Model final class Person: Base { var name: String }`, `extension Shop.Item {`
extension CodeScanner {
    /// The maximum length of the head of a type in tokens.
    private static let mostOfHead = 128

    mutating func type(_ index: Int) {
        let keyword = tokens.text(index)
        var name = index + 1
        guard tokens[name].kind == .word,
            !["func", "var", "let", "subscript", "init", "override", "final", "in"]
                .contains(tokens.text(name))
        else {
            isStatic = isStatic || keyword == "class"
            return
        }
        defer { endDeclaration() }
        while tokens[name + 1].is("."), tokens[name + 2].kind == .word { name += 2 }
        var type = SourceType(name: tokens.text(name), form: Self.form(keyword, attributes))
        type.exposesMembers =
            attributes.contains("objcMembers") || keyword == "extension" && attributes.contains("objc")
        guard let open = head(after: tokens.angleEnd(name + 1), &type) else { return }
        var block = Block(typeName: tokens[name].range, generics: generics(at: name + 1))
        if isInType || declarations.scopes[scope].type == nil {
            type.generics = block.generics.map(bytes.text)
            (block.type, block.isExtension, block.isProtocol) = (type, keyword == "extension", keyword == "protocol")
        }
        blocks[open] = block
    }

    /// True inside the braces of a type, between its members.
    var isInType: Bool { frames.last?.isType ?? false }

    private static func form(_ keyword: String, _ attributes: Set<String>) -> SourceType.Form {
        switch keyword {
        case "class", "actor": attributes.contains("Model") ? .model : .object
        case "enum": .enumeration
        default: .value
        }
    }

    /// `: Codable, Hashable where …`; returns the index of the opening brace.
    private func head(after start: Int, _ type: inout SourceType) -> Int? {
        var index = start
        while index < min(tokens.count, start + Self.mostOfHead) {
            if tokens[index].is("{") { return index }
            if tokens[index].is("}") || tokens[index].is(";") { return nil }
            if tokens[index].kind == .word { type.supertypes.insert(tokens.text(index)) }
            index = tokens.next(after: index)
        }
        return nil
    }

    // MARK: Members

    /// `case open, closed`, `case custom(String)`
    mutating func enumCase(_ index: Int) {
        endDeclaration()
        var next = index + 1
        while tokens[next].kind == .word {
            building[building.count - 1].cases.insert(tokens.text(next))
            noteRawValue(next)
            next += 1
            if tokens[next].is("(") {
                var reader = TypeNameReader(tokens, from: next)
                noteResult("case " + tokens.text(next - 1), reader.values())
                next = tokens.next(after: next)
            }
            if tokens[next].is("=") { next += 2 }
            guard tokens[next].is(",") else { return }
            next += 1
        }
    }

    /// Notes the string of a case of `enum Key: String`, which is its name if none is written.
    private mutating func noteRawValue(_ name: Int) {
        guard let type = building.last, type.supertypes.contains("String") else { return }
        let (word, isWritten) = (tokens.text(name).filter { $0 != "`" }, tokens[name + 1].is("="))
        noteResult("case " + word, TypeName(name: "String"))
        noteConstant("case " + word, isWritten ? tokens.harmlessText(name + 2, isListed: true) : word, of: type.name)
    }

    /// Records a comma between the members of a type, because the second variable of a declaration is not read.
    mutating func noteList() {
        if isInType, building[building.count - 1].form != .enumeration { building[building.count - 1].isPartial = true }
    }

    /// The attributes that make a property visible to Objective-C.
    private static let exposing: Set<String> = [
        "objc", "NSManaged", "IBOutlet", "IBInspectable", "GKInspectable", "Persisted",
    ]

    /// Adds a variable to the type that contains it. `end` is the index of its `=` or brace.
    mutating func member(_ name: Int, _ end: Int) {
        guard isInType else { return }
        let isConstant = tokens.isWord(name - 1, "let")
        var found = SourceProperty(type: nil, storage: isConstant ? .constant : .variable)
        if tokens[name + 1].is(":") {
            var reader = TypeNameReader(tokens, from: name + 2)
            found.type = reader.typeName()
            if building[building.count - 1].form == .model, found.type?.isTable ?? false { found.type = nil }
        }
        if tokens[end].is("{"), !tokens.isWord(end + 1, "didSet"), !tokens.isWord(end + 1, "willSet") {
            found.storage = .computed
        }
        if tokens[end].is("="), found.type == nil { found.type = tokens.literalType(end + 1) }
        if attributes.contains("Transient") { found.storage = .transient }
        found.isExposed = !attributes.isDisjoint(with: Self.exposing) || attributes.contains { $0.hasPrefix("objc(") }
        found.objectiveCName = attributes.first { $0.hasPrefix("objc(") }.map { String($0.dropFirst(5)) }
        if isStatic {
            staticMember(tokens.text(name), end, found)
        } else {
            building[building.count - 1].properties[tokens.text(name)] = found
        }
    }

    /// `static let open = "a"`, `static var keys: [String: Key] { ["name": .key(\.name)] }`
    private mutating func staticMember(_ name: String, _ end: Int, _ found: SourceProperty) {
        let type = building.count - 1
        noteResult(name, found.type)
        if name == "keys" {
            let isBody = tokens[end].is("{")
            let value = isBody && tokens.isWord(end + 1, "return") ? end + 2 : end + 1
            if !isBody || tokens[value].is("[") { building[type].keys = tokens.keyTable(value) }
        }
        guard tokens[end].is("="), found.storage == .constant else { return }
        let isPlain = found.type.map { $0.isString || $0.isNumber } ?? true
        noteConstant(name, isPlain ? tokens.harmlessText(end + 1) : nil, of: building[type].name)
    }

    /// Records the string or number of a constant; nil for a constant that is not harmless.
    mutating func noteConstant(_ name: String, _ text: String?, of owner: String) {
        let member = NeededMember(type: owner, name: name)
        constants.merge([member: Set([text].compactMap(\.self))], uniquingKeysWith: SourceTypes.joined)
    }

    /// Records the type of a static property, or the result type of a function, `find()`, in a type or outside all types.
    mutating func noteResult(_ name: String, _ type: TypeName?, of owner: String? = nil) {
        let member = NeededMember(type: owner ?? (isInType ? building[building.count - 1].name : ""), name: name)
        results.merge([member: type]) { $0 == $1 ? $0 : nil }
    }

    /// `typealias Names = [String]`
    mutating func alias(_ index: Int) {
        guard tokens[index + 2].is("=") else { return }
        var reader = TypeNameReader(tokens, from: index + 3)
        noteResult(NeededMember.alias, reader.typeName(), of: tokens.text(index + 1))
    }
}

extension CodeTokens {
    /// A number, or a string literal without quotes, backslashes and interpolations, that is the whole value. In a list, a
    /// comma may follow it.
    fileprivate func harmlessText(_ index: Int, isListed: Bool = false) -> String? {
        let next = self[index + 1]
        let startsStatement = startsLine(index + 1) && (next.kind == .word || next.is("@") || next.is("#"))
        guard next.kind == .end || next.is("}") || next.is(";") || isListed && next.is(",") || startsStatement else {
            return nil
        }
        if self[index].kind == .number { return text(index) }
        guard self[index].kind == .string else { return nil }
        let text = SwiftLiteral.text(of: self[index].range, bytes)
        return text.isHarmless ? text.text : nil
    }

    /// The type of a value that begins with a literal or an initializer: `0`, `"jo"`, `true`, `Date()`, `["a"]`; nil if a
    /// member access or a comparison follows.
    func literalType(_ index: Int) -> TypeName? {
        let isCall = self[index].kind == .word && self[index + 1].is("(")
        let next = self[isCall ? end(of: index + 1) : end(of: index)]
        let goesOn = [".", "[", "=", "<", ">", "?", "!", "&", "|"].contains { next.is($0) }
        return goesOn ? nil : firstType(index)
    }

    private func firstType(_ index: Int) -> TypeName? {
        switch self[index].kind {
        case .string: return TypeName(name: "String")
        case .number: return TypeName(name: text(index).contains(".") ? "Double" : "Int")
        case .word:
            let word = text(index)
            if word == "true" || word == "false" { return TypeName(name: "Bool") }
            let isType = word.first?.isUppercase == true && self[index + 1].is("(")
            return isType ? TypeName(name: word) : nil
        case .symbol where self[index].is("["):
            let parts = parts(index + 1..<close(of: index))
            let types = Set(parts.map { $0.count == 1 ? literalType($0.lowerBound) : nil })
            return types.count == 1 ? types.first??.list : nil
        case .symbol, .opaque, .end, .condition, .directive: return nil
        }
    }

    /// `["name": .key(\.name), "isAdult": .computed { … }]`: the keys with their properties; nil for anything else.
    fileprivate func keyTable(_ open: Int) -> [String: String?]? {
        guard self[open].is("[") else { return nil }
        var keys: [String: String?] = [:]
        for part in parts(open + 1..<close(of: open)) {
            let value = part.lowerBound + 2
            guard self[value - 2].kind == .string, self[value - 1].is(":") else { return nil }
            let key = SwiftLiteral.text(of: self[value - 2].range, bytes)
            guard !key.hasHoles else { return nil }
            let isPlain = self[value].is(".") && isWord(value + 1, "key") && self[value + 4].is(".")
            keys[key.text] = .some(isPlain && self[value + 6].is(")") ? text(value + 5) : nil)
        }
        return keys
    }
}
