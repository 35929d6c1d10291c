import PredicateSyntax

/// Adds predicates and expressions to a keyed archive, in the form that ``ArchivedPredicates`` reads.
///
/// Throws `notWritable` for a node without a known archived form.
extension KeyedArchiveWriter {
    mutating func predicate(_ predicate: ModelPredicate) throws(ModelError) -> PropertyListValue {
        guard let parsed = try? predicate.predicate() else {
            throw ModelError(.notWritable("the invalid predicate '\(predicate.format)'"))
        }
        return try self.predicate(parsed.node)
    }

    mutating func expression(_ expression: ModelExpression) throws(ModelError) -> PropertyListValue {
        guard let parsed = try? expression.expression() else {
            throw ModelError(.notWritable("the invalid expression '\(expression.format)'"))
        }
        return try self.expression(parsed.node)
    }

    // MARK: Predicates

    mutating func predicate(_ node: PredicateNode) throws(ModelError) -> PropertyListValue {
        switch node {
        case .constant(let value): return object(value ? "NSTruePredicate" : "NSFalsePredicate")
        case .comparison(let comparison):
            let own = predicateOperator(comparison)
            return try self.comparison(comparison.leftExpression, comparison.rightExpression, own)
        case .string(let comparison):
            let own = try predicateOperator(comparison)
            return try self.comparison(comparison.leftExpression, comparison.rightExpression, own)
        case .compound(let compound):
            var parts: [PropertyListValue] = []
            for part in compound.subpredicates { parts.append(try predicate(part)) }
            return object(
                "NSCompoundPredicate",
                ["NSCompoundPredicateType": .integer(Int64(compound.type.rawValue)), "NSSubpredicates": list(parts)])
        case .block: throw ModelError(.notWritable("a predicate that is a closure"))
        }
    }

    private mutating func comparison(
        _ left: ExpressionNode, _ right: ExpressionNode, _ own: PropertyListValue
    ) throws(ModelError) -> PropertyListValue {
        object(
            "NSComparisonPredicate",
            [
                "NSLeftExpression": try expression(left), "NSRightExpression": try expression(right),
                "NSPredicateOperator": own,
            ])
    }

    private mutating func predicateOperator(_ comparison: ComparisonPredicate) -> PropertyListValue {
        var fields = Self.fields(comparison.operator.archivedNumber, comparison.modifier, comparison.options)
        switch comparison.operator {
        case .equalTo, .notEqualTo:
            fields["NSNegate"] = .bool(comparison.operator == .notEqualTo)
            return object("NSEqualityPredicateOperator", fields)
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            fields["NSVariant"] = .integer(Int64(comparison.operator.archivedNumber))
            return object("NSComparisonPredicateOperator", fields)
        case .in: return object("NSInPredicateOperator", fields)
        case .between: return object("NSBetweenPredicateOperator", fields)
        case .customSelector(let selector):
            fields["NSSelectorName"] = string(selector)
            return object("NSCustomPredicateOperator", fields)
        }
    }

    private mutating func predicateOperator(_ comparison: StringPredicate) throws(ModelError) -> PropertyListValue {
        guard let number = comparison.operator.archivedNumber else {
            throw ModelError(.notWritable("a comparison of uniform type identifiers"))
        }
        var fields = Self.fields(number, comparison.modifier, comparison.options)
        switch comparison.operator {
        case .matches: return object("NSMatchingPredicateOperator", fields)
        case .like: return object("NSLikePredicateOperator", fields)
        case .contains: return object("NSInPredicateOperator", fields)
        case .beginsWith, .endsWith, .utiConformsTo, .utiEquals:
            fields["NSPosition"] = .integer(comparison.operator == .endsWith ? 1 : 0)
            return object("NSSubstringPredicateOperator", fields)
        }
    }

    private static func fields(
        _ number: Int, _ modifier: ComparisonModifier, _ options: ComparisonOptions
    ) -> [String: PropertyListValue] {
        let flags = PropertyListValue.integer(Int64(options.rawValue))
        return [
            "NSOperatorType": .integer(Int64(number)), "NSModifier": .integer(Int64(modifier.rawValue)),
            "NSOptions": flags, "NSFlags": flags,
        ]
    }

    // MARK: Expressions

