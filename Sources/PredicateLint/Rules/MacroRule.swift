import PredicateSyntax

/// `predicate-macro`: parts of `#Predicate` that compile and then fail, or that the macro refuses.
///
/// The host decides what fails: SwiftData for a class with `@Model`, this library for a type that lists its keys, unless
/// the configuration names the host. A predicate for memory is only checked for what the macro itself refuses. Nothing is reported about types that the
/// sources do not declare, except what is wrong for each type.
enum MacroRule {
    static func findings(_ bytes: Bytes, _ types: SourceTypes, _ host: MacroHost?) -> [LintFinding] {
        guard bytes.firstOffset(of: MacroScanner.mark) != nil else { return [] }
        let tokens = SwiftTokens(bytes)
        let macros = MacroScanner.macros(in: tokens)
        guard !macros.isEmpty else { return [] }
        let known = SourceTypes(tokens).resolved().completed(by: types)
        let generics = GenericParameters(tokens)
        let usesSwiftData = bytes.firstOffset(of: "import SwiftData") != nil
        return macros.flatMap { macro in
            var checker = MacroChecker(tokens, macro, known, generics, host, usesSwiftData: usesSwiftData)
            checker.check()
            return checker.findings
        }
    }
}

/// What evaluates the predicates of macros.
package enum MacroHost: String, Hashable, Sendable, CaseIterable {
    /// A store of SwiftData
    case swiftData = "swiftdata"
    /// This library, which converts them
    case library
    /// `Predicate.evaluate`
    case memory
}

/// Checks one `#Predicate`.
private struct MacroChecker {
    private let tokens: SwiftTokens
    private let macro: PredicateMacro
    private let types: SourceTypes
    private let host: MacroHost
    /// The generic parameter that is the type of the objects, until it is reported.
    private var generic: String?
    /// The types of the names that the predicate binds; nil for an unknown type.
    private var bound: [String: TypeName?] = [:]
    private(set) var findings: [LintFinding] = []

    init(
        _ tokens: SwiftTokens, _ macro: PredicateMacro, _ types: SourceTypes, _ generics: GenericParameters,
        _ host: MacroHost?, usesSwiftData: Bool
    ) {
        self.tokens = tokens
        self.macro = macro
        self.types = types
        let name = macro.types.first
        let isGeneric = name.map { generics.contain($0, at: macro.index) } ?? false
        generic = isGeneric ? name : nil
        let own = isGeneric ? nil : name.flatMap { types[$0] }.map(Self.host)
        self.host = host ?? own ?? (usesSwiftData ? .swiftData : .memory)
    }

    private static func host(of type: SourceType) -> MacroHost {
        if type.form == .model { return .swiftData }
        return type.supertypes.contains("KeyPathCoding") ? .library : .memory
    }

    mutating func check() {
        let isGeneric = generic != nil
        bind(
            macro.closure.parameters.enumerated().map { index, parameter in
                let type = macro.types.indices.contains(index) && !isGeneric ? macro.types[index] : nil
                return (parameter.name, type.map { TypeName(name: $0) })
            })
        for node in macro.closure.body { visit(node) }
    }

    private mutating func bind(_ names: [(String, TypeName?)]) {
        for (name, type) in names { bound[name] = .some(type) }
    }

    private mutating func report(_ failure: MacroFailure, _ part: String, _ range: Range<Int>) {
        findings.append(
            LintFinding(
                rule: .macro, level: .warning, text: failure.message(part), hints: failure.hints, range: range))
    }

    private func text(_ range: Range<Int>) -> String { tokens.bytes.text(range) }

    // MARK: Nodes

    private mutating func visit(_ node: MacroNode) {
        switch node {
        case .name, .literal, .unknown: break
        case .member: visitChain(node)
        case .call(let function, let arguments): visitCall(function, arguments)
        case .closure(let closure): visit(closure, element: nil)
        case .infix(let left, let operation, let right):
            visitComparison(left, text(operation), right)
            visit(left)
            visit(right)
        case .group(let nodes): for node in nodes { visit(node) }
        case .forced(let inner): visit(inner)
        case .branch(let conditions, let parts):
            for condition in conditions {
                visit(condition.value)
                if let name = condition.name { bound[name] = .some(unwrapped(type(of: condition.value))) }
            }
            for part in parts { visit(part) }
        }
    }

    private mutating func visit(_ closure: MacroClosure, element: TypeName?) {
        let before = bound
        bind(closure.parameters.map { ($0.name, element) })
        for node in closure.body { visit(node) }
        bound = before
    }

    private func unwrapped(_ type: TypeName?) -> TypeName? {
        type.map { TypeName(name: $0.name, isCollection: $0.isCollection) }
    }

