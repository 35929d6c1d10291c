// Each kind is compared and hashed in a function of its own, so that a level of a deep tree takes little of the stack.

extension PredicateNode {
    public static func == (left: PredicateNode, right: PredicateNode) -> Bool {
        switch left {
        case .constant: areEqual(left, right) { if case .constant(let value) = $0 { value } else { nil } }
        case .comparison: areEqual(left, right) { if case .comparison(let comparison) = $0 { comparison } else { nil } }
        case .string: areEqual(left, right) { if case .string(let comparison) = $0 { comparison } else { nil } }
        case .compound: areEqual(left, right) { if case .compound(let compound) = $0 { compound } else { nil } }
        }
    }
}

extension CompoundPredicate {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(count)
        for index in 0..<count { hasher.combine(self[index]) }
    }
}

extension ExpressionNode {
    public static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
        switch left {
        case .constantValue: areEqual(left, right) { if case .constantValue(let value) = $0 { value } else { nil } }
        case .evaluatedObject: if case .evaluatedObject = right { true } else { false }
        case .variable: areEqual(left, right) { if case .variable(let name) = $0 { ExactName(name) } else { nil } }
        case .keyPath: areEqual(left, right) { if case .keyPath(let path) = $0 { path } else { nil } }
        case .member: areEqual(left, right) { if case .member(let member) = $0 { member } else { nil } }
        case .function: areEqual(left, right) { if case .function(let call) = $0 { call } else { nil } }
        case .message: areEqual(left, right) { if case .message(let message) = $0 { message } else { nil } }
        case .cast: areEqual(left, right) { if case .cast(let cast) = $0 { cast } else { nil } }
        case .aggregate: areEqual(left, right) { if case .aggregate(let elements) = $0 { elements } else { nil } }
        case .index: areEqual(left, right) { if case .index(let index) = $0 { index } else { nil } }
        case .symbol: areEqual(left, right) { if case .symbol(let symbol) = $0 { symbol } else { nil } }
        case .subquery: areEqual(left, right) { if case .subquery(let subquery) = $0 { subquery } else { nil } }
        case .conditional: areEqual(left, right) { if case .conditional(let choice) = $0 { choice } else { nil } }
        case .set: areEqual(left, right) { if case .set(let set) = $0 { set } else { nil } }
        case .assignment: areEqual(left, right) { if case .assignment(let assigned) = $0 { assigned } else { nil } }
        case .anyKey: if case .anyKey = right { true } else { false }
        case .fetch: areEqual(left, right) { if case .fetch(let arguments) = $0 { arguments } else { nil } }
        }
    }
}

@inline(never)
private func areEqual<Node, Part: Equatable>(_ left: Node, _ right: Node, _ part: (Node) -> Part?) -> Bool {
    guard let left = part(left), let right = part(right) else { return false }
    return left == right
}
