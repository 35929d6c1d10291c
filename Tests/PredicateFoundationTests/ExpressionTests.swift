import NSPredicates
import PredicateSyntax
import Testing

/// NSExpression in all its forms: what it prints, what it evaluates to, what parts it has.
@Suite struct ExpressionTests {
    private let row: [String: Any] = ["n": 4, "list": [1, 2, 3], "other": [3, 5], "name": "jo"]

    private func key(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }

    private func value(_ expression: NSExpression) -> Any? { expression.expressionValue(with: row, context: nil) }

    private struct Person {
        var name: String
        var dept: Dept?
    }
    private struct Dept { var city: String }

    @Test func byAKeyPathOfSwift() {
        #expect(NSExpression(forKeyPath: \Person.name) == key("name"))
        #expect(NSExpression(forKeyPath: \Person.dept?.city).keyPath == "dept.city")
        #expect(NSExpression(forKeyPath: \Person.name).expressionValue(with: row, context: nil) as? String == "jo")
    }

    @Test func everyFormPrints() {
        let sum = NSExpression(forFunction: "sum:", arguments: [key("list")])
        #expect("\(sum)" == "sum:(list)" || "\(sum)" == "sum(list)")
        #expect(sum == NSExpression(format: "sum(list)"))
        #expect("\(NSExpression(forConstantValue: "x"))" == "\"x\"")
        #expect("\(NSExpression(forVariable: "v"))" == "$v")
        #expect("\(NSExpression.expressionForEvaluatedObject())" == "SELF")
        #expect("\(NSExpression.expressionForAnyKey())" == "ANYKEY")
        #expect("\(NSExpression(forUnionSet: key("list"), with: key("other")))" == "list UNION other")
        #expect("\(NSExpression(forIntersectSet: key("list"), with: key("other")))" == "list INTERSECT other")
        #expect("\(NSExpression(forMinusSet: key("list"), with: key("other")))" == "list MINUS other")
        #expect("\(NSExpression(forAggregate: [key("n"), 1]))" == "{n, 1}")
        let index = NSExpression(forFunction: "objectFrom:withIndex:", arguments: [key("list"), 0])
        #expect(index == NSExpression(format: "list[0]"))
        let cast = NSExpression(forFunction: "castObject:toType:", arguments: [key("n"), "NSString"])
        #expect(cast == NSExpression(format: "CAST(n, 'NSString')"))
    }

    @Test func everyFormEvaluates() {
        #expect(value(NSExpression(forFunction: "sum:", arguments: [key("list")])) as? Int == 6)
        #expect(value(NSExpression(format: "n * %@", 1.5)) as? Double == 6)
        #expect(value(NSExpression(format: "%K + 1", argumentArray: ["n"])) as? Int == 5)
        #expect(value(NSExpression(forUnionSet: key("list"), with: key("other"))) as? Set<Int> == [1, 2, 3, 5])
        #expect(value(NSExpression(forAggregate: [key("n"), 1])) as? [Int] == [4, 1])
        #expect(value(NSExpression(forConstantValue: nil)) == nil)
        let missing: String? = nil
        #expect(NSExpression(forConstantValue: missing) == NSExpression(forConstantValue: nil))
        #expect(NSExpression(forConstantValue: missing as Any) == NSExpression(forConstantValue: NSNull()))
        #expect(NSExpression(forConstantValue: ("a" as String?) as Any).constantValue as? String == "a")
        let message = NSExpression(forFunction: key("name"), selectorName: "uppercaseString", arguments: [])
        #expect(value(message) as? String == "JO")
        let many = NSExpression(
            forSubquery: key("list"), usingIteratorVariable: "x", predicate: NSPredicate(format: "$x > 1"))
        #expect(value(many) as? [Int] == [2, 3])
        let either = NSExpression(
            forConditional: NSPredicate(format: "n > 3"), trueExpression: NSExpression(forConstantValue: "many"),
            falseExpression: NSExpression(forConstantValue: "few"))
        #expect(value(either) as? String == "many")
    }

    @Test func numbersCastToWhatIsAsked() {
        let value = NSExpression(format: "6 / 4").expressionValue(with: nil, context: nil)
        #expect(value as? Int == 1)
        #expect(value as? Double == 1)
        #expect(value as? NSNumber == 1)
        #expect(NSExpression(format: "1 / 4.0").expressionValue(with: nil, context: nil) as? Double == 0.25)
    }

    @Test func closures() {
        let doubled = NSExpression(
            block: { object, expressions, context in
                let value = expressions[0].expressionValue(with: object, context: context) as? Int ?? 0
                return value * 2
            }, arguments: [key("n")])
        #expect(doubled.expressionType == .block)
        #expect(value(doubled) as? Int == 8)
        #expect(doubled.arguments == [key("n")])
        let comparison = NSComparisonPredicate(
            leftExpression: doubled, rightExpression: NSExpression(forConstantValue: 8), modifier: .direct,
            type: .equalTo)
        #expect(comparison.evaluate(with: row))
    }

