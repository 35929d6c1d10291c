import PredicateSyntax

/// Finds the type of an expression: of a name or member from its declaration or value, of a literal, an operator or a cast, and
/// of the result of a function that the sources declare or that is known in every program.
struct TypeFinder {
    let reader: TextReader
    /// The limit on the number of expressions that are examined.
    private let work = ReadingWork()
    /// The name whose value is being read: in `let ids = ids.map(…)`, the second `ids` is an earlier declaration.
    private var reading: Range<Int>?
    private var depth = 0
    private static let deepest = 12

    init(_ reader: TextReader) { self.reader = reader }

    var bytes: Bytes { reader.bytes }
    var isSwift: Bool { reader.language == .swift }

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
        case .choice(let parts, _): return parts.count == 3 ? common([parts[1], parts[2]]) : nil
        case .forced(let inner): return type(of: inner)?.unwrapped
        case .member, .closure, .branch, .refused, .unknown: return nil
        }
    }

    // MARK: Names

    private func named(_ name: Range<Int>) -> TypeName? {
        let text = bytes.text(name)
        if let own = visible(name) { return type(of: own) }
        if text.hasPrefix("$") { return unnamed(name) }
        let owner = reader.typeName(at: name.lowerBound).map { TypeName(name: $0) }
        if text == "self" { return owner }
        guard isSwift else { return text.hasPrefix("_") ? instanceVariable(name) : nil }
        return owner.flatMap { reader.memberType(text, of: $0) } ?? constant(text, owner)
    }

    /// `_name`, which is declared in the braces of a class or belongs to its property `name`
    private func instanceVariable(_ name: Range<Int>) -> TypeName? {
        [name, name.dropFirst()].lazy.compactMap { reader.declarations.property(named: $0, bytes) }.first.flatMap(type)
    }

    /// A constant of another source. In a class, the name may also be an inherited property.
    private func constant(_ name: String, _ owner: TypeName?) -> TypeName? {
        let form = owner.flatMap { reader.needs.ownTypes(reader.source)[$0.name]?.form }
        return owner == nil || form == .value || form == .enumeration ? reader.outerType(name) : nil
    }

    func visible(_ name: Range<Int>) -> Declarations.Declaration? {
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

    func type(of declaration: Declarations.Declaration) -> TypeName? {
        if let start = declaration.typeStart {
            let own = declared(at: start, before: declaration.name.lowerBound)
            return declaration.isUnwrapped ? own?.unwrapped : own
        }
        if let brace = declaration.closure {
            return parameter(declaration.position, part: declaration.part, ofClosureAt: brace)
        }
        guard let start = declaration.value, var own = value(from: start, of: declaration) else { return nil }
        if declaration.isUnwrapped { own = own.unwrapped }
        return matched(own, declaration)
    }

    /// The type that a loop or pattern binds to a name, given the type of the matched value.
    private func matched(_ value: TypeName, _ declaration: Declarations.Declaration) -> TypeName? {
        var own: TypeName? = value
        if let name = declaration.enumCase {
            own = reader.memberType("case " + bytes.text(name), of: value.unwrapped)
        } else if declaration.isBound {
            own = value.isCollection && !value.isOptional ? value.element : nil
        }
        guard let part = declaration.part ?? (declaration.enumCase == nil ? nil : 0) else { return own }
        return own?.part(part)
    }

    /// The type that is written at an offset; in Objective-C, before the name.
    func declared(at start: Int, before name: Int = 0) -> TypeName? {
        let end = isSwift || name < start ? min(bytes.count, start + 256) : name
        var names = TypeNameReader(CodeTokens(bytes, reader.language, in: start..<end))
        return names.typeName().map(reader.resolved)
    }

    private func value(from start: Int, of declaration: Declarations.Declaration) -> TypeName? {
        inner(reading: declaration.name)?.value(from: start)
    }

    /// The type of the value at an offset; for `switch` and `if`, the common type of their branches.
    private func value(from start: Int) -> TypeName? {
        let first = bytes.spaceEnd(from: start)
        let word = first..<bytes.nameEnd(from: first)
        guard isSwift, bytes.equals("switch", word) || bytes.equals("if", word) else {
            return type(of: reader.expression(from: start))
        }
        return common(reader.results(in: first..<min(bytes.count, first + CodeTokens.reach), isValue: true))
    }

    /// A finder for one nesting level deeper; nil at the maximum depth.
    func inner(reading: Range<Int>? = nil) -> TypeFinder? {
        guard depth < Self.deepest else { return nil }
        var inner = self
        (inner.reading, inner.depth) = (reading, depth + 1)
        return inner
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
        case "??": return type(of: right) ?? type(of: left)?.unwrapped
        case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": return TypeName(name: "Bool")
        case "..<", "...", "..": return type(of: left).map { TypeName(name: $0.name, isCollection: true) }
        // Two adjacent strings are one string.
        case "&", "|", "^", "<<", ">>", "": return type(of: left)
        default: break
        }
        let (first, second) = (type(of: left), type(of: right))
        if isSwift, sign == "+", [first, second].contains(where: { $0?.isString ?? false }) {
            return TypeName(name: "String")
        }
        guard let first, let second else { return nil }
        if sign == "+", first.isCollection { return first == second ? first : nil }
        guard second.isNumber else { return nil }
        if first.kind == .date { return first }
        guard first.isNumber else { return nil }
        return !first.isFraction && (second.isFraction || isLiteral(left)) ? second : first
    }

    private func isLiteral(_ node: CodeExpression) -> Bool { if case .literal = node { true } else { false } }

    /// The common type of several expressions, one of which is chosen.
    func common(_ nodes: [CodeExpression]) -> TypeName? {
        let types = nodes.map(type(of:))
        guard let first = types.first ?? nil, types.allSatisfy({ $0?.isSame(as: first) ?? false }) else { return nil }
        return types.contains { $0?.isOptional ?? false } ? first.optional : first
    }

    /// `name as? NSString`, `name is NSString`, `(NSString *)name`
    private func cast(_ value: CodeExpression, _ range: Range<Int>) -> TypeName? {
        let between = bytes.text(value.range.upperBound..<max(value.range.upperBound, range.lowerBound))
        guard isSwift else {
            return declared(at: range.lowerBound + 1, before: range.upperBound - 1) ?? type(of: value)
        }
        if between.contains("is") { return TypeName(name: "Bool") }
        guard let own = declared(at: range.lowerBound) else { return nil }
        if Self.general.contains(own.name) {
            let own = type(of: value)
            // A cast does not show how a number is passed.
            return own?.isNumber ?? true ? nil : own
        }
        return between.contains("?") ? own.optional : own
    }

    /// Types that do not determine the kind of a value.
    private static let general = ["NSArray", "CVarArg", "Any", "AnyObject", "NSObject"]

    // MARK: Brackets

    /// `(5)`, `-5`, `!isNew`, `@5`, `(name, 5)`, and `["jo"]`, where all elements are of one type
    private func group(_ range: Range<Int>, _ parts: [CodeArgument]) -> TypeName? {
        let isBoxed = bytes[range.lowerBound] == UInt8(ascii: "@")
        let opener = bytes[isBoxed ? range.lowerBound + 1 : range.lowerBound]
        if opener == UInt8(ascii: "!") { return TypeName(name: "Bool") }
        if opener == UInt8(ascii: "[") || opener == UInt8(ascii: "{") { return list(parts, isBoxed: isBoxed) }
        guard parts.count == 1 else { return isSwift ? tuple(parts) : nil }
        let own = parts[0].label == nil ? type(of: parts[0].value) : nil
        return isBoxed ? own?.isString ?? false ? own : TypeName(name: "NSNumber") : own
    }

    /// `(name, count: 5)`
    private func tuple(_ parts: [CodeArgument]) -> TypeName? {
        let types = parts.map { part in
            type(of: part.value).map { TypeName.Part(label: part.label.map(bytes.text), type: $0) }
        }
        return types.contains { $0 == nil } ? nil : .tuple(types.compactMap(\.self))
    }

    /// `["jo"]`, `["jo": 5]`, `[Kind.open, .closed]`, `@[@"jo"]`
    private func list(_ parts: [CodeArgument], isBoxed: Bool) -> TypeName? {
        let isTable = parts.contains { $0.label != nil }
        let values = parts.filter { (!isTable || $0.label != nil) && !isImplicit($0.value) }.map(\.value)
        guard var own = common(values), !own.isCollection else { return isBoxed ? TypeName(name: "NSArray") : nil }
        (own.isCollection, own.isTable, own.isOptional) = (true, isTable, false)
        if isTable { own.keys = [common(parts.filter { $0.label == nil }.map(\.value))].compactMap(\.self) }
        return own
    }

    /// True for `.open`, which has the type of the other elements
    private func isImplicit(_ node: CodeExpression) -> Bool {
        if case .member(nil, _, _) = node { true } else { false }
    }

    private func element(of list: CodeExpression, _ index: [CodeArgument]) -> TypeName? {
        guard let type = type(of: list), type.isCollection else { return nil }
        return type.isTable && index.count < 2 ? type.value.optional : type.value
    }
}

extension Bytes {
    fileprivate func isFraction(_ number: Range<Int>) -> Bool {
        !matches("0x", at: number.lowerBound)
            && self[number].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    }
}
