import Foundation
import PredicateSyntax

// The numbers of operators and the names of functions in Apple's classes.

extension PredicateNode {
    /// Makes the comparison with an operator's number, `99` for CONTAINS; nil for a number that no operator has.
    ///
    /// If the selector is missing, the comparison gets a name that no registry contains, so evaluating it is an error.
    init?(
        _ left: ExpressionNode, operatorNumber number: UInt, selector: String?, _ right: ExpressionNode, modifier: UInt,
        options: UInt
    ) {
        let modifier = ComparisonModifier(rawValue: Int(modifier)) ?? .direct
        let options = ComparisonOptions(rawValue: Int(truncatingIfNeeded: options))
        let operators = ComparisonOperator.spelled + [.customSelector(selector ?? "customSelector")]
        if let own = operators.first(where: { $0.archivedNumber == number }) {
            self = .comparison(ComparisonPredicate(left, own, right, modifier: modifier, options: options))
        } else if let own = StringOperator.allCases.first(where: { $0.archivedNumber.map(UInt.init) == number }) {
            self = .string(StringPredicate(left, own, right, modifier: modifier, options: options))
        } else {
            return nil
        }
    }
}

extension LogicalType {
    init(_ type: NSCompoundPredicate.LogicalType) { self = Self(rawValue: Int(type.rawValue)) ?? .and }

    var foundationType: NSCompoundPredicate.LogicalType { .init(rawValue: UInt(rawValue)) ?? .and }
}

extension ExpressionNode {
    /// Makes a call from Apple's name of a function. Apple represents an index and a cast as functions; here they
    /// are nodes of their own. [NSP-168]
    init(function name: String, _ arguments: [ExpressionNode]) {
        switch (name, arguments.count, arguments.last) {
        case ("objectFrom:withIndex:", 2, let index?):
            self = .index(IndexExpression(base: arguments[0], index: index))
        case ("castObject:toType:", 2, .constantValue(.string(let type))?):
            self = .cast(CastExpression(arguments[0], type: type))
        default: self = .function(FunctionExpression(FunctionExpression.Name(name), arguments))
        }
    }
}
