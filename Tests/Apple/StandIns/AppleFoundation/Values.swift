import Foundation

// Functions of Core Foundation, and the nodes of #Predicate that only Apple's Foundation has.

public typealias CFTypeID = UInt

public func CFGetTypeID(_ value: AnyObject?) -> CFTypeID { 0 }
public func CFBooleanGetTypeID() -> CFTypeID { 0 }

extension PredicateExpressions {
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public let root: Root
        public let other: Other
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { true }
    }

    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public let root: Root
        public let other: Other
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult { .orderedSame }
    }

    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public let root: Root
        public let other: Other
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult { .orderedSame }
    }
}
