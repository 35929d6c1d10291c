import NSPredicates
import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// NSPredicate and its subclasses: formats, parts, equality, copies, templates, closures.
@Suite struct PredicateTests {
    private struct Person {
        var name: String
        var age: Int
        var tags: [String] = []
    }

    private let jo = Person(name: "Jo", age: 21, tags: ["a", "b"])

    @Test func aFormatMakesTheObjectOfItsOutermostOperator() {
        #expect(type(of: NSPredicate(format: "age >= 18")) == NSComparisonPredicate.self)
        #expect(type(of: NSPredicate(format: "name BEGINSWITH 'j'")) == NSComparisonPredicate.self)
        #expect(type(of: NSPredicate(format: "NOT age >= 18")) == NSCompoundPredicate.self)
        #expect(type(of: NSPredicate(format: "TRUEPREDICATE")) == NSPredicate.self)
    }

    @Test func argumentsOfAnyType() {
        let date = Date(timeIntervalSinceReferenceDate: 0.25)
        let predicate = NSPredicate(format: "%K == %@ AND born == %@ AND age > %d", "name", "Jo" as NSString, date, 18)
        #expect(predicate.predicateFormat == #"name == "Jo" AND born == CAST(0.250000, "NSDate") AND age > 18"#)
        #expect(NSPredicate(format: "a == %@", nil).predicateFormat == "a == nil")
        #expect(NSPredicate(format: "a IN %@", [1, 2]).predicateFormat == "a IN {1, 2}")
        #expect(NSPredicate(format: "a == %@", NSNumber(value: true)).predicateFormat == "a == 1")
        #expect(NSPredicate(format: "a == %@", NSExpression(forKeyPath: "b.c")).predicateFormat == "a == b.c")
        let array = NSPredicate(format: "%K IN %@", argumentArray: ["name", ["Jo", "Al"]])
        #expect(array.evaluate(with: jo))
        #expect(NSPredicate(format: "age == 21", argumentArray: nil).evaluate(with: jo))
    }

    /// As Apple's classes print it; the language keeps `.0`. [NSP-143]
    @Test func floatingPointNumbersWithoutAFraction() {
        let predicate = NSPredicate(format: "score > 10.0 AND x IN {1.0, 2.5} AND a / 2.0 == %@", -3.0)
        #expect(predicate.predicateFormat == "score > 10 AND x IN {1, 2.5} AND a / 2 == -3")
        #expect(predicate.description == predicate.predicateFormat)
        let exact = "score > 10.0 AND x IN {1.0, 2.5} AND a / 2.0 == -3.0"
        #expect(FormatPredicate(predicate).predicateFormat == exact)
        #expect(NSPredicate(format: "a == %@ AND b == 1e20", Set([4.0])).predicateFormat == "a == {4} AND b == 1e+20")
        #expect(NSExpression(format: "2.0 + a").description == "2 + a")
        #expect(NSExpression(forConstantValue: 0.0).description == "0")
    }

    /// [NSP-391] [NSP-392]
    @Test func keysAsArguments() {
        let word = NSPredicate(format: "%K CONTAINS %@", "SELF", "a")
        #expect(["Grapes", "Pens", "Oranges"].filter { word.evaluate(with: $0) } == ["Grapes", "Oranges"])
        #expect(NSPredicate(format: "%K == %@", "SELF.name", "Jo").evaluate(with: jo))
        #expect(NSPredicate(format: "SELF.%@ == %@", "name", "Jo").evaluate(with: jo))
        #expect(NSPredicate(format: "self.%@ contains[c] %@", argumentArray: ["name", "J"]).evaluate(with: jo))
    }

    /// [NSP-393]
    @Test func aPredicateMayBeAnArgumentOfFunction() {
        let predicate = NSPredicate(format: "FUNCTION(num = 1, 'case:', 1) == 1")
        #expect(predicate.predicateFormat == #"FUNCTION(num == 1, "case:" , 1) == 1"#)
        #expect(NSPredicate(format: predicate.predicateFormat) == predicate)
    }

    @Test func objectsOfEveryKind() {
        let adult = NSPredicate(format: "age >= 18")
        #expect(adult.evaluate(with: jo))
        #expect(adult.evaluate(with: ["age": 18]))
        #expect(adult.evaluate(with: NSDictionary(dictionary: ["age": NSNumber(value: 18)])))
        #expect(!adult.evaluate(with: ["age": 17.5] as [String: Any]))
        #expect(NSPredicate(format: "SELF MATCHES %@", "[a-z]+@[a-z]+").evaluate(with: "jo@example"))
        #expect(NSPredicate(format: "SELF > 2").evaluate(with: 3))
    }

