import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The result of converting a node of a Swift predicate.
enum Converted {
    /// A value of any type; nil if the Swift value is nil. A `Bool` property is converted to a value too.
    case value(ExpressionNode)
    /// A `Bool` that a predicate decides.
    case condition(PredicateNode)
    /// A `Bool?`: nil unless the first predicate holds, otherwise the result of the second one.
    case optionalCondition(present: PredicateNode, holds: PredicateNode)
    /// The `ComparisonResult` of two strings, as the two strings and the options that yield it.
    case order(StringOrder)

    static func constant(_ value: PredicateValue) -> Converted {
        if case .bool(let value) = value { .condition(.constant(value)) } else { .value(.constantValue(value)) }
    }

    /// Converts a value that the program captures: data unchanged, an enum as its raw value, any other value as an object.
    static func captured(_ value: Any) -> Converted { .constant(KeyedValue(bridging: value).argument) }

    /// The expression; for a condition `TERNARY(age > 17, YES, NO)`.
    var expression: ExpressionNode {
        switch self {
        case .value(let node): node
        case .condition(.constant(let value)): .constantValue(.bool(value))
        case .condition(let node): .choice(node, .constantValue(.bool(true)), .constantValue(.bool(false)))
        case .optionalCondition(let present, let holds):
            .choice(present, Converted.condition(holds).expression, .constantValue(.null))
        case .order(let order): order.expression
        }
    }

    /// The predicate; for a value it is `isActive == YES`, which is false for nil.
    var predicate: PredicateNode {
        switch self {
        case .value(.constantValue(.bool(let value))): .constant(value)
        case .value(let node): .comparing(node, .equalTo, .constantValue(.bool(true)))
        case .condition(let node): node
        case .optionalCondition(let present, let holds): .guarding(holds, by: present)
        case .order(let order): Converted.value(order.expression).predicate
        }
    }

    /// The predicate that holds if a Boolean value is false: `isActive == NO`.
    var negated: PredicateNode {
        switch self {
        case .value(.constantValue(.bool(let value))): .constant(!value)
        case .value(let node): .comparing(node, .equalTo, .constantValue(.bool(false)))
        case .condition(let node): node.negated
        case .optionalCondition(let present, let holds): .guarding(holds.negated, by: present)
        case .order(let order): Converted.value(order.expression).negated
        }
    }

    /// The predicate that holds if the value is nil.
    var isNil: PredicateNode {
        switch self {
        case .value(.constantValue(let value)): .constant(value == .null)
        case .value(let node): .comparing(node, .equalTo, .constantValue(.null))
        case .condition, .order: .constant(false)
        case .optionalCondition(let present, _): present.negated
        }
    }

    /// The predicate that holds if the value is not nil.
    var isPresent: PredicateNode {
        if case .optionalCondition(let present, _) = self { present } else { isNil.opposite }
    }

    /// The value of a Boolean constant; nil otherwise.
    var truth: Bool? {
        if case .condition(.constant(let value)) = self { value } else { nil }
    }
}

extension PredicateNode {
    /// `age > 21`
    static func comparing(
        _ left: ExpressionNode, _ operator: ComparisonOperator, _ right: ExpressionNode,
        _ options: ComparisonOptions = []
    ) -> PredicateNode {
        .comparison(ComparisonPredicate(left, `operator`, right, options: options))
    }

    /// `name BEGINSWITH "jo"`
    static func matching(
        _ left: ExpressionNode, _ operator: StringOperator, _ right: ExpressionNode, _ options: ComparisonOptions = []
    ) -> PredicateNode {
        .string(StringPredicate(left, `operator`, right, options: options))
    }

    /// The conjunction, flattened and without constants.
    static func all(_ nodes: [PredicateNode]) -> PredicateNode { joined(.and, nodes, neutral: true) }

    /// The disjunction, flattened and without constants.
    static func any(_ nodes: [PredicateNode]) -> PredicateNode { joined(.or, nodes, neutral: false) }

    private static func joined(_ type: LogicalType, _ nodes: [PredicateNode], neutral: Bool) -> PredicateNode {
        var parts: [PredicateNode] = []
        for node in nodes {
            if case .constant(let value) = node {
                if value == neutral { continue }
                return .constant(value)
            }
            if case .compound(let compound) = node, compound.type == type {
                parts += compound.subpredicates
            } else {
                parts.append(node)
            }
        }
        guard parts.count > 1 else { return parts.first ?? .constant(neutral) }
        return .compound(CompoundPredicate(type, parts))
    }

    /// `NOT age > 21`; a double negation cancels out.
    var negated: PredicateNode {
        switch self {
        case .constant(let value): return .constant(!value)
        case .compound(let compound):
            if compound.type == .not, let inner = compound.subpredicates.first { return inner }
        case .comparison, .string, .block: break
        }
        return .compound(CompoundPredicate(.not, [self]))
    }
}

extension ExpressionNode {
    /// `TERNARY(test, a, b)`, or one of the two values if the test is a constant.
    static func choice(_ test: PredicateNode, _ first: ExpressionNode, _ second: ExpressionNode) -> ExpressionNode {
        if case .constant(let value) = test { return value ? first : second }
        return .conditional(ConditionalExpression(test, true: first, false: second))
    }

