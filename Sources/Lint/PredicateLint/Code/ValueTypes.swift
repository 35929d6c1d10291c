import PredicateSyntax

extension TextReader {
    func type(in range: Range<Int>) -> TypeName? { type(of: expression(in: range)) }

    /// The type of an expression, as far as the sources show it.
    func type(of node: CodeExpression) -> TypeName? { TypeFinder(self).type(of: node) }

    /// True for the name of a variable, even one that a type in the source declares: its value may change in places that
    /// the source does not show.
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

    /// The type of a member of a type: `age`, `find()`; in the source, in another one, or in the model.
    func memberType(_ key: String, of owner: String) -> TypeName? {
        guard language == .swift, !declarations.isGeneric(owner) else { return nil }
        let member = NeededMember(type: owner, name: key)
        if let own = needs.ownTypes(source).type(of: member) { return own }
        needs.note(member)
        return members.type(of: member) ?? modelType(member)
    }

    /// The type of a property that Xcode generates for an entity.
    private func modelType(_ member: NeededMember) -> TypeName? {
        guard let entity = schema?.entity(named: member.type), let own = schema?.property(member.name, of: entity)
        else {
            return nil
        }
        guard let kind = own.kinds.count == 1 ? own.kinds.first : nil else { return nil }
        let names: [PredicateValue.Kind: String] = [
            .string: "String", .date: "Date", .uuid: "UUID", .data: "Data", .url: "URL", .number: "NSNumber",
            .boolean: "NSNumber",
        ]
        return own.isToMany ? nil : (own.entity ?? names[kind]).map { TypeName(name: $0, isOptional: true) }
    }
}

/// Finds the type of an expression: of a name or member by its declaration or value, of a literal, an operator, a cast, and
/// of the result of a function that the sources declare or that every program has.
struct TypeFinder {
    private let reader: TextReader
    /// The number of expressions that may still be looked at.
    private let work = ReadingWork()
    /// The types of the parameters of closures.
    private var bound: [String: TypeName] = [:]
    /// The name whose value is read: in `let ids = ids.map(…)`, the second one is an earlier declaration.
    private var reading: Range<Int>?
    private var depth = 0
    private static let deepest = 12

    init(_ reader: TextReader) {
        self.reader = reader
        work.begin()
    }

    private var bytes: Bytes { reader.bytes }
    private var isSwift: Bool { reader.language == .swift }

    func type(of node: CodeExpression) -> TypeName? {
        guard work.take() else { return nil }
        switch node {
        case .literal(let token): return literal(token)
        case .name(let name): return named(name)
        case .member(let base?, let name, let isOptional):
            return property(node) ?? member(of: base, name, "", isOptional)
        case .call(let function, let arguments, _): return result(of: function, arguments)
        case .infix(let left, let sign, let right): return operation(left, bytes.text(sign), right)
        case .group(let range, let parts): return group(range, parts)
        case .element(let list, let index, _): return element(of: list, index)
        case .cast(let value, let type): return cast(value, type)
        case .choice(let parts, _): return parts.count == 3 ? common(parts[1], parts[2]) : nil
        case .forced(let inner): return unwrapped(type(of: inner))
        case .member, .closure, .branch, .refused, .unknown: return nil
        }
    }

    private func unwrapped(_ type: TypeName?) -> TypeName? {
        var type = type
        type?.isOptional = false
        return type
    }

    // MARK: Names

    private func named(_ name: Range<Int>) -> TypeName? {
        let text = bytes.text(name)
        if let own = bound[text] { return own }
        if let own = visible(name) { return type(of: own) }
        guard isSwift, !text.hasPrefix("$"), let owner = reader.typeName(at: name.lowerBound) else { return nil }
        return text == "self" ? TypeName(name: owner) : reader.memberType(text, of: owner)
    }

    private func visible(_ name: Range<Int>) -> Declarations.Declaration? {
        let own = reader.declarations.visible(name, at: name.lowerBound, bytes)
        guard let own, own.name == reading else { return own }
        return reader.declarations.visible(name, at: own.name.lowerBound, bytes)
    }

