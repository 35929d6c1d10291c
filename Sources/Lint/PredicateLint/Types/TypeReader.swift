/// Reads the types that a source of Swift declares, with their properties.
struct TypeReader {
    private let tokens: CodeTokens
    private var index = 0
    /// The nesting of the current declaration or type.
    private var depth = 0
    private static let deepest = 32
    private(set) var types: [SourceType] = []
    /// Members and conformances that extensions add.
    private(set) var extensions: [SourceType] = []

    init(_ tokens: CodeTokens) {
        self.tokens = tokens
    }

    mutating func read() {
        var attributes: Set<String> = []
        while index < tokens.count {
            if tokens[index].is("@") {
                attributes.insert(attribute())
            } else if isDeclaration {
                declaration(attributes)
                attributes = []
            } else {
                if tokens[index].is("{") || tokens[index].is("}") || tokens[index].is(";") { attributes = [] }
                index += 1
            }
        }
    }

    /// `@Model`, `@Attribute(.unique)`; moves past it. `@objc(name)` is returned as `objc(name`.
    private mutating func attribute() -> String {
        var name = tokens.text(index + 1)
        index += 2
        if name == "objc", tokens[index].is("("), tokens[index + 1].kind == .word {
            name += "(" + tokens.text(index + 1)
        }
        if tokens[index].is("("), !tokens.startsLine(index) { index = tokens.end(of: index) }
        return name
    }

    /// True for a keyword of a type and its name.
    private var isDeclaration: Bool {
        guard tokens[index].kind == .word, tokens[index + 1].kind == .word, !tokens[index - 1].is(".") else {
            return false
        }
        let keywords = ["class", "struct", "enum", "actor", "extension"]
        let members = ["func", "var", "let", "subscript", "init", "override", "final"]
        return keywords.contains(tokens.text(index)) && !members.contains(tokens.text(index + 1))
    }

    /// A type with its members. Types inside it are read as well.
    private mutating func declaration(_ attributes: Set<String>) {
        let keyword = tokens.text(index)
        index += 1
        var type = SourceType(name: tokens.text(index), form: Self.form(keyword, attributes))
        while tokens[index + 1].is("."), tokens[index + 2].kind == .word {
            index += 2
            type.name = tokens.text(index)
        }
        index = tokens.angleEnd(index + 1)
        guard let open = header(&type) else { return }
        let end = tokens.end(of: open)
        guard depth < Self.deepest else { return index = max(open + 1, end) }
        depth += 1
        defer { depth -= 1 }
        index = open + 1
        members(of: &type, to: max(open + 1, end - 1))
        if keyword == "extension" { extensions.append(type) } else { types.append(type) }
        index = max(open + 1, end)
    }

    private static func form(_ keyword: String, _ attributes: Set<String>) -> SourceType.Form {
        switch keyword {
        case "class", "actor": attributes.contains("Model") ? .model : .object
        case "enum": .enumeration
        default: .value
        }
    }

    /// `: Codable, Hashable where …`; returns the index of the opening brace.
    private mutating func header(_ type: inout SourceType) -> Int? {
        let limit = min(tokens.count, index + 128)
        while index < limit {
            if tokens[index].is("{") { return index }
            if tokens[index].is("}") || tokens[index].is(";") { return nil }
            if tokens[index].kind == .word { type.supertypes.insert(tokens.text(index)) }
            index = tokens.end(of: index)
        }
        return nil
    }

    // MARK: Members

    private mutating func members(of type: inout SourceType, to end: Int) {
        var (attributes, isStatic): (Set<String>, Bool) = ([], false)
        while index < end {
            let before = index
            if tokens[index].is("@") {
                attributes.insert(attribute())
                continue
            }
            if isDeclaration {
                declaration(attributes)
            } else if tokens.isWord(index, "static") || tokens.isWord(index, "class") {
                isStatic = true
                index += 1
                continue
            } else if tokens.isWord(index, "var") || tokens.isWord(index, "let") {
                property(of: &type, attributes, isStatic: isStatic)
            } else if tokens.isWord(index, "case") {
                enumCase(of: &type)
            } else if Self.isModifier(tokens.text(index)) {
                index =
                    tokens.end(of: index + 1) > index + 1 && tokens[index + 1].is("(")
                    ? tokens.end(of: index + 1) : index + 1
                continue
            } else {
                index = tokens.end(of: index)
            }
            (attributes, isStatic) = ([], false)
            index = max(index, before + 1)
        }
    }

