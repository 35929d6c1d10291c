import PredicateSyntax
import Testing

struct ErrorTests {
    private func error(_ format: String, _ arguments: [PredicateValue] = []) -> PredicateFormatError? {
        do throws(PredicateFormatError) {
            _ = try FormatPredicate(format: format, arguments: arguments, options: .strict)
            return nil
        } catch {
            return error
        }
    }

    @Test func anErrorShowsThePlaceAndTheCure() {
        #expect(
            error("age NOT IN %@", [1])?.description == """
                error: expected an operator, found NOT IN
                  age NOT IN %@
                      ^~~~~~ NOT goes before the whole comparison
                hint: write NOT (key IN value)
                """)
    }

    @Test func aLongChainGetsTheHintThatFitsIt() {
        func hints(_ format: String) -> String { error(format)?.description ?? "" }
        for sign in ["+", " * ", " & "] {
            let chain = Array(repeating: "a", count: 101).joined(separator: sign)
            #expect(hints(chain + " == 1").contains("hint: use sum({a, b, c}) to add many terms"))
            #expect(hints("b == " + chain).contains("hint: use sum({a, b, c})"))
        }
        #expect(hints(String(repeating: "NOT ", count: 101) + "a == 1").contains("hint: use AND and OR"))
    }

    @Test func aMisspeltOperatorIsRecognised() {
        #expect(error("name CONATINS 'x'")?.code == .unknownOperator("CONATINS", suggestion: "CONTAINS"))
        #expect(error("name BEGINWITH 'x'")?.code == .unknownOperator("BEGINWITH", suggestion: "BEGINSWITH"))
        #expect(error("name CONTAIN 'x'")?.code == .unknownOperator("CONTAIN", suggestion: "CONTAINS"))
    }

    /// Words that other languages have for operators, each with what stands for it here.
    @Test(arguments: [
        ("name IS NULL", "== nil"), ("name STARTSWITH 'x'", "BEGINSWITH"), ("name equals 'x'", "=="),
        ("name ILIKE 'x'", "LIKE[c]"), ("name REGEXP 'x'", "MATCHES"), ("age mod 2 == 0", "modulus:by:"),
        ("first name == 'x'", "#\"first name\""), ("a == 1 & b == 2", "&&"),
        ("WHERE age > 5", "would follow WHERE"), ("SELECT * FROM t", "would follow WHERE"),
        ("age === 5", "write age == 5"), ("age !== 5", "write age != 5"), ("age > 5 AND", "both sides of AND and OR"),
        ("age > 5 || || b == 1", "both sides of AND and OR"),
        ("NOT", "after NOT"), ("name.contains('x')", "key CONTAINS"),
        ("a == 1 && user.name.hasPrefix('x')", "key BEGINSWITH"), ("tags@count > 1", "tags.@count"),
        ("name ~= 'x'", "write name MATCHES '.*x.*'"), ("name !~ 'x'", "write NOT (name MATCHES '.*x.*')"),
        ("name !IN {1}", "NOT (key IN value)"),
        ("a ! = 1", "!="), ("age > 5;", "leave it out"),
        ("a == @\"x\"", "in quotes, without @"), ("age\u{A0}== 1", "write a space in place of U+00A0"),
        ("\u{FEFF}age == 1", "delete the invisible character U+FEFF"), ("age == ANY ages", "before the comparison"),
        ("ANY (age == 1)", "before the comparison"), ("(ANY age) == 1", "before the comparison"),
        ("age == %5d", "without a width"), ("age IN {1, 2,}", "both sides of a comma"),
        ("f(a,) == 1", "both sides of a comma"),
        ("name ==[é] 'x'", "use the options"), ("name != NOT NULL", "key != nil"), ("a ?? b == 1", "TERNARY"),
        ("a ? b : c", "TERNARY"), ("a == ?", "write %@"), ("name LIKE a?b", "wildcard"), ("a == :b", "$name"),
        ("a == ${b}", "without braces"), ("a CONTAINS 'x' OR 'y'", "repeat the comparison"),
        ("a == b OR c", "key == YES"),
        ("a IN 1..5", "BETWEEN {1, 5}"), ("a == 1_000", "1000"), ("a == {'k': 1}", "pass a dictionary for %@"),
        ("any == 1", "to use it as a key, write #any"), ("(Some > 2)", "to use it as a key, write #Some"),
        ("2fa == 'x'", "#\"2fa\""), ("a > 2024-01-31T00:00:00Z", "write a date as CAST"), ("TRUE", "TRUEPREDICATE"),
        ("no OR a == 1", "FALSEPREDICATE"), ("IF(a > 1, 2, 3) == 2", "TERNARY"), ("a == 'x'cd", "==[cd]"),
        ("a -> b == 1", "a.b"), ("a.0 == 1", "list[0]"), ("a MATCH 'x'", "MATCHES"),
        ("a MATCHES /x/", "MATCHES \"x\""), ("a IN {b == 1}", "predicates in parentheses"),
    ])
    func aWordOfAnotherLanguageIsTranslated(format: String, hint: String) {
        #expect(error(format)?.hints.contains { $0.contains(hint) } == true, "\(format)")
    }

    /// What newcomers wrote, each with what the hint must say.
    @Test(arguments: [
        (".age > 3", "write a key without a dot before it: age > 3"),
        (".user.name == 'x'", "write a key without a dot before it: user.name"),
        ("select(.age > 3)", "write a key without a dot before it: age > 3"),
        ("sum(a == 1) == 1", "TERNARY(predicate, 1, 0)"),
        ("regexp_matches(name, 'A')", "write key MATCHES value"), (".[] | .age", "without .[] and select"),
        (".tags[] == 'x'", "write ANY tags == 'x'"),
        (".items[] | select(.age > 3)", "one element of items"), ("a?.b == 1", "a.b is nil if a is nil"),
        ("age > 3 ORDER BY age", "leave ORDER BY out"), ("age > 3 LIMIT 5", "leave LIMIT out"),
        ("age > $5", "write a number without $: 5"), ("age > 3.000.000", "write digits without separators: 3000000"),
        ("age > 5k", "write the number in full: 5000"), ("age >> 3", "write age > 3: << and >> shift bits"),
        ("city IN ['Rome']", "write a collection in braces: IN {1, 2}"), ("any(tags, 'a')", "write ANY, ALL or NONE"),
        ("EXTRACT(YEAR FROM born) = 2020", "write a function of dates"),
        ("CASE WHEN a > 3 THEN 1 ELSE 0 END = 1", "write TERNARY(condition, a, b)"),
        ("$.age > 3", "write the key alone: age"), ("@.user.age > 3", "write the key alone: user.age"),
        ("name == None", "write nil for None: name == nil"),
        ("a == 1 AND name != None", "write nil for None: name != nil"),
        ("(name == none) OR a == 1", "write nil for none: name == nil"),
        ("tags == NONE x", "before the comparison"),
        ("name == John Smith", "put a string in quotes, \"John Smith\""),
        ("name == John Smith AND a == 1", "put a string in quotes, \"John Smith\""),
        ("born > DATE '2020-01-01'", "write a date without DATE"),
        ("born > timestamp \"2020-01-01\"", "CAST(\"2020-01-01\", \"NSDate\")"),
        ("name == `Jo`", "write straight quotes: \"Jo\""), ("`age` > 3", "write a key without quotes: age"),
        ("`first name` == 'x'", "#\"first name\""), ("name == “Jo”", "straight quotes"),
        ("name == „Jo“", "straight quotes"), ("name == «Jo»", "straight quotes"),
        ("age >= 3,000", "3000"), ("age >= 3 000", "3000"), ("age >= 3,5", "3.5"),
        ("20 < age < 40", "write 20 < age AND age < 40; age BETWEEN {20, 40}"),
        ("40 >= age >= 20", "write 40 >= age AND age >= 20; age BETWEEN {20, 40}"),
        ("a == b == c", "write a == b AND b == c"),
        ("age > 3 # comment", "a predicate has no comments"), ("age > 3 #comment", "a predicate has no comments"),
        ("age > 3 // comment", "a predicate has no comments"), ("age > 3 /* comment */", "a predicate has no comments"),
        ("age > 3 -- a comment", "a predicate has no comments"), ("age > 3 --", "a predicate has no comments"),
        ("name BEGINS WITH 'J'", "BEGINSWITH"), ("name STARTS WITH 'J'", "BEGINSWITH"),
        ("name ENDS WITH 'J'", "ENDSWITH"), ("exists(name)", "write name != nil"),
        ("has(\"name\")", "write name != nil"),
        ("a == 1 AND exists(first.name)", "write first.name != nil"), ("isnull(name)", "write name == nil"),
        ("has('first name')", "write #\"first name\" != nil"), ("name EXISTS", "write name != nil"),
        ("EXISTS name", "write name != nil"), ("name IS NOT NULL", "write name != nil"),
        ("reactions.+1 > 2", "reactions.#\"+1\""), ("a.[0] == 1", "a[0]"), ("a..b == 1", "a.b"),
        ("age > 3 – 1", "write -"), ("age > 3 — 1", "write -"), ("age > 3 − 1", "write -"), ("a × 2 == 1", "write *"),
        ("age ≥ 21", "write >="), ("a == 1 ∧ b == 2", "AND"), ("age ＞ 3", "write >, the ASCII character"),
        ("name =~ \"J.*\"", "write name MATCHES \".*J.*\""), ("name =~ /J.*/i", "write name MATCHES \".*J.*\""),
        ("name =~ '^J'", "write name MATCHES 'J.*'"),
        ("name !~ \"a|b$\"", "write NOT (name MATCHES \".*(a|b$).*\")"), ("name ~ \"a$\"", "MATCHES \".*a\":"),
        ("age > 50_000", "without separators: 50000"),
        ("user.name !~* 'x'", "write NOT (user.name MATCHES[c] '.*x.*')"),
        ("age <=> 5", "write age == 5: nil equals nil"),
        ("name ^= 'J'", "write name BEGINSWITH 'J'"), ("name $= 'J'", "write name ENDSWITH 'J'"),
        ("name *= 'J'", "write name CONTAINS 'J'"), ("a =/= 1", "write a != 1"), ("a !< 3", "write a >= 3"),
    ])
    func aNewcomersMistakeIsAnswered(format: String, hint: String) {
        #expect(error(format)?.hints.contains { $0.contains(hint) } == true, "\(format): \(error(format)?.hints ?? [])")
    }

    @Test func whatIsOpenIsNamed() {
        #expect(error("a == 1)")?.title == "unexpected ')': no '(' is open")
        #expect(error("a == 1]")?.title == "unexpected ']': no '[' is open")
    }

    @Test func whatCannotBeSeenIsNamed() {
        #expect(error("age\u{A0}== 1")?.title.hasSuffix("found U+00A0") == true)
        #expect(error("age \u{200B}== 1")?.title.hasSuffix("found U+200B") == true)
        #expect(error("a\u{1B}[2J == 1")?.description.contains("found U+001B\n  a [2J == 1\n") == true)
        #expect(error("a == 1 \u{202E}b")?.description.contains("\u{202E}") == false)
    }

    @Test func aLongLineIsCutAroundThePlace() {
        let long = String(repeating: "a == 1 AND ", count: 40)
        let lines = error(long + "b ==" + String(repeating: " ", count: 5))?.description.split(separator: "\n")
        #expect(lines?.count == 4)
        #expect(lines?.allSatisfy { $0.count < 140 } == true)
        #expect(lines?[1].contains("…") == true)
    }

    @Test func wideCharactersKeepTheCaretInPlace() {
        #expect(error("a == '漢字' b == 1")?.description.contains("\n              ^ a second clause") == true)
    }

    @Test func onlyTheLineAtFaultIsShown() {
        let description = error("a == 1 AND\n\tb ===\nc == 2")?.description
        #expect(description?.contains("   b ===\n") == true)
        #expect(description?.contains("c == 2") == false)
    }

    @Test func rangesLieOnCodePointsForAnyCutOfAFormat() {
        let format = "naïve == 'é\\u00e9' AND %@ ≥ {1, “x”} OR $ü.@sum.#ß BETWEEN[cd] %é"
        for length in 0...format.unicodeScalars.count {
            let cut = String(String.UnicodeScalarView(format.unicodeScalars.prefix(length)))
            guard let range = error(cut, [1])?.range else { continue }
            let bytes = Array(cut.utf8)
            #expect(range.upperBound <= bytes.count)
            for bound in [range.lowerBound, range.upperBound] where bound < bytes.count {
                #expect(bytes[bound] & 0xC0 != 0x80)
            }
        }
    }

    @Test func surplusArgumentsFindATypingMistake() {
        #expect(error("@K == %@", ["name", 1])?.code == .surplusArguments(expected: 1, found: 2))
        #expect(error("a LIKE '%@'", ["x"])?.code == .surplusArguments(expected: 0, found: 1))
        #expect(error("a LIKE '%@'", ["x"])?.hints.first?.hasSuffix("in quotes it is part of a string") == true)
        #expect(error("@K == %@", ["name", 1])?.hints.first?.hasSuffix("write %K, not @K") == true)
        #expect(error("a == 1", [1])?.hints == ["write a specifier for each argument, %@ or %K"])
        #expect(throws: Never.self) { try FormatPredicate("a LIKE '%@'", "x") }
    }
}
