import Foundation
import PredicateSyntax
import Testing

/// Predicates that a policy allows or refuses, with the source range.
@Suite struct PolicyTests {
    private func refusal(_ format: String, _ arguments: [PredicateValue] = [], _ policy: PredicatePolicy) throws
        -> PredicateFormatError?
    {
        let predicate = try FormatPredicate(format: format, arguments: arguments)
        do throws(PredicateFormatError) {
            try policy.check(predicate)
            return nil
        } catch {
            return error
        }
    }

    /// Above every feature the shortest format that has it.
    static let features: [(PredicateFeature, String, [PredicateValue])] = [
        (.constantPredicate, "TRUEPREDICATE", []), (.and, "a == 1 AND b == 1", []), (.or, "a == 1 OR b == 1", []),
        (.not, "NOT a == 1", []), (.equality, "a != 1", []), (.ordering, "a < 1", []),
        (.between, "a BETWEEN {1, 2}", []), (.in, "a IN {1, 2}", []), (.textEnds, "a ENDSWITH 'x'", []),
        (.contains, "a CONTAINS 'x'", []), (.like, "a LIKE 'x'", []), (.matches, "a MATCHES 'x'", []),
        (.typeIdentifiers, "a UTI-EQUALS 'x'", []), (.selector, "a isKindOfClass: 1", []),
        (.quantifiers, "ANY a == 1", []), (.variable, "a == $b", []), (.variableKey, "a.$b == 1", []),
        (.reflectiveKey, "a.class == 1", []), (.hostFunction, "mine:(a) == 1", []),
        (.message, "FUNCTION(a, 'b') == 1", []), (.cast, "CAST(a, 'NSString') == 1", []),
        (.classConstant, "a == CAST('NSTask', 'Class')", []),
        (.treeConstant, "a IN %@", [[.expression(.evaluatedObject)]]),
        (.objectConstant, "a == %@", [.object(PredicateObject(Sample()))]), (.aggregate, "a IN {b, c}", []),
        (.index, "a[0] == 1", []), (.subquery, "SUBQUERY(a, $x, $x == 1) == 1", []),
        (.conditional, "TERNARY(a == 1, 1, 2) == 1", []), (.setOperation, "(a UNION b) == 1", []),
        (.assignment, "($a := 1) == 1", []), (.anyKey, "ANYKEY == 1", []), (.fetch, "FETCH(a, b, NO) == 1", []),
    ]

    struct Sample: Hashable, Sendable {}

    @Test func everyFeatureCanBeRefused() throws {
        // No format makes a block.
        #expect(Set(Self.features.map(\.0) + [.block]) == Set(PredicateFeature.allCases))
        for (feature, format, arguments) in Self.features {
            #expect(try refusal(format, arguments, .unrestricted) == nil, "\(format)")
            var policy = PredicatePolicy.unrestricted
            policy.features.remove(feature)
            let error = try #require(try refusal(format, arguments, policy), "\(format)")
            #expect(error.code == .refused(.feature(feature)), "\(format)")
            #expect(!error.range.isEmpty && error.text == format)
            #expect(error.description.hasPrefix("error: the policy does not allow "))
            let isUnsafe = PredicateFeature.unsafe.contains(feature)
            #expect((try refusal(format, arguments, .untrusted) != nil) == isUnsafe, "\(format)")
        }
    }

