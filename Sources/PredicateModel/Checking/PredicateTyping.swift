import PredicateSyntax

/// A check of one predicate or expression against a model: keys, kinds and the number of values.
///
/// Nodes are visited children first and counted, so that each finding has the source range of its node.
struct PredicateTyping {
    var scope: ModelScope
    private let path: [String]
    private let format: String
    private let ranges: [Range<Int>]
    private var number = 0
    private(set) var findings: [ModelFinding] = []

    /// A predicate that no format made is shown as it prints.
    init(_ predicate: FormatPredicate, _ scope: ModelScope, at path: [String]) {
        let printed = predicate.source == nil ? try? FormatPredicate(predicate.predicateFormat) : nil
        let source = predicate.source ?? (printed == predicate ? printed?.source : nil)
        self.init(scope, path, source?.text ?? predicate.predicateFormat, source?.ranges ?? [])
    }

    init(_ expression: FormatExpression, _ scope: ModelScope, at path: [String]) {
        let printed = expression.source == nil ? try? FormatExpression(expression.expressionFormat) : nil
        let source = expression.source ?? (printed == expression ? printed?.source : nil)
        self.init(scope, path, source?.text ?? expression.expressionFormat, source?.ranges ?? [])
    }

    private init(_ scope: ModelScope, _ path: [String], _ format: String, _ ranges: [Range<Int>]) {
        self.scope = scope
        self.path = path
        self.format = format
        self.ranges = ranges
    }

    /// Ends a node: its number.
    private mutating func leave() -> Int {
        number += 1
        return number - 1
    }

    mutating func note(
        _ code: ModelFinding.Code, _ node: Int, _ message: String, hint: String? = nil, isWarning: Bool = false
    ) {
        findings.append(
            ModelFinding(
                code, message, hint: hint, at: path, format: format,
                range: ranges.indices.contains(node) ? ranges[node] : nil, isWarning: isWarning))
    }

    // MARK: Predicates

    /// Trees of formats and archives have at most a hundred levels.
    mutating func visit(_ node: PredicateNode) {
        switch node {
        case .constant, .block: break
        case .compound(let compound): for part in compound.subpredicates { visit(part) }
        case .comparison(let comparison):
            let left = operand(comparison.leftExpression), right = operand(comparison.rightExpression)
            compare(
                ComparedValues(
                    left, right, .comparison(comparison.operator), comparison.modifier, node: number,
                    text: node.predicateFormat))
        case .string(let comparison):
            let left = operand(comparison.leftExpression), right = operand(comparison.rightExpression)
            compare(
                ComparedValues(
                    left, right, .text(comparison.operator), comparison.modifier, node: number,
                    text: node.predicateFormat))
        }
        _ = leave()
    }

    private mutating func operand(_ expression: ExpressionNode) -> ComparedValues.Side {
        let value = visit(expression)
        return ComparedValues.Side(value: value, node: number - 1, expression: expression)
    }

    // MARK: Expressions

    @discardableResult
    mutating func visit(_ node: ExpressionNode) -> KnownValue {
        let value = value(of: node)
        _ = leave()
        return value
    }

    private mutating func value(of node: ExpressionNode) -> KnownValue {
        switch node {
        case .constantValue(let value): return KnownValue(value)
        case .evaluatedObject: return scope.subject
        case .variable(let name): return scope.variables[name] ?? .unknown
        case .symbol, .anyKey: return .unknown
        case .keyPath(let path):
            let base = path.base.map { visit($0) } ?? scope.subject
            return KeyPathTyping(path.components, node: number).value(from: base, in: &self)
        case .member(let member):
            visit(member.base)
            visit(member.member)
            return .unknown
        case .function(let call): return function(call)
        case .message(let message):
            visit(message.target)
            for argument in message.arguments { visit(argument) }
            return .unknown
        case .cast(let cast):
            visit(cast.expression)
            return Self.value(ofType: cast.type)
        case .aggregate(let elements):
            return KnownValue(sort: .unknown, isToMany: true, elements: elements.map { visit($0) })
        case .index(let index):
            let base = visit(index.base)
            visit(index.index)
            return base.isToMany ? base.element : .unknown
        case .subquery(let subquery): return self.subquery(subquery)
        case .conditional(let conditional):
            visit(conditional.predicate)
            let value = visit(conditional.trueExpression)
            let other = visit(conditional.falseExpression)
            return value.sort == .null ? other : value
        case .set(let set):
            let left = visit(set.leftExpression)
            visit(set.rightExpression)
            return left
        case .assignment(let assignment):
            let value = visit(assignment.expression)
            scope.variables[assignment.variable] = value
            return value
        case .block(let block):
            for argument in block.arguments { visit(argument) }
            return .unknown
        case .fetch(let arguments):
            for argument in arguments { visit(argument) }
            return .unknown
        }
    }

    private mutating func subquery(_ subquery: SubqueryExpression) -> KnownValue {
        let collection = visit(subquery.collection)
        if !collection.isToMany, !collection.isOpen {
            note(
                .toOneKey, number - 1, "SUBQUERY takes several objects, this is \(collection.sort.noun)",
                isWarning: true)
        }
        let outer = scope.variables[subquery.variable]
        scope.variables[subquery.variable] = collection.element
        visit(subquery.predicate)
        scope.variables[subquery.variable] = outer
        return KnownValue(sort: collection.sort, isToMany: true)
    }

    private mutating func function(_ call: FunctionExpression) -> KnownValue {
        let arguments = call.arguments.map { visit($0) }
        guard case .predefined(let name) = call.function else {
            // Core Data's own, of derived attributes.
            return call.function.name.hasPrefix("canonical") ? KnownValue(sort: .string) : .unknown
        }
        switch name {
        case .uppercase, .lowercase: return KnownValue(sort: .string)
        case .now: return KnownValue(sort: .date)
        case .min, .max: return arguments.count == 1 ? arguments[0].element : .unknown
        case .mode: return .unknown
        case .noindex: return arguments.first ?? .unknown
        case .sum, .count, .average, .median, .stddev, .sqrt, .log, .ln, .exp, .ceiling, .floor, .trunc, .abs, .random,
            .randomn, .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
            .leftShift, .rightShift, .onesComplement, .negate, .length, .distance:
            return .number
        @unknown default: return .unknown
        }
    }

    private static func value(ofType name: String) -> KnownValue {
        switch name {
        case "NSDate": KnownValue(sort: .date)
        case "NSString": KnownValue(sort: .string)
        case "NSNumber", "NSDecimalNumber": .number
        case "NSUUID": KnownValue(sort: .uuid)
        case "NSURL": KnownValue(sort: .url)
        case "NSData": KnownValue(sort: .data)
        default: .unknown
        }
    }
}