    /// `self.name`
    private func property(_ node: CodeExpression) -> TypeName? {
        guard let names = node.names, names.count == 2, bytes.equals("self", names[0]) else { return nil }
        if !isSwift, let own = reader.declarations.property(named: names[1], bytes) { return type(of: own) }
        if let own = reader.local(node) { return type(of: own) }
        return isSwift ? nil : visible(names[1]).flatMap(type)
    }

    private func type(of declaration: Declarations.Declaration) -> TypeName? {
        if declaration.isBound, let list = declaration.value {
            guard let type = value(from: list, of: declaration), type.isCollection, !type.isTable else { return nil }
            return TypeName(name: type.name)
        }
        if let type = declaration.type, isSwift || bytes[type.lowerBound].isNameStart {
            return isSwift ? declared(at: type.lowerBound, declaration) : TypeName(name: bytes.text(type))
        }
        guard let start = declaration.value else { return nil }
        let own = value(from: start, of: declaration)
        return declaration.isUnwrapped ? unwrapped(own) : own
    }

    /// The type that is written at an offset, or before it if the declaration is one of `[Item]`.
    private func declared(at start: Int, _ declaration: Declarations.Declaration? = nil) -> TypeName? {
        var start = start
        while declaration?.isCollection ?? false, start > 0, bytes[start] != UInt8(ascii: "[") { start -= 1 }
        var names = TypeNameReader(CodeTokens(bytes, .swift, in: start..<min(bytes.count, start + 256)))
        let type = names.typeName()
        return declaration?.isUnwrapped ?? false ? unwrapped(type) : type
    }

    private func value(from start: Int, of declaration: Declarations.Declaration) -> TypeName? {
        guard depth < Self.deepest else { return nil }
        var inner = self
        (inner.reading, inner.bound, inner.depth) = (declaration.name, [:], depth + 1)
        return inner.type(of: reader.expression(from: start))
    }

    // MARK: Operators

    private func literal(_ token: CodeToken) -> TypeName? {
        switch token.kind {
        case .string:
            let isObject = isSwift || bytes[token.start] == UInt8(ascii: "@")
            return TypeName(name: isSwift ? "String" : isObject ? "NSString" : "char *")
        case .number: return TypeName(name: bytes.isFraction(token.range) ? "Double" : "Int")
        case .word:
            let isNil = bytes[token.start] | 0x20 == UInt8(ascii: "n") && !bytes.equals("NO", token.range)
            return isNil ? nil : TypeName(name: "Bool")
        case .symbol, .opaque, .end, .condition, .directive: return nil
        }
    }

    /// `a + 1`, `a == b`, `a ?? b`, `1..<n`, `@"a" @"b"`
    private func operation(_ left: CodeExpression, _ sign: String, _ right: CodeExpression) -> TypeName? {
        switch sign {
        case "??": return type(of: right) ?? unwrapped(type(of: left))
        case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": return TypeName(name: "Bool")
        case "..<", "...", "..": return type(of: left).map { TypeName(name: $0.name, isCollection: true) }
        // Two strings side by side are one.
        case "&", "|", "^", "<<", ">>", "": return type(of: left)
        default: break
        }
        let (first, second) = (type(of: left), type(of: right))
        if isSwift, sign == "+", [first, second].contains(where: { $0?.isString ?? false }) {
            return TypeName(name: "String")
        }
        guard let first, let second, second.isNumber else { return nil }
        if first.kind == .date { return first }
        guard first.isNumber else { return nil }
        return !first.isFraction && (second.isFraction || isLiteral(left)) ? second : first
    }

    private func isLiteral(_ node: CodeExpression) -> Bool { if case .literal = node { true } else { false } }

    /// The type of two expressions of which one is chosen.
    private func common(_ first: CodeExpression, _ second: CodeExpression) -> TypeName? {
        guard var own = type(of: first), let other = type(of: second), own.name == other.name,
            own.isCollection == other.isCollection
        else { return nil }
        own.isOptional = own.isOptional || other.isOptional
        return own
    }