    @Test(
        arguments: [
            ("name == 1", nil), ("age == 1", .key("age")), ("address.city == 1", nil),
            ("address == 1", nil), ("addresses == 1", .key("addresses")),
            ("SUBQUERY(address, $a, $a.city == 1).@count > 0", nil), ("address[0].city == 1", nil),
            ("address.city.code == 1", nil), ("name.length == 1", .key("name.length")), ("SELF == 1", .unnamedKey),
            ("SELF.name == 1", nil), ("SELF.self.age == 1", .key("age")), ("SELF['age'] == 1", .key("age")),
            ("SELF['name'] == 1", nil), ("SELF[name] == 1", .unnamedKey), ("address['city'] == 1", nil),
            ("friends.age == 1", nil), ("friends.name == 1", .key("friends.name")), ("friends[0].age == 1", nil),
            ("friends[FIRST].name == 1", .key("friends.name")), ("friends.@avg.age > 1", nil),
            ("friends.@avg.name > 1", .key("friends.name")), ("friends.@count > 1", .key("friends")),
            ("SUBQUERY(friends, $f, $f.age > 1).@count > 1", .key("friends")),
            ("SUBQUERY(pets, $f, $f.age > 1).@count > 1", .key("pets.age")),
            ("SUBQUERY(pets, $f, $f > 1).@count > 1", nil), ("SUBQUERY(age, $f, $f > 1) == 1", .key("age")),
            ("SUBQUERY(SELF, $f, $f.secret > 1) == 1", .key("secret")),
            ("SUBQUERY(pets, $f, secret > 1).@count > 1", .key("secret")),
            ("TERNARY(name == 1, SELF, 1).age == 1", .unnamedKey), ("{SELF, name}[0].age == 1", .unnamedKey),
            ("($a := SELF) == 1", .unnamedKey), ("$a.age == 1 OR ($a := name) == 1", .unnamedKey),
            ("SUBQUERY(friends, $f, ($f := name) == 1 AND $f.age > 1).@count > 1", .unnamedKey),
            ("ANYKEY == 1", .unnamedKey), ("name.$k == 1", .unnamedKey), ("#\"address.x\" == 1", .key("address.x")),
            ("#\"address.x\".y == 1", .key("address.x.y")), ("FUNCTION(SELF, 'age') == 1", .unnamedKey),
            ("sum(friends.age) > age", .key("age")), ("$limit > name", nil),
        ] as [(String, PredicateFormatError.Refusal?)])
    func keys(_ format: String, _ expected: PredicateFormatError.Refusal?) throws {
        var policy = PredicatePolicy.unrestricted
        policy.keys = .only(["name", "address.*", "friends.age", "pets"])
        #expect(try refusal(format, [], policy)?.code == expected.map { .refused($0) })
    }

    /// The format with the place between brackets.
    @Test(
        arguments: [
            "SUBQUERY([orders], $o, TRUEPREDICATE).@count > 0", "[orders][0] == 1", "pets[0].[secret] == 1",
            "SUBQUERY(pets, $p, $p.[secret] == 1).@count > 0", "[orders.total.@sum] > 1", "[orders.@count] > 1",
            "SUBQUERY(pets, $p, TRUEPREDICATE).[secret] == 1", "pets.@count > [age]", "SELF.[age] == 1",
            "SUBQUERY(SUBQUERY([orders], $o, YES == 1), $p, 1 == 1).@count > 0", "pets[FIRST].[a.b] == 1",
        ])
    func aRefusedKeyIsPlacedAtTheKey(_ marked: String) throws {
        // The opening bracket of the place is the one that is not an index.
        let open = try #require(marked.indices.first { marked[$0] == "[" && !"[0[F".contains(marked[$0...].prefix(2)) })
        let close = try #require(marked[open...].firstIndex(of: "]"))
        let format = marked[..<open] + marked[marked.index(after: open)..<close] + marked[marked.index(after: close)...]
        var policy = PredicatePolicy.unrestricted
        policy.keys = .only(["pets"])
        let error = try #require(try refusal(String(format), [], policy), "\(format)")
        let key = marked[marked.index(after: open)..<close]
        #expect(error.range == marked[..<open].utf8.count..<marked[..<open].utf8.count + key.utf8.count, "\(error)")
    }

