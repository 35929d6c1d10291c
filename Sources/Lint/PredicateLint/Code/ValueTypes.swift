import PredicateSyntax

/// The type of a value, as far as the source shows it: `func find(age: Int)`, `let since: Date`, `let isNew = true`.
struct ValueType {
    /// The first word of the type: `Int`, `NSString`, `[Int]`.
    var name: String
    /// The type of the elements of an array.
    var element: String?
    /// True for `String?`.
    var isOptional = false
    /// True for a parameter of a function.
    var isParameter = false

    var isNumber: Bool { !isOptional && Self.numbers.contains(name) }
    var isString: Bool { kind == .string }

    /// The kind of the values in predicates; nil if it is not known.
    var kind: PredicateValue.Kind? { element == nil ? Self.kind(of: name) : nil }

    /// The kind of the elements of an array; nil for other values.
    var elementKind: PredicateValue.Kind? { element.flatMap(Self.kind) }

    static func kind(of name: String) -> PredicateValue.Kind? {
        switch name {
        case "String", "NSString", "Substring", "NSMutableString": .string
        case "Bool", "BOOL", "bool": .boolean
        case "Date", "NSDate": .date
        case "Data", "NSData": .data
        case "UUID", "NSUUID": .uuid
        case "URL", "NSURL": .url
        case "Decimal", "NSDecimalNumber", "NSNumber": .number
        default: numbers.contains(name) ? .number : nil
        }
    }

    init(name: String, isOptional: Bool = false) {
        self.name = name
        self.isOptional = isOptional
    }

    /// An array: `[String]`
    init(listOf element: String) {
        self.init(name: "[\(element)]")
        self.element = element
    }

    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
        "CGFloat", "TimeInterval", "Bool", "NSInteger", "NSUInteger", "NSTimeInterval", "int", "BOOL", "bool", "double",
        "float", "long", "short", "int16_t", "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t",
    ]
}

extension TextReader {
    func type(in range: Range<Int>) -> ValueType? { type(of: expression(in: range)) }

    /// The type of an expression: a name, `self.name`, a literal, a list of these, a cast, or a call of an initializer.
    func type(of node: CodeExpression) -> ValueType? {
        if let own = literalType(node, follows: true) { return own }
        guard let names = node.names else { return nil }
        if let declaration = declaration(of: names) { return type(of: declaration) }
        return memberType(names)
    }

    /// The type of a property that another source declares: `limit` and `self.limit` of the enclosing type, `person.age` of
    /// a `person: Person`.
    private func memberType(_ names: [Range<Int>]) -> ValueType? {
        guard language == .swift, let name = names.last, let owner = owner(of: names),
            !declarations.isGeneric(owner)
        else { return nil }
        let member = NeededMember(type: owner, name: bytes.text(name))
        needs.note(member)
        return members.type(of: member).map { type in
            var own = type.isCollection ? ValueType(listOf: type.name) : ValueType(name: type.name)
            own.isOptional = type.isOptional
            return own
        }
    }

    private func owner(of names: [Range<Int>]) -> String? {
        let offset = names[0].lowerBound
        if names.count == 2 {
            if bytes.equals("self", names[0]) { return typeName(at: offset) }
            if let base = declaration(of: [names[0]]), let type = base.type {
                let next = bytes[bytes.typeEnd(from: type.upperBound)]
                return ".?".utf8.contains(next) || base.isCollection ? nil : bytes.text(type)
            }
        }
        guard names.count == 1, declarations.visible(names[0], at: offset, bytes) == nil else { return nil }
        return typeName(at: offset)
    }

    /// True for the name of a variable, even one that a type in the source declares: its value may change in places that
    /// the source does not show.
    func isVariable(_ node: CodeExpression) -> Bool {
        if let own = node.names.flatMap(declaration) { return own.isVariable }
        guard let (type, name) = lastMember(of: node) else { return false }
        return declarations.member(name, of: bytes.text(type), bytes)?.isVariable ?? false
    }

