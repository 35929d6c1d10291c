import PredicateEvaluation
import PredicateSyntax

/// Values of the host that the language knows by reflection alone.
extension ReferenceValue {
    /// The range that the value is. [NSP-173]
    var range: PredicateRange? {
        if case .object(let object) = self { object as? PredicateRange } else { nil }
    }

    /// True if two values that are not equal cannot be called unequal either. [NSP-172]
    ///
    /// Elements are looked at in pairs: one pair that is unequal decides.
    func isOpen(beside other: ReferenceValue, level: Int = 0) -> Bool {
        if level > PredicateLimits.standard.nesting { return false }
        switch (self, other) {
        case (.list(let left, .set), .list(let right, .set)): return (left + right).contains { $0.isOpenItself($0) }
        case (.list(let left, let kind), .list(let right, let otherKind)):
            guard kind == otherKind, left.count == right.count else { return false }
            return Self.areOpen(Array(zip(left, right)), level)
        case (.dictionary(let left), .dictionary(let right)):
            guard left.count == right.count else { return false }
            return Self.areOpen(left.map { ($0.value, other.entry($0.key) ?? .null) }, level)
        case (_, _):
            if isNull || other.isNull { return false }
            return isOpenItself(other) || other.isOpenItself(self)
        }
    }

    private static func areOpen(_ pairs: [(ReferenceValue, ReferenceValue)], _ level: Int) -> Bool {
        let undecided = pairs.filter { !$0.equals($1) }
        return !undecided.isEmpty && undecided.allSatisfy { $0.isOpen(beside: $1, level: level + 1) }
    }

    /// True for a struct without `==`, and for an enum without raw values beside a constant.
    fileprivate func isOpenItself(_ other: ReferenceValue) -> Bool {
        guard case .object(let object) = self, let host = keyedValue.hostObject, !(type(of: host) is AnyClass) else {
            return false
        }
        var otherHost: Any?
        if case .object = other { otherHost = other.keyedValue.hostObject }
        let isReflected = object is ReflectedObject
        if host is any Equatable {
            return isReflected && otherHost == nil && Mirror(reflecting: host).displayStyle == .enum
        }
        return isReflected || otherHost.map { type(of: $0) == type(of: host) } == true
    }
}

extension [ReferenceValue] {
    /// True for two or more elements of which nothing compares one. [NSP-172]
    var cannotBeToldApart: Bool { count > 1 && contains { $0.isOpenItself($0) } }
}
