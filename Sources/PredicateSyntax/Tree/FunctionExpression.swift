/// A call of a function by name.
///
/// `sum:(prices)`, `modulus:by:(n, 2)`, `a + b`
public struct FunctionExpression: Sendable {
    /// One operand or two lie in place, as most calls have them.
    package enum Operands: Sendable {
        case one(ExpressionNode)
        case two(ExpressionNode, ExpressionNode)
        case list([ExpressionNode])
    }

    public var function: FunctionName
    package private(set) var operands: Operands

    public var arguments: [ExpressionNode] {
        get {
            switch operands {
            case .one(let operand): [operand]
            case .two(let left, let right): [left, right]
            case .list(let operands): operands
            }
        }
        _modify {
            var list = arguments
            // Nothing else may hold the list while it changes, or it would be copied.
            operands = .list([])
            defer { self = FunctionExpression(function, list) }
            yield &list
        }
    }

    /// How many arguments there are; with the subscript a list is gone through without being made.
    package var count: Int {
        switch operands {
        case .one: 1
        case .two: 2
        case .list(let operands): operands.count
        }
    }

    package subscript(_ index: Int) -> ExpressionNode {
        switch operands {
        case .one(let operand): operand
        case .two(let left, let right): index == 0 ? left : right
        case .list(let operands): operands[index]
        }
    }

    public init(_ function: FunctionName, _ arguments: [ExpressionNode]) {
        switch arguments.count {
        case 1: self.init(function, .one(arguments[0]))
        case 2: self.init(function, .two(arguments[0], arguments[1]))
        default: self.init(function, .list(arguments))
        }
    }

    @inline(__always)
    init(_ function: consuming FunctionName, _ operands: consuming Operands) {
        self.function = function
        self.operands = operands
    }
}

extension FunctionExpression: Hashable {
    public static func == (left: FunctionExpression, right: FunctionExpression) -> Bool {
        left.function == right.function && left.arguments == right.arguments
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(function)
        hasher.combine(arguments)
    }
}
