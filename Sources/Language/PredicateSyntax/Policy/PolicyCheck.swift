/// A check of a tree against a policy, in the order of node numbers, with the rule for every construct.
///
/// Keys are followed through subqueries and indexes, so no detour reaches a key that the policy does not list.
struct PolicyCheck {
    let policy: PredicatePolicy
    private var count = 0
    /// For each variable of an enclosing SUBQUERY, the route to the elements that it represents.
    private var scopes: [ExactName: KeyRoute] = [:]
    /// The variables whose value may be any part of the object.
    private var assigned: Set<ExactName> = []

    init(_ policy: PredicatePolicy) {
        self.policy = policy
    }

    /// Checks the tree, starting with its size.
    mutating func check(_ tree: TreeNode) throws(PolicyViolation) {
        do throws(ExceededLimit) {
            assigned = try TreeLimitCheck(tree, policy.limits).assigned
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

    /// Checks an expression and returns the place of the last key of its route. `isStep` is true if a key or an index follows:
    /// the route is then checked there.
    @discardableResult
    private mutating func check(
        _ node: ExpressionNode, isStep: Bool = false
    ) throws(PolicyViolation) -> KeyPlace {
        var place: KeyPlace?
        switch node {
        case .constantValue(let value): try check(value)
        case .evaluatedObject: if !isStep { try follow(route(of: node)) }
        case .variable(let name):
            if scopes[ExactName(name)] == nil { try need(.variable) }
            if !isStep { try follow(route(of: node)) }
        case .keyPath(let path): place = try check(path, node, isStep: isStep)
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
            let base = try check(index.base, isStep: true)
            try check(index.index)
            try need(.index)
            if index.index.isPosition { place = base }
            if !isStep { try follow(route(of: node), at: place) }
        case .symbol: break
        case .subquery(let subquery):
            place = try check(subquery)
            if !isStep { try follow(route(of: node), at: place) }
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
        return place ?? KeyPlace(node: count - 1)
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

    private mutating func check(_ subquery: SubqueryExpression) throws(PolicyViolation) -> KeyPlace {
        let place = try check(subquery.collection, isStep: true)
        let outer = scopes.updateValue(route(of: subquery.collection), forKey: ExactName(subquery.variable))
        defer { scopes[ExactName(subquery.variable)] = outer }
        try check(subquery.predicate)
        try need(.subquery)
        return place
    }

    /// Checks `a.upper('x')` or `a.d[0]`. Both require the feature `message`.
    private mutating func check(_ member: MemberExpression) throws(PolicyViolation) {
        try check(member.base)
        try check(member.member, isStep: true)
        try need(.message)
        if case .function(let call) = member.member { try need(name: call.function.name) }
    }

    private mutating func check(
        _ path: KeyPathExpression, _ node: ExpressionNode, isStep: Bool
    ) throws(PolicyViolation) -> KeyPlace {
        var place = KeyPlace(node: count)
        if let base = path.base {
            place = try check(base, isStep: true)
            if path.components.contains(where: KeyRoute.isStep) { place = KeyPlace(node: count, base: count - 1) }
        }
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
        if !isStep { try follow(route(of: node), at: place) }
        return place
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
    private func violation(_ refusal: PredicateFormatError.Refusal, at node: Int? = nil) -> PolicyViolation {
        PolicyViolation(code: .refused(refusal), node: node ?? count)
    }

    private func violation(_ refusal: PredicateFormatError.Refusal, at place: KeyPlace?) -> PolicyViolation {
        PolicyViolation(code: .refused(refusal), node: place?.node ?? count, base: place?.base)
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

    /// Checks the right operand of MATCHES, whose node was numbered last.
    private func check(pattern right: ExpressionNode) throws(PolicyViolation) {
        switch policy.patterns {
        case .any: return
        case .plain:
            guard case .constantValue(let value) = right else { throw violation(.variablePattern, at: count - 1) }
            guard case .string(let pattern) = value else { return }
            let longest = min(policy.limits.patternLength, PatternTree.longest)
            guard pattern.utf8.count <= longest else {
                throw PolicyViolation(code: .exceeds(.patternLength, limit: longest), node: count - 1)
            }
            if let construct = BacktrackingCheck.costlyConstruct(in: pattern) {
                throw violation(.costlyPattern(construct), at: count - 1)
            }
        }
    }

    /// `name.class` is refused unless exactly this path is listed.
    private func needReflective(_ node: ExpressionNode) throws(PolicyViolation) {
        if case .only(let paths) = policy.keys, case .keys(let keys) = route(of: node),
            paths.contains(keys.joined(separator: "."))
        {
            return
        }
        try need(.reflectiveKey)
    }

    /// Throws if the keys of a value may not be followed. The refusal is placed at the last key.
    private func follow(_ route: KeyRoute, at place: KeyPlace? = nil) throws(PolicyViolation) {
        guard case .only(let paths) = policy.keys else { return }
        switch route {
        case .computed: return
        case .unknown, .keys([]): throw violation(.unnamedKey)
        case .keys(let keys):
            guard KeyRoute.keys(keys).isAllowed(by: paths) else {
                throw violation(.key(keys.joined(separator: ".")), at: place)
            }
        }
    }

    private func route(of node: ExpressionNode) -> KeyRoute {
        switch node {
        case .evaluatedObject: return .keys([])
        case .variable(let name):
            // An assignment inside a SUBQUERY may replace the element that the variable represents.
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

// MARK: - Key paths

/// The place of the last key of a route.
///
/// `orders` in `SUBQUERY(orders, $o, $o.total > 10).@count`, `secret` in `friends[0].secret`
struct KeyPlace {
    /// The number of the node that contains the key.
    var node: Int
    /// The number of the node that the key follows; nil for a path from the object.
    var base: Int?
}

extension ExpressionNode {
    /// True for an index that selects an element: `0`, `FIRST`
    fileprivate var isPosition: Bool {
        switch self {
        case .constantValue(.integer), .symbol: true
        case .constantValue, .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate,
            .index, .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            false
        }
    }
}

/// The keys by which a value is reached from the object.
enum KeyRoute: Hashable {
    /// `dept.name` is `["dept", "name"]`, `SELF` is empty. Elements of a collection have the route of the collection.
    case keys([String])
    /// A computed value: a constant, a sum
    case computed
    /// An unknown part of the object: `{SELF, name}[0]`
    case unknown

    /// Keys that reveal the type of a value and the parts of an object.
    static let reflective: Set<String> = [
        "class", "classForCoder", "superclass", "description", "debugDescription", "hash", "mirror", "customMirror",
        "zone", "isa", "retainCount", "methodSignature", "classDescription", "attributeKeys", "objectSpecifier",
    ]

    /// Returns the route after the components of a path.
    func followed(by components: [KeyPathExpression.Component]) -> KeyRoute {
        var names: [String] = []
        for component in components {
            guard case .key(let key) = component else { return .unknown }
            if Self.isStep(key) { names.append(key) }
        }
        return followed(by: names)
    }

    /// Returns false for collection operators and `self`, which do not change the route.
    private static func isStep(_ key: String) -> Bool {
        key.utf8.first != UInt8(ascii: "@") && key != "self"
    }

    static func isStep(_ component: KeyPathExpression.Component) -> Bool {
        if case .key(let key) = component { isStep(key) } else { true }
    }

    private func followed(by names: [String]) -> KeyRoute {
        switch self {
        case .keys(let keys): return .keys(keys + names)
        case .computed: return .computed
        case .unknown: return .unknown
        }
    }

    /// `dept["name"]` is `dept.name`. A position selects an element; any other index might be a key.
    func indexed(by index: ExpressionNode) -> KeyRoute {
        if case .constantValue(.string(let key)) = index { return followed(by: Self.isStep(key) ? [key] : []) }
        return index.isPosition || self == .computed ? self : .unknown
    }

    /// Returns true if the paths contain this route, or a path with `.*` that covers it.
    func isAllowed(by paths: Set<String>) -> Bool {
        guard case .keys(let keys) = self else { return false }
        // For a long route, only as many bytes are compared as the longest listed path has.
        let longest = keys.count < 8 ? .max : paths.lazy.map(\.utf8.count).max() ?? 0
        var path = ""
        for (index, key) in keys.enumerated() {
            if index > 0 {
                if paths.contains(path + ".*") { return true }
                path += "."
            }
            path += key
            if key.utf8.contains(UInt8(ascii: ".")) || path.utf8.count > longest { return false }
        }
        return paths.contains(path) || paths.contains(path + ".*")
    }
}

// MARK: - Regular expressions

/// A check of a regular expression for constructs that can cause excessive backtracking.
///
/// `j.*n[a-z]+`, `(jo|al)-\d{2,4}` are safe: at most three unbounded repetitions, no repetition of a group that
/// contains choices or repetitions, no back-references and no look-around.
struct BacktrackingCheck {
    typealias Construct = PredicateFormatError.CostlyConstruct

    private var unbounded = 0
    /// True if a part of the innermost open group can match in several ways.
    private var groupVaries = false
    /// True if the part before a quantifier can itself match in several ways.
    private var lastVaries = false

    private static let mostUnbounded = 3
    private static let mostRepetitions = 100

    /// Returns the first construct of a pattern that may cause excessive backtracking; nil if the pattern is safe.
    static func costlyConstruct(in pattern: String) -> Construct? {
        var check = BacktrackingCheck()
        return check.construct(in: PatternTree(pattern).choice)
    }

    private mutating func construct(in choice: PatternChoice) -> Construct? {
        for (index, branch) in choice.branches.enumerated() {
            if index > 0 { groupVaries = true }
            for part in branch.parts {
                if let construct = construct(in: part) { return construct }
            }
        }
        return nil
    }

    private mutating func construct(in part: PatternNode) -> Construct? {
        switch part {
        case .character, .dot, .beginning, .end, .set: lastVaries = false
        case .escape(let escape):
            lastVaries = false
            if isReference(escape) { return .backreference }
        case .group(let group): return construct(in: group)
        case .repetition(let repetition):
            return construct(in: repetition.part) ?? construct(in: repetition.quantifier)
        case .quantifier(let quantifier): return construct(in: quantifier)
        case .emptyQuotation: break
        // This may be the end of a group that is nested too deeply.
        case .malformed: (lastVaries, groupVaries) = (true, true)
        }
        return nil
    }

    private func isReference(_ escape: PatternEscape) -> Bool {
        guard let letter = escape.letter else { return false }
        return letter == "k" || ("0"..."9").contains(letter)
    }

    private mutating func construct(in group: PatternGroup) -> Construct? {
        guard group.kind == .capturing || group.kind == .plain else { return .specialGroup }
        let outerVaries = groupVaries
        groupVaries = false
        if let construct = construct(in: group.content) { return construct }
        lastVaries = groupVaries
        groupVaries = groupVaries || outerVaries
        return nil
    }

    private mutating func construct(in quantifier: PatternQuantifier) -> Construct? {
        guard quantifier.manner != .malformed else { return .malformedCount }
        let most = quantifier.most ?? .max
        if most != .max, most > Self.mostRepetitions { return .repetitions(most: Self.mostRepetitions) }
        if most > 1, lastVaries { return .repeatedChoice }
        if most == .max { unbounded += 1 }
        if unbounded > Self.mostUnbounded { return .unboundedRepetitions(most: Self.mostUnbounded) }
        if quantifier.isFollowedByAnother { return .repeatedRepetition }
        (lastVaries, groupVaries) = (true, true)
        return nil
    }
}
