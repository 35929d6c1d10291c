package import PredicateEvaluation
import PredicateSyntax

/// What a predicate is about: the schema, the type of the evaluated object, the types of variables, and the context.
package struct CheckScope: Sendable {
    /// The entities and their keys; nil if they are unknown.
    package var schema: (any PredicateSchema)?
    /// The type of `SELF`.
    package var subject = KnownType.unknown
    /// The types of variables. Other variables may have any value.
    package var variables: [String: KnownType] = [:]
    /// The functions and operators that the host adds to the language, without colons.
    package var hostNames: Set<String> = []
    /// What predicates are evaluated with, such as the values of variables.
    package var context = PredicateContext.standard

    /// Makes a scope whose schema is unknown.
    package init() {
        subject.path = []
    }

    /// Makes a scope for the objects of an entity.
    package init(_ schema: any PredicateSchema, entity: String) {
        self.schema = schema
        subject = KnownType(entity: entity)
        subject.path = []
    }

    /// Makes a scope for the values of a property, as in a validation rule.
    package init(_ schema: any PredicateSchema, valuesOf property: PredicateProperty) {
        self.schema = schema
        subject = KnownType(property)
    }
}

extension CheckScope {
    package func with(_ context: PredicateContext) -> CheckScope {
        var scope = self
        scope.context = context
        return scope
    }

    /// The type of the values at a key path from the evaluated object.
    package func type(at keys: [String]) -> KnownType {
        type(of: .keyPath(KeyPathExpression(keys.map(KeyPathExpression.Component.key))))
    }

    /// The type of an expression's values, for the evaluated object.
    package func type(of expression: ExpressionNode) -> KnownType {
        var typing = Typing(self, ranges: [], open: [])
        return typing.check(.expression(expression)).type
    }
}

/// A part of a format whose value is unknown: a specifier without an argument, or an interpolation in source code.
package struct OpenPart: Hashable, Sendable {
    /// UTF-8 offsets into the format.
    package var range: Range<Int>
    /// The kind of the value, if known, as for `%d`; nil for any kind.
    package var kind: PredicateValue.Kind?
    /// The kind of the elements of an array, if known.
    package var elements: PredicateValue.Kind?

    package init(_ range: Range<Int>, _ kind: PredicateValue.Kind? = nil, elements: PredicateValue.Kind? = nil) {
        self.range = range
        self.kind = kind
        self.elements = elements
    }

    fileprivate var type: KnownType {
        var type = KnownType(Set(kind.map { [$0] } ?? []))
        type.elements = elements.map { [KnownType([$0])] }
        return type
    }
}

/// Gives each node of a tree its type, children first, and notes unknown keys.
struct Typing {
    private let schema: (any PredicateSchema)?
    private let subject: KnownType
    private var variables: [String: KnownType]
    private let ranges: [Range<Int>]
    private let open: [OpenPart]
    private let openRanges: SourceRanges
    private var next = 0
    var findings: [PredicateFinding] = []

    init(_ scope: CheckScope, ranges: [Range<Int>], open: [OpenPart]) {
        schema = scope.schema
        subject = scope.subject
        variables = scope.variables
        self.ranges = ranges
        self.open = open
        openRanges = SourceRanges(open.map(\.range))
    }

    /// Recursion is safe here, because trees of formats and archives have at most a hundred levels.
    mutating func check(_ tree: TreeNode) -> CheckedNode {
        let children = children(of: tree)
        let number = next
        next += 1
        let range = ranges.indices.contains(number) ? ranges[number] : nil
        guard case .expression(let node) = tree else { return CheckedNode(tree, number, range, children, .unknown) }
        let type = isOpen(range) ? openType(node, range, children) : type(of: node, children.map(\.type), range)
        if case .assignment(let assignment) = node { variables[assignment.variable] = type }
        return CheckedNode(tree, number, range, children, type)
    }

    private mutating func children(of tree: TreeNode) -> [CheckedNode] {
        guard case .expression(let node) = tree else { return tree.children.map { check($0) } }
        if case .subquery(let subquery) = node { return children(of: subquery) }
        if case .member(let member) = node { return children(of: member) }
        return tree.children.map { check($0) }
    }

    /// `a.b[0]`: evaluation does not read an index as a key, so nothing is known about the keys in it.
    private mutating func children(of member: MemberExpression) -> [CheckedNode] {
        let base = check(.expression(member.base))
        let outer = findings
        let own = check(.expression(member.member))
        findings = outer
        return [base, own]
    }

