// The predicate classes as Apple's platforms declare them, without bodies: a snippet that does not compile with these says too
// little to be judged.
@_exported import Foundation

public struct Selector { public init(_ name: String) {} }

extension NSObject: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension UUID: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension Date: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension Data: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension URL: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension Decimal: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension Array: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension Dictionary: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
extension Set: @retroactive CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }

open class NSPredicate: Foundation.NSPredicate {
    public convenience init(format: String, _ arguments: Any?...) { fatalError() }
    public convenience init(format: String, argumentArray: [Any]?) { fatalError() }
    public convenience init(format: String, arguments: CVaListPointer) { fatalError() }
    open override var predicateFormat: String { fatalError() }
    open func withSubstitutionVariables(_ variables: [String: Any]) -> Self { fatalError() }
    open func allowEvaluation() {}
}

open class NSCompoundPredicate: NSPredicate {
    public typealias LogicalType = Foundation.NSCompoundPredicate.LogicalType
    public init(type: LogicalType, subpredicates: [Foundation.NSPredicate]) { fatalError() }
    public convenience init(andPredicateWithSubpredicates: [Foundation.NSPredicate]) { fatalError() }
    public convenience init(orPredicateWithSubpredicates: [Foundation.NSPredicate]) { fatalError() }
    public convenience init(notPredicateWithSubpredicate: Foundation.NSPredicate) { fatalError() }
    open var compoundPredicateType: LogicalType { fatalError() }
    open var subpredicates: [Any] { fatalError() }
}

open class NSComparisonPredicate: NSPredicate {
    public enum Operator: UInt {
        case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo, equalTo, notEqualTo, matches, like,
            beginsWith
        case endsWith, `in`, customSelector, contains, between
    }
    public enum Modifier: UInt { case direct, all, any }
    public struct Options: OptionSet {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let caseInsensitive = Options(rawValue: 1)
        public static let diacriticInsensitive = Options(rawValue: 2)
        public static let normalized = Options(rawValue: 4)
    }
    public init(
        leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier, type: Operator,
        options: Options = []
    ) { fatalError() }
    public init(leftExpression: NSExpression, rightExpression: NSExpression, customSelector: Selector) { fatalError() }
    open var predicateOperatorType: Operator { fatalError() }
    open var comparisonPredicateModifier: Modifier { fatalError() }
    open var leftExpression: NSExpression { fatalError() }
    open var rightExpression: NSExpression { fatalError() }
    open var customSelector: Selector? { fatalError() }
    open var options: Options { fatalError() }
}

open class NSExpression: NSObject {
    public enum ExpressionType: UInt {
        case constantValue, evaluatedObject, variable, keyPath, function, unionSet, intersectSet, minusSet, subquery
        case aggregate, anyKey, block, conditional
    }
    public convenience init(format: String, _ arguments: Any?...) { fatalError() }
    public convenience init(format: String, argumentArray: [Any]) { fatalError() }
    public convenience init(format: String, arguments: CVaListPointer) { fatalError() }
    public convenience init(forConstantValue: Any?) { fatalError() }
    public convenience init(forVariable: String) { fatalError() }
    public convenience init(forKeyPath: String) { fatalError() }
    public convenience init(forFunction: String, arguments: [Any]) { fatalError() }
    public convenience init(forFunction: NSExpression, selectorName: String, arguments: [Any]?) { fatalError() }
    public convenience init(forAggregate: [Any]) { fatalError() }
    public convenience init(forUnionSet: NSExpression, with: NSExpression) { fatalError() }
    public convenience init(forIntersectSet: NSExpression, with: NSExpression) { fatalError() }
    public convenience init(forMinusSet: NSExpression, with: NSExpression) { fatalError() }
    public convenience init(
        forSubquery: NSExpression, usingIteratorVariable: String, predicate: Foundation.NSPredicate
    ) { fatalError() }
    public convenience init(
        forConditional: Foundation.NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) { fatalError() }
    public convenience init(
        block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) { fatalError() }
    public init(expressionType: ExpressionType) { fatalError() }
    public class func expressionForEvaluatedObject() -> NSExpression { fatalError() }
    public class func expressionForAnyKey() -> NSExpression { fatalError() }
    open var expressionType: ExpressionType { fatalError() }
    open var constantValue: Any? { fatalError() }
    open var keyPath: String { fatalError() }
    open var function: String { fatalError() }
    open var variable: String { fatalError() }
    open var operand: NSExpression { fatalError() }
    open var arguments: [NSExpression]? { fatalError() }
    open var collection: Any { fatalError() }
    open var predicate: NSPredicate { fatalError() }
    open var left: NSExpression { fatalError() }
    open var right: NSExpression { fatalError() }
    open var `true`: NSExpression { fatalError() }
    open var `false`: NSExpression { fatalError() }
    open var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any { fatalError() }
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { fatalError() }
    open func allowEvaluation() {}
}

open class NSSortDescriptor: Foundation.NSSortDescriptor {
    public convenience init(key: String?, ascending: Bool) { fatalError() }
    public convenience init(key: String?, ascending: Bool, selector: Selector?) { fatalError() }
    public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) { fatalError() }
    open var key: String? { fatalError() }
    open var selector: Selector? { fatalError() }
    open func allowEvaluation() {}
}
