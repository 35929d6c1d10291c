import PredicateGenerators

/// The grammar of random questions.
extension OutputQuestion {
    init(_ random: inout RandomSource) {
        if random.percent(60) { predicate = random.one(of: Self.predicates) }
        isInverted = predicate != nil && random.oneIn(6)
        if random.percent(45) { drawGroups(&random) } else { drawRows(&random) }
        drawPage(&random)
    }

    private static let predicates = [
        "age != nil AND age > 30", "name != nil AND name BEGINSWITH[cd] 'z'", "city IN {'Rome', 'Bonn'}", "paid == YES",
        "price != nil AND price < 10.5", "born != nil AND year(born) < 1975", "name == nil", "id > 99",
        "num > 2 OR city ==[c] 'rome'", "at != nil AND month(at) == 2", "amount > 1", "num == 9007199254740992",
        "price == 0", "code CONTAINS '9'", "big BETWEEN {0, 9007199254740992}", "100 / (age - 30) > 3", "amount == num",
        "mix != nil", "mix == 1",
    ]

    /// Numbers, or nil
    private static let numbers = [
        "age", "big", "num", "price", "amount", "id", "price * 2", "age + 1", "age / 2", "num * 1.5", "amount + 1",
        "length(name)", "year(born)", "month(at)", "abs(age - 30)", "floor(price)", "TERNARY(age > 30, 1, 0)",
        "sqrt(age - 30)", "price - price", "100 / (age - 30)", "TERNARY(age > 30, num, price)", "age ** 2", "age - 2.5",
        "TERNARY(age > 30, amount, num)", "modulus:by:(age, 7)", "big / 2", "hour(at)", "-num", "ceiling(price)",
    ]
    private static let texts = [
        "name", "city", "code", "lowercase(city)", "uppercase(name)", "TERNARY(age > 30, name, code)",
    ]
    private static let others = ["born", "at", "paid", "date:truncatedTo:(at, 'month')", "mix"]

    private static func value(_ random: inout RandomSource) -> String {
        random.weighted([numbers: 5, texts: 3, others: 2]).map { random.one(of: $0) } ?? "id"
    }

    /// Values under their own names or others, which differ.
    private static func items(_ random: inout RandomSource, most: Int) -> [Item] {
        var texts: [String] = []
        for _ in 0...random.below(most) {
            let text = value(&random)
            if !texts.contains(text) { texts.append(text) }
        }
        return texts.enumerated().map { Item(text: $1, alias: $1.hasPrefix("-") || random.oneIn(3) ? "k\($0)" : nil) }
    }

    // MARK: Rows

    private mutating func drawRows(_ random: inout RandomSource) {
        if random.percent(80) { items = Self.items(&random, most: 4) }
        if random.percent(60) { drawOrder(&random) }
        switch random.below(6) {
        case 0, 1: isDistinct = !items.isEmpty
        case 2:
            distinctOn = Self.items(&random, most: 2).map(\.text)
            each = random.below(3) + 1
        default: break
        }
    }

    private mutating func drawOrder(_ random: inout RandomSource) {
        for _ in 0...random.below(3) {
            let name = random.oneIn(2) ? random.any(of: items.map(\.name)) : nil
            order.append(Self.order(name ?? Self.value(&random), &random))
        }
        ignoresCase = random.oneIn(4)
        isNumeric = random.oneIn(4)
    }

    private static func order(_ text: String, _ random: inout RandomSource) -> Order {
        Order(
            text: text, isDescending: random.oneIn(2), nils: random.oneIn(4) ? random.pick(.first, .last) : nil)
    }

    private mutating func drawPage(_ random: inout RandomSource) {
        switch random.below(7) {
        case 0: limit = random.below(12) + 1
        case 1: last = random.below(12) + 1
        case 2: offset = random.below(15)
        case 3: (offset, limit) = (random.below(9), random.below(9) + 1)
        default: break
        }
    }

    // MARK: Groups

    private mutating func drawGroups(_ random: inout RandomSource) {
        isCount = random.oneIn(4)
        groups = isCount || random.percent(80) ? Self.items(&random, most: 2) : []
        for index in 0..<(groups.isEmpty ? 1 : 0) + random.below(3) { drawAggregate("v\(index)", &random) }
        if random.oneIn(4) { having = random.pick("count > 1", "count < 4", "count != 2") }
        hasCalls = aggregates.contains { !$0.function.hasOption } || random.oneIn(2)
        if hasCalls { isCount = false }
        guard random.oneIn(3) else { return }
        let names = groups.map(\.name) + ["count"] + aggregates.map(\.name)
        order = [Self.order(random.one(of: names), &random)]
        (ignoresCase, isNumeric) = (random.oneIn(4), random.oneIn(4))
    }

    /// An aggregate under a name, or under its own, which is that of no other column.
    private mutating func drawAggregate(_ name: String, _ random: inout RandomSource) {
        let function = Self.function(&random)
        var aggregate = Aggregate(function: function, item: Item(text: Self.operand(function, &random)))
        let names = groups.map(\.name) + aggregates.map(\.name)
        if random.percent(70) || names.contains(aggregate.name) { aggregate.item.alias = name }
        aggregates.append(aggregate)
    }

    private static func function(_ random: inout RandomSource) -> OutputFunction {
        random.one(of: [
            .sum, .avg, .min, .max, .median, .sum, .avg, .min, .max, .median, .count, .countDistinct, .stddev,
            .percentile(random.pick(0, 5, 50, 75, 95, 100)), .joined(random.pick(", ", "", ";")),
        ])
    }

    private static func operand(_ function: OutputFunction, _ random: inout RandomSource) -> String {
        switch function {
        case .sum, .avg, .median, .stddev, .percentile: random.oneIn(12) ? "mix" : random.one(of: numbers)
        case .min, .max, .count, .countDistinct: value(&random)
        // CSV has days without a time where the input has.
        case .joined: random.one(of: random.oneIn(2) ? texts : numbers)
        }
    }
}