    private static func isModifier(_ word: String) -> Bool {
        [
            "public", "package", "internal", "fileprivate", "private", "open", "final", "lazy", "weak", "unowned",
            "nonisolated", "override", "required", "convenience", "mutating", "indirect",
        ].contains(word)
    }

    /// `case open, closed`, `case custom(String)`
    private mutating func enumCase(of type: inout SourceType) {
        index += 1
        while tokens[index].kind == .word {
            type.cases.insert(tokens.text(index))
            index += 1
            if tokens[index].is("(") { index = tokens.end(of: index) }
            if tokens[index].is("=") { index += 2 }
            guard tokens[index].is(",") else { return }
            index += 1
        }
    }

    /// `var name: String = "jo"`, `let id = UUID()`, `var isAdult: Bool { age >= 18 }`
    private mutating func property(of type: inout SourceType, _ attributes: Set<String>, isStatic: Bool) {
        let isConstant = tokens.isWord(index, "let")
        let name = tokens.text(index + 1)
        guard tokens[index + 1].kind == .word else {
            type.isPartial = true
            return index += 1
        }
        index += 2
        var found = SourceProperty(type: nil, storage: isConstant ? .constant : .variable)
        if tokens[index].is(":") {
            index += 1
            found.type = typeName()
        }
        if tokens[index].is("=") {
            index += 1
            if isStatic, name == "keys" { type.keys = keyTable() }
            if isStatic, isConstant {
                type.constants[name] = isHarmlessText && (found.type?.name ?? "String") == "String"
            }
            if found.type == nil { found.type = literalType() }
            skipValue()
        }
        if tokens[index].is("{") {
            if !isObserver { found.storage = .computed }
            if isStatic, name == "keys", tokens[index + 1].is("[") || tokens.isWord(index + 1, "return") {
                index += tokens[index + 1].is("[") ? 1 : 2
                type.keys = keyTable()
            } else {
                index = tokens.end(of: index)
            }
        } else if tokens[index].is(",") {
            type.isPartial = true
        }
        if attributes.contains("Transient") { found.storage = .transient }
        found.objectiveCName = attributes.first { $0.hasPrefix("objc(") }.map { String($0.dropFirst(5)) }
        if !isStatic { type.properties[name] = found }
    }

    /// True at `{ didSet { … } }`, which belongs to a stored property.
    private var isObserver: Bool { tokens.isWord(index + 1, "didSet") || tokens.isWord(index + 1, "willSet") }

    /// True at a string literal that is the whole value and has no quotes, backslashes and interpolations.
    private var isHarmlessText: Bool {
        let next = tokens[index + 1]
        guard tokens[index].kind == .string, next.kind == .end || next.is("}") || next.is(";") || startsStatement(next)
        else { return false }
        return SwiftLiteral.text(of: tokens[index].range, tokens.bytes).isHarmless
    }

    private func startsStatement(_ token: CodeToken) -> Bool {
        tokens.startsLine(index + 1) && (token.kind == .word || token.is("@") || token.is("#"))
    }

    /// Moves to the end of a value: a line that no operator continues, or the brace of an observer.
    private mutating func skipValue() {
        let start = index
        while index < tokens.count {
            let token = tokens[index]
            if token.is("}") || token.is(";") || token.is(",") { return }
            if token.is("{"), isObserver { return }
            if index > start, tokens.startsLine(index), !continues(token) { return }
            index = tokens.end(of: index)
        }
    }

