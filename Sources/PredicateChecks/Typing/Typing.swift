import PredicateSyntax

/// What a predicate is about: the schema, the evaluated object, and the values of variables.
package struct CheckScope: Sendable {
    /// The entities and their keys; nil if nothing is known of them.
    package var schema: (any PredicateSchema)?
    /// `SELF`
    package var subject = KnownType.unknown
    /// What `$name` stands for; other variables may have any value.
    package var variables: [String: KnownType] = [:]

    /// Nothing is known.
    package init() {
        subject.path = []
    }

    /// Objects of an entity of a schema.
    package init(_ schema: any PredicateSchema, entity: String) {
        self.schema = schema
        subject = KnownType(entity: entity)
        subject.path = []
    }

    /// Values of a property: those that a validation rule is about.
    package init(_ schema: any PredicateSchema, valuesOf property: SchemaProperty) {
        self.schema = schema
        subject = KnownType(property)
    }
}

extension CheckScope {
    /// What a path of keys from the evaluated object leads to.
    package func type(at keys: [String]) -> KnownType {
        let expression = ExpressionNode.keyPath(KeyPathExpression(keys.map(KeyPathExpression.Component.key)))
        var typing = Typing(self, ranges: [], open: [])
        return typing.check(.expression(expression)).type
    }
}

/// The part of a format whose value is not given: a specifier without an argument, a hole in the source of a program.
package struct OpenPart: Hashable, Sendable {
    /// UTF-8 offsets into the format.
    package var range: Range<Int>
    /// The kind of its value, as `%d` tells; nil where it may be any.
    package var kind: PredicateValue.Kind?

    package init(_ range: Range<Int>, _ kind: PredicateValue.Kind? = nil) {
        self.range = range
        self.kind = kind
    }
}

/// The pass between a tree and everything that is said about it: gives each node its type, children first, and notes keys
/// that are not there.
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

    /// Trees of formats and archives have at most a hundred levels.
    mutating func check(_ tree: TreeNode) -> CheckedNode {
        let children = children(of: tree)
        let number = next
        next += 1
        let range = ranges.indices.contains(number) ? ranges[number] : nil
        guard case .expression(let node) = tree else { return CheckedNode(tree, number, range, children, .unknown) }
        let type = isOpen(range) ? openType(range) : type(of: node, children.map(\.type), range)
        if case .assignment(let assignment) = node { variables[assignment.variable] = type }
        return CheckedNode(tree, number, range, children, type)
    }

    /// The variable of a SUBQUERY is an element of its collection, in its predicate only.
    private mutating func children(of tree: TreeNode) -> [CheckedNode] {
        guard case .expression(.subquery(let subquery)) = tree else { return tree.children.map { check($0) } }
        let collection = check(.expression(subquery.collection))
        let outer = variables[subquery.variable]
        variables[subquery.variable] = element(of: collection.type)
        let predicate = check(.predicate(subquery.predicate))
        variables[subquery.variable] = outer
        return [collection, predicate]
    }

    /// One of the values of a collection; those of a written one may be anything.
    private func element(of collection: KnownType) -> KnownType {
        var element = collection.isToMany || collection.entity != nil ? collection.element : .unknown
        element.path = collection.path
        return element
    }

    private func isOpen(_ range: Range<Int>?) -> Bool {
        guard let range, !open.isEmpty else { return false }
        return openRanges.overlap(range)
    }

    private func openType(_ range: Range<Int>?) -> KnownType {
        KnownType(Set(open.first { $0.range == range }?.kind.map { [$0] } ?? []))
    }

    mutating func note(
        _ code: PredicateFinding.Code, _ range: Range<Int>?, _ message: String, _ hint: String? = nil,
        level: PredicateFinding.Level? = nil
    ) {
        var finding = PredicateFinding(code, range, message, hint)
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
            let walk = KeyPathWalk(schema, range)
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

    /// True for values that are certainly no collection.
    private func isPlain(_ type: KnownType) -> Bool {
        !type.kinds.isEmpty && type.kinds.isDisjoint(with: [.array, .dictionary, .object])
    }

    private func result(of call: FunctionExpression, _ arguments: [KnownType]) -> KnownType {
        // Functions of derived attributes in Core Data.
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
