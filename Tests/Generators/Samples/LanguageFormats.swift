/// Format strings about ``LanguageSample`` that reach the whole language: each kind of expression where it belongs,
/// and now and then one where it does not.
package struct LanguageFormats {
    private var random: RandomSource
    /// The things that have keys: the object, and the variables of enclosing `SUBQUERY`s.
    private var people = [""]

    package init(seed: UInt64) {
        random = RandomSource(seed: seed)
    }

    package init(random: RandomSource) {
        self.random = random
    }

    package mutating func next() -> String {
        predicate(1 + random.below(3))
    }

    // MARK: - Predicates

    private static let modes = ["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]"]
    private static let orders = ["<", "<=", ">", ">=", "==", "!="]
    private static let texts = [
        "'jo'", "'JO'", "'é'", "'SS'", "''", "'21'", "'j*'", "'?o'", "'.*s.*'", "'[a-z]+'", "','",
    ]

    private mutating func predicate(_ depth: Int) -> String {
        switch random.below(depth > 0 ? 20 : 14) {
        case 0, 1: "\(number(depth)) \(random.one(of: Self.orders)) \(number(depth))"
        case 2: "\(text(depth)) \(random.one(of: Self.orders))\(mode()) \(text(depth))"
        case 3, 4:
            "\(text(depth)) \(random.pick("BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"))\(mode()) \(text(depth))"
        case 5: "\(number(depth)) BETWEEN {\(number(depth)), \(number(depth))}"
        case 6: random.oneIn(2) ? "\(number(depth)) IN \(bag(depth))" : "\(text(depth)) IN\(mode()) \(texts(depth))"
        case 7: "\(texts(depth)) CONTAINS\(mode()) \(text(depth))"
        case 8: "\(quantifier()) \(bag(depth)) \(random.one(of: Self.orders)) \(number(depth))"
        case 9:
            "\(quantifier()) \(texts(depth)) \(random.pick("==", "BEGINSWITH", "LIKE", "IN", "<"))\(mode()) \(text(depth))"
        case 10: "\(anything(depth)) \(random.pick("==", "!=", "<=", "IN", "BETWEEN")) \(anything(depth))"
        case 11: "\(date(depth)) \(random.one(of: Self.orders)) \(date(depth))"
        case 12: selector(depth)
        case 13: random.pick("TRUEPREDICATE", "FALSEPREDICATE", "\(texts(depth)) == \(texts(depth))", "rank == nil")
        case 14, 15: "(\(predicate(depth - 1))) AND (\(predicate(depth - 1)))"
        case 16, 17: "(\(predicate(depth - 1))) OR (\(predicate(depth - 1)))"
        default: "NOT (\(predicate(depth - 1)))"
        }
    }

    private mutating func mode() -> String { random.one(of: Self.modes) }

    private mutating func quantifier() -> String { random.pick("ANY", "ALL", "NONE", "SOME") }

    private mutating func selector(_ depth: Int) -> String {
        switch random.below(4) {
        case 0: "\(anything(depth)) isKindOfClass: CAST('\(random.pick("NSString", "NSNumber", "NSArray"))', 'Class')"
        case 1: "\(text(depth)) hasPrefix: \(text(depth))"
        case 2: "\(text(depth)) \(random.pick("UTI-EQUALS", "UTI-CONFORMS-TO")) \(text(depth))"
        default: "\(anything(depth)) isEqual: \(anything(depth))"
        }
    }

    // MARK: - Expressions

    /// A key of the object or of the element of a `SUBQUERY`.
    private mutating func key(_ own: String...) -> String {
        let person = random.one(of: people)
        let name = random.one(of: own)
        // A friend has fewer keys.
        return ["name", "age", "tags", "pets"].contains(name.prefix { $0 != "." }) ? person + name : name
    }

    /// An expression of any kind, where another one is expected or not.
    private mutating func anything(_ depth: Int) -> String {
        switch random.below(9) {
        case 0, 1: number(depth)
        case 2, 3: text(depth)
        case 4: orderedTexts(depth)
        case 5: numbers(depth)
        case 6: date(depth)
        case 7: random.pick("nil", "<null>", "$u", "SELF", "words", "boss", "friends", "wings", "friends.wings")
        default: people.last == "" ? "words['jo']" : String((people.last ?? "").dropLast())
        }
    }

    private mutating func number(_ depth: Int) -> String {
        if random.oneIn(40) { return anything(max(0, depth - 1)) }
        guard depth > 0, random.oneIn(2) else { return plainNumber() }
        let below = depth - 1
        switch random.below(16) {
        case 0, 1, 2:
            return "(\(number(below)) \(random.pick("+", "-", "*", "/", "**")) \(number(below)))"
        case 3: return "(\(number(below)) \(random.pick("&", "|", "^", "<<", ">>")) \(number(below)))"
        case 4: return "\(random.pick("-", "~"))(\(number(below)))"
        case 5:
            let name = random.pick("sqrt", "log", "ln", "exp", "floor", "ceiling", "trunc", "abs", "noindex")
            return "\(name)(\(number(below)))"
        case 6: return "modulus:by:(\(number(below)), \(number(below)))"
        case 7, 8:
            let name = random.pick("sum", "count", "min", "max", "average", "median", "stddev")
            return "\(name)(\(random.oneIn(2) ? numbers(below) : "\(number(below)), \(number(below))"))"
        case 9: return "TERNARY(\(predicate(below)), \(number(below)), \(number(below)))"
        case 10: return "CAST(\(anything(below)), '\(random.pick("NSNumber", "NSDecimalNumber"))')"
        case 11: return subquery(below) + ".@count"
        case 12: return "(\(numbers(below)))[\(random.pick("SIZE", "0", "1", number(0)))]"
        case 13: return "($a := \(number(below)))"
        case 14: return "FUNCTION(\(text(below)), '\(random.pick("length", "intValue", "doubleValue"))')"
        default: return "FUNCTION(\(numbers(below)), 'indexOfObject:', \(number(below)))"
        }
    }

    private mutating func plainNumber() -> String {
        switch random.below(6) {
        case 0, 1:
            random.pick("0", "1", "2", "21", "-1", "1.5", "9007199254740993", "9007199254740992.0", "YES")
        case 2: random.pick("$n", "$e", "CAST('1.5', 'NSDecimalNumber')", "words.one", "words['jo']", "score.intValue")
        case 3:
            random.pick(
                "friends.@count", "friends.@avg.age", "friends.@sum.age", "friends.@max.age", "friends.@min.age",
                "marks.@sum.self", "marks.@avg.self", "friends.pets.@count", "words.@count", "bag.@count", "tags.count",
                "boss.pets.@max.legs", "friends.@max.name", "boss.$k")
        default: key("age", "rank", "score", "price", "active", "name.length", "age", "tags.@count", "pets.@sum.legs")
        }
    }

    private mutating func text(_ depth: Int) -> String {
        if random.oneIn(40) { return anything(max(0, depth - 1)) }
        guard depth > 0, random.oneIn(3) else {
            let own = key("name", "nick", "boss.name", "name.uppercaseString", "name.lastPathComponent")
            return random.oneIn(2) ? random.one(of: Self.texts) : random.oneIn(6) ? "$t" : own
        }
        let below = depth - 1
        switch random.below(8) {
        case 0: return "\(random.pick("uppercase", "lowercase"))(\(text(below)))"
        case 1: return "FUNCTION(\(text(below)), 'stringByAppendingString:', \(text(below)))"
        case 2: return "TERNARY(\(predicate(below)), \(text(below)), \(text(below)))"
        case 3: return "(\(orderedTexts(below)))[\(random.pick("FIRST", "LAST", "0", number(0)))]"
        case 4: return "CAST(\(number(below)), 'NSString')"
        case 5: return "FUNCTION(\(text(below)), '\(random.pick("substringFromIndex:", "substringToIndex:"))', 1)"
        case 6: return "FUNCTION(\(orderedTexts(below)), 'componentsJoinedByString:', \(text(below)))"
        default:
            return "FUNCTION(\(text(below)), 'stringByReplacingOccurrencesOfString:withString:', 'j', \(text(below)))"
        }
    }

    private mutating func date(_ depth: Int) -> String {
        switch random.below(depth > 0 ? 6 : 4) {
        case 0, 1: "born"
        case 2: "CAST(\(random.pick("0", "50", "'2001-01-01T00:01:40Z'", "'x'")), 'NSDate')"
        case 3: "nil"
        case 4: "CAST(\(number(depth - 1)), 'NSDate')"
        default: "FUNCTION(\(date(depth - 1)), 'dateByAddingTimeInterval:', \(number(depth - 1)))"
        }
    }

    private mutating func numbers(_ depth: Int) -> String {
        if random.oneIn(40) { return anything(max(0, depth - 1)) }
        guard depth > 0, random.oneIn(2) else {
            return random.pick(
                "marks", "friends.age", "friends.pets.legs", "friends.@unionOfObjects.age", "{1, 2, 21}",
                "{1, 9007199254740992.0, 1.5}", "{2, 9007199254740993, 21.0}")
        }
        let below = depth - 1
        switch random.below(6) {
        case 0: return "{\(number(below)), \(number(below))}"
        case 1: return "{(\(bag(below)))[SIZE], 1}"
        case 2: return "CAST(\(numbers(below)), '\(random.pick("NSArray", "NSOrderedSet"))')"
        case 3: return "mode(\(numbers(below)))"
        case 4: return "friends.@distinctUnionOfObjects.age"
        default: return "SUBQUERY(\(numbers(below)), $m, $m \(random.one(of: Self.orders)) \(number(below)))"
        }
    }

    /// Numbers, also in sets: of one kind, and only where the order of a set says nothing.
    private mutating func bag(_ depth: Int) -> String {
        guard random.oneIn(3) else { return numbers(depth) }
        let (one, other) = (plainNumbers(), plainNumbers())
        return random.oneIn(3)
            ? "CAST(\(one), 'NSSet')" : "(\(one) \(random.pick("UNION", "INTERSECT", "MINUS")) \(other))"
    }

    private mutating func plainNumbers() -> String {
        random.pick("marks", "friends.age", "{1, 2.0, 21}", "friends.@distinctUnionOfObjects.age")
    }

    private mutating func texts(_ depth: Int) -> String {
        guard random.oneIn(4) else { return orderedTexts(depth) }
        return random.pick(
            "bag", "(bag UNION tags)", "(bag INTERSECT tags)", "(bag MINUS {'jo'})", "CAST(tags, 'NSSet')")
    }

    /// Texts that have an order, so that their ends are the same in every run.
    private mutating func orderedTexts(_ depth: Int) -> String {
        guard depth > 0, random.oneIn(2) else {
            return random.pick(
                key("tags", "pets.name"), "{'jo', 'swift', ''}", "friends.name", "friends.tags", "friends.pets.name",
                "friends.$p.name")
        }
        let below = depth - 1
        switch random.below(5) {
        case 0: return "{\(text(below)), \(text(below))}"
        case 1: return "FUNCTION(\(text(below)), 'componentsSeparatedByString:', \(text(below)))"
        case 2: return "CAST(\(orderedTexts(below)), 'NSOrderedSet')"
        case 3: return "friends.pets.@\(random.pick("unionOfArrays", "distinctUnionOfArrays")).name"
        default:
            return "SUBQUERY(\(orderedTexts(below)), $s, $s \(random.pick("==", "<", "CONTAINS[c]")) \(text(below)))"
        }
    }

    /// The friends for whom something holds, which may be said of them or of the object.
    private mutating func subquery(_ depth: Int) -> String {
        let name = random.pick("$x", "$y", "$a")
        people.append(name + ".")
        defer { people.removeLast() }
        return "SUBQUERY(friends, \(name), \(predicate(depth)))"
    }
}