    /// In the predicate of a SUBQUERY, its variable is an element of the collection.
    private mutating func children(of subquery: SubqueryExpression) -> [CheckedNode] {
        let collection = check(.expression(subquery.collection))
        let outer = variables[subquery.variable]
        variables[subquery.variable] = element(of: collection.type)
        let predicate = check(.predicate(subquery.predicate))
        variables[subquery.variable] = outer
        return [collection, predicate]
    }

    /// The type of an element of a collection. Elements of a collection that is written out may have any type.
    private func element(of collection: KnownType) -> KnownType {
        var element = collection.isToMany || collection.entity != nil ? collection.element : .unknown
        element.path = collection.path
        return element
    }

    private func isOpen(_ range: Range<Int>?) -> Bool {
        guard let range, !open.isEmpty else { return false }
        return openRanges.overlap(range)
    }

    /// The type of an unknown part, or of a list of which all elements are parts: `{%@, %@}`
    private func openType(_ node: ExpressionNode, _ range: Range<Int>?, _ children: [CheckedNode]) -> KnownType {
        if let own = open.first(where: { $0.range == range }) { return own.type }
        let parts = open.filter { range?.contains($0.range.lowerBound) ?? false }.map(\.type)
        var list = KnownType([.array])
        if case .aggregate = node {
            list.elements = children.map(\.type)
        } else if parts.count == node.constant?.elements?.count {
            list.elements = parts
        } else {
            return .unknown
        }
        return list
    }

    mutating func note(
        _ code: PredicateFinding.Code, _ range: Range<Int>?, _ message: String, _ hint: String? = nil,
        guesses: [String] = [], level: PredicateFinding.Level? = nil
    ) {
        var finding = PredicateFinding(code, range, message, hint)
        finding.guesses = guesses
        if let level { finding.level = level }
        findings.append(finding)
    }

    // MARK: Types

    private mutating func type(of node: ExpressionNode, _ children: [KnownType], _ range: Range<Int>?) -> KnownType {
        switch node {
        case .constantValue(let value): return KnownType(value)
        case .evaluatedObject: return subject
        case .variable(let name): return variables[name] ?? .unknown
        case .keyPath(let path):
            var walk = KeyPathTyping(schema, path, range)
            return walk.type(of: path.components[...], from: children.first ?? subject, &self)
        case .function(let call): return result(of: call, children)
        case .cast(let cast): return KnownType(Set(CastType(rawValue: cast.type).map { [$0.kind] } ?? []))
        case .aggregate:
            var list = KnownType([.array])
            list.elements = children
            return list
        case .index(let index): return element(at: index.index, of: children[0])
        case .subquery: return subquery(children[0], range)
        case .conditional: return either(children[1], children[2])
        case .assignment: return children[0]
        case .symbol, .anyKey, .member, .message, .set, .block, .fetch: return .unknown
        }
    }

    /// `tags[0]`, `tags[LAST]`: an element; `tags[SIZE]`: their number
    private func element(at index: ExpressionNode, of collection: KnownType) -> KnownType {
        if index == .symbol(.size) {
            var size = KnownType.number
            size.isWhole = true
            return size
        }
        return collection.isToMany ? collection.element : .unknown
    }

    private mutating func subquery(_ collection: KnownType, _ range: Range<Int>?) -> KnownType {
        if !collection.isToMany, collection.entity != nil || isPlain(collection) {
            note(.toOneKey, range, "SUBQUERY takes several objects, but this is \(noun(collection))")
        }
        var result = collection
        (result.isToMany, result.path, result.constant, result.elements) = (true, nil, nil, nil)
        return result
    }

    /// True if the values are certainly not collections.
    private func isPlain(_ type: KnownType) -> Bool {
        !type.kinds.isEmpty && type.kinds.isDisjoint(with: [.array, .dictionary, .object])
    }

    private func result(of call: FunctionExpression, _ arguments: [KnownType]) -> KnownType {
        // Core Data has these functions for derived attributes.
        guard case .predefined(let function) = call.function else {
            return call.function.name.hasPrefix("canonical") ? KnownType([.string]) : .unknown
        }
        switch function.result {
        case .kind(let kind):
            var type = KnownType([kind])
            if function.isCount { type.isWhole = true }
            return type
        case .arithmetic:
            var number = KnownType.number
            number.isWhole = arguments.allSatisfy { $0.isWhole == true } ? true : nil
            return number
        case .argument: return arguments.first ?? .unknown
        case .element: return arguments.count == 1 && arguments[0].isToMany ? arguments[0].element : .unknown
        }
    }