    private func continues(_ token: CodeToken) -> Bool {
        token.kind == .symbol && !token.is("@") && !token.is("{") || tokens[index - 1].is("=")
    }

    // MARK: Types

    /// `String`, `[Item]?`, `Set<Item>`, `Optional<Item>`, `Shop.Item`; nil for anything else. Moves past it.
    private mutating func typeName() -> TypeName? {
        guard depth < Self.deepest else {
            skipType()
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        if tokens.isWord(index, "any") || tokens.isWord(index, "some") { index += 1 }
        if tokens[index].is("[") { return collectionType() }
        guard tokens[index].kind == .word else {
            skipType()
            return nil
        }
        var name = tokens.text(index)
        index += 1
        while tokens[index].is("."), tokens[index + 1].kind == .word {
            name = tokens.text(index + 1)
            index += 2
        }
        var type: TypeName? = TypeName(name: name)
        if tokens[index].is("<") { type = genericType(name) }
        return optional(type)
    }

    private mutating func collectionType() -> TypeName? {
        let end = tokens.end(of: index)
        index += 1
        let element = typeName()
        let isWhole = index == end - 1
        index = end
        return optional(isWhole ? element.map { TypeName(name: $0.name, isCollection: true) } : nil)
    }

    /// `Set<Item>`, `Optional<Item>`; nil for others.
    private mutating func genericType(_ name: String) -> TypeName? {
        let end = tokens.angleEnd(index)
        index += 1
        let element = typeName()
        let isWhole = index == end - 1
        index = max(end, index)
        guard isWhole, let element else { return nil }
        switch name {
        case "Set", "Array": return TypeName(name: element.name, isCollection: true)
        case "Optional": return TypeName(name: element.name, isOptional: true, isCollection: element.isCollection)
        default: return nil
        }
    }

    private mutating func optional(_ type: TypeName?) -> TypeName? {
        var type = type
        while tokens[index].is("?") || tokens[index].is("!") {
            type?.isOptional = true
            index += 1
        }
        // `A & B`, `(A) -> B`
        if tokens[index].is("&") || tokens[index].is("-") { skipType() }
        return type
    }

    private mutating func skipType() {
        while index < tokens.count, !tokens.startsLine(index) {
            if tokens[index].is("=") || tokens[index].is("{") || tokens[index].is("}") || tokens[index].is(",") {
                return
            }
            index = tokens.end(of: index)
        }
    }

    /// The type of a literal or of an initializer: `0`, `"jo"`, `true`, `Date()`, `UUID()`.
    private func literalType() -> TypeName? {
        let token = tokens[index]
        switch token.kind {
        case .string: return TypeName(name: "String")
        case .number: return TypeName(name: tokens.text(index).contains(".") ? "Double" : "Int")
        case .word:
            let word = tokens.text(index)
            if word == "true" || word == "false" { return TypeName(name: "Bool") }
            let isType = word.first?.isUppercase == true && tokens[index + 1].is("(")
            return isType ? TypeName(name: word) : nil
        case .symbol, .opaque, .end, .condition, .directive: return nil
        }
    }

    /// `["name": .key(\.name), "isAdult": .computed { … }]`: the keys with their properties; nil for anything else.
    private func keyTable() -> [String: String?]? {
        guard tokens[index].is("[") else { return nil }
        let end = tokens.end(of: index) - 1
        var keys: [String: String?] = [:]
        var next = index + 1
        while next < end {
            guard tokens[next].kind == .string, tokens[next + 1].is(":") else { return nil }
            let key = SwiftLiteral.text(of: tokens[next].range, tokens.bytes)
            guard !key.hasHoles else { return nil }
            next += 2
            let isPlain = tokens[next].is(".") && tokens.isWord(next + 1, "key") && tokens[next + 4].is(".")
            keys[key.text] = .some(isPlain && tokens[next + 6].is(")") ? tokens.text(next + 5) : nil)
            while next < end, !tokens[next].is(",") { next = tokens.end(of: next) }
            next += 1
        }
        return keys
    }
}
