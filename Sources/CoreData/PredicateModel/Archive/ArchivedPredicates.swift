import PredicateSyntax

/// Converts archived predicates and expressions to trees of the language.
///
/// `NSComparisonPredicate` with `NSKeyPathExpression`, `NSEqualityPredicateOperator` and `NSConstantValueExpression`
/// is `name == "jo"`. An archive may share objects, so the nodes of a tree are counted against a limit.
struct ArchivedPredicates {
    private var values: ArchivedValues
    private let archive: KeyedArchive
    private let limits: ModelLimits
    private var nodes = 0

    private static let mostNodes = 100_000

    init(_ archive: KeyedArchive, limits: ModelLimits) {
        self.archive = archive
        self.limits = limits
        values = ArchivedValues(archive, limits: limits)
    }

    mutating func predicate(_ object: ArchivedObject) throws(ModelError) -> FormatPredicate {
        nodes = 0
        return FormatPredicate(try predicate(object, level: 1))
    }

    mutating func expression(_ object: ArchivedObject) throws(ModelError) -> FormatExpression {
        nodes = 0
        return FormatExpression(try expression(object, level: 1))
    }

    private mutating func enter(_ level: Int) throws(ModelError) {
        guard level <= limits.nesting else { throw ModelError(.exceeds(.nesting, limit: limits.nesting)) }
        guard nodes < Self.mostNodes else { throw ModelError(.exceeds(.objects, limit: Self.mostNodes)) }
        nodes += 1
    }

    private func unsupported(_ object: ArchivedObject) -> ModelError {
        ModelError(.unsupportedExpression(object.className), at: object.place)
    }

    // MARK: Predicates

    private mutating func predicate(_ object: ArchivedObject, level: Int) throws(ModelError) -> PredicateNode {
        try enter(level)
        switch object.className {
        case "NSComparisonPredicate": return try comparison(object, level)
        case "NSCompoundPredicate": return try compound(object, level)
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        default: throw unsupported(object)
        }
    }

