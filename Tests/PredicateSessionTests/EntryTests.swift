import PredicateSession
import Testing

/// The lines of a session as entries.
@Suite struct EntryTests {
    private func entries(_ lines: String...) -> [String] {
        let session = Session()
        var builder = EntryBuilder(isRead: session.canRead)
        var found: [String] = []
        for line in lines { found += builder.add(line) }
        return found + builder.finish()
    }

    @Test func linesThatAreWhole() {
        #expect(entries("age > 5", ":keys", "", "name") == ["age > 5", ":keys", "name"])
        #expect(entries(":load a(b.json", "age > 5") == [":load a(b.json", "age > 5"])
    }

    @Test func bracketsAndQuotes() {
        #expect(entries("(age > 5", "AND age < 9)", "x") == ["(age > 5\nAND age < 9)", "x"])
        #expect(entries(":object {\"a\":", "1}", ":keys") == [":object {\"a\":\n1}", ":keys"])
        #expect(entries(":explain (a > 1", ")") == [":explain (a > 1\n)"])
        #expect(entries("name == \"a", "b\"") == ["name == \"a\nb\""])
    }

    @Test func operators() {
        #expect(entries("age > 5 AND", "name == 'x'") == ["age > 5 AND\nname == 'x'"])
        #expect(entries("age >", "5", "name") == ["age >\n5", "name"])
        #expect(entries(":check age > 5 OR", "age < 3") == [":check age > 5 OR\nage < 3"])
        #expect(entries("age > 5 AND", "", "name") == ["age > 5 AND\n", "name"])
    }

    /// Pasted lines of which one is wrong are told apart.
    @Test func linesThatDoNotContinue() {
        #expect(entries("age >", "name == \"Bob\"", ":keys") == ["age >", "name == \"Bob\"", ":keys"])
        #expect(entries("age >", ":keys") == ["age >", ":keys"])
        #expect(entries("age > 5 AND", "name == 'x' AND", "city == 'y'").count == 1)
    }
}