    /// The declaration of a name, of `self.name`, or of `person.name` with `let person: Person`.
    private func declaration(of names: [Range<Int>]) -> Declarations.Declaration? {
        let isMember = names.count == 2 && bytes.equals("self", names[0])
        if names.count == 2, !isMember { return property(names) }
        guard names.count == 1 || isMember, let name = names.last else { return nil }
        if isMember, language == .objectiveC, let own = declarations.property(named: name, bytes) { return own }
        return declarations.visible(name, at: names[0].lowerBound, bytes)
    }

    /// `person.name` of a type in the source.
    private func property(_ names: [Range<Int>]) -> Declarations.Declaration? {
        guard language == .swift, let base = declaration(of: [names[0]]), let type = base.type, !base.isCollection,
            !declarations.isGeneric(bytes.text(type)),
            bytes[bytes.typeEnd(from: type.upperBound)] != UInt8(ascii: "?")
        else { return nil }
        return declarations.member(names[1], of: bytes.text(type), bytes)
    }

    private func type(of declaration: Declarations.Declaration) -> ValueType? {
        if declaration.isBound, let list = declaration.value {
            return type(of: expression(from: list))?.element.map { ValueType(name: $0) }
        }
        guard let type = declaration.type, language == .swift || bytes[type.lowerBound].isNameStart else {
            return declaration.value.flatMap { literalType(expression(from: $0), follows: false) }
        }
        var end = bytes.typeEnd(from: type.upperBound)
        if let element = bytes.elementType(of: type) { return ValueType(listOf: element) }
        if declaration.isCollection {
            guard bytes[end] == UInt8(ascii: "]") else { return nil }
            end += 1
        }
        var own = declaration.isCollection ? ValueType(listOf: bytes.text(type)) : ValueType(name: bytes.text(type))
        own.isOptional = "?!".utf8.contains(bytes[end])
        own.isParameter = declaration.isParameter && !declaration.isLiteral(bytes)
        return own
    }

    /// The type of an expression that shows it. `follows` is true to follow the names in a list to their declarations.
    ///
    /// `5`, `5 * 60`, `"jo"`, `true`, `!isNew`, `Date()`, `["jo"]`, `id.uuidString`, `name as NSString`
    private func literalType(_ node: CodeExpression, follows: Bool) -> ValueType? {
        switch node {
        case .literal(let token): literalType(token)
        case .infix(let left, let sign, let right) where bytes.equals("??", sign):
            literalType(right, follows: follows) ?? literalType(left, follows: follows)
        case .infix(let left, let sign, let right):
            "+-*/".utf8.contains(bytes[sign.lowerBound]) && sign.count == 1 ? sum(left, right) : nil
        case .group(let range, let parts): groupType(range, parts, follows)
        case .call(.member(_, let name, _), let arguments, _): listType(name, arguments)
        case .element(let list, _, _): follows ? type(of: list)?.element.map { ValueType(name: $0) } : nil
        case .call(.name(let name), _, _):
            language == .swift && Self.initializers.contains(bytes.text(name)) ? ValueType(name: bytes.text(name)) : nil
        case .member(.some, let name, false): Self.texts.contains(bytes.text(name)) ? ValueType(name: "String") : nil
        case .cast(let value, let type): language == .swift ? castType(value, type, follows) : nil
        case .name, .member, .call, .closure, .choice, .forced, .branch, .refused, .unknown: nil
        }
    }

    /// The type of `text.components(separatedBy: ",")` and of `parts.map(String.init)`.
    private func listType(_ method: Range<Int>, _ arguments: [CodeArgument]) -> ValueType? {
        let label = arguments.first?.label
        if bytes.equals("components", method), label.map({ bytes.equals("separatedBy", $0) }) ?? false {
            return ValueType(listOf: "String")
        }
        guard bytes.equals("map", method), case .member(.name(let type)?, let name, _)? = arguments.first?.value,
            bytes.equals("init", name)
        else { return nil }
        return ValueType(listOf: bytes.text(type))
    }