    mutating func expression(_ node: ExpressionNode) throws(ModelError) -> PropertyListValue {
        switch node {
        case .evaluatedObject: return expression("NSSelfExpression", 1)
        case .constantValue(.type(let name)): return typeConstant(name.name)
        case .constantValue(let value):
            return expression("NSConstantValueExpression", 0, ["NSConstantValue": try self.value(value)])
        case .variable(let name): return expression("NSVariableExpression", 2, ["NSVariable": string(name)])
        case .keyPath(let path): return try keyPath(path)
        case .function(let function): return try utility(function.function.name, function.arguments)
        case .message(let message):
            return try call(message.selector, on: try expression(message.target), message.arguments)
        case .cast(let cast):
            let type = ExpressionNode.constantValue(.string(cast.type))
            return try utility("castObject:toType:", [cast.expression, type])
        case .index(let index): return try utility("objectFrom:withIndex:", [index.base, index.index])
        case .aggregate(let elements):
            return expression("NSAggregateExpression", 14, ["NSCollection": list(try expressions(elements))])
        case .subquery(let subquery): return try self.subquery(subquery)
        case .conditional(let conditional): return try self.conditional(conditional)
        case .set(let set): return try self.set(set)
        case .fetch(let arguments): return try fetch(arguments)
        case .anyKey: return expression("NSAnyKeyExpression", 15)
        case .member, .symbol, .assignment, .block:
            throw ModelError(.notWritable("the expression \(FormatExpression(node).expressionFormat)"))
        }
    }

    private mutating func expression(
        _ className: String, _ type: Int64, _ fields: [String: PropertyListValue] = [:]
    ) -> PropertyListValue {
        object(className, fields.merging(["NSExpressionType": .integer(type)]) { own, _ in own })
    }

    private mutating func expressions(_ nodes: [ExpressionNode]) throws(ModelError) -> [PropertyListValue] {
        var found: [PropertyListValue] = []
        for node in nodes { found.append(try expression(node)) }
        return found
    }

    private mutating func typeConstant(_ name: String) -> PropertyListValue {
        expression("NSConstantValueExpression", 0, ["NSConstantValueClassName": string(name)])
    }

    private mutating func keyPath(_ path: KeyPathExpression) throws(ModelError) -> PropertyListValue {
        guard let keys = path.keys else {
            throw ModelError(.notWritable("the key path \(FormatExpression(.keyPath(path)).expressionFormat)"))
        }
        let text = keys.joined(separator: ".")
        let specifier = expression("NSKeyPathSpecifierExpression", 10, ["NSKeyPath": string(text)])
        return expression(
            "NSKeyPathExpression", 3,
            [
                "NSOperand": try expression(path.base ?? .evaluatedObject), "NSArguments": list([specifier]),
                "NSSelectorName": string(keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"),
            ])
    }

    /// A function of the language, which is a message to a class of Foundation.
    private mutating func utility(_ selector: String, _ arguments: [ExpressionNode]) throws(ModelError)
        -> PropertyListValue
    {
        try call(selector, on: typeConstant("_NSPredicateUtilities"), arguments)
    }

    private mutating func call(
        _ selector: String, on operand: PropertyListValue, _ arguments: [ExpressionNode]
    ) throws(ModelError) -> PropertyListValue {
        let arguments = list(try expressions(arguments))
        return expression(
            "NSFunctionExpression", 4,
            ["NSOperand": operand, "NSSelectorName": string(selector), "NSArguments": arguments])
    }

    private mutating func subquery(_ subquery: SubqueryExpression) throws(ModelError) -> PropertyListValue {
        expression(
            "NSSubqueryExpression", 13,
            [
                "NSCollection": try expression(subquery.collection), "NSVariable": string(subquery.variable),
                "NSVariableExpression": try expression(.variable(subquery.variable)),
                "NSPredicate": try predicate(subquery.predicate),
            ])
    }

    private mutating func conditional(_ node: ConditionalExpression) throws(ModelError) -> PropertyListValue {
        expression(
            "NSTernaryExpression", 20,
            [
                "NSPredicate": try predicate(node.predicate), "NSTrueExpression": try expression(node.trueExpression),
                "NSFalseExpression": try expression(node.falseExpression),
            ])
    }

    private mutating func set(_ node: SetExpression) throws(ModelError) -> PropertyListValue {
        let type: Int64 =
            switch node.operator {
            case .union: 5
            case .intersect: 6
            case .minus: 7
            }
        return expression(
            "NSSetExpression", type,
            [
                "NSLeftExpression": try expression(node.leftExpression),
                "NSRightExpression": try expression(node.rightExpression),
            ])
    }

    private mutating func fetch(_ arguments: [ExpressionNode]) throws(ModelError) -> PropertyListValue {
        guard arguments.count == 3, case .constantValue(let counts) = arguments[2] else {
            throw ModelError(.notWritable("the expression \(FormatExpression(.fetch(arguments)).expressionFormat)"))
        }
        return expression(
            "NSFetchRequestExpression", 50,
            [
                "NSFRExpression": try expression(arguments[0]), "NSMOCExpression": try expression(arguments[1]),
                "NSCountOnlyFlag": .bool(counts == .bool(true) || counts == .integer(1)),
            ])
    }
}
