import PredicateSyntax

/// A comparison of a predicate with the shape of a template, which collects the open constants.
///
/// `age > 65` has the shape of `age > 21`, and 65 is collected.
struct ShapeMatch {
    /// The operands of the shape that are open, for every comparison.
    private let sides: [OpenSide]
    /// The classes of the shape's open constants.
    private let classes: [ConstantClass]
    /// The open constants of the predicate, in the order of the tree.
    private(set) var values: [PredicateValue] = []
    /// The number of comparisons that were visited.
    private var count = 0

    init(_ sides: [OpenSide], _ classes: [ConstantClass]) {
        self.sides = sides
        self.classes = classes
        values.reserveCapacity(classes.count)
    }

    /// True if the predicate has the shape; its open constants are then in ``values``.
    mutating func fits(_ node: PredicateNode, _ shape: PredicateNode) -> Bool {
        switch (node, shape) {
        case (.constant(let left), .constant(let right)): return left == right
        case (.comparison(let left), .comparison(let right)): return fits(left, right, left.operator.binding)
        case (.string(let left), .string(let right)): return fits(left, right, left.operator.binding)
        case (.compound(let left), .compound(let right)):
            guard left.type == right.type, left.count == right.count else { return false }
            for index in 0..<left.count where !fits(left[index], right[index]) { return false }
            return true
        case (.constant, _), (.comparison, _), (.string, _), (.compound, _), (.block, _): return false
        }
    }

    private mutating func fits<Operator>(
        _ node: OperatorComparison<Operator>, _ shape: OperatorComparison<Operator>, _ binding: OperandBinding?
    ) -> Bool {
        defer { count += 1 }
        guard node.operator == shape.operator, node.modifier == shape.modifier, node.options == shape.options else {
            return false
        }
        switch sides[count] {
        case .neither:
            return node.leftExpression == shape.leftExpression && node.rightExpression == shape.rightExpression
        case .right:
            return node.leftExpression == shape.leftExpression
                && fits(node.rightExpression, shape.rightExpression, binding)
        case .left:
            return node.rightExpression == shape.rightExpression
                && fits(node.leftExpression, shape.leftExpression, binding)
        }
    }

    /// Collects an open operand if its constants have the classes of the shape's.
    private mutating func fits(_ node: ExpressionNode, _ shape: ExpressionNode, _ binding: OperandBinding?) -> Bool {
        guard case .constantValue(let value) = node, case .constantValue(let shape) = shape else { return false }
        switch (value, shape) {
        case (.array(let elements), .array(let shapes)):
            guard elements.count == shapes.count, values.count + shapes.count <= classes.count,
                let common = OpenConstants.commonClass(elements, binding),
                common == classes[values.count]
            else { return false }
            values += elements
            return true
        case (.array, _), (_, .array): return false
        default:
            guard values.count < classes.count, ConstantClass(value) == classes[values.count] else { return false }
            values.append(value)
            return true
        }
    }
}
