/// Predicates joined by a logical operator.
///
/// `a == 1 AND b == 2 AND c == 3` is one compound of three. No subpredicates: AND holds, OR does not. [NSP-090]
public struct CompoundPredicate: Sendable {
    package let parts: Parts

    /// Two subpredicates lie in one box, as most compounds have them. The operator of a list lies in the list's own word,
    /// so that a compound fits where a reference does.
    package enum Parts: Sendable {
        indirect case two(LogicalType, PredicateNode, PredicateNode)
        case not([PredicateNode])
        case and([PredicateNode])
        case or([PredicateNode])
    }

    public var type: LogicalType {
        get {
            switch parts {
            case .two(let type, _, _): type
            case .not: .not
            case .and: .and
            case .or: .or
            }
        }
        set { self = CompoundPredicate(newValue, subpredicates) }
    }

    /// Any number for AND and OR, exactly one for NOT.
    public var subpredicates: [PredicateNode] {
        get {
            switch parts {
            case .two(_, let first, let second): [first, second]
            case .not(let nodes), .and(let nodes), .or(let nodes): nodes
            }
        }
        _modify {
            let type = type
            var nodes = subpredicates
            // Nothing else may hold the list while it changes, or it would be copied.
            self = CompoundPredicate(.and, [])
            defer { self = CompoundPredicate(type, nodes) }
            yield &nodes
        }
    }

    /// How many subpredicates there are; with the subscript a list is gone through without being made.
    package var count: Int {
        switch parts {
        case .two: 2
        case .not(let nodes), .and(let nodes), .or(let nodes): nodes.count
        }
    }

    package subscript(_ index: Int) -> PredicateNode {
        switch parts {
        case .two(_, let first, let second): index == 0 ? first : second
        case .not(let nodes), .and(let nodes), .or(let nodes): nodes[index]
        }
    }

    public init(_ type: LogicalType, _ subpredicates: [PredicateNode]) {
        if subpredicates.count == 2 {
            parts = .two(type, subpredicates[0], subpredicates[1])
        } else {
            parts = Parts(type, subpredicates)
        }
    }

    @inline(__always)
    init(_ type: LogicalType, _ first: consuming PredicateNode, _ second: consuming PredicateNode) {
        parts = .two(type, first, second)
    }
}

extension CompoundPredicate.Parts {
    fileprivate init(_ type: LogicalType, _ nodes: consuming [PredicateNode]) {
        switch type {
        case .not: self = .not(nodes)
        case .and: self = .and(nodes)
        case .or: self = .or(nodes)
        }
    }
}

extension CompoundPredicate: Hashable {
    public static func == (left: CompoundPredicate, right: CompoundPredicate) -> Bool {
        guard left.type == right.type, left.count == right.count else { return false }
        switch (left.parts, right.parts) {
        case (.not(let left), .not(let right)), (.and(let left), .and(let right)), (.or(let left), .or(let right)):
            return left == right
        case (.two, _), (.not, _), (.and, _), (.or, _): return (0..<left.count).allSatisfy { left[$0] == right[$0] }
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(count)
        for index in 0..<count { hasher.combine(self[index]) }
    }
}