    private func literalType(_ token: CodeToken) -> ValueType? {
        switch token.kind {
        case .string: ValueType(name: language == .swift ? "String" : "NSString")
        case .number: ValueType(name: bytes.isFraction(token.range) ? "Double" : "Int")
        case .word:
            bytes[token.start] | 0x20 == UInt8(ascii: "n") && !bytes.equals("NO", token.range)
                ? nil : ValueType(name: "Bool")
        case .symbol, .opaque, .end, .condition, .directive: nil
        }
    }

    /// `5 + 1`, `24 * 60.0`
    private func sum(_ left: CodeExpression, _ right: CodeExpression) -> ValueType? {
        guard let left = literalType(left, follows: false), let right = literalType(right, follows: false),
            left.isNumber, right.isNumber
        else {
            return nil
        }
        return left.name == "Double" ? left : right
    }

    /// `name as? NSString`, `name is NSString`
    private func castType(_ value: CodeExpression, _ type: Range<Int>, _ follows: Bool) -> ValueType? {
        let between = bytes.text(value.range.upperBound..<max(value.range.upperBound, type.lowerBound))
        if between.contains("is") { return ValueType(name: "Bool") }
        let name = bytes.text(type)
        if Self.general.contains(name) {
            let own = follows ? self.type(of: value) : literalType(value, follows: false)
            // How a number is passed, the cast does not show.
            return own?.isNumber ?? true ? nil : own
        }
        return name.isEmpty ? nil : ValueType(name: name, isOptional: between.contains("?") || name.hasSuffix("?"))
    }

    /// `(5)`, `-5`, `!isNew`, `@5`, and `["jo"]`, where all elements are of one type
    private func groupType(_ range: Range<Int>, _ parts: [CodeArgument], _ follows: Bool) -> ValueType? {
        let isBoxed = bytes[range.lowerBound] == UInt8(ascii: "@")
        let opener = bytes[isBoxed ? range.lowerBound + 1 : range.lowerBound]
        if opener == UInt8(ascii: "!") { return ValueType(name: "Bool") }
        let types = parts.map { follows ? type(of: $0.value) : literalType($0.value, follows: false) }
        guard let first = types.first, let type = first, parts.allSatisfy({ $0.label == nil }) else { return nil }
        if opener == UInt8(ascii: "[") {
            let isOfOneType = types.allSatisfy { $0?.name == type.name }
            return isOfOneType && type.element == nil ? ValueType(listOf: type.name) : nil
        }
        return isBoxed ? type.isNumber ? ValueType(name: "NSNumber") : nil : parts.count == 1 ? type : nil
    }

    private static let initializers = [
        "Date", "NSDate", "UUID", "NSUUID", "String", "NSString", "Int", "Double", "Float", "Bool", "NSNumber",
        "Decimal",
    ]
    /// Types that say nothing about the kind of a value.
    private static let general = ["NSArray", "CVarArg", "Any", "AnyObject"]
    /// Members that are strings, whatever they belong to.
    private static let texts = ["uuidString", "UUIDString", "absoluteString"]
}

// MARK: - Key paths

extension TextReader {
    /// The keys of `#keyPath(Person._name)` under their names in Objective-C, as in `@objc(name) var _name`; nil for any
    /// other expression, and unknown if the type of a key on the way is not known.
    func keyPath(_ node: CodeExpression) -> ArgumentLiteral? {
        guard case .call(.name(let name), let arguments, _) = node, bytes.equals("#keyPath", name),
            let words = arguments.first?.value.names
        else { return nil }
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
        let member = NeededMember(type: owner, name: bytes.text(name))
        let own = language == .swift ? needs.ownTypes(source).property(member) : nil
        if own == nil { needs.note(member) }
        return (own ?? members.property(member)).map { ($0.objectiveCName, $0.type?.name) }
    }
}

extension Bytes {
    /// `String` of `Set<String>` and `Array<String>`
    fileprivate func elementType(of name: Range<Int>) -> String? {
        guard equals("Set", name) || equals("Array", name), self[name.upperBound] == UInt8(ascii: "<") else {
            return nil
        }
        let element = name.upperBound + 1..<nameEnd(from: name.upperBound + 1)
        return self[element.upperBound] == UInt8(ascii: ">") ? text(element) : nil
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
