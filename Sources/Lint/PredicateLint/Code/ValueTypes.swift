/// The type of a value, as far as the source shows it: `func find(age: Int)`, `let since: Date`, `let isNew = true`.
struct ValueType {
    /// The first word of the type: `Int`, `NSString`.
    var name: String
    /// True for `String?`.
    var isOptional = false
    /// True for a parameter of a function.
    var isParameter = false

    var isNumber: Bool { !isOptional && Self.numbers.contains(name) }
    var isString: Bool { ["String", "NSString", "Substring", "NSMutableString"].contains(name) }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat", "TimeInterval", "Bool", "NSInteger", "NSUInteger", "NSTimeInterval", "int", "BOOL", "bool", "double",
        "float", "long", "short", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t",
    ]
}

extension TextReader {
    /// The type of an expression: a name, `self.name`, a literal, or a call of an initializer.
    func type(of expression: Range<Int>) -> ValueType? {
        let walked = tokens(of: expression)
        if let literal = literalType(walked) { return literal }
        if let declaration = declaration(of: walked, at: expression.lowerBound) { return type(of: declaration) }
        return memberType(walked, at: expression.lowerBound)
    }

    /// The type of a property that another source declares: `limit` and `self.limit` of the enclosing type, `person.age` of
    /// a `person: Person`.
    private func memberType(_ tokens: [CodeToken], at offset: Int) -> ValueType? {
        guard language == .swift, let name = tokens.last, name.kind == .word,
            let owner = owner(of: tokens, at: offset), !generics.contains(owner)
        else { return nil }
        let member = NeededMember(type: owner, name: bytes.text(name.range))
        needs.note(member)
        guard let type = members.type(of: member), !type.isCollection else { return nil }
        return ValueType(name: type.name, isOptional: type.isOptional)
    }

    private func owner(of tokens: [CodeToken], at offset: Int) -> String? {
        let isMember = tokens.count == 3 && tokens[1].is(".")
        if isMember, bytes.equals("self", tokens[0].range) { return typeName(at: offset) }
        if isMember, let type = declaration(of: Array(tokens[..<1]), at: offset)?.type {
            let next = bytes[bytes.typeEnd(from: type.upperBound)]
            return next == UInt8(ascii: "?") || next == UInt8(ascii: ".") ? nil : bytes.text(type)
        }
        guard tokens.count == 1, declarations.visible(tokens[0].range, at: offset, bytes) == nil,
            !isHidden(tokens[0].range, in: max(0, offset - 4096)..<offset)
        else { return nil }
        return typeName(at: offset)
    }

    /// True for the name of a variable, even one that a type in the source declares: its value may change in places that
    /// the source does not show.
    func isVariable(_ expression: Range<Int>) -> Bool {
        if let own = declaration(of: tokens(of: expression), at: expression.lowerBound) { return own.isVariable }
        guard let (type, name) = lastMember(of: expression) else { return false }
        return declarations.member(name, of: type, bytes)?.isVariable ?? false
    }

    /// The declaration of a name, of `self.name`, or of `person.name` with `let person: Person`; nil if a closure or loop
    /// may hide it.
    private func declaration(of tokens: [CodeToken], at offset: Int) -> Declarations.Declaration? {
        let isMember = tokens.count == 3 && bytes.equals("self", tokens[0].range)
        if tokens.count == 3, !isMember { return property(tokens, at: offset) }
        let names = isMember ? tokens[2...] : tokens[...]
        if isMember, language == .objectiveC, let own = declarations.property(named: tokens[2].range, bytes) {
            return own
        }
        guard names.count == 1, let name = names.first, name.kind == .word,
            let declaration = declarations.visible(name.range, at: offset, bytes),
            !isHidden(name.range, in: declaration.name.upperBound..<max(declaration.name.upperBound, offset))
        else { return nil }
        return declaration
    }