    /// Returns the path with more keys: `boss`, then `boss.name`.
    func appending(_ keys: [String]) -> ExpressionNode {
        let components = keys.map { KeyPathExpression.Component.key($0) }
        switch self {
        case .evaluatedObject: return .keyPath(KeyPathExpression(components))
        case .keyPath(let path): return .keyPath(KeyPathExpression(base: path.base, path.components + components))
        case .constantValue, .variable, .member, .function, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return .keyPath(KeyPathExpression(base: self, components))
        }
    }

    /// `add:to:(a, b)`
    static func call(_ function: FunctionExpression.Predefined, _ arguments: ExpressionNode...) -> ExpressionNode {
        .function(FunctionExpression(.predefined(function), arguments))
    }
}

/// The operations that the language supports for values of a type.
enum ValueType {
    /// True if `<` of the type orders values as the language does.
    static func isOrdered(_ type: Any.Type) -> Bool {
        switch type {
        case is any BinaryInteger.Type: true
        case is any BinaryFloatingPoint.Type, is Decimal.Type, is Date.Type, is Duration.Type: true
        case is String.Type, is Substring.Type, is Character.Type: true
        default: false
        }
    }

    /// True if arithmetic on the type yields what the language computes, except where Swift would trap.
    static func isComputed(_ type: Any.Type) -> Bool {
        switch type {
        case is any BinaryInteger.Type, is Double.Type, is CGFloat.Type, is Decimal.Type: true
        default: false
        }
    }

    /// True for an unsigned integer that may need more than 63 bits and is therefore a decimal number in the
    /// language.
    static func isWideUnsigned(_ type: Any.Type) -> Bool {
        type == UInt.self || type == UInt64.self
    }

    /// True for a type whose values are their raw values in the language, so that they have no other properties: an
    /// enum or an OptionSet without keys of its own.
    static func isItsRawValue(_ type: Any.Type) -> Bool {
        type is any RawRepresentable.Type && !(type is any KeyValueCoding.Type)
    }

    static func isText(_ type: Any.Type) -> Bool {
        type == String.self || type == Substring.self
    }

    /// Throws for an optional of an optional, some values of which the language cannot represent.
    static func refuseNestedOptional(_ type: Any.Type, _ node: String) throws(ConversionRefusal) {
        guard (type as? any OptionalValue.Type)?.wrapped is any OptionalValue.Type else { return }
        throw ConversionRefusal(.unsupported(node: node, .nestedOptional(type: "\(type)")))
    }

    /// True for a collection that exists in the language.
    static func isCollection(_ type: Any.Type) -> Bool { type is any ListedCollection.Type }

    /// True for a collection whose elements have positions from 0 on.
    static func isArray(_ type: Any.Type) -> Bool { type is any PositionedCollection.Type }
}

/// Collections whose elements SUBQUERY, IN and @max examine.
protocol ListedCollection {}

/// Collections whose elements have positions from 0 on.
protocol PositionedCollection: ListedCollection {}

extension Array: PositionedCollection {}
extension ContiguousArray: PositionedCollection {}
extension ArraySlice: ListedCollection {}
extension Set: ListedCollection {}
extension Dictionary.Keys: ListedCollection {}
extension Dictionary.Values: ListedCollection {}

/// Prints a Swift predicate as source code and finds the range of one node: `($0.age > 18) && $0.tags[0..<2] == …`.
struct SourcePrinter {
    private(set) var text = ""
    /// The range of the requested node as UTF-8 offsets; nil until it is printed.
    private(set) var range: Range<Int>?
    private var path: [Int] = []
    private let target: [Int]
    private var names: [PredicateExpressions.VariableID: String] = [:]
    private var closures = 0

    /// The number of levels that are printed; deeper levels are replaced by an ellipsis.
    private static let deepest = 120

    init(target: [Int], inputs: [PredicateExpressions.VariableID]) {
        self.target = target
        for (index, variable) in inputs.enumerated() { names[variable] = "$\(index)" }
    }

    mutating func write(_ text: String) { self.text += text }

    func name(of variable: PredicateExpressions.VariableID) -> String { names[variable] ?? "?" }

    /// Prints the node at the current path.
    mutating func print(_ node: any PredicateExpression) {
        let start = text.utf8.count
        if path.count > Self.deepest {
            write("…")
        } else if let node = node as? any ConvertibleNode {
            node.print(to: &self)
        } else {
            write("\(NodeName.of(node))(…)")
        }
        if path == target { range = start..<text.utf8.count }
    }

    /// Prints an operand of a node, in parentheses if it has an operator.
    mutating func operand(_ index: Int, of node: any ConvertibleNode) {
        let operand = node.operands[index]
        let isInfix = (operand as? any ConvertibleNode)?.isInfix ?? false
        if isInfix { write("(") }
        enter(index, operand)
        if isInfix { write(")") }
    }

    /// Prints an argument of a call, which needs no parentheses.
    mutating func argument(_ index: Int, of node: any ConvertibleNode) {
        enter(index, node.operands[index])
    }

    /// `{ v1 in v1.age > 18 }`
    mutating func closure(_ index: Int, of node: any ConvertibleNode) {
        guard let parameter = node.parameter else { return argument(index, of: node) }
        closures += 1
        names[parameter] = "v\(closures)"
        write("{ v\(closures) in ")
        argument(index, of: node)
        write(" }")
    }

    private mutating func enter(_ index: Int, _ operand: any PredicateExpression) {
        path.append(index)
        print(operand)
        path.removeLast()
    }
}

/// The name of a node type: `CollectionRangeSubscript`.
enum NodeName {
    static func of(_ node: any PredicateExpression) -> String {
        String(String(describing: type(of: node)).prefix { $0 != "<" })
    }
}
