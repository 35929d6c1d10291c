import Foundation
import PredicateSyntax

/// A node for two strings that only Apple's Foundation has: a search or a comparison as people expect it.
protocol StringMethodNode: ConvertibleNode {
    associatedtype Root: PredicateExpression
    associatedtype Other: PredicateExpression
    static var method: StringMethod { get }
    var root: Root { get }
    var other: Other { get }
}

/// The string method that a ``StringMethodNode`` calls, by its name.
enum StringMethod: String {
    /// `name CONTAINS[cdl] "jo"`
    case localizedStandardContains
    /// `name ==[l] "jo"`, `name <[l] "jo"`
    case localizedCompare
    /// `name ==[c] "jo"`, `name <[c] "jo"`
    case caseInsensitiveCompare
}

extension StringMethodNode {
    var operands: [any PredicateExpression] { [root, other] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        let types: [Any.Type] = [Root.Output.self, Other.Output.self]
        if let other = types.first(where: { !ValueType.isText($0) }) {
            throw ConversionRefusal(.unsupported(node: NodeName.of(self), .sequenceSearch(type: "\(other)")))
        }
        let (left, right) = (try walk.value(root, at: 0, scope), try walk.value(other, at: 1, scope))
        switch Self.method {
        case .localizedStandardContains:
            let options: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive, .localeSensitive]
            return .condition(.matching(left, .contains, right, options))
        case .localizedCompare: return .order(StringOrder(left: left, right: right, options: .localeSensitive))
        case .caseInsensitiveCompare: return .order(StringOrder(left: left, right: right, options: .caseInsensitive))
        }
    }

    func print(to printer: inout SourcePrinter) { printer.call(Self.method.rawValue, self) }
}

/// Two strings and the options of their comparison: `name.caseInsensitiveCompare("jo")`
struct StringOrder {
    let left: ExpressionNode
    let right: ExpressionNode
    let options: ComparisonOptions

    /// The number of the result: `TERNARY(name ==[c] "jo", 0, TERNARY(name <[c] "jo", -1, 1))`
    var expression: ExpressionNode {
        let unequal = ExpressionNode.choice(
            comparing(.lessThan), .constantValue(.integer(-1)), .constantValue(.integer(1)))
        return .choice(comparing(.equalTo), .constantValue(.integer(0)), unequal)
    }

    /// The predicate that holds if the comparison has this result: `name ==[c] "jo"` for `== .orderedSame`
    func hasResult(_ number: Int64) -> PredicateNode {
        switch ComparisonResult(rawValue: Int(truncatingIfNeeded: number)) {
        case .orderedAscending: comparing(.lessThan)
        case .orderedSame: comparing(.equalTo)
        case .orderedDescending: comparing(.greaterThan)
        case nil: .constant(false)
        }
    }

    private func comparing(_ operator: ComparisonOperator) -> PredicateNode {
        .comparing(left, `operator`, right, options)
    }
}

#if canImport(Darwin)
    extension PredicateExpressions.StringLocalizedStandardContains: StringMethodNode {
        static var method: StringMethod { .localizedStandardContains }
    }

    extension PredicateExpressions.StringLocalizedCompare: StringMethodNode {
        static var method: StringMethod { .localizedCompare }
    }

    extension PredicateExpressions.StringCaseInsensitiveCompare: StringMethodNode {
        static var method: StringMethod { .caseInsensitiveCompare }
    }
#endif
