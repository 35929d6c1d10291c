/// A check of a tree against a policy, in the order of node numbers: the rule for every construct.
struct PolicyCheck {
    let policy: PredicatePolicy
    private var count = 0
    /// The routes to the elements that the variables of enclosing `SUBQUERY`s stand for.
    private var scopes: [ExactName: KeyRoute] = [:]
    /// The variables that may stand for anything of the object.
    private var assigned: Set<ExactName> = []

    init(_ policy: PredicatePolicy) {
        self.policy = policy
    }

    /// Checks the tree, its size first.
    mutating func check(_ tree: TreeNode) throws(PolicyViolation) {
        do throws(TreeExcess) {
            assigned = try TreeReview(tree, policy.limits).assigned
        } catch {
            throw PolicyViolation(code: .exceeds(error.limit, limit: policy.limits[error.limit]), node: error.node)
        }
        switch tree {
        case .predicate(let node): try check(node)
        case .expression(let node): try check(node)
        }
    }

    private mutating func check(_ node: PredicateNode) throws(PolicyViolation) {
        switch node {
        case .constant: try need(.constantPredicate)
        case .comparison(let comparison):
            try check(comparison.leftExpression)
            try check(comparison.rightExpression)
            try need(operator: comparison.operator)
            try need(comparison.modifier)
        case .string(let comparison):
            try check(comparison.leftExpression)
            try check(comparison.rightExpression)
            try need(operator: comparison.operator, against: comparison.rightExpression)
            try need(comparison.modifier)
        case .compound(let compound):
            for subpredicate in compound.subpredicates { try check(subpredicate) }
            switch compound.type {
            case .and: try need(.and)
            case .or: try need(.or)
            case .not: try need(.not)
            }
        case .block: try need(.block)
        }
        count += 1
    }

    /// `isStep`: a key or an index follows, and the route is checked there.
    private mutating func check(_ node: ExpressionNode, isStep: Bool = false) throws(PolicyViolation) {
        switch node {
        case .constantValue(let value): try check(value)
        case .evaluatedObject: if !isStep { try follow(route(of: node)) }
        case .variable(let name):
            if scopes[ExactName(name)] == nil { try need(.variable) }
            if !isStep { try follow(route(of: node)) }
        case .keyPath(let path): try check(path, node, isStep: isStep)
        case .member(let member): try check(member)
        case .function(let call): try check(call)
        case .message(let message):
            try check(message.target)
            for argument in message.arguments { try check(argument) }
            try need(.message)
            try need(name: message.selector)
        case .cast(let cast):
            try check(cast.expression)
            try need(.cast)
            if cast.type == "Class" { try need(.classConstant) }
            if policy.castTypes?.contains(cast.type) == false { throw violation(.castType(cast.type)) }
        case .aggregate(let elements):
            for element in elements { try check(element) }
            try need(.aggregate)
        case .index(let index):
            try check(index.base, isStep: true)
            try check(index.index)
            try need(.index)
            if !isStep { try follow(route(of: node)) }
        case .symbol: break
        case .subquery(let subquery):
            try check(subquery)
            if !isStep { try follow(route(of: node)) }
        case .conditional(let conditional):
            try check(conditional.predicate)
            try check(conditional.trueExpression)
            try check(conditional.falseExpression)
            try need(.conditional)
        case .set(let set):
            try check(set.leftExpression)
            try check(set.rightExpression)
            try need(.setOperation)
        case .assignment(let assignment):
            try check(assignment.expression)
            try need(.assignment)
        case .anyKey:
            try need(.anyKey)
            try follow(.unknown)
        case .block(let block):
            for argument in block.arguments { try check(argument) }
            try need(.block)
        case .fetch(let arguments):
            for argument in arguments { try check(argument) }
            try need(.fetch)
        }
        count += 1
    }

    private mutating func check(_ call: FunctionExpression) throws(PolicyViolation) {
        for argument in call.arguments { try check(argument) }
        switch call.function {
        case .predefined(let function):
            guard policy.functions.contains(function) else { throw violation(.function(function)) }
        case .custom(let name):
            try need(.hostFunction)
            try need(name: name)
        }
    }

    private mutating func check(_ subquery: SubqueryExpression) throws(PolicyViolation) {
        try check(subquery.collection, isStep: true)
        let outer = scopes.updateValue(route(of: subquery.collection), forKey: ExactName(subquery.variable))
        defer { scopes[ExactName(subquery.variable)] = outer }
        try check(subquery.predicate)
        try need(.subquery)
    }

    /// A call after a dot is a message, an index there has its key on the left.
    private mutating func check(_ member: MemberExpression) throws(PolicyViolation) {
        try check(member.base)
        try check(member.member, isStep: true)
        try need(.message)
        if case .function(let call) = member.member { try need(name: call.function.name) }
    }

