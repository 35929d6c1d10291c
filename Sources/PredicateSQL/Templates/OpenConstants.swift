import PredicateSyntax

/// The constants of a predicate whose values only become bindings: `21` of `age > 21`, `"jo"` of `name BEGINSWITH "jo"`.
///
/// A constant is open where it stands beside a column, a count or arithmetic with a column, under an operator that binds
/// it as it is, and has a ``ConstantClass``. All other constants belong to the shape of the predicate.
enum OpenConstants {
    /// The bound on the elements of a list whose values are open.
    private static let longestList = 16

    /// Calls `replace` with every open constant, in the order of the tree, and replaces it by the result.
    static func map(
        _ node: PredicateNode, _ replace: (PredicateValue, ConstantClass) -> PredicateValue
    ) -> PredicateNode {
        switch node {
        case .constant: return node
        case .comparison(let comparison): return .comparison(map(comparison, comparison.operator.binding, replace))
        case .string(let comparison): return .string(map(comparison, comparison.operator.binding, replace))
        case .compound(let compound):
            return .compound(CompoundPredicate(compound.type, compound.subpredicates.map { map($0, replace) }))
        }
    }

    private static func map<Operator>(
        _ comparison: OperatorComparison<Operator>, _ binding: OperandBinding?,
        _ replace: (PredicateValue, ConstantClass) -> PredicateValue
    ) -> OperatorComparison<Operator> {
        var comparison = comparison
        if let value = comparison.rightExpression.open(beside: comparison.leftExpression, binding) {
            comparison.rightExpression = .constantValue(map(value, replace))
        } else if let value = comparison.leftExpression.open(beside: comparison.rightExpression, binding) {
            comparison.leftExpression = .constantValue(map(value, replace))
        }
        return comparison
    }

    private static func map(
        _ value: PredicateValue, _ replace: (PredicateValue, ConstantClass) -> PredicateValue
    ) -> PredicateValue {
        if let constantClass = ConstantClass(value) { return replace(value, constantClass) }
        guard case .array(let elements) = value else { return value }
        return .array(elements.map { element in ConstantClass(element).map { replace(element, $0) } ?? element })
    }

    /// Appends the open constants of a predicate that has the shape of another; false where it has not.
    static func collect(_ node: PredicateNode, like shape: PredicateNode, into values: inout [PredicateValue]) -> Bool {
        switch (node, shape) {
        case (.constant(let left), .constant(let right)): return left == right
        case (.comparison(let left), .comparison(let right)):
            return collect(left, like: right, left.operator.binding, &values)
        case (.string(let left), .string(let right)): return collect(left, like: right, left.operator.binding, &values)
        case (.compound(let left), .compound(let right)):
            guard left.type == right.type, left.count == right.count else { return false }
            for index in 0..<left.count where !collect(left[index], like: right[index], into: &values) { return false }
            return true
        case (.constant, _), (.comparison, _), (.string, _), (.compound, _): return false
        }
    }

    private static func collect<Operator>(
        _ node: OperatorComparison<Operator>, like shape: OperatorComparison<Operator>, _ binding: OperandBinding?,
        _ values: inout [PredicateValue]
    ) -> Bool {
        guard node.operator == shape.operator, node.modifier == shape.modifier, node.options == shape.options else {
            return false
        }
        if let value = node.rightExpression.open(beside: node.leftExpression, binding) {
            return node.leftExpression == shape.leftExpression
                && collect(value, like: shape.rightExpression, binding, &values)
        }
        if let value = node.leftExpression.open(beside: node.rightExpression, binding) {
            return node.rightExpression == shape.rightExpression
                && collect(value, like: shape.leftExpression, binding, &values)
        }
        return node.leftExpression == shape.leftExpression && node.rightExpression == shape.rightExpression
    }

    private static func collect(
        _ value: PredicateValue, like shape: ExpressionNode, _ binding: OperandBinding?,
        _ values: inout [PredicateValue]
    ) -> Bool {
        guard case .constantValue(let shape) = shape else { return false }
        if let constantClass = ConstantClass(value) {
            values.append(value)
            return ConstantClass(shape) == constantClass
        }
        guard case .array(let elements) = value, case .array(let shapes) = shape, elements.count == shapes.count,
            let binding, areOpen(shapes, binding)
        else { return false }
        for (element, shape) in zip(elements, shapes) {
            guard ConstantClass(element) == ConstantClass(shape) else { return false }
            values.append(element)
        }
        return true
    }

    /// True if every element of a list is open; the bounds of a range must be in order as well.
    fileprivate static func areOpen(_ elements: [PredicateValue], _ binding: OperandBinding) -> Bool {
        guard let first = elements.first, elements.count <= longestList, let common = ConstantClass(first),
            elements.dropFirst().allSatisfy({ ConstantClass($0) == common })
        else { return false }
        switch binding {
        case .value: return false
        case .list: return true
        case .range: return elements.count == 2 && elements[0].isBelow(elements[1])
        }
    }
}

/// The constants that an operator binds as they are.
enum OperandBinding {
    /// `age > 21`
    case value
    /// `age IN {18, 21}`
    case list
    /// `age BETWEEN {18, 65}`
    case range
}

extension ComparisonOperator {
    /// The constants that the operator binds as they are; nil for an operator that SQL does not have.
    var binding: OperandBinding? {
        switch self {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo: .value
        case .in: .list
        case .between: .range
        case .customSelector: nil
        }
    }
}

extension StringOperator {
    /// The constants that the operator binds as they are; nil where the text of a pattern decides about the SQL.
    var binding: OperandBinding? {
        switch self {
        case .beginsWith, .endsWith, .contains: .value
        case .like, .matches, .utiEquals, .utiConformsTo: nil
        }
    }
}

extension ExpressionNode {
    /// The open constants that this operand is, beside the other one; nil for all other operands.
    fileprivate func open(beside other: ExpressionNode, _ binding: OperandBinding?) -> PredicateValue? {
        guard let binding, case .constantValue(let value) = self, other.isColumn else { return nil }
        if case .array(let elements) = value { return OpenConstants.areOpen(elements, binding) ? value : nil }
        return binding == .range || ConstantClass(value) == nil ? nil : value
    }

    /// True for a path of keys, and for arithmetic with one: constants compared with it are never folded.
    private var isColumn: Bool {
        switch self {
        case .keyPath(let path):
            switch path.steps {
            case .key, .keys, .components: return true
            case .basedKey, .based: return false
            }
        case .function(let call):
            guard case .predefined(let function) = call.function else { return false }
            switch function {
            case .add, .subtract, .multiply, .divide: break
            default: return false
            }
            var hasColumn = false
            for index in 0..<call.count {
                if call[index].isColumn {
                    hasColumn = true
                } else if case .constantValue = call[index] {
                    continue
                } else {
                    return false
                }
            }
            return hasColumn
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .fetch:
            return false
        }
    }
}

extension PredicateValue {
    /// True if both are numbers of one kind, texts or dates, and this one is the lesser.
    fileprivate func isBelow(_ other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        default: false
        }
    }
}