    /// `person.name` of a type in the source.
    private func property(_ tokens: [CodeToken], at offset: Int) -> Declarations.Declaration? {
        guard language == .swift, tokens[1].is("."), tokens[2].kind == .word,
            let base = declaration(of: Array(tokens[..<1]), at: offset), let type = base.type,
            !generics.contains(bytes.text(type)),
            bytes[bytes.typeEnd(from: type.upperBound)] != UInt8(ascii: "?")
        else { return nil }
        return declarations.member(tokens[2].range, of: type, bytes)
    }

    /// True if a closure, loop or pattern may declare the name again: `{ name in`, `for name in`, `case let .a(name)`.
    /// A long range is not searched; the name then counts as hidden.
    private func isHidden(_ name: Range<Int>, in range: Range<Int>) -> Bool {
        guard language == .swift, range.count < 1 << 13 else { return language == .swift }
        let word = bytes.text(name)
        var offset = range.lowerBound
        while let found = bytes.firstOffset(of: word, from: offset), found < range.upperBound {
            offset = found + name.count
            guard !bytes[found - 1].isName, !bytes[offset].isName else { continue }
            if bytes.mayDeclare(found..<offset) { return true }
        }
        return false
    }

    private func type(of declaration: Declarations.Declaration) -> ValueType? {
        if let type = declaration.type, language == .swift || bytes[type.lowerBound].isNameStart {
            let end = bytes.typeEnd(from: type.upperBound)
            let isOptional = bytes[end] == UInt8(ascii: "?") || bytes[end] == UInt8(ascii: "!")
            return ValueType(
                name: bytes.text(type), isOptional: isOptional,
                isParameter: declaration.isParameter && !declaration.isLiteral(bytes))
        }
        guard let value = declaration.value else { return nil }
        return literalType(tokens(of: self.expression(from: value)))
    }

    /// `5`, `"jo"`, `true`, `Date()`
    private func literalType(_ tokens: [CodeToken]) -> ValueType? {
        guard let first = tokens.first else { return nil }
        if tokens.count == 1 {
            if first.kind == .string { return ValueType(name: language == .swift ? "String" : "NSString") }
            if first.kind == .number { return ValueType(name: bytes.isFraction(first.range) ? "Double" : "Int") }
            let words = ["true", "false", "YES", "NO"]
            return first.kind == .word && words.contains(bytes.text(first.range)) ? ValueType(name: "Bool") : nil
        }
        if let number = arithmeticType(tokens) { return number }
        guard language == .swift, tokens.count == 2 else { return nil }
        if first.is("!"), tokens[1].kind == .word { return ValueType(name: "Bool") }
        guard tokens[1].is("("), first.kind == .word, Self.initializers.contains(bytes.text(first.range)) else {
            return nil
        }
        return ValueType(name: bytes.text(first.range))
    }

    /// `5 + 1`, `24 * 60.0`
    private func arithmeticType(_ tokens: [CodeToken]) -> ValueType? {
        let numbers = tokens.filter { $0.kind == .number }
        guard numbers.count > 1, numbers.count * 2 == tokens.count + 1,
            tokens.allSatisfy({ $0.kind == .number || $0.is("+") || $0.is("-") || $0.is("*") || $0.is("/") })
        else { return nil }
        return ValueType(name: numbers.contains { bytes.isFraction($0.range) } ? "Double" : "Int")
    }

    private static let initializers = [
        "Date", "NSDate", "UUID", "String", "NSString", "Int", "Double", "Float", "Bool",
    ]

    /// The tokens outside brackets; empty for a long expression.
    private func tokens(of range: Range<Int>) -> [CodeToken] {
        guard range.count < 512 else { return [] }
        var walk = TokenWalk(bytes, language, range, reach: 512)
        var tokens: [CodeToken] = []
        while let token = walk.next() { tokens.append(token) }
        return tokens
    }
}

// MARK: - Key paths