    /// `name as? NSString`, `name is NSString`, `(NSString *)name`
    private func cast(_ value: CodeExpression, _ range: Range<Int>) -> TypeName? {
        let between = bytes.text(value.range.upperBound..<max(value.range.upperBound, range.lowerBound))
        guard isSwift else {
            let name = bytes.text(range).trimmingPrefix { $0 == "(" || $0 == " " }.prefix { $0.isLetter || $0.isNumber }
            return name == "id" ? type(of: value) : TypeName(name: String(name))
        }
        if between.contains("is") { return TypeName(name: "Bool") }
        guard var own = declared(at: range.lowerBound) else { return nil }
        if Self.general.contains(own.name) {
            let own = type(of: value)
            // How a number is passed, the cast does not show.
            return own?.isNumber ?? true ? nil : own
        }
        own.isOptional = own.isOptional || between.contains("?")
        return own
    }

    /// `(5)`, `-5`, `!isNew`, `@5`, and `["jo"]`, where all elements are of one type
    private func group(_ range: Range<Int>, _ parts: [CodeArgument]) -> TypeName? {
        let isBoxed = bytes[range.lowerBound] == UInt8(ascii: "@")
        let opener = bytes[isBoxed ? range.lowerBound + 1 : range.lowerBound]
        if opener == UInt8(ascii: "!") { return TypeName(name: "Bool") }
        let isTable = !parts.isEmpty && parts.contains { $0.label != nil }
        let isList = opener == UInt8(ascii: "[") || opener == UInt8(ascii: "{")
        let types = parts.filter { !isTable || $0.label != nil }.map { type(of: $0.value) }
        guard isList else {
            let own = parts.count == 1 && !isTable ? types[0] : nil
            return isBoxed ? own?.isString ?? false ? own : TypeName(name: "NSNumber") : own
        }
        let name = types.first.flatMap { $0?.name } ?? ""
        let isOfOneType = types.allSatisfy { $0?.name == name && $0?.isCollection == false }
        if isOfOneType, !types.isEmpty { return TypeName(name: name, isCollection: true, isTable: isTable) }
        return isBoxed ? TypeName(name: "NSArray") : nil
    }

    private func element(of list: CodeExpression, _ index: [CodeArgument]) -> TypeName? {
        guard let type = type(of: list), type.isCollection else { return nil }
        return TypeName(name: type.name, isOptional: type.isTable && index.count < 2)
    }

    /// Types that say nothing about the kind of a value.
    private static let general = ["NSArray", "CVarArg", "Any", "AnyObject", "NSObject"]
}

// MARK: - Members and functions

extension TypeFinder {
    /// A property, or the result of a method, whose `suffix` is `()`.
    private func member(
        of base: CodeExpression, _ name: Range<Int>, _ suffix: String, _ isOptional: Bool, label: String = ""
    ) -> TypeName? {
        let (text, owner) = (bytes.text(name), type(of: base))
        var own: TypeName?
        if let owner {
            own = owner.isCollection ? nil : reader.memberType(text + suffix, of: owner.name)
        } else if let type = typeName(base) {
            own = reader.memberType(text + suffix, of: type) ?? KnownMembers.constant(text, of: type)
        }
        if own == nil, let owner, suffix.isEmpty {
            own = reader.declarations.member(name, of: owner.name, bytes).flatMap(type)
        }
        if own == nil { own = KnownMembers.type(text, suffix.isEmpty ? nil : label, of: owner, isSwift: isSwift) }
        if isOptional || owner?.isOptional ?? false { own?.isOptional = true }
        return own
    }

    /// `Limits` of `Limits.most`, and `Kind` of `Kind.open.rawValue`: a name that no declaration hides
    private func typeName(_ base: CodeExpression) -> String? {
        guard isSwift, let name = base.names?.last(where: { (0x41...0x5A).contains(bytes[$0.lowerBound]) }),
            base.names?.first.map({ visible($0) == nil }) ?? false
        else { return nil }
        return bytes.text(name)
    }