    private mutating func compound(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateNode {
        var parts: [PredicateNode] = []
        for part in object.objects("NSSubpredicates") { parts.append(try predicate(part, level: level + 1)) }
        guard let type = object.integer("NSCompoundPredicateType").flatMap(LogicalType.init(rawValue:)),
            type != .not || parts.count == 1
        else { throw object.missing("NSCompoundPredicateType") }
        return .compound(CompoundPredicate(type, parts))
    }

    private mutating func comparison(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> PredicateNode {
        let left = try expression(try object.requiredObject("NSLeftExpression"), level: level + 1)
        let right = try expression(try object.requiredObject("NSRightExpression"), level: level + 1)
        let own = try object.requiredObject("NSPredicateOperator")
        let modifier = ComparisonModifier(rawValue: own.integer("NSModifier") ?? 0) ?? .direct
        let options = ComparisonOptions(rawValue: (own.integer("NSOptions") ?? own.integer("NSFlags") ?? 0) & 0xF)
        let number = own.integer("NSOperatorType") ?? -1
        if let text = StringOperator.allCases.first(where: { $0.archivedNumber == number }) {
            return .string(StringPredicate(left, text, right, modifier: modifier, options: options))
        }
        let kind = try comparisonOperator(own, number)
        return .comparison(ComparisonPredicate(left, kind, right, modifier: modifier, options: options))
    }

    private func comparisonOperator(_ object: ArchivedObject, _ number: Int) throws(ModelError) -> ComparisonOperator {
        if let found = ComparisonOperator.spelled.first(where: { $0.archivedNumber == number }) { return found }
        guard number == 11, let selector = object.string("NSSelectorName") ?? object.string("NSSelector") else {
            throw unsupported(object)
        }
        return .customSelector(selector)
    }

    // MARK: Expressions

    private mutating func expression(_ object: ArchivedObject, level: Int) throws(ModelError) -> ExpressionNode {
        try enter(level)
        switch object.className {
        case "NSSelfExpression": return .evaluatedObject
        case "NSConstantValueExpression": return try constant(object)
        case "NSVariableExpression": return .variable(try object.requiredString("NSVariable"))
        case "NSKeyPathExpression": return try keyPath(object, level)
        case "NSKeyPathSpecifierExpression":
            return .keyPath(KeyPathExpression(keys: try object.requiredString("NSKeyPath")))
        case "NSFunctionExpression": return try function(object, level)
        case "NSAggregateExpression": return .aggregate(of: try list(object, "NSCollection", level))
        case "NSSubqueryExpression": return try subquery(object, level)
        case "NSTernaryExpression": return try conditional(object, level)
        case "NSUnionSetExpression", "NSIntersectSetExpression", "NSMinusSetExpression": return try set(object, level)
        case "NSSetExpression": return try set(object, level)
        case "NSFetchRequestExpression": return try fetch(object, level)
        case "NSVariableAssignmentExpression": return try assignment(object, level)
        case "NSAnyKeyExpression": return .anyKey
        default: throw unsupported(object)
        }
    }

    private mutating func child(_ object: ArchivedObject, _ key: String, _ level: Int) throws(ModelError)
        -> ExpressionNode
    {
        try expression(try object.requiredObject(key), level: level + 1)
    }

    private mutating func constant(_ object: ArchivedObject) throws(ModelError) -> ExpressionNode {
        if let name = object.string("NSConstantValueClassName") {
            return .constantValue(.type(PredicateValue.ClassName(name)))
        }
        guard let raw = object.fields["NSConstantValue"] else { return .constantValue(.null) }
        switch try values.value(raw) {
        case .value(let value): return .constantValue(value)
        case .opaque(let name): throw ModelError(.unsupportedExpression("a constant of \(name)"), at: object.place)
        }
    }

    /// A key path from `SELF` or from another expression such as a variable.
    private mutating func keyPath(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        guard let path = object.objects("NSArguments").first?.string("NSKeyPath") ?? object.string("NSKeyPath") else {
            throw object.missing("NSKeyPath")
        }
        guard let operand = object.object("NSOperand"), operand.className != "NSSelfExpression" else {
            return .keyPath(KeyPathExpression(keys: path))
        }
        return .keyPath(KeyPathExpression(base: try expression(operand, level: level + 1), keys: path))
    }

    /// A function of the language, or a message sent to any other value.
    private mutating func function(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        let selector = try object.requiredString("NSSelectorName")
        let arguments = try list(object, "NSArguments", level)
        guard let operand = object.object("NSOperand"),
            operand.string("NSConstantValueClassName") != "_NSPredicateUtilities"
        else { return .function(FunctionExpression(FunctionExpression.Name(selector), arguments)) }
        let target = try expression(operand, level: level + 1)
        return .message(MessageExpression(target: target, selector: selector, arguments: arguments))
    }

    private mutating func list(
        _ object: ArchivedObject, _ key: String, _ level: Int
    ) throws(ModelError) -> [ExpressionNode] {
        var found: [ExpressionNode] = []
        for element in object.elements(key) { found.append(try self.element(element, object, level)) }
        return found
    }

    /// An element of a list: an expression or a plain value.
    private mutating func element(
        _ element: PropertyListValue, _ list: ArchivedObject, _ level: Int
    ) throws(ModelError) -> ExpressionNode {
        if let object = element.uid.flatMap(archive.object), object.className.hasSuffix("Expression") {
            return try expression(object, level: level + 1)
        }
        switch try values.value(element) {
        case .value(let value): return .constantValue(value)
        case .opaque(let name): throw ModelError(.unsupportedExpression("a constant of \(name)"), at: list.place)
        }
    }

    private mutating func subquery(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        let collection = try child(object, "NSCollection", level)
        let name =
            object.object("NSVariableExpression")?.string("NSVariable") ?? object.object("NSVariable")?.string(
                "NSVariable")
            ?? object.string("NSVariable")
        guard let name else { throw object.missing("NSVariable") }
        guard let condition = object.object("NSPredicate") ?? object.object("NSSubpredicate") else {
            throw object.missing("NSPredicate")
        }
        let predicate = try predicate(condition, level: level + 1)
        return .subquery(SubqueryExpression(collection, variable: name, predicate: predicate))
    }

    private mutating func conditional(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        let predicate = try predicate(try object.requiredObject("NSPredicate"), level: level + 1)
        let whenTrue = try child(object, "NSTrueExpression", level)
        return .conditional(
            ConditionalExpression(predicate, true: whenTrue, false: try child(object, "NSFalseExpression", level)))
    }

    private mutating func set(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        let kind: SetExpression.Operator
        switch (object.className, object.integer("NSExpressionType")) {
        case ("NSUnionSetExpression", _), ("NSSetExpression", 5?): kind = .union
        case ("NSIntersectSetExpression", _), ("NSSetExpression", 6?): kind = .intersect
        case ("NSMinusSetExpression", _), ("NSSetExpression", 7?): kind = .minus
        default: throw unsupported(object)
        }
        let left = try child(object, "NSLeftExpression", level)
        return .set(SetExpression(left, kind, try child(object, "NSRightExpression", level)))
    }

    private mutating func fetch(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        let request = try child(object, "NSFRExpression", level)
        let context = try child(object, "NSMOCExpression", level)
        return .fetch([request, context, .constantValue(.bool(object.bool("NSCountOnlyFlag")))])
    }

    private mutating func assignment(_ object: ArchivedObject, _ level: Int) throws(ModelError) -> ExpressionNode {
        let variable = object.object("NSAssignmentVariable")?.string("NSVariable") ?? object.string("NSVariable")
        guard let variable else { throw object.missing("NSAssignmentVariable") }
        return .assignment(AssignmentExpression(variable: variable, try child(object, "NSSubexpression", level)))
    }
}