    /// `TERNARY(p, a, b)`
    private func either(_ left: KnownType, _ right: KnownType) -> KnownType {
        if left.isNil { return right }
        if right.isNil { return left }
        guard !left.isOpen, !right.isOpen, left.entity == right.entity, left.isToMany == right.isToMany else {
            return .unknown
        }
        var type = KnownType(left.kinds.union(right.kinds))
        (type.entity, type.isToMany) = (left.entity, left.isToMany)
        return type
    }

    func noun(_ type: KnownType) -> String { type.noun(schema) }
}

extension KnownType {
    /// `a number`, `an object of Book`, `nil`
    package func noun(_ schema: (any PredicateSchema)?) -> String {
        if isNil { return "nil" }
        if let entity, kinds == [.object] { return schema?.noun(of: entity) ?? "an object of \(entity)" }
        return kinds.isEmpty ? "a value" : kinds.noun
    }
}

/// A node of a checked predicate, with its source range and the type of its values.
package final class CheckedNode {
    package let tree: TreeNode
    package let nodeNumber: Int
    package let range: Range<Int>?
    package let children: [CheckedNode]
    /// The type of the values of an expression; unknown for a predicate.
    package let type: KnownType

    init(_ tree: TreeNode, _ nodeNumber: Int, _ range: Range<Int>?, _ children: [CheckedNode], _ type: KnownType) {
        self.tree = tree
        self.nodeNumber = nodeNumber
        self.range = range
        self.children = children
        self.type = type
    }

    /// The node and all its descendants, parents first.
    package var all: [CheckedNode] {
        var nodes: [CheckedNode] = []
        collect(into: &nodes)
        return nodes
    }

    private func collect(into nodes: inout [CheckedNode]) {
        nodes.append(self)
        for child in children { child.collect(into: &nodes) }
    }

    package var predicate: PredicateNode? {
        if case .predicate(let node) = tree { node } else { nil }
    }

    package var expression: ExpressionNode? {
        if case .expression(let node) = tree { node } else { nil }
    }

    /// The keys that lead here from the evaluated object, also through variables of SUBQUERY; nil for other nodes.
    package var keys: [String]? { type.path.flatMap { $0.isEmpty ? nil : $0 } }

    /// The canonical form.
    package var text: String { tree.printed }

    /// The type and the operands of a compound; nil for other nodes.
    package var compound: (type: LogicalType, parts: [CheckedNode])? {
        guard case .compound(let node)? = predicate else { return nil }
        return (node.type, children)
    }
}

extension ExpressionNode {
    /// The value of a constant; nil for other expressions.
    package var constant: PredicateValue? {
        if case .constantValue(let value) = self { value } else { nil }
    }
}

/// The type of an expression, as far as it is known before any object is evaluated.
package struct KnownType {
    /// The kinds of the values except nil; empty if they are unknown.
    package var kinds: Set<PredicateValue.Kind> = []
    /// The entity of the objects; nil for plain values.
    package var entity: String?
    /// True if there are several values: a key of several objects, or an array of data.
    package var isToMany = false
    /// True for the constant `nil`.
    package var isNil = false
    /// True if all numbers are integers, false if some are not; nil if unknown.
    package var isWhole: Bool?
    /// The value of a constant.
    package var constant: PredicateValue?
    /// The types of the elements of a collection that is written out or passed as an argument.
    package var elements: [KnownType]?
    /// The property of the last key.
    package var property: PredicateProperty?
    /// The keys that lead here from the evaluated object; nil for other expressions.
    package var path: [String]?
    /// True for a to-many key of several objects: `staff.orders`
    package var isOfSeveral = false
    /// The position in the path of the last key that has several values.
    package var manyIndex: Int?

    package static let unknown = KnownType()
    package static let number = KnownType([.number])

    package init(_ kinds: Set<PredicateValue.Kind> = []) {
        self.kinds = kinds
    }

    package init(entity: String) {
        kinds = [.object]
        self.entity = entity
    }

    package init(_ property: PredicateProperty) {
        kinds = property.kinds
        entity = property.entity
        isToMany = property.isToMany
        isWhole = property.isWhole
        self.property = property
    }

    package init(_ value: PredicateValue) {
        constant = value
        guard let kind = value.kind else {
            isNil = true
            return
        }
        // Objects of the host may be anything.
        if kind != .object { kinds = [kind] }
        if case .integer = value { isWhole = true } else if kind == .number { isWhole = false }
        if kind == .array || kind == .dictionary { elements = (value.elements ?? []).map { KnownType($0) } }
    }

    /// True if the kinds are unknown, so that no comparison contradicts them.
    package var isOpen: Bool { kinds.isEmpty }

    /// The type of one of several values.
    package var element: KnownType {
        var copy = self
        copy.isToMany = false
        return copy
    }
}