    private func result(of function: CodeExpression, _ arguments: [CodeArgument]) -> TypeName? {
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
        case .member, .literal, .call, .infix, .element, .cast, .choice, .forced, .closure, .branch, .refused, .unknown:
            return nil
        }
    }

    /// `[String]()`
    private func emptyList(_ range: Range<Int>, _ parts: [CodeArgument]) -> TypeName? {
        bytes[range.lowerBound] == UInt8(ascii: "[") && parts.count == 1 ? declared(at: range.lowerBound) : nil
    }

    private func result(of name: Range<Int>, _ arguments: [CodeArgument]) -> TypeName? {
        guard isSwift else { return nil }
        let text = bytes.text(name)
        if (0x41...0x5A).contains(bytes[name.lowerBound]) { return made(name, arguments) }
        if ["min", "max", "abs", "round", "floor", "ceil"].contains(text) {
            return arguments.lazy.compactMap { type(of: $0.value) }.first
        }
        if let result = reader.declarations.result(of: name, bytes) { return declared(at: result) }
        return reader.typeName(at: name.lowerBound).flatMap { reader.memberType(text + "()", of: $0) }
    }

    /// `Search()`, `Int(text)`, `Set(names)`: a value of the type, optional where the initializer may fail
    private func made(_ name: Range<Int>, _ arguments: [CodeArgument]) -> TypeName? {
        let (text, label) = (bytes.text(name), arguments.first?.label.map(bytes.text))
        let first = arguments.first.flatMap { type(of: $0.value) }
        if text == "Array" || text == "Set" { return label == nil && first?.isCollection ?? false ? first : nil }
        guard !reader.declarations.isGeneric(text) else { return nil }
        let mayFail = label.map { ["uuidString", "string", "exactly", "rawValue"].contains($0) } ?? false
        let own = TypeName(name: text)
        let reads = label == nil && own.isNumber && first?.isString ?? false
        return TypeName(name: text, isOptional: (mayFail && text != "NSString") || reads)
    }

    /// `ids.map { $0.uuidString }`, `orders.map(\.number)`, `values.compactMap(Int.init)`, `names.sorted()`
    private func transformed(
        _ base: CodeExpression, _ name: Range<Int>, _ arguments: [CodeArgument]
    ) -> TypeName? {
        let word = bytes.text(name)
        let isMap = word == "map" || word == "compactMap" || word == "flatMap"
        guard isSwift, isMap || KnownMembers.keepers.contains(word), let list = type(of: base), list.isCollection,
            !list.isOptional
        else { return nil }
        guard isMap else { return list.isTable ? nil : list }
        guard !list.isTable, let function = arguments.first?.value,
            let element = applied(function, to: TypeName(name: list.name)),
            element.isCollection == (word == "flatMap")
        else { return nil }
        return TypeName(name: element.name, isCollection: true)
    }

    /// The result of a closure, a key path or an initializer for an element.
    private func applied(_ function: CodeExpression, to element: TypeName) -> TypeName? {
        switch function {
        case .closure(let closure):
            guard let name = closure.parameters.first?.name, let body = closure.body.last, closure.body.count == 1
            else {
                return nil
            }
            var inner = self
            inner.bound[name] = element
            return inner.type(of: body)
        case .unknown(let range) where bytes[range.lowerBound] == UInt8(ascii: "\\"):
            let names = bytes.text(range).split(separator: ".").dropFirst()
            return names.reduce(element) { owner, name in
                owner.flatMap { KnownMembers.member(String(name), of: $0, reader) }
            }
        case .member(.name(let type)?, let name, _), .call(.member(.name(let type)?, let name, _), _, _):
            return bytes.equals("init", name) ? TypeName(name: bytes.text(type)) : nil
        case .name(let name): return reader.declarations.result(of: name, bytes).flatMap { declared(at: $0) }
        case .unknown, .member, .call, .literal, .infix, .group, .element, .cast, .choice, .forced, .branch, .refused:
            return nil
        }
    }
}

// MARK: - Key paths

extension TextReader {
    /// The keys of `#keyPath(Person._name)` under their names in Objective-C, as in `@objc(name) var _name`; nil for any
    /// other expression, and if the type of a key on the way is not known.
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

    /// The type, and the name in Objective-C if it differs; nil for a property that is not known.
    private func property(_ name: Range<Int>, of owner: String) -> (name: String?, type: String?)? {
        let member = NeededMember(type: owner, name: bytes.text(name))
        let own = language == .swift ? needs.ownTypes(source).property(member) : nil
        if own == nil { needs.note(member) }
        return (own ?? members.property(member)).map { ($0.objectiveCName, $0.type?.name) }
    }
}

extension Bytes {
    fileprivate func isFraction(_ number: Range<Int>) -> Bool {
        !matches("0x", at: number.lowerBound)
            && self[number].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    }
}