    @Test func aFormatThatDoesNotParseThrowsItsPlace() {
        let error = PredicateFormatError.thrown { try NSPredicate(validating: "age >= ") }
        #expect(error?.range == 7..<7)
        #expect(throws: PredicateFormatError.self) { try NSExpression(validating: "age >=") }
        #expect((try? NSPredicate(validating: "age >= %@", 3))?.predicateFormat == "age >= 3")
    }

    @Test func partsOfAComparison() throws {
        let parsed = NSPredicate(format: "ANY tags BEGINSWITH[cd] 'A'")
        let comparison = try #require(parsed as? NSComparisonPredicate)
        #expect(comparison.predicateOperatorType == .beginsWith)
        #expect(comparison.comparisonPredicateModifier == .any)
        #expect(comparison.options == [.caseInsensitive, .diacriticInsensitive])
        #expect(comparison.leftExpression.keyPath == "tags")
        #expect(comparison.rightExpression.constantValue as? String == "A")
        let made = NSComparisonPredicate(
            leftExpression: comparison.leftExpression, rightExpression: comparison.rightExpression, modifier: .any,
            type: .beginsWith, options: [.caseInsensitive, .diacriticInsensitive])
        #expect(made == parsed)
        #expect(made.hash == parsed.hash)
        #expect(made.evaluate(with: jo))
    }

    @Test(
        arguments: [
            ("a < 1", .lessThan), ("a <= 1", .lessThanOrEqualTo), ("a > 1", .greaterThan),
            ("a >= 1", .greaterThanOrEqualTo),
            ("a == 1", .equalTo), ("a != 1", .notEqualTo), ("a MATCHES 'x'", .matches), ("a LIKE 'x'", .like),
            ("a BEGINSWITH 'x'", .beginsWith), ("a ENDSWITH 'x'", .endsWith), ("a IN {1, 2}", .in),
            ("a CONTAINS 'x'", .contains), ("a BETWEEN {1, 2}", .between),
        ] as [(String, NSComparisonPredicate.Operator)])
    func everyOperator(format: String, type: NSComparisonPredicate.Operator) throws {
        let parsed = try #require(NSPredicate(format: format) as? NSComparisonPredicate)
        #expect(parsed.predicateOperatorType == type)
        let made = NSComparisonPredicate(
            leftExpression: parsed.leftExpression, rightExpression: parsed.rightExpression, modifier: .direct,
            type: type)
        #expect(made == parsed)
        #expect(made.predicateFormat == format.replacingOccurrences(of: "'", with: "\""))
    }

