import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// Makes random predicates over the language that SQL can say, about an entity of a world.
///
/// Kinds mostly fit, since what does not is refused or wrong for every row; now and then one does not.
package struct PredicateGenerator {
    package var random: RandomSource
    package let world: AgreementWorld
    /// The objects that keys may be asked of: `SELF`, and the variables of the SUBQUERYs around.
    package var scopes: [Scope] = []
    private var variableCount = 0
    /// True to make functions of dates, which the host registers.
    package var makesDateFunctions = false

    package struct Scope {
        /// Nil for the evaluated object.
        let variable: String?
        let entity: SQLEntity
    }

    package init(seed: UInt64, world: AgreementWorld) {
        self.init(random: RandomSource(seed: seed), world: world)
    }

    package init(random: RandomSource, world: AgreementWorld) {
        self.random = random
        self.world = world
    }

    /// A predicate about objects of an entity.
    package mutating func predicate(about entity: String) -> PredicateNode {
        begin(about: entity)
        return condition(depth: 3)
    }

    /// Begins an expression about objects of an entity.
    package mutating func begin(about entity: String) {
        scopes = [Scope(variable: nil, entity: world.entity(entity))]
        variableCount = 0
    }

    /// Arithmetic, a string or a date of an object. The error of a comparison in TERNARY and SUBQUERY is no error of a
    /// row in SQL.
    package mutating func rowExpression(of entity: String) -> FormatExpression {
        begin(about: entity)
        while true {
            let node =
                switch random.below(5) {
                case 0, 1: number(2)
                case 2: string(1)
                default: date(2)
                }
            let text = node.expressionFormat
            if !text.contains("TERNARY"), !text.contains("SUBQUERY") { return FormatExpression(node) }
        }
    }

    // MARK: - Compounds

    package mutating func condition(depth: Int) -> PredicateNode {
        if depth <= 0 { return comparison(depth: depth) }
        switch random.weighted(["and": 14, "or": 12, "not": 14, "constant": 1, "comparison": 59]) {
        case "and": return compound(.and, depth)
        case "or": return compound(.or, depth)
        case "not": return .compound(CompoundPredicate(.not, [condition(depth: depth - 1)]))
        case "constant": return .constant(random.percent(50))
        default: return comparison(depth: depth)
        }
    }

    private mutating func compound(_ type: LogicalType, _ depth: Int) -> PredicateNode {
        let count = random.percent(3) ? random.below(2) : 2 + random.below(2)
        return .compound(CompoundPredicate(type, (0..<count).map { _ in condition(depth: depth - 1) }))
    }

    // MARK: - Objects

    /// The object that keys are asked of, and what stands before them.
    package mutating func base() -> (expression: ExpressionNode?, entity: SQLEntity) {
        // The innermost variable is the one that a SUBQUERY is about.
        let scope = random.percent(60) ? scopes.last : random.any(of: visibleScopes)
        guard let scope else { return (nil, SQLEntity("", attributes: [:])) }
        if let variable = scope.variable { return (.variable(variable), scope.entity) }
        return (random.percent(5) ? .evaluatedObject : nil, scope.entity)
    }

    /// Without those whose variable an inner one hides.
    private var visibleScopes: [Scope] {
        scopes.indices.filter { index in
            !scopes[(index + 1)...].contains { $0.variable != nil && $0.variable == scopes[index].variable }
        }.map { scopes[$0] }
    }

    /// Keys of to-one relationships from a base, up to so many.
    package mutating func hops(from entity: SQLEntity, atMost limit: Int) -> (keys: [String], entity: SQLEntity) {
        var (keys, entity) = ([String](), entity)
        while keys.count < limit, random.percent(30) {
            let toOnes = entity.sortedRelationships.filter { !$0.value.isToMany }
            guard let (key, relationship) = random.any(of: toOnes) else { break }
            keys.append(key)
            entity = world.entity(relationship.destination)
        }
        return (keys, entity)
    }

    /// An attribute of a kind, behind some to-one keys: `one0.s3`; nil where there is none.
    package mutating func attribute(_ fits: (SQLType) -> Bool) -> ExpressionNode? {
        let (base, start) = base()
        let (keys, entity) = hops(from: start, atMost: 2)
        let candidates = entity.sortedAttributes.filter { fits($0.value.type) }
        guard let (key, _) = random.any(of: candidates) else { return nil }
        return .keyPath(KeyPathExpression(base: base, (keys + [key]).map { .key($0) }))
    }

    /// A to-many relationship behind some to-one keys: `one0.pairs`; nil where there is none.
    package mutating func toMany() -> (collection: ExpressionNode, entity: SQLEntity)? {
        let (base, start) = base()
        let (keys, entity) = hops(from: start, atMost: 1)
        let candidates = entity.sortedRelationships.filter(\.value.isToMany)
        guard let (key, relationship) = random.any(of: candidates) else { return nil }
        let path = KeyPathExpression(base: base, (keys + [key]).map { .key($0) })
        return (.keyPath(path), world.entity(relationship.destination))
    }

    /// Does something with a new variable in scope.
    package mutating func withVariable<Result>(
        for entity: SQLEntity, _ body: (inout PredicateGenerator, String) -> Result
    ) -> Result {
        // Sometimes a name that is in use already, which the inner variable hides.
        let isHiding = variableCount > 0 && random.percent(15)
        if !isHiding { variableCount += 1 }
        let name = "v\(variableCount)"
        scopes.append(Scope(variable: name, entity: entity))
        defer { scopes.removeLast() }
        return body(&self, name)
    }
}

extension ExpressionNode {
    /// A further key behind a path.
    package func appending(_ keys: String...) -> ExpressionNode {
        if case .keyPath(var path) = self {
            path.components += keys.map { .key($0) }
            return .keyPath(path)
        }
        return .keyPath(KeyPathExpression(base: self, keys.map { .key($0) }))
    }

    package static func call(_ function: FunctionExpression.Predefined, _ arguments: ExpressionNode...)
        -> ExpressionNode
    {
        .function(FunctionExpression(.predefined(function), arguments))
    }
}