extension TextReader {
    /// The keys of `#keyPath(Person._name)` under their names in Objective-C, as in `@objc(name) var _name`; nil for any
    /// other expression, and unknown if the type of a key on the way is not known.
    func keyPath(_ range: Range<Int>) -> ArgumentLiteral? {
        guard bytes.matches("#keyPath(", at: range.lowerBound) else { return nil }
        let words = bytes.words(in: range.lowerBound + 9..<range.upperBound)
        // The type is the last of the capitalized names at the beginning: `App.Person.name`
        let types = max(1, words.prefix { (0x41...0x5A).contains(bytes[$0.lowerBound]) }.count)
        guard types < words.count else { return nil }
        var (owner, keys): (String?, [String]) = (bytes.text(words[types - 1]), [])
        for word in words.dropFirst(types) {
            let found = owner.flatMap { property(word, of: $0) }
            if found == nil, owner != nil, !keys.isEmpty { return .unknown }
            keys.append(found?.name ?? bytes.text(word))
            owner = found?.type
        }
        return .keyPath(keys.joined(separator: "."))
    }

    /// The type, and the name in Objective-C if it differs; nil for a property that is not known.
    private func property(_ name: Range<Int>, of owner: String) -> (name: String?, type: String?)? {
        if let own = declarations.member(name, ofTypeNamed: owner, bytes) {
            return (bytes.objectiveCName(before: own.name.lowerBound), own.type.map(bytes.text))
        }
        let member = NeededMember(type: owner, name: bytes.text(name))
        needs.note(member)
        return members.property(member).map { ($0.objectiveCName, $0.type?.name) }
    }
}

extension Bytes {
    /// The names in a short range.
    fileprivate func words(in range: Range<Int>) -> [Range<Int>] {
        var (words, offset): ([Range<Int>], Int) = ([], range.lowerBound)
        while offset < range.upperBound {
            let end = self[offset].isNameStart ? nameEnd(from: offset) : offset
            if end > offset { words.append(offset..<end) }
            offset = max(end, offset + 1)
        }
        return words
    }

    /// `name` of `@objc(name) public var _name`, from the attribute before a property.
    fileprivate func objectiveCName(before property: Int) -> String? {
        let start = max(0, property - 160)
        var last: Int?
        var offset = start
        while let found = firstOffset(of: "@objc(", in: offset..<property) {
            last = found + 6
            offset = found + 6
        }
        guard let name = last.map({ $0..<nameEnd(from: $0) }), !name.isEmpty else { return nil }
        let words = words(in: name.upperBound..<property)
        // The attribute of a class is followed by the brace of its body.
        let isOwn =
            !(name.upperBound..<property).contains { self[$0] == UInt8(ascii: "{") }
            && words.count { equals("var", $0) || equals("let", $0) || equals("func", $0) } == 1
        return isOwn ? text(name) : nil
    }
}

extension Bytes {
    /// True for a name after an opening brace or in a pattern, and before `in` or `->`.
    fileprivate func mayDeclare(_ name: Range<Int>) -> Bool {
        var next = blankEnd(from: name.upperBound)
        if self[next] == UInt8(ascii: ")") { next = blankEnd(from: next + 1) }
        if matches("->", at: next) || matches("in", at: next) && !self[next + 2].isName { return true }
        let line = lineStart(before: name.lowerBound, reach: 256)..<name.lowerBound
        let patterns: [StaticString] = ["case let ", "let (", "var (", "for ("]
        if patterns.contains(where: { firstOffset(of: $0, in: line) != nil }) { return true }
        var before = name.lowerBound
        while before > line.lowerBound, self[before - 1].isBlank || self[before - 1] == UInt8(ascii: "(") {
            before -= 1
        }
        return self[before - 1] == UInt8(ascii: "{") && self[next] == UInt8(ascii: ",")
    }

    /// The end of the generic arguments that follow a name, if there are any.
    fileprivate func typeEnd(from offset: Int) -> Int {
        guard self[offset] == UInt8(ascii: "<") else { return offset }
        var (end, depth) = (offset, 0)
        repeat {
            if self[end] == UInt8(ascii: "<") { depth += 1 }
            if self[end] == UInt8(ascii: ">") { depth -= 1 }
            end += 1
        } while depth > 0 && end < count && end - offset < 256
        return end
    }

    fileprivate func isFraction(_ number: Range<Int>) -> Bool {
        !matches("0x", at: number.lowerBound)
            && self[number].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    }
}