    /// `$0.items.contains { item in … }`: the closure is about the elements, that of flatMap about the value.
    private mutating func visitCall(_ function: MacroNode, _ arguments: [MacroNode]) {
        if case .member(let base, let name, _) = function {
            if MacroFailure.functions.contains(text(name)), base.map(isOfObject) ?? false {
                report(.function, text(name), name)
            }
            if let base { visit(base) }
        } else {
            visit(function)
        }
        let receiver = function.base.flatMap(type)
        for argument in arguments {
            if case .closure(let closure) = argument {
                visit(closure, element: receiver.map { TypeName(name: $0.name) })
            } else {
                visit(argument)
            }
        }
    }

    // MARK: Chains

    /// `trip.owner?.team?.name`
    private mutating func visitChain(_ node: MacroNode) {
        var links: [(node: MacroNode, name: Range<Int>, isOptional: Bool)] = []
        var next: MacroNode? = node
        while case .member(let base, let name, let isOptional)? = next.map(unforced) {
            links.append((next ?? node, name, isOptional))
            next = base
        }
        if let root = next { visitRoot(root, links) }
        guard let root = next else { return }
        guard isOfObject(root) else { return visitCaptured(root, links.map(\.name)) }
        if let first = links.last?.name, generic != nil, host == .library {
            report(.unnamedMember, text(first), first)
        }
        if let generic, host == .swiftData, links.last.map({ text($0.name) }) != "persistentModelID" {
            report(.genericParameter, generic, macro.name)
            self.generic = nil
        }
        if host == .swiftData, links.count(where: \.isOptional) > 1, let first = start(of: root), let last = links.first
        {
            report(.optionalChain, text(first..<last.name.upperBound), first..<last.name.upperBound)
        }
        for link in links.reversed() { visitMember(link.node, link.name) }
    }

    /// `owner.id` of a model outside the predicate.
    private mutating func visitCaptured(_ root: MacroNode, _ names: [Range<Int>]) {
        guard host == .swiftData, case .name(let name) = root, let type = declaredType(root), !type.isCollection,
            let model = types[type.name], model.form == .model, let first = names.last,
            model.properties[text(first)] != nil || text(first) == "persistentModelID"
        else { return }
        report(.capturedModel, text(name), name)
    }

    private func unforced(_ node: MacroNode) -> MacroNode {
        if case .forced(let inner) = node { unforced(inner) } else { node }
    }

    private func start(of node: MacroNode) -> Int? {
        if case .name(let range) = node { range.lowerBound } else { nil }
    }

    /// The beginning of a chain: a call, a group, or `Kind` of `Kind.open`.
    private mutating func visitRoot(_ root: MacroNode, _ links: [(node: MacroNode, name: Range<Int>, isOptional: Bool)])
    {
        guard case .name(let name) = root else { return visit(root) }
        guard let type = types[text(name)], type.form == .enumeration, let member = links.last?.name,
            type.cases.contains(text(member))
        else { return }
        report(.enumCase, "\(text(name)).\(text(member))", name.lowerBound..<member.upperBound)
    }

    /// A property, by its declaration.
    private mutating func visitMember(_ node: MacroNode, _ name: Range<Int>) {
        guard case .member(let base?, _, _) = unforced(node), let owner = type(of: base), !owner.isCollection,
            let declared = types[owner.name]
        else { return }
        let member = text(name)
        let property = declared.properties[member]
        switch (host, declared.form) {
        case (.swiftData, .model):
            if property?.storage == .computed { report(.computedMember, member, name) }
            if property?.storage == .transient { report(.transientMember, member, name) }
        case (.swiftData, .value) where property != nil && isOfModel(base): report(.codableMember, member, name)
        case (.swiftData, .enumeration) where isOfModel(base): report(.enumValue, base.lastName.map(text) ?? "", name)
        case (.library, _):
            let isListed = declared.keys?.values.contains(member) ?? declared.supertypes.contains("KeyPathCoding")
            let isUnnamed = property?.storage == .computed || property != nil && declared.keys != nil
            if isUnnamed, !isListed { report(.unnamedMember, member, name) }
        case (.memory, .object): if property?.storage == .constant { report(.constantOfClass, member, name) }
        case (.swiftData, _), (.memory, _): break
        }
    }

    /// True for a property of a model.
    private func isOfModel(_ node: MacroNode) -> Bool {
        guard case .member(let base?, _, _) = unforced(node), let owner = type(of: base) else { return false }
        return types[owner.name]?.form == .model
    }

    // MARK: Comparisons

    private mutating func visitComparison(_ left: MacroNode, _ operation: String, _ right: MacroNode) {
        guard operation == "==" || operation == "!=" else { return }
        visitPair(left, right)
        visitPair(right, left)
        guard host == .swiftData, let first = model(left), let second = model(right), let name = left.lastName,
            first || second
        else { return }
        report(.wholeObjects, text(name), name)
    }

