/// Reads the name of a type: `String`, `[Item]?`, `[String: Item]`, `Set<Item>`, `Box<Item>`, `Shop.Item`, `(Int, Item)`.
struct TypeNameReader {
    private let tokens: CodeTokens
    private var index: Int
    private var depth = 0
    private static let deepest = 32

    init(_ tokens: CodeTokens, from start: Int = 0) {
        self.tokens = tokens
        index = start
    }

    /// Reads a type name and moves past it; nil for any other type.
    mutating func typeName() -> TypeName? {
        guard depth < Self.deepest else { return nil }
        depth += 1
        defer { depth -= 1 }
        guard tokens.language == .swift else { return objectiveC() }
        if tokens.isWord(index, "any") || tokens.isWord(index, "some") { index += 1 }
        if tokens[index].is("[") { return collection() }
        if tokens[index].is("(") { return tuple() }
        guard tokens[index].kind == .word else { return nil }
        var name = tokens.text(index)
        index += 1
        while tokens[index].is("."), tokens[index + 1].kind == .word {
            name = tokens.text(index + 1)
            index += 2
        }
        return optional(tokens[index].is("<") ? generic(name) : TypeName(name: name))
    }

    private mutating func collection() -> TypeName? {
        let end = tokens.end(of: index)
        index += 1
        var (element, key) = (typeName(), TypeName?.none)
        let isTable = tokens[index].is(":")
        if isTable {
            index += 1
            (key, element) = (element, typeName())
        }
        let isPlain = index == end - 1 && element?.isCollection == false
        index = end
        guard isPlain, let element else { return optional(nil) }
        return optional(Self.collection(element, isTable ? [key].compactMap(\.self) : nil))
    }

    /// `keys` is nil for a list.
    private static func collection(_ element: TypeName, _ keys: [TypeName]?) -> TypeName {
        TypeName(
            name: element.name, isCollection: true, isTable: keys != nil, parts: element.parts, keys: keys ?? [])
    }

    /// `(name: String, count: Int)`, `(any Base)`; nil for a function
    private mutating func tuple() -> TypeName? {
        let parts = members(to: tokens.end(of: index))
        let isFunction = tokens[index].is("-") || tokens.isWord(index, "throws") || tokens.isWord(index, "async")
        if isFunction { return nil }
        guard let parts, let first = parts.first else { return nil }
        return optional(parts.count == 1 ? first.type : .tuple(parts))
    }

    /// The associated values of a case of an enum: `(from: Date, to: Date)`
    mutating func values() -> TypeName? { members(to: tokens.end(of: index)).map(TypeName.tuple) }

    /// The types between brackets, each with its label; nil if one of them is unknown. Moves past the brackets.
    private mutating func members(to end: Int) -> [TypeName.Part]? {
        var parts: [TypeName.Part] = []
        index += 1
        defer { index = max(end, index) }
        while index < end - 1 {
            var label: String?
            if tokens.language == .swift, tokens[index].kind == .word, tokens[index + 1].is(":") {
                label = tokens.text(index)
                index += 2
            }
            guard let type = typeName() else { return nil }
            parts.append(TypeName.Part(label: label, type: type))
            guard tokens[index].is(",") || index == end - 1 else { return nil }
            index += 1
        }
        return parts
    }

    /// `Set<Item>`, `Optional<Item>`, `Box<Item>`
    private mutating func generic(_ name: String) -> TypeName? {
        guard let parts = members(to: tokens.angleEnd(index)), let first = parts.first?.type else { return nil }
        switch (name, parts.count) {
        case ("Set", 1), ("Array", 1), ("NSArray", 1), ("NSSet", 1), ("NSOrderedSet", 1), ("NSMutableArray", 1),
            ("NSMutableSet", 1):
            return first.isCollection ? nil : Self.collection(first, nil)
        case ("Dictionary", 2), ("NSDictionary", 2), ("NSMutableDictionary", 2):
            return parts[1].type.isCollection ? nil : Self.collection(parts[1].type, [first])
        case ("Optional", 1): return first.optional
        default: return TypeName(name: name, parts: parts)
        }
    }

    private mutating func optional(_ type: TypeName?) -> TypeName? {
        var type = type
        while tokens[index].is("?") || tokens[index].is("!") {
            type?.isOptional = true
            index += 1
        }
        return type
    }

    // MARK: Objective-C

    /// `NSString *`, `nullable NSArray<NSString *> *`, `unsigned int`, `id<Item>`; nil for `id`
    private mutating func objectiveC() -> TypeName? {
        var name: String?
        while tokens[index].kind == .word {
            let word = tokens.text(index)
            if !Self.qualifiers.contains(word) { name = word == "long" && name == word ? "long long" : word }
            index += 1
        }
        let isProtocol = name == "id"
        var type = isProtocol || name == "instancetype" ? nil : name.map { TypeName(name: $0) }
        if tokens[index].is("<"), let name {
            let arguments = generic(name)
            type = isProtocol ? arguments?.parts.first?.type : arguments
        }
        while tokens[index].is("*") || tokens[index].kind == .word { index += 1 }
        return type
    }

    private static let qualifiers: Set<String> = [
        "nullable", "nonnull", "null_resettable", "null_unspecified", "const", "static", "extern", "__kindof",
        "__block", "__weak", "__strong", "__unsafe_unretained", "_Nullable", "_Nonnull", "__nullable", "__nonnull",
        "inline",
        "IBOutlet", "unsigned", "signed", "volatile",
    ]
}
