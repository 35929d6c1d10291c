import PredicateSyntax
import PredicateText

/// `self isKindOfClass: %@`, `name hasPrefix: "jo"`: a selector with one argument as an operator.
///
/// The built-in selectors are ``known``; others the host registers. nil on the left gives false: Apple's evaluator
/// raises there, which would make every row without a value an error.
final class CustomSelector: Relation {
    typealias Answer = @Sendable (KeyedValue, KeyedValue) throws(Fault) -> Bool

    private let answer: Answer

    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        left.isNull ? false : try answer(left, right)
    }

    /// The selectors that every evaluator knows, by name.
    static let known: [String: Answer] = [
        "isKindOfClass:": { (left, right) throws(Fault) in
            PredicateValue.ClassName(left.className).isKind(of: try classNamed(by: right, for: "isKindOfClass:"))
        },
        "isMemberOfClass:": { (left, right) throws(Fault) in
            PredicateValue.ClassName(left.className) == (try classNamed(by: right, for: "isMemberOfClass:"))
        },
        "isEqual:": equality,
        "isEqualTo:": equality,
        "isEqualToString:": equality,
        "isEqualToNumber:": equality,
        "isEqualToValue:": equality,
        "isEqualToDate:": equality,
        "isEqualToData:": equality,
        "isEqualToArray:": equality,
        "isEqualToSet:": equality,
        "isEqualToOrderedSet:": equality,
        "isEqualToDictionary:": equality,
        "isNotEqualTo:": { (left, right) throws(Fault) in try !Equality.areEqual(left, right, .none) },
        "hasPrefix:": { (left, right) throws(Fault) in try beginning.holds(left, right) },
        "hasSuffix:": { (left, right) throws(Fault) in try ending.holds(left, right) },
        "containsString:": { (left, right) throws(Fault) in
            if right.isNull { return false }
            return TextSearch.contains(
                try left.requiredText(operand: 0), try right.requiredText(operand: 1), .none)
        },
        "containsObject:": { (left, right) throws(Fault) in
            if left.text != nil { throw Fault(.notACollection(found: left.found), operand: 0) }
            return try containment.holds(left, right)
        },
    ]

    private static let beginning = TextRelation(.beginsWith, .none)
    private static let ending = TextRelation(.endsWith, .none)
    private static let containment = Membership(.none, isMirrored: true)
    private static let equality: Answer = { (left, right) throws(Fault) in try Equality.areEqual(left, right, .none) }

    /// The class that the argument of `isKindOfClass:` is.
    private static func classNamed(by value: KeyedValue, for selector: String) throws(Fault) -> PredicateValue.ClassName
    {
        guard case .value(.type(let type)) = value else {
            throw Fault(.argumentKind(function: selector, expected: "a class", found: value.found), operand: 1)
        }
        return type
    }
}
