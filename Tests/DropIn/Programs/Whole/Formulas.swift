#if INSTEAD
    import NSPredicates
#else
    import Foundation
#endif

// A small library on NSExpression, as calculators and templates are built: formulas by name, checks of them, a tree walk.
public enum FormulaError: Error, Equatable {
    case unknownName(String)
    case notANumber
}

public final class Formula {
    private let expression: NSExpression
    public let names: [String]

    public init(_ text: String) {
        expression = NSExpression(format: text)
        names = Formula.names(in: expression)
    }

    public func value(_ variables: [String: Double]) throws -> Double {
        for name in names where variables[name] == nil { throw FormulaError.unknownName(name) }
        guard let number = expression.expressionValue(with: variables, context: nil) as? NSNumber else {
            throw FormulaError.notANumber
        }
        return number.doubleValue
    }

    /// The key paths of an expression, from left to right.
    private static func names(in expression: NSExpression) -> [String] {
        switch expression.expressionType {
        case .keyPath: return [expression.keyPath]
        case .function: return (expression.arguments ?? []).flatMap(names)
        case .conditional:
            return names(in: expression.predicate) + names(in: expression.true) + names(in: expression.false)
        case .aggregate: return (expression.collection as? [NSExpression] ?? []).flatMap(names)
        default: return []
        }
    }

    private static func names(in predicate: NSPredicate) -> [String] {
        if let comparison = predicate as? NSComparisonPredicate {
            return names(in: comparison.leftExpression) + names(in: comparison.rightExpression)
        }
        if let compound = predicate as? NSCompoundPredicate {
            return compound.subpredicates.compactMap { $0 as? NSPredicate }.flatMap(names)
        }
        return []
    }
}

/// A condition built of parts instead of text.
struct Condition {
    var key: String
    var type: NSComparisonPredicate.Operator
    var value: Any?

    var predicate: NSPredicate {
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: type, options: [.caseInsensitive])
    }
}

/// Writes a tree for another program: the walk that stores and servers do.
func describe(_ predicate: NSPredicate) -> String {
    switch predicate {
    case let compound as NSCompoundPredicate:
        let parts = compound.subpredicates.compactMap { $0 as? NSPredicate }.map(describe).joined(separator: " ")
        let words: [NSCompoundPredicate.LogicalType: String] = [.and: "and", .or: "or", .not: "not"]
        return "(\(words[compound.compoundPredicateType] ?? "?") \(parts))"
    case let comparison as NSComparisonPredicate:
        let left = comparison.leftExpression.keyPath
        return
            "(\(comparison.predicateOperatorType.rawValue) \(left) \(comparison.rightExpression.constantValue ?? "nil"))"
    default: return predicate.predicateFormat
    }
}

public func formulaTranscript() -> [String] {
    let total = Formula("price * (1 + tax) - TERNARY(count > 10, discount, 0)")
    let values = ["price": 100.0, "tax": 0.25, "count": 12, "discount": 5]
    let missing = Result { try total.value(["price": 1]) }
    let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forAggregate: [1, 2, 3.5])])
    let walk = NSCompoundPredicate(
        orPredicateWithSubpredicates: [
            Condition(key: "name", type: .beginsWith, value: "jo").predicate,
            NSCompoundPredicate(
                notPredicateWithSubpredicate: NSPredicate(format: "age > %@ AND boss == nil", NSNumber(value: 18))),
        ])
    return [
        total.names.joined(separator: ","),
        (try? total.value(values)).map { "\($0)" } ?? "error",
        "\(missing)",
        "\(sum.expressionValue(with: nil, context: nil) as? Double ?? 0)",
        "\(Condition(key: "name", type: .contains, value: "JO").predicate.evaluate(with: ["name": "major"]))",
        describe(walk),
        walk.predicateFormat,
        "\(walk == walk.copy() as? NSPredicate) \(walk == NSPredicate(format: walk.predicateFormat))",
    ]
}
