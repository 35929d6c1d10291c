import PredicateSyntax

extension QueryFormatError {
    public var title: String { code.title }
    public var label: String? { code.label }
    public var hints: [String] { code.hints }
}

/// The wording of errors in queries.
extension QueryFormatError.Code {
    /// One line that says what was expected.
    package var title: String {
        switch self {
        case .clauseOrder(let clause, let other): "expected \(clause) before \(other)"
        case .repeatedClause(let clause, let other):
            clause == other ? "expected one \(clause), found another" : "expected either \(other) or \(clause)"
        case .expectedNumber(let clause): "expected a whole number from 0 after \(clause)"
        case .expectedValue: "expected a key path, an expression or an aggregate"
        case .expectedName: "expected a name after AS"
        case .wholeRowsBesideValues: "expected * alone or a list of values"
        case .foreignClause(let word): "expected a list of values, found \(word)"
        case .misplacedAggregate(let name, let clause): "expected values of single rows in \(clause), found '\(name)'"
        case .aggregateWithoutGroups(let name): "the aggregate '\(name)' beside other values needs GROUP BY"
        case .aggregateArguments(let name): "'\(name)' takes other arguments"
        case .repeatedName(let name): "two results have the name '\(name)'"
        case .notInGroups(let name): "expected a value of GROUP BY or an aggregate, found '\(name)'"
        case .unknownResult(let name, _): "expected the name of a result or of a group, found '\(name)'"
        case .havingWithoutGroups: "expected GROUP BY before HAVING"
        }
    }

    /// The words next to the caret.
    package var label: String? {
        switch self {
        case .clauseOrder(_, let other): "this comes after \(other)"
        case .misplacedAggregate: "an aggregate is a value of a group"
        case .notInGroups: "the rows of a group may differ in it"
        case .repeatedClause, .expectedNumber, .expectedValue, .expectedName, .wholeRowsBesideValues, .foreignClause,
            .aggregateWithoutGroups, .aggregateArguments, .repeatedName, .unknownResult, .havingWithoutGroups:
            nil
        }
    }

    /// Hints on how to correct the error.
    package var hints: [String] {
        switch self {
        case .clauseOrder: [Self.order]
        case .repeatedClause("WHERE", "WHERE"), .repeatedClause("HAVING", "HAVING"): ["join the conditions with AND"]
        case .repeatedClause(let clause, let other):
            clause == other ? ["write the values in one list: a, b"] : ["leave out one of the two"]
        case .expectedNumber(let clause): ["write \(clause) 10; a key of this name has a mark: #\(clause.lowercased())"]
        case .expectedValue: ["write values between commas: name, age; without a list whole rows are selected"]
        case .expectedName: ["write a word or a name in quotes: age AS years, age AS \"years of age\""]
        case .wholeRowsBesideValues: ["list the keys: name, age"]
        case .foreignClause: ["leave out SELECT and FROM: name, age WHERE age > 20"]
        case .misplacedAggregate("count", "WHERE"): ["write HAVING: city, count() GROUP BY city HAVING count > 3"]
        case .misplacedAggregate(_, "WHERE"), .misplacedAggregate(_, "HAVING"):
            ["name it in the list: city, avg(age) AS a GROUP BY city HAVING a > 3"]
        case .misplacedAggregate(_, "ORDER BY"): ["name it in the list: city, avg(age) AS a GROUP BY city ORDER BY a"]
        case .misplacedAggregate: ["an aggregate is a whole value of the list: city, avg(age) AS a GROUP BY city"]
        case .aggregateWithoutGroups: ["add the other values as groups: city, count() GROUP BY city"]
        case .aggregateArguments("percentile"): ["write percentile(age, 95), with a number from 0 to 100"]
        case .aggregateArguments("joined"): ["write joined(name, \", \"), with the separator in quotes"]
        case .aggregateArguments(let name): ["write \(name)(age)"]
        case .repeatedName(let name): ["write another name after AS: … AS \(name)2"]
        case .notInGroups(let name): ["add it to GROUP BY, or aggregate it: max(\(name))"]
        case .unknownResult(let name, let names): Self.hints(name, names)
        case .havingWithoutGroups: ["write WHERE for a condition on rows, or GROUP BY () for one group of all rows"]
        }
    }

    private static let order =
        "the order is: values WHERE … GROUP BY … HAVING … LIMIT … BY … ORDER BY … LIMIT … OFFSET …"

    private static func hints(_ name: String, _ names: [String]) -> [String] {
        if let result = names.first(where: { $0.hasSuffix("_" + name) }) { return ["write \(result)"] }
        let near = NearMiss.candidates(for: name, among: names)
        return near.isEmpty ? ["the names are \(names.joined(separator: ", "))"] : near.map { "did you mean \($0)?" }
    }
}
