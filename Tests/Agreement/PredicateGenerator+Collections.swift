import PredicateSQL
import PredicateSyntax

/// Lists, to-many relationships, aggregates, subqueries and objects.
extension PredicateGenerator {
    // MARK: - Lists

    /// `n1 IN {1, 2, nil}`, a long list now and then, elements that are expressions.
    package mutating func membership(_ depth: Int) -> PredicateNode {
        let isText = random.percent(45)
        let left = isText ? string(depth) : number(depth)
        let count = random.percent(6) ? 90 + random.below(150) : random.below(6)
        var elements = (0..<count).map { _ in
            ExpressionNode.constantValue(isText ? stringConstant() : numberConstant())
        }
        if random.percent(20) { elements.append(.constantValue(.null)) }
        if random.percent(10) { elements.append(.constantValue(anyConstant())) }
        if random.percent(12) { elements.append(isText ? string(0) : number(0)) }
        let options = isText ? options() : []
        if random.percent(15), case .constantValue(.array(let values)) = list(elements) {
            return .comparison(.init(left, .in, .constantValue(.set(Set(values))), options: options))
        }
        return random.percent(85)
            ? .comparison(.init(left, .in, list(elements), options: options))
            : .string(.init(list(elements), .contains, left, options: options))
    }

    /// `many.s3 CONTAINS "a"`, `"a" IN many.s3`, a set made of two.
    package mutating func container(_ depth: Int) -> PredicateNode {
        if random.percent(40), let (array, type) = array() {
            let value = element(type)
            return random.percent(50)
                ? .comparison(.init(value, .in, array)) : .string(.init(array, .contains, value, options: options()))
        }
        guard let (collection, value) = mapped() else { return membership(depth) }
        if random.percent(30), let (other, _) = mapped() {
            let set = ExpressionNode.set(.init(collection, random.pick(.union, .intersect, .minus), other))
            return .comparison(.init(value, .in, set))
        }
        return random.percent(50)
            ? .comparison(.init(value, .in, collection)) : .string(.init(collection, .contains, value))
    }

    /// A key through a collection, and a value that may be in it.
    private mutating func mapped() -> (collection: ExpressionNode, value: ExpressionNode)? {
        guard let (collection, entity) = toMany() else { return nil }
        let fits = entity.sortedAttributes.filter { $0.value.type == .string || $0.value.type == .integer }
        guard let (key, attribute) = random.any(of: fits) else { return nil }
        let value = attribute.type == .string ? string(0) : number(0)
        return (collection.appending(key), value)
    }

    // MARK: - ANY, ALL, NONE

    package mutating func quantified(_ depth: Int) -> PredicateNode {
        if random.percent(20), let node = quantifiedArray(depth) { return node }
        guard let (collection, entity) = toMany() else { return membership(depth) }
        let (left, leaf) = elements(of: collection, entity)
        let modifier: ComparisonModifier = random.percent(60) ? .any : .all
        let node = quantified(left, leaf, modifier, depth)
        // NONE is NOT ANY.
        return random.percent(25) ? .compound(CompoundPredicate(.not, [node])) : node
    }

    /// A key of the elements: an attribute, behind a to-one or another to-many key now and then, or the objects.
    private mutating func elements(
        of collection: ExpressionNode, _ entity: SQLEntity
    ) -> (path: ExpressionNode, leaf: SQLType?) {
        var (path, entity) = (collection, entity)
        if random.percent(25), let (key, relationship) = random.any(of: entity.sortedRelationships) {
            path = path.appending(key)
            entity = world.entity(relationship.destination)
        }
        guard random.percent(88), let (key, attribute) = random.any(of: entity.sortedAttributes) else {
            return (path, nil)
        }
        return (path.appending(key), attribute.type)
    }

    mutating func quantified(
        _ left: ExpressionNode, _ leaf: SQLType?, _ modifier: ComparisonModifier, _ depth: Int
    ) -> PredicateNode {
        if random.percent(8) {
            return .comparison(.init(left, equality(), .constantValue(.null), modifier: modifier))
        }
        switch leaf {
        case .string, .paddedString: return quantifiedText(left, modifier, depth)
        case .integer, .double, .single, .decimal, .boolean:
            return random.percent(20)
                ? .comparison(.init(left, .in, list([number(0), number(0), number(0)]), modifier: modifier))
                : random.percent(15)
                    ? .comparison(.init(left, .between, list([number(0), number(0)]), modifier: modifier))
                    : .comparison(.init(left, relation(), number(depth - 1), modifier: modifier))
        case .date: return .comparison(.init(left, relation(), date(depth - 1), modifier: modifier))
        case .uuid, .data, .array, .any, .json:
            return .comparison(.init(left, equality(), .constantValue(anyConstant()), modifier: modifier))
        case nil: return .comparison(.init(left, equality(), objectExpression(), modifier: modifier))
        }
    }