    private mutating func check(
        _ path: KeyPathExpression, _ node: ExpressionNode, isStep: Bool
    ) throws(PolicyViolation) {
        if let base = path.base { try check(base, isStep: true) }
        for component in path.components {
            switch component {
            case .variable: try need(.variableKey)
            case .key(let key):
                if key.utf8.first == UInt8(ascii: "@"), policy.collectionOperators?.contains(key) == false {
                    throw violation(.collectionOperator(key))
                }
                if KeyRoute.reflective.contains(key) { try needReflective(node) }
            }
        }
        if !isStep { try follow(route(of: node)) }
    }

    private func check(_ value: PredicateValue) throws(PolicyViolation) {
        switch value {
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url: break
        case .type: try need(.classConstant)
        case .object: try need(.objectConstant)
        case .expression, .predicate: try need(.treeConstant)
        case .array(let values), .orderedSet(let values): for value in values { try check(value) }
        case .set(let values): for value in values { try check(value) }
        case .dictionary(let entries): for value in entries.values { try check(value) }
        }
    }
}

// MARK: - Rules

extension PolicyCheck {
    func violation(_ code: PredicatePolicyError.Code, at node: Int? = nil) -> PolicyViolation {
        PolicyViolation(code: code, node: node ?? count)
    }

    private func need(_ feature: PredicateFeature) throws(PolicyViolation) {
        guard policy.features.contains(feature) else { throw violation(.feature(feature)) }
    }

    private func need(name: String) throws(PolicyViolation) {
        if policy.names?.contains(name) == false { throw violation(.name(name)) }
    }

    private func need(operator: ComparisonOperator) throws(PolicyViolation) {
        try need(`operator`.feature)
        if case .customSelector(let name) = `operator` { try need(name: name) }
    }

    private func need(
        operator: StringOperator, against right: ExpressionNode
    ) throws(PolicyViolation) {
        try need(`operator`.feature)
        switch `operator`.rightSide {
        case .regularExpression: try check(pattern: right)
        case .needle, .likePattern, .typeIdentifier: break
        }
    }

    private func need(_ modifier: ComparisonModifier) throws(PolicyViolation) {
        switch modifier {
        case .direct: break
        case .any, .all: try need(.quantifiers)
        }
    }

    /// Checks the right side of MATCHES, whose node number is the last one given.
    private func check(pattern right: ExpressionNode) throws(PolicyViolation) {
        switch policy.patterns {
        case .any: return
        case .plain:
            guard case .constantValue(let value) = right else { throw violation(.variablePattern, at: count - 1) }
            guard case .string(let pattern) = value else { return }
            let longest = min(policy.limits.patternLength, PatternTree.longest)
            guard pattern.utf8.count <= longest else {
                throw violation(.exceeds(.patternLength, limit: longest), at: count - 1)
            }
            if let construct = BacktrackingCheck.costlyConstruct(in: pattern) {
                throw violation(.costlyPattern(construct), at: count - 1)
            }
        }
    }

    /// `name.class` is refused, unless a key of this very path is listed.
    private func needReflective(_ node: ExpressionNode) throws(PolicyViolation) {
        if case .only(let paths) = policy.keys, case .keys(let keys) = route(of: node),
            paths.contains(keys.joined(separator: "."))
        {
            return
        }
        try need(.reflectiveKey)
    }

    /// Refuses a value whose keys may not be followed.
    private func follow(_ route: KeyRoute) throws(PolicyViolation) {
        guard case .only(let paths) = policy.keys else { return }
        switch route {
        case .computed: return
        case .unknown, .keys([]): throw violation(.unnamedKey)
        case .keys(let keys):
            guard KeyRoute.keys(keys).isAllowed(by: paths) else {
                throw violation(.key(keys.joined(separator: ".")))
            }
        }
    }

    /// The keys that lead to a value.
    private func route(of node: ExpressionNode) -> KeyRoute {
        switch node {
        case .evaluatedObject: return .keys([])
        case .variable(let name):
            // An assignment inside a SUBQUERY may replace its element.
            return assigned.contains(ExactName(name)) ? .unknown : scopes[ExactName(name)] ?? .computed
        case .keyPath(let path):
            return (path.base.map { route(of: $0) } ?? .keys([])).followed(by: path.components)
        case .index(let index): return route(of: index.base).indexed(by: index.index)
        case .subquery(let subquery): return route(of: subquery.collection)
        case .set, .conditional, .aggregate, .assignment, .fetch, .anyKey, .block, .member, .message, .cast:
            return .unknown
        case .constantValue, .function, .symbol: return .computed
        }
    }
}
