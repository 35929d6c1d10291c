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
        case .constant, .block: return node
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

    /// The operands that are open, for every comparison in the order of the tree.
    static func sides(of node: PredicateNode) -> [OpenSide] {
        switch node {
        case .constant, .block: []
        case .comparison(let comparison): [side(of: comparison, comparison.operator.binding)]
        case .string(let comparison): [side(of: comparison, comparison.operator.binding)]
        case .compound(let compound): compound.subpredicates.flatMap(sides)
        }
    }

    private static func side<Operator>(
        of comparison: OperatorComparison<Operator>, _ binding: OperandBinding?
    ) -> OpenSide {
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        if right.open(beside: left, binding) != nil { return .right }
        return left.open(beside: right, binding) == nil ? .neither : .left
    }

    /// The class that all elements of a list have, if the list is open; the bounds of a range must be in order as well.
    static func commonClass(_ elements: [PredicateValue], _ binding: OperandBinding?) -> ConstantClass? {
        guard let first = elements.first, elements.count <= longestList, let common = ConstantClass(first) else {
            return nil
        }
        for element in elements.dropFirst() where ConstantClass(element) != common { return nil }
        switch binding {
        case .value, nil: return nil
        case .list: return common
        case .range: return elements.count == 2 && elements[0].isBelow(elements[1]) ? common : nil
        }
    }
}

/// The operand of a comparison that is open.
enum OpenSide {
    case neither, left, right
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
        switch rightSide {
        case .needle: .value
        case .likePattern, .regularExpression, .typeIdentifier: nil
        }
    }
}

extension ExpressionNode {
    /// The open constants that this operand is, beside the other one; nil for all other operands.
    fileprivate func open(beside other: ExpressionNode, _ binding: OperandBinding?) -> PredicateValue? {
        guard let binding, case .constantValue(let value) = self, other.isColumn else { return nil }
        if case .array(let elements) = value {
            return OpenConstants.commonClass(elements, binding) == nil ? nil : value
        }
        return binding == .range || ConstantClass(value) == nil ? nil : value
    }

    private static let arithmetic: Set<FunctionExpression.Predefined> = [.add, .subtract, .multiply, .divide]

    /// True for a path of keys, and for arithmetic with one: constants compared with it are never folded.
    private var isColumn: Bool {
        switch self {
        case .keyPath(let path):
            switch path.steps {
            case .key, .keys, .components: return true
            case .basedKey, .based: return false
            }
        case .function(let call):
            guard case .predefined(let function) = call.function, Self.arithmetic.contains(function) else {
                return false
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
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return false
        }
    }
}

extension PredicateValue {
    /// True if both are numbers of one kind or dates, and this one is the lesser.
    fileprivate func isBelow(_ other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        default: false
        }
    }
}