    /// True for an object of the predicate, false for another model object; nil for anything else.
    private func model(_ node: MacroNode) -> Bool? {
        guard let type = type(of: node) ?? declaredType(node), !type.isCollection, types[type.name]?.form == .model
        else { return nil }
        return isOfObject(node)
    }

    private mutating func visitPair(_ value: MacroNode, _ other: MacroNode) {
        if case .member(nil, let name, _) = other, isOfObject(value) {
            report(.enumCase, ".\(text(name))", name.lowerBound - 1..<name.upperBound)
        }
        guard host == .swiftData, isOfObject(value), let name = value.lastName else { return }
        if case .literal(let constant) = other {
            visitConstant(value, name, text(constant))
        } else if let type = type(of: value), types[type.name]?.form == .enumeration, isOfModel(value), !isCase(other) {
            report(.enumValue, text(name), name)
        }
    }

    private func isCase(_ node: MacroNode) -> Bool {
        if case .member(nil, _, _) = node { return true }
        guard case .member(.name(let base)?, _, _) = node else { return false }
        return types[text(base)]?.form == .enumeration
    }

    private mutating func visitConstant(_ value: MacroNode, _ name: Range<Int>, _ constant: String) {
        let type = type(of: value)
        if constant == "nil", let type, type.isOptional, !type.isCollection, types[type.name]?.form == .model {
            report(.relationshipWithNil, text(name), name)
        }
        guard text(name) == "isEmpty", constant == "true" || constant == "false", let base = value.base else { return }
        if self.type(of: base).map(\.isCollection) ?? true { report(.emptyWithBoolean, constant, name) }
    }

    // MARK: Types

    /// True for a value that depends on the object of the predicate.
    private func isOfObject(_ node: MacroNode) -> Bool {
        switch node {
        case .name(let range): bound[text(range)] != nil
        case .member(let base, _, _): base.map(isOfObject) ?? false
        case .call(let function, _): isOfObject(function)
        case .forced(let inner): isOfObject(inner)
        case .group(let nodes): nodes.contains(where: isOfObject)
        case .closure, .literal, .infix, .branch, .unknown: false
        }
    }

    /// The type of a value, as far as the sources declare it.
    private func type(of node: MacroNode) -> TypeName? {
        switch node {
        case .name(let range): return bound[text(range)] ?? nil
        case .member(let base, let name, let isOptional):
            guard let base, let owner = type(of: base), !owner.isCollection,
                var type = types[owner.name]?.properties[text(name)]?.type
            else { return nil }
            if isOptional { type.isOptional = true }
            return type
        case .forced(let inner): return unwrapped(type(of: inner))
        case .group(let nodes): return nodes.count == 1 ? type(of: nodes[0]) : nil
        case .call(.member(let base?, let name, _), _): return text(name) == "filter" ? type(of: base) : nil
        case .call, .closure, .literal, .infix, .branch, .unknown: return nil
        }
    }

    /// The type of a value outside the predicate: the nearest `name: Type` before it in an enclosing block, or in the
    /// parameters of one.
    private func declaredType(_ node: MacroNode) -> TypeName? {
        guard case .name(let name) = node, bound[text(name)] == nil else { return nil }
        let word = text(name)
        var blocks = EnclosingBlocks()
        for index in stride(from: macro.index, to: max(0, macro.index - 512), by: -1) {
            blocks.note(tokens[index])
            guard blocks.isVisible, tokens.text(index) == word, tokens[index + 1].is(":"),
                tokens[index + 2].kind == .word
            else { continue }
            let isPath = tokens[index + 3].is(".") || tokens[index + 3].is("<") || tokens[index + 3].is("(")
            return isPath ? nil : TypeName(name: tokens.text(index + 2))
        }
        return nil
    }
}

/// The brackets between a place and the tokens before it, read backwards.
private struct EnclosingBlocks {
    /// The nesting of blocks beside the place, and of parentheses.
    private var (blocks, parentheses) = (0, 0)
    /// True before the brace of an enclosing block.
    private var isHeader = false

    /// True for a declaration of an enclosing block, and for a parameter of one.
    var isVisible: Bool { blocks == 0 && (parentheses == 0 || isHeader) }

    mutating func note(_ token: CodeToken) {
        if token.is("}") { (blocks, isHeader) = (blocks + 1, false) }
        if token.is("{") { (blocks, isHeader) = (max(0, blocks - 1), blocks == 0) }
        if token.is(")") { parentheses += 1 }
        if token.is("(") { parentheses = max(0, parentheses - 1) }
    }
}
