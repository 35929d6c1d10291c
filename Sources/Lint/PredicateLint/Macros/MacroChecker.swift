/// Checks one `#Predicate`.
struct MacroChecker {
    let bytes: Bytes
    let macro: PredicateMacro
    let types: SourceTypes
    let declarations: Declarations
    let host: MacroHost
    /// Looks up a property that an extension in another source may add to a type.
    private let added: (NeededMember) -> SourceProperty?
    /// The generic parameter that is the type of the objects; nil after it has been reported.
    private var generic: String?
    /// The types of the names that the predicate binds; nil for an unknown type.
    private var bound: [String: TypeName?] = [:]
    /// The number of closures that contain the current node.
    private var closures = 0
    private(set) var findings: [LintFinding] = []

    init(
        _ bytes: Bytes, _ macro: PredicateMacro, _ types: SourceTypes, _ declarations: Declarations,
        _ host: MacroHost?, usesSwiftData: Bool, added: @escaping (NeededMember) -> SourceProperty?
    ) {
        self.bytes = bytes
        self.macro = macro
        self.added = added
        self.types = types
        self.declarations = declarations
        let name = macro.types.first
        let isGeneric = name.map { declarations.isGeneric($0, at: macro.name.lowerBound) } ?? false
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

    mutating func bind(_ names: [(String, TypeName?)]) {
        for (name, type) in names { bound[name] = .some(type) }
    }

    mutating func report(_ failure: MacroFailure, _ part: String, _ range: Range<Int>) {
        var finding = LintFinding(
            rule: .macro, level: failure.isRare ? .note : .warning, text: failure.message(part), hints: failure.hints,
            range: range)
        finding.isQuiet = failure.isRare
        findings.append(finding)
    }

    func text(_ range: Range<Int>) -> String { bytes.text(range) }

    // MARK: Nodes

    mutating func visit(_ node: CodeExpression) {
        switch node {
        case .name, .literal, .unknown: break
        case .member: visitChain(node)
        case .call(let function, let arguments, _): visitCall(function, arguments.map(\.value))
        case .closure(let closure): visit(closure, element: nil)
        case .infix(let left, let operation, let right):
            visitOperator(left, operation, right)
            visitComparison(left, text(operation), right)
            visit(left)
            visit(right)
        case .group(_, let parts): for part in parts { visit(part.value) }
        case .element(let base, let places, _): visitElement(base, places.map(\.value))
        case .cast(let value, let target): visitCast(value, target)
        case .choice(let nodes, let place):
            visitChoice(place)
            for node in nodes { visit(node) }
        case .forced(let inner): visit(inner)
        case .branch(let conditions, let parts, let place):
            if conditions.allSatisfy({ $0.name == nil }) { visitChoice(place) }
            for condition in conditions {
                visit(condition.value)
                if let name = condition.name { bound[text(name)] = .some(type(of: condition.value)?.unwrapped) }
            }
            for part in parts { visit(part) }
        case .refused(let failure, let place): report(failure, text(place), place)
        }
    }

    mutating func visitChoice(_ place: Range<Int>) {
        if host == .swiftData { report(.choice, text(place), place) }
    }

    mutating func visit(_ closure: CodeClosure, element: TypeName?) {
        let before = bound
        closures += 1
        bind(closure.parameters.map { ($0.name, element) })
        for node in closure.body { visit(node) }
        bound = before
        closures -= 1
    }

    /// `$0.items.contains { item in … }`: the closure receives the elements; the closure of flatMap receives the value itself.
    mutating func visitCall(_ function: CodeExpression, _ arguments: [CodeExpression]) {
        switch function {
        case .member(let base, let name, _):
            if base != nil, !MacroFailure.functions.contains(text(name)) { report(.function, text(name), name) }
            if let base { visitReceiver(base, text(name), arguments) }
        case .name(let name):
            if !text(name).hasPrefix("#") { report(.globalFunction, text(name), name) }
        default: visit(function)
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

    /// `$0.tags` of `$0.tags.contains("x")`
    mutating func visitReceiver(_ base: CodeExpression, _ function: String, _ arguments: [CodeExpression]) {
        visit(base)
        guard let type = type(of: base), type.isCollection, let name = base.lastName else { return }
        let isValue = arguments.allSatisfy { if case .closure = $0 { false } else { true } }
        switch host {
        case .swiftData:
            if function == "contains", isValue, isOfModel(base), isValueType(type.name) {
                report(.arrayOfValues, text(name), name)
            }
        case .library: if function == "starts" { report(.sequencePrefix, text(name), name) }
        case .memory: break
        }
    }

    /// True for a type whose collection SwiftData stores as one value.
    func isValueType(_ name: String) -> Bool {
        if let type = types[name] { return type.form == .value || type.form == .enumeration }
        return Self.ordered.contains(name) || Self.unordered.contains(name)
    }

    // MARK: Chains

    /// `trip.owner?.team?.name`
    mutating func visitChain(_ node: CodeExpression) {
        var links: [(node: CodeExpression, name: Range<Int>, isOptional: Bool)] = []
        var next: CodeExpression? = node
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
        for link in links.suffix(Self.mostChecked).reversed() { visitMember(link.node, link.name) }
    }

    /// `owner.id` of a model outside the predicate.
    mutating func visitCaptured(_ root: CodeExpression, _ names: [Range<Int>]) {
        guard host == .swiftData, case .name(let name) = root, let type = declaredType(root), !type.isCollection,
            let model = types[type.name], model.form == .model, let first = names.last,
            model.properties[text(first)] != nil || text(first) == "persistentModelID"
        else { return }
        report(.capturedModel, text(name), name)
    }

    func unforced(_ node: CodeExpression) -> CodeExpression {
        if case .forced(let inner) = node { unforced(inner) } else { node }
    }

    func start(of node: CodeExpression) -> Int? {
        if case .name(let range) = node { range.lowerBound } else { nil }
    }

    /// The beginning of a chain: a call, a group, or `Kind` of `Kind.open`.
    mutating func visitRoot(
        _ root: CodeExpression, _ links: [(node: CodeExpression, name: Range<Int>, isOptional: Bool)]
    ) {
        guard case .name(let name) = root else { return visit(root) }
        if let member = links.last?.name, KnownMembers.constant(text(member), of: text(name)) != nil {
            return report(.staticMember, "\(text(name)).\(text(member))", name.lowerBound..<member.upperBound)
        }
        guard let type = types[text(name)], type.form == .enumeration, let member = links.last?.name,
            type.cases.contains(text(member))
        else { return }
        report(.enumCase, "\(text(name)).\(text(member))", name.lowerBound..<member.upperBound)
    }

    /// A property, by its declaration.
    mutating func visitMember(_ node: CodeExpression, _ name: Range<Int>) {
        guard case .member(let base?, _, _) = unforced(node) else { return }
        let member = text(name)
        if host == .swiftData { visitPart(base, member, name) }
        guard let owner = type(of: base), !owner.isCollection, let declared = types[owner.name] else { return }
        let property = declared.properties[member] ?? added(NeededMember(type: owner.name, name: member))
        switch (host, declared.form) {
        case (.swiftData, .model):
            if property?.storage == .computed { report(.computedMember, member, name) }
            if property?.storage == .transient { report(.transientMember, member, name) }
        case (.swiftData, .value) where property != nil && isOfModel(base): report(.codableMember, member, name)
        case (.swiftData, .enumeration) where isOfModel(base):
            report(member == "rawValue" ? .enumRawValue : .enumValue, base.lastName.map(text) ?? "", name)
        case (.library, _):
            let isListed = declared.keys?.values.contains(member) ?? declared.supertypes.contains("KeyPathCoding")
            let isUnnamed = property?.storage == .computed || property != nil && declared.keys != nil
            if isUnnamed, !isListed { report(.unnamedMember, member, name) }
        case (.memory, .object): if property?.storage == .constant { report(.constantOfClass, member, name) }
        case (.swiftData, _), (.memory, _): break
        }
    }

    /// True for a property of a model.
    func isOfModel(_ node: CodeExpression) -> Bool {
        guard case .member(let base?, _, _) = unforced(node), let owner = type(of: base) else { return false }
        return types[owner.name]?.form == .model
    }

    /// A member of a value that SwiftData stores as a whole.
    mutating func visitPart(_ base: CodeExpression, _ member: String, _ name: Range<Int>) {
        if MacroFailure.localizedCases.contains(member), isOfObject(base) { report(.localizedCase, member, name) }
        guard let type = type(of: base), let value = base.lastName, isOfModel(base) else { return }
        if type.isCollection, member == "count", closures > 0, types[type.name]?.form == .model {
            report(.nestedCount, text(value), name)
        } else if !type.isCollection, Self.wholeValues.contains(type.name) {
            report(.memberOfValue, "\(text(value)).\(member)", name)
        }
    }

    /// The maximum number of members of a chain that are checked; the type of each is determined from the root again.
    static let mostChecked = 64
    /// Types of Foundation whose values SwiftData stores as a whole.
    private static let wholeValues: Set<String> = ["UUID", "URL", "Date", "Data"]

    // MARK: Types

    /// True for a value that depends on the object of the predicate.
    func isOfObject(_ node: CodeExpression) -> Bool {
        switch node {
        case .name(let range): bound[text(range)] != nil
        case .member(let base, _, _): base.map(isOfObject) ?? false
        case .call(let function, _, _): isOfObject(function)
        case .forced(let inner): isOfObject(inner)
        case .group(_, let parts): parts.contains { isOfObject($0.value) }
        case .element(let base, _, _): isOfObject(base)
        case .cast(let value, _): isOfObject(value)
        case .choice(let nodes, _): nodes.contains(where: isOfObject)
        case .closure, .literal, .infix, .branch, .refused, .unknown: false
        }
    }

    /// The type of a value, if the sources declare it.
    func type(of node: CodeExpression) -> TypeName? {
        switch node {
        case .name(let range): return bound[text(range)] ?? nil
        case .member(let base, let name, let isOptional):
            guard let base, let owner = type(of: base), !owner.isCollection,
                var type = types[owner.name]?.properties[text(name)]?.type
            else { return nil }
            if isOptional { type.isOptional = true }
            return type
        case .forced(let inner): return type(of: inner)?.unwrapped
        case .group(_, let parts): return parts.count == 1 ? type(of: parts[0].value) : nil
        case .call(.member(let base?, let name, _), _, _): return text(name) == "filter" ? type(of: base) : nil
        case .element(let base, _, _):
            guard let type = type(of: base), type.isCollection else { return nil }
            return TypeName(name: type.name)
        case .call, .closure, .literal, .infix, .cast, .choice, .branch, .refused, .unknown: return nil
        }
    }

    /// The type of a value outside the predicate, from its declaration.
    func declaredType(_ node: CodeExpression) -> TypeName? {
        guard case .name(let name) = node, bound[text(name)] == nil,
            let declaration = declarations.visible(name, at: macro.name.lowerBound, bytes),
            let type = declaration.type, declaration.typeStart == type.lowerBound
        else { return nil }
        let isPath = ".<(".utf8.contains(bytes[type.upperBound])
        return isPath ? nil : TypeName(name: text(type))
    }
}
