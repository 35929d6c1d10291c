@_exported import Darwin
@_exported import Foundation
@_exported import ObjectiveC

// The declarations of Apple's Foundation that this package uses and Foundation on Linux lacks, with the types that Apple's public
// documentation states. Nothing here runs: sources are only checked against it.

public func NSStringFromSelector(_ selector: Selector) -> String { "" }
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

open class NSPredicate: NSObject, NSSecureCoding, NSCopying {
    public init(value: Bool) {}
    public convenience init(block: @escaping @Sendable (Any?, [String: Any]?) -> Bool) { self.init(value: true) }
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) { self.init(value: true) }
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) { self.init(value: true) }
    public required init?(coder: NSCoder) {}
    public class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var predicateFormat: String { "" }
    open func withSubstitutionVariables(_ variables: [String: Any]) -> Self { self }
    open func evaluate(with object: Any?) -> Bool { true }
    open func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { true }
    open func allowEvaluation() {}
}

open class NSCompoundPredicate: NSPredicate {
    public enum LogicalType: UInt, @unchecked Sendable {
        case not = 0
        case and = 1
        case or = 2
    }

    public init(type: LogicalType, subpredicates: [NSPredicate]) { super.init(value: true) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open var compoundPredicateType: LogicalType { .and }
    open var subpredicates: [Any] { [] }
}

open class NSComparisonPredicate: NSPredicate {
    public enum Operator: UInt, @unchecked Sendable {
        case lessThan = 0
        case lessThanOrEqualTo = 1
        case greaterThan = 2
        case greaterThanOrEqualTo = 3
        case equalTo = 4
        case notEqualTo = 5
        case matches = 6
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        case `in` = 10
        case customSelector = 11
        case contains = 99
        case between = 100
    }

    public enum Modifier: UInt, @unchecked Sendable {
        case direct = 0
        case all = 1
        case any = 2
    }

    public struct Options: OptionSet, @unchecked Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var caseInsensitive: Options { Options(rawValue: 1) }
        public static var diacriticInsensitive: Options { Options(rawValue: 2) }
        public static var normalized: Options { Options(rawValue: 4) }
    }

    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier, type: Operator,
        options: Options = []
    ) { super.init(value: true) }
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: Selector)
    {
        super.init(value: true)
    }
    public required init?(coder: NSCoder) { super.init(coder: coder) }
    open var predicateOperatorType: Operator { .lessThan }
    open var comparisonPredicateModifier: Modifier { .direct }
    open var leftExpression: NSExpression { NSExpression(expressionType: .evaluatedObject) }
    open var rightExpression: NSExpression { NSExpression(expressionType: .evaluatedObject) }
    open var customSelector: Selector? { nil }
    open var options: Options { [] }
}

open class NSExpression: NSObject, NSSecureCoding, NSCopying {
    // An enumeration of Objective-C may get more cases: switches over it need @unknown default.
    public enum ExpressionType: UInt, @unchecked Sendable {
        case constantValue = 0
        case evaluatedObject = 1
        case variable = 2
        case keyPath = 3
        case function = 4
        case unionSet = 5
        case intersectSet = 6
        case minusSet = 7
        case subquery = 13
        case aggregate = 14
        case anyKey = 15
        case block = 19
        case conditional = 20
    }

    public init(expressionType type: ExpressionType) {}
    public required init?(coder: NSCoder) {}
    public class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }

    private convenience init(standIn: Void) { self.init(expressionType: .evaluatedObject) }
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) { self.init(standIn: ()) }
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) { self.init(standIn: ()) }
    public convenience init(forConstantValue obj: Any?) { self.init(standIn: ()) }
    open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(standIn: ()) }
    open class func expressionForAnyKey() -> NSExpression { NSExpression(standIn: ()) }
    public convenience init(forVariable string: String) { self.init(standIn: ()) }
    public convenience init(forKeyPath keyPath: String) { self.init(standIn: ()) }
    public convenience init(forFunction name: String, arguments parameters: [Any]) { self.init(standIn: ()) }
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) { self.init(standIn: ()) }
    public convenience init(forAggregate subexpressions: [Any]) { self.init(standIn: ()) }
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) { self.init(standIn: ()) }
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) { self.init(standIn: ()) }
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) { self.init(standIn: ()) }
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) { self.init(standIn: ()) }
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) { self.init(standIn: ()) }
    public convenience init(
        block: @escaping @Sendable (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) { self.init(standIn: ()) }

    open var expressionType: ExpressionType { .evaluatedObject }
    open var constantValue: Any? { nil }
    open var keyPath: String { "" }
    open var function: String { "" }
    open var variable: String { "" }
    open var operand: NSExpression { self }
    open var arguments: [NSExpression]? { nil }
    open var collection: Any { self }
    open var predicate: NSPredicate { NSPredicate(value: true) }
    open var left: NSExpression { self }
    open var right: NSExpression { self }
    open var `true`: NSExpression { self }
    open var `false`: NSExpression { self }
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { nil }
    open func allowEvaluation() {}
}

open class NSSortDescriptor: NSObject, NSSecureCoding, NSCopying {
    public init(key: String?, ascending: Bool) {}
    public required init?(coder: NSCoder) {}
    public class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var key: String? { nil }
    open var ascending: Bool { true }
    open var selector: Selector? { nil }
    open var keyPath: AnyKeyPath? { nil }
}
