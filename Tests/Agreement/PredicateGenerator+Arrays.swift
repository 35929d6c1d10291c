import PredicateSQL
import PredicateSyntax

/// Arrays of plain values: `ANY tags == "a"`, `"a" IN tags`, `tags.@count`, `SUBQUERY(tags, $t, $t == "a")`.
extension PredicateGenerator {
    /// An attribute that holds arrays, and the type of the elements; nil where there is none.
    mutating func array() -> (path: ExpressionNode, element: SQLType)? {
        let (base, start) = base()
        let (keys, entity) = hops(from: start, atMost: 1)
        let candidates = entity.sortedAttributes.filter(\.value.type.isArray)
        guard let (key, attribute) = random.any(of: candidates) else { return nil }
        let path = KeyPathExpression(base: base, (keys + [key]).map { .key($0) })
        return (.keyPath(path), attribute.type.element)
    }

    /// A value that an element may be equal to.
    mutating func element(_ type: SQLType) -> ExpressionNode {
        if random.percent(6) { return .constantValue(.null) }
        return type == .string ? string(0) : number(0)
    }

    /// `ANY tags BEGINSWITH "a"`, `NONE numbers > 3`
    mutating func quantifiedArray(_ depth: Int) -> PredicateNode? {
        guard let (array, type) = array() else { return nil }
        let modifier: ComparisonModifier = random.percent(60) ? .any : .all
        let isText = type == .string
        let left = isText && random.percent(10) ? array.appending("length") : array
        let node = quantified(left, left == array ? type : .integer, modifier, depth)
        return random.percent(25) ? .compound(CompoundPredicate(.not, [node])) : node
    }

    /// `tags.@count`, `numbers.@sum.self`, `SUBQUERY(tags, $v, $v == "a").@count`
    mutating func arrayAggregate(_ depth: Int) -> ExpressionNode? {
        guard let (array, type) = array() else { return nil }
        if type == .integer, random.percent(30) {
            return array.appending(random.pick("@sum", "@avg", "@min", "@max"), "self")
        }
        switch random.below(6) {
        case 0, 1: return array.appending("@count")
        case 2: return .index(IndexExpression(base: array, index: .symbol(.size)))
        case 3: return array.appending("@distinctUnionOfObjects", "self", "@count")
        default: return .index(IndexExpression(base: selection(array, type), index: .symbol(.size)))
        }
    }

    private mutating func selection(_ array: ExpressionNode, _ type: SQLType) -> ExpressionNode {
        // Keys are those of the object around, since an element has none.
        let variable = ExpressionNode.variable("e")
        let right = element(type)
        let test: PredicateNode =
            type == .string && random.percent(40)
            ? .string(.init(variable, random.pick(.beginsWith, .contains), right, options: options()))
            : .comparison(.init(variable, relation(), right))
        return .subquery(SubqueryExpression(array, variable: "e", predicate: test))
    }
}