    @Test func aContextGivesVariablesAndTakesAssignments() {
        let context = NSMutableDictionary(dictionary: ["limit": 3])
        let expression = NSExpression(format: "$total := n + $limit")
        #expect(expression.expressionValue(with: row, context: context) as? Int == 7)
        #expect(context["total"] as? Int == 7)
        #expect(context["limit"] as? Int == 3)
    }

    @Test(
        arguments: [
            ("1", .constantValue), ("SELF", .evaluatedObject), ("$v", .variable), ("a.b", .keyPath),
            ("sum(a)", .function),
            ("a + 1", .function), ("a[0]", .function), ("CAST(a, 'NSDate')", .function), ("a UNION b", .unionSet),
            ("a INTERSECT b", .intersectSet), ("a MINUS b", .minusSet), ("SUBQUERY(a, $x, $x > 1)", .subquery),
            ("{a, 1}", .aggregate), ("TERNARY(a > 1, b, c)", .conditional), ("FUNCTION(a, 'length')", .function),
        ] as [(String, NSExpression.ExpressionType)])
    func everyKind(format: String, type: NSExpression.ExpressionType) {
        #expect(NSExpression(format: format).expressionType == type)
    }

    @Test func parts() {
        #expect(NSExpression(format: "a + 1").function == "add:to:")
        #expect(NSExpression(format: "a + 1").arguments?.map(\.description) == ["a", "1"])
        #expect(NSExpression(format: "$v.a.b").keyPath == "a.b")
        #expect(NSExpression(format: "$v.a.b").operand.variable == "v")
        #expect(NSExpression(format: "FUNCTION(a, 'length')").operand.keyPath == "a")
        #expect(NSExpression(format: "a UNION b").left.keyPath == "a")
        #expect(NSExpression(format: "a UNION b").right.keyPath == "b")
        let subquery = NSExpression(format: "SUBQUERY(a, $x, $x > 1)")
        #expect(subquery.variable == "x")
        #expect((subquery.collection as? NSExpression)?.keyPath == "a")
        #expect(subquery.predicate.predicateFormat == "$x > 1")
        let conditional = NSExpression(format: "TERNARY(a > 1, b, c)")
        #expect(conditional.predicate.predicateFormat == "a > 1")
        #expect([conditional.true.keyPath, conditional.false.keyPath] == ["b", "c"])
        let aggregate = NSExpression(forAggregate: [1, 2])
        #expect(aggregate.expressionType == .aggregate)
        #expect((aggregate.collection as? [NSExpression])?.count == 2)
    }

    @Test func aPartThatThereIsNotFollowsThePolicy() {
        let (keyPath, errors) = TestSettings.gathering { NSExpression(forConstantValue: 1).keyPath }
        #expect(keyPath == "")
        #expect("\(errors.first.map { "\($0)" } ?? "")".contains("does not have a key path"))
    }

    @Test func aSubclassIsALeaf() {
        final class Fixed: NSExpression {
            override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 5 }
        }
        let comparison = NSComparisonPredicate(
            leftExpression: Fixed(expressionType: .block), rightExpression: NSExpression(forConstantValue: 5),
            modifier: .direct, type: .equalTo)
        #expect(comparison.evaluate(with: nil))
    }

    // Exit tests need Swift 6.2.
    #if compiler(>=6.2)
        class Contact {
            var name = ""
        }

        @Test func aKeyPathOfAClassThatIsNotFinalNamesItsCure() async {
            let stopped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = NSExpression(forKeyPath: \Contact.name)
            }
            let words = String(decoding: stopped?.standardErrorContent ?? [], as: UTF8.self)
            #expect(words.contains("\\Contact.<computed (String)> of Contact has no name in predicates"))
            #expect(words.contains("hint: declare the class final if the property is stored: final class Contact"))
            #expect(words.contains("hint: or write the key as a string: NSExpression(forKeyPath: \"name\")"))
        }
    #endif

    @Test func aSubclassKeepsItsFormat() {
        final class Twice: NSExpression {
            override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 2 }
        }
        let comparison = NSComparisonPredicate(
            leftExpression: Twice(format: "a + b"), rightExpression: NSExpression(forConstantValue: 2),
            modifier: .direct, type: .equalTo)
        #expect(comparison.predicateFormat == "a + b == 2")
        #expect(comparison.evaluate(with: ["a": 5, "b": 5]))
    }

    @Test func equalityAndCopies() {
        let (one, other) = (NSExpression(format: "a.b + 1"), NSExpression(format: "a.b+1"))
        #expect(one == other)
        #expect(one.hash == other.hash)
        #expect((one.copy() as? NSExpression) === one)
        #expect(NSExpression(FormatExpression(one)) == one)
    }
}