    private mutating func quantifiedText(
        _ left: ExpressionNode, _ modifier: ComparisonModifier, _ depth: Int
    ) -> PredicateNode {
        let (right, options) = (string(depth - 1), options())
        switch random.below(5) {
        case 0: return .comparison(.init(left, relation(), right, modifier: modifier, options: options))
        case 1:
            return .comparison(.init(left, .in, list([string(0), string(0)]), modifier: modifier, options: options))
        case 2:
            let pattern = ExpressionNode.constantValue(.string(random.any(of: SampleValues.likePatterns) ?? "*"))
            return .string(.init(left, .like, pattern, modifier: modifier, options: options))
        default:
            let relation: StringOperator = random.pick(.beginsWith, .endsWith, .contains)
            return .string(.init(left, relation, right, modifier: modifier, options: options))
        }
    }

    // MARK: - Aggregates

    /// `many.@count`, `many.@sum.n0`, `SUBQUERY(many, $v, …).@count`
    package mutating func aggregate(_ depth: Int) -> ExpressionNode? {
        if random.percent(25), let array = arrayAggregate(depth) { return array }
        guard let (collection, entity) = toMany() else { return nil }
        switch random.below(10) {
        case 0...2: return collection.appending("@count")
        case 3: return .index(IndexExpression(base: collection, index: .symbol(.size)))
        case 4, 5: return subquery(collection, entity, depth)
        default: break
        }
        guard let (key, _) = random.any(of: entity.sortedAttributes.filter { $0.value.type.isNumber }) else {
            return collection.appending("@count")
        }
        return collection.appending(random.pick("@sum", "@avg", "@min", "@max"), key)
    }

    private mutating func subquery(_ collection: ExpressionNode, _ entity: SQLEntity, _ depth: Int) -> ExpressionNode {
        let subquery = withVariable(for: entity) { generator, name in
            let predicate = generator.condition(depth: min(depth - 1, 2))
            return ExpressionNode.subquery(SubqueryExpression(collection, variable: name, predicate: predicate))
        }
        switch random.below(8) {
        case 0: return .index(IndexExpression(base: subquery, index: .symbol(.size)))
        case 1:
            let numbers = entity.sortedAttributes.filter { $0.value.type == .integer }
            guard let (key, _) = random.any(of: numbers) else { return subquery.appending("@count") }
            return subquery.appending(random.pick("@sum", "@max", "@min"), key)
        default: return subquery.appending("@count")
        }
    }

    // MARK: - Objects

    /// `one0 == %@`, `SELF IN %@`, `many CONTAINS one0`
    package mutating func object(_ depth: Int) -> PredicateNode {
        switch random.below(6) {
        case 0:
            let ids = (0..<random.below(5)).map { _ in objectConstant() }
            let right: PredicateValue = random.percent(50) ? .array(ids) : .set(Set(ids))
            return .comparison(.init(objectExpression(), .in, .constantValue(right)))
        case 1:
            guard let (collection, _) = toMany() else { return object(depth) }
            return random.percent(50)
                ? .string(.init(collection, .contains, objectExpression()))
                : .comparison(.init(objectExpression(), .in, collection))
        default: return .comparison(.init(objectExpression(), equality(), objectExpression()))
        }
    }

    package mutating func objectExpression() -> ExpressionNode {
        switch random.below(10) {
        case 0...2: return .constantValue(objectConstant())
        case 3: return .constantValue(.null)
        case 4:
            guard let variable = scopes.last?.variable else { return .evaluatedObject }
            return .variable(variable)
        default:
            let (base, start) = base()
            let (keys, entity) = hops(from: start, atMost: 1)
            let toOnes = entity.sortedRelationships.filter { !$0.value.isToMany }
            guard let (key, _) = random.any(of: toOnes) else { return .evaluatedObject }
            return .keyPath(KeyPathExpression(base: base, (keys + [key]).map { .key($0) }))
        }
    }

    private mutating func objectConstant() -> PredicateValue {
        let entity = world.entity(random.any(of: world.entityNames) ?? "")
        let number = random.any(of: world.rows[entity.name] ?? [])?.number ?? 0
        return SQLObjectID(entity.name, key: world.key(entity, random.percent(90) ? number : 99)).predicateValue
    }
}