    @Test func keysAreArgumentsToo() throws {
        var policy = PredicatePolicy.unrestricted
        policy.keys = .only(["name", "class"])
        #expect(try refusal("%K == 1", ["age"], policy)?.code == .refused(.key("age")))
        #expect(try refusal("%K == 1", ["name.age"], policy)?.code == .refused(.key("name.age")))
        #expect(
            try refusal("%@ == 1", [.expression(.keyPath(KeyPathExpression(keys: "age")))], policy)?.code
                == .refused(.key("age"))
        )
        policy.features.remove(.reflectiveKey)
        #expect(try refusal("class == 1", [], policy) == nil)
        #expect(try refusal("name.class == 1", [], policy)?.code == .refused(.feature(.reflectiveKey)))
    }

    @Test func namesAndTypes() throws {
        var policy = PredicatePolicy.unrestricted
        policy.functions = [.sum]
        policy.names = ["mine", "upper:"]
        policy.castTypes = ["NSDate"]
        policy.collectionOperators = ["@count"]
        #expect(try refusal("sum(a) == 1", [], policy) == nil)
        #expect(try refusal("a + 1 == 1", [], policy)?.code == .refused(.function(.add)))
        #expect(try refusal("mine(a) == 1", [], policy) == nil)
        #expect(try refusal("yours(a) == 1", [], policy)?.code == .refused(.name("yours")))
        #expect(try refusal("FUNCTION(a, 'upper:', 1) == 1", [], policy) == nil)
        #expect(try refusal("FUNCTION(a, 'lower:', 1) == 1", [], policy)?.code == .refused(.name("lower:")))
        #expect(try refusal("a.lower('x') == 1", [], policy)?.code == .refused(.name("lower")))
        #expect(try refusal("a conforms: 1", [], policy)?.code == .refused(.name("conforms:")))
        #expect(try refusal("CAST(a, 'NSDate') == 1", [], policy) == nil)
        #expect(try refusal("CAST(a, 'NSData') == 1", [], policy)?.code == .refused(.castType("NSData")))
        #expect(try refusal("a.@count == 1", [], policy) == nil)
        #expect(try refusal("a.@sum.b == 1", [], policy)?.code == .refused(.collectionOperator("@sum")))
    }

    @Test(
        arguments: [
            ("j.*n", true), ("(jo|al)-\\d{2,4}", true), ("[a-z]+@[a-z]+\\.com", true), ("(?:ab)+", true),
            ("\\Q(a+)+\\E", true), ("[(+*]+", true), ("a{3}b?", true), ("(a+)+", false), ("(a|b)*", false),
            ("(a*)*", false), ("((a?)b){2,}", false), ("(a)\\1", false), ("a(?=b)", false), ("(?i)a", false),
            (".*.*.*.*", false), ("a{1,1000}", false), ("a**", false), ("(?<n>a)", false), ("(([a-z])+.)+x", false),
            ("a{", false), ("(a{2}){3}", false), ("\\p{L}+\\x{1F600}", true), ("[](?=a]+", true), ("[\\Q]\\E]+", true),
            ("[\\Q[\\E](a+)+", false), ("(a|b)\\Q\\E*", false), ("\\p{L}{2}{3}", false),
        ])
    func patterns(_ pattern: String, _ isPlain: Bool) throws {
        let error = try refusal("a MATCHES %@", [.string(pattern)], .untrusted)
        #expect((error == nil) == isPlain)
        if let error { #expect(error.range == 10..<12) }
        #expect(try refusal("a MATCHES b", [], .untrusted)?.code == .refused(.variablePattern))
        #expect(try refusal("a MATCHES $b", [], .untrusted)?.code == .refused(.feature(.variable)))
    }

    @Test func sizes() throws {
        var policy = PredicatePolicy.unrestricted
        policy.limits = PredicateLimits(nodes: 3, literalLength: 4, patternLength: 2)
        #expect(try refusal("a == 1", [], policy) == nil)
        #expect(try refusal("NOT a == 1", [], policy)?.code == .exceeds(.nodes, limit: 3))
        #expect(try refusal("a == 'abcde'", [], policy)?.range == 5..<12)
        policy.patterns = .plain
        #expect(try refusal("a MATCHES 'abc'", [], policy)?.code == .exceeds(.patternLength, limit: 2))
        #expect(throws: PredicateFormatError.self) {
            try FormatPredicate("a == %@", "abcde", policy: policy)
        }
        #expect(throws: PredicateFormatError.self) { try FormatPredicate("a == $b", policy: .untrusted) }
        #expect(try FormatPredicate("a == %@", 1, policy: .untrusted) == FormatPredicate("a == 1"))
    }

    @Test func aTreeBuiltByHandIsShownPrinted() throws {
        let tree = FormatPredicate(try FormatPredicate("FUNCTION(a, 'b') == 1").node)
        #expect(throws: PredicateFormatError.self) { try PredicatePolicy.untrusted.check(tree) }
        let expression = try FormatExpression("FUNCTION(a, 'b')")
        do throws(PredicateFormatError) {
            try PredicatePolicy.untrusted.check(FormatExpression(expression.node))
            Issue.record("not refused")
        } catch {
            #expect(error.text == "FUNCTION(a, \"b\")")
        }
    }
}