    @Test func aSelectorThatTheRegistryKnows() {
        let comparison = NSComparisonPredicate(
            leftExpression: .expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: "NSString"),
            customSelector: Selector("isKindOfClass:"))
        #expect(comparison.customSelector == "isKindOfClass:")
        #expect(comparison.predicateOperatorType == .customSelector)
        let unknown = NSComparisonPredicate(
            leftExpression: .expressionForEvaluatedObject(), rightExpression: .expressionForEvaluatedObject(),
            customSelector: "isNearlyEqual:")
        let (holds, errors) = TestSettings.gathering { unknown.evaluate(with: 1) }
        #expect(!holds)
        guard case .unknownSelector? = (errors.first as? EvaluationError)?.code else {
            Issue.record("\(errors)")
            return
        }
    }

    @Test func compoundsPrintCompareAndCopy() {
        let (adult, named) = (NSPredicate(format: "age >= 18"), NSPredicate(format: "name == 'Jo'"))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [adult, named])
        #expect(both.predicateFormat == #"age >= 18 AND name == "Jo""#)
        #expect(both == NSPredicate(format: "age >= 18 AND name == 'Jo'"))
        #expect(both != NSCompoundPredicate(orPredicateWithSubpredicates: [adult, named]))
        #expect(both.subpredicates[0] as? NSPredicate === adult)
        #expect(both.compoundPredicateType == .and)
        #expect((both.copy() as? NSCompoundPredicate)?.evaluate(with: jo) == true)
        #expect(
            NSCompoundPredicate(notPredicateWithSubpredicate: both).predicateFormat == "NOT (\(both.predicateFormat))")
        #expect(NSCompoundPredicate(type: .or, subpredicates: []).evaluate(with: jo) == false)
        #expect(NSCompoundPredicate(type: .and, subpredicates: []).evaluate(with: jo))
        let parsed = NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate
        #expect(parsed?.subpredicates.compactMap { ($0 as? NSPredicate)?.predicateFormat } == ["a == 1", "b == 2"])
    }

    @Test func compoundsOfFoundationsOwnObjects() {
        let foundation = Foundation.NSCompoundPredicate(
            type: .or, subpredicates: [Foundation.NSPredicate(value: false), NSPredicate(format: "age > 20")])
        #expect(foundation.evaluate(with: jo))
        #expect(FormatPredicate(foundation).predicateFormat == "FALSEPREDICATE OR age > 20")
        let block = Foundation.NSPredicate { object, _ in (object as? Person)?.name == "Jo" }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [foundation, block])
        #expect(both.evaluate(with: jo))
        #expect(!both.evaluate(with: Person(name: "Al", age: 30)))
        #expect(both.predicateFormat == #"(FALSEPREDICATE OR age > 20) AND BLOCKPREDICATE(<"NSPredicate">)"#)
    }

    @Test func closuresGetTheObjectAndTheBindings() {
        enum Colour: String { case red, green }
        let red = NSPredicate { object, bindings in object as? Colour == .red || bindings?["ANY"] as? Bool == true }
        #expect(red.evaluate(with: Colour.red))
        #expect(!red.evaluate(with: Colour.green))
        #expect(red.evaluate(with: Colour.green, substitutionVariables: ["ANY": true]))
        #expect(red == red)
        #expect(red != NSPredicate { _, _ in true })
        let compound = NSCompoundPredicate(type: .not, subpredicates: [red])
        #expect(compound.evaluate(with: 5))
        #expect(!compound.evaluate(with: 5, substitutionVariables: ["ANY": true]))
    }

    @Test func aSubclassOfTheProgramIsALeaf() {
        final class Even: NSPredicate {
            override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
                (object as? Int).map { $0 % 2 == 0 } ?? false
            }
        }
        let small = NSCompoundPredicate(andPredicateWithSubpredicates: [
            Even(value: true), NSPredicate(format: "SELF < 4"),
        ])
        #expect([1, 2, 3, 4].filter { small.evaluate(with: $0) } == [2])
    }

    /// A subclass without an evaluation of its own, and one with each of the two.
    private final class Plain: NSPredicate {}
    private final class Never: NSPredicate {
        override func evaluate(with object: Any?) -> Bool { false }
    }
    private final class Always: NSPredicate {
        override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { true }
    }

    @Test func aSubclassKeepsItsFormatInCompounds() throws {
        let plain = Plain(format: "a == 1")
        let compounds: [(NSCompoundPredicate, String)] = [
            (NSCompoundPredicate(andPredicateWithSubpredicates: [plain, plain]), "a == 1 AND a == 1"),
            (NSCompoundPredicate(orPredicateWithSubpredicates: [plain, Plain(format: "b == 2")]), "a == 1 OR b == 2"),
            (NSCompoundPredicate(notPredicateWithSubpredicate: plain), "NOT a == 1"),
            (
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSCompoundPredicate(orPredicateWithSubpredicates: [plain, plain]), NSPredicate(format: "c == 3"),
                ]), "(a == 1 OR a == 1) AND c == 3"
            ),
        ]
        for (compound, format) in compounds {
            #expect(compound.predicateFormat == format)
            #expect(FormatPredicate(compound) == (try FormatPredicate(format)))
            #expect(
                compound.subpredicates.count == NSCompoundPredicate(try FormatPredicate(format)).subpredicates.count)
            for object in [["a": 1], ["b": 2], ["a": 1, "c": 3]] {
                #expect(compound.evaluate(with: object) == NSPredicate(format: format).evaluate(with: object))
            }
        }
        #expect(FormatPredicate(plain) == (try FormatPredicate("a == 1")))
        #expect(compounds[0].0.subpredicates.first as? NSPredicate === plain)
        let ten = NSCompoundPredicate(andPredicateWithSubpredicates: [Plain(format: "a > 10.0"), plain])
        #expect(ten.predicateFormat == "a > 10 AND a == 1")
    }

    @Test func aSubclassKeepsItsEvaluationInCompounds() {
        let one = NSPredicate(format: "a == 1")
        let never = NSCompoundPredicate(andPredicateWithSubpredicates: [Never(format: "a == 1"), one])
        let always = NSCompoundPredicate(andPredicateWithSubpredicates: [Always(format: "a == 2"), one])
        #expect(never.predicateFormat == "a == 1 AND a == 1")
        #expect(always.predicateFormat == "a == 2 AND a == 1")
        #expect(!never.evaluate(with: ["a": 1]))
        #expect(always.evaluate(with: ["a": 1]))
        #expect(NSArray(array: [["a": 1], ["a": 2]]).filtered(using: always).count == 1)
        let subquery = NSExpression(
            forSubquery: NSExpression(forKeyPath: "rows"), usingIteratorVariable: "r",
            predicate: Always(format: "a == 2"))
        #expect(subquery.description == "SUBQUERY(rows, $r, a == 2)")
        let rows = subquery.expressionValue(with: ["rows": [["a": 1], ["a": 2]]], context: nil) as? [Any]
        #expect(rows?.count == 2)
    }

    @Test func aCompoundOfASubclassIsArchivedByItsFormat() throws {
        let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [
            Plain(format: "a == 1"), Plain(format: "b == 2"),
        ])
        let data = try NSKeyedArchiver.archivedData(withRootObject: compound, requiringSecureCoding: true)
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSCompoundPredicate.self, from: data)
        #expect(decoded == NSPredicate(format: "a == 1 OR b == 2"))
    }

    @Test func constantsPrintAsThoseOfApple() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let dates = [Date(timeIntervalSince1970: 1_432_307_200.5), Date(timeIntervalSince1970: 1_500_000_000)]
        let float: Float = 55.8
        #expect(NSPredicate(format: "weight >= %@", float).predicateFormat == "weight >= 55.8")
        #expect(NSPredicate(format: "weight >= %@", 55.799999237).predicateFormat == "weight >= 55.799999237")
        #expect(NSPredicate(format: "a == %@", 0.1 + 0.2).predicateFormat == "a == 0.30000000000000004")
        #expect(NSPredicate(format: "a == %@", 1.00390625).predicateFormat == "a == 1.00390625")
        #expect(NSPredicate(format: "id != %@", id).predicateFormat == "id != \(id.uuidString)")
        #expect(NSPredicate(format: "id IN %@", [id]).predicateFormat == "id IN {\(id.uuidString)}")
        #expect(
            NSPredicate(format: "born BETWEEN %@", dates).predicateFormat
                == "born BETWEEN {2015-05-22 15:06:40 +0000, 2017-07-14 02:40:00 +0000}")
        #expect(
            NSPredicate(format: "born > %@", dates[1]).predicateFormat == #"born > CAST(521692800.000000, "NSDate")"#)
        let exact = try FormatPredicate("id == %@ AND w == %@", id, float)
        #expect(try FormatPredicate(exact.predicateFormat) == exact)
    }

    @Test func aNotOfSeveralPrintsWhatParses() {
        let (one, two) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"))
        let several = NSCompoundPredicate(type: .not, subpredicates: [one, two])
        #expect(several.predicateFormat == "NOT (a == 1 AND b == 2)")
        #expect(NSPredicate(format: several.predicateFormat).predicateFormat == several.predicateFormat)
        #expect(
            NSPredicate(format: NSCompoundPredicate(type: .not, subpredicates: []).predicateFormat).evaluate(with: 1)
                == false)
    }

    @Test func templates() {
        let template = NSPredicate(format: "name LIKE[c] $NAME AND age > $AGE")
        let filled = template.withSubstitutionVariables(["NAME": "jo", "AGE": 20])
        #expect(filled.predicateFormat == #"name LIKE[c] "jo" AND age > 20"#)
        #expect(filled.evaluate(with: jo))
        #expect(template.evaluate(with: jo, substitutionVariables: ["NAME": "j*", "AGE": NSNumber(value: 20)]))
        let (same, errors) = TestSettings.gathering { template.withSubstitutionVariables(["NAME": "jo"]) }
        #expect(same === template)
        #expect(errors.first is PredicateFormatError)
    }

    @Test func bothWaysToFormatPredicate() throws {
        let value = try FormatPredicate("age >= 18 AND name BEGINSWITH[c] 'j'")
        let object = NSPredicate(value)
        #expect(FormatPredicate(object) == value)
        #expect(type(of: object) == NSCompoundPredicate.self)
        #expect(try [jo].filtered(using: object).count == 1)
        #expect(FormatPredicate(NSPredicate(value: true)) == .constant(true))
        #expect(FormatPredicate(Foundation.NSPredicate(value: false)) == .constant(false))
    }

    @Test func ofAPredicateOfSwift() throws {
        struct Order {
            var count: Int
            var name: String
        }
        let predicate = NSPredicate(#Predicate<Order> { $0.count > 2 && $0.name.contains("x") })
        #expect(predicate?.predicateFormat == #"count > 2 AND name CONTAINS "x""#)
        #expect(predicate?.evaluate(with: Order(count: 3, name: "axe")) == true)
        #expect(NSExpression(#Expression<Order, Int> { $0.count * 2 })?.description == "count * 2")
    }

    @Test func errorsFollowThePolicy() {
        let (holds, errors) = TestSettings.gathering { NSPredicate(format: "name > 3").evaluate(with: jo) }
        #expect(!holds)
        #expect("\(errors.first.map { "\($0)" } ?? "")".contains("name > 3"))
        let unbound = TestSettings.gathering { NSPredicate(format: "age > $AGE").evaluate(with: jo) }
        #expect(unbound.errors.count == 1)
    }
}
