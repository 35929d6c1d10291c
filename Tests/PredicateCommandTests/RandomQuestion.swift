import PredicateGenerators
import PredicateQuery
import PredicateReference
import PredicateSyntax

/// An aggregate of a question.
enum OutputFunction: Equatable {
    case sum, avg, min, max, median
    /// Those that have no option of their own
    case count, countDistinct, stddev, percentile(Int), joined(String)

    /// The name of the option and of the command of the session.
    var word: String {
        switch self {
        case .sum: "sum"
        case .avg: "avg"
        case .min: "min"
        case .max: "max"
        case .median: "median"
        case .count, .countDistinct: "count"
        case .stddev: "stddev"
        case .percentile: "percentile"
        case .joined: "joined"
        }
    }

    /// The beginning of the name of a result without AS: `avg` in `avg_age`
    var prefix: String { self == .countDistinct ? "distinct" : word }

    func call(of text: String) -> String {
        switch self {
        case .sum, .avg, .min, .max, .median, .count, .stddev: "\(word)(\(text))"
        case .countDistinct: "count(DISTINCT \(text))"
        case .percentile(let share): "percentile(\(text), \(share))"
        case .joined(let separator): "joined(\(text), '\(separator)')"
        }
    }

    var judged: ReferenceTotals.Function {
        switch self {
        case .sum: .sum
        case .avg: .average
        case .min: .minimum
        case .max: .maximum
        case .median: .median
        case .count: .count
        case .countDistinct: .countDistinct
        case .stddev: .deviation
        case .percentile(let share): .percentile(Double(share))
        case .joined(let separator): .joined(separator)
        }
    }

    var hasOption: Bool {
        switch self {
        case .sum, .avg, .min, .max, .median: true
        case .count, .countDistinct, .stddev, .percentile, .joined: false
        }
    }
}

/// A random query, to be put in the words of each road.
struct OutputQuestion {
    /// `price * 2 AS k0`
    struct Item {
        var text: String
        var alias: String?

        var name: String { alias ?? text }
        var words: String { alias.map { "\(text) AS \($0)" } ?? text }
    }

    /// `--sum 'price AS v0'`, `sum(price) AS v0`, `--sum price`
    struct Aggregate {
        var function: OutputFunction
        var item: Item

        var name: String { item.alias ?? "\(function.prefix)_\(item.text)" }
        var call: String { Item(text: function.call(of: item.text), alias: item.alias).words }
    }

    struct Order {
        var text: String
        var isDescending: Bool
        /// A place of nil, which only queries and requests have.
        var nils: SortKey.NilPlacement?

        /// A value that begins with a sign is in parentheses, so that the sign is not that of a descending order.
        var words: String { (isDescending ? "-" : "") + (text.hasPrefix("-") ? "(\(text))" : text) }
    }

    var predicate: String?
    var isInverted = false
    /// The values of rows; empty for whole records, and with groups.
    var items: [Item] = []
    var groups: [Item] = []
    /// True for `--count-by`.
    var isCount = false
    var aggregates: [Aggregate] = []
    /// True if aggregates are calls among the keys: `-k 'city, sum(price) AS v0' --group-by city`
    var hasCalls = false
    var having: String?
    var order: [Order] = []
    var ignoresCase = false
    var isNumeric = false
    var isDistinct = false
    var distinctOn: [String] = []
    /// `--each 2`; 1 without the option
    var each = 1
    var offset = 0
    var limit: Int?
    var last: Int?

    var hasGroups: Bool { !groups.isEmpty || !aggregates.isEmpty }

    /// All values that are read of rows.
    private var texts: [String] {
        items.map(\.text) + groups.map(\.text) + aggregates.map(\.item.text) + distinctOn
            + (hasGroups ? [] : order.map(\.text))
    }

    /// True if it asks for the column of mixed kinds, which CSV and SQLite files do not have.
    var usesMixedKinds: Bool { (texts + [predicate ?? ""]).contains { $0.contains("mix") } }

    /// True if it asks for a value that may be NaN.
    private var usesNaN: Bool {
        (texts + order.map(\.text)).contains { $0.contains("sqrt") || $0.contains("price - price") }
    }

    /// True if rows may be left unread, so that their errors are not seen.
    var endsEarly: Bool { !hasGroups && order.isEmpty && limit != nil }
}

// MARK: - For the judge

extension OutputQuestion {
    /// The query for the reference.
    func judged(on road: OutputRoad) throws -> ReferenceQuery {
        var query = ReferenceQuery()
        query.predicate = try predicate.map { try FormatPredicate(format: $0, arguments: []).node }
        (query.isInverted, query.isDistinct) = (isInverted, isDistinct)
        (query.offset, query.limit, query.last) = (offset, limit, last)
        query.items = try items.map(Self.item)
        if items.isEmpty { query.items = OutputColumn.columns(on: road).map { .init($0.name, .key($0.name)) } }
        query.grouping = hasGroups ? try grouping() : nil
        if !distinctOn.isEmpty { query.firsts = (each, try distinctOn.map(Self.operand)) }
        query.order = try order.map { key in
            var item = ReferenceQuery.OrderItem(try operand(ofOrder: key.text), isDescending: key.isDescending)
            item.options = ignoresCase ? .caseInsensitive : []
            (item.isNumeric, item.nils) = (isNumeric, key.nils)
            return item
        }
        // The rules that SQL has for its rows: a row for which the predicate is an error does not match, so that --invert
        // selects it, and SQLite has no NaN.
        query.takesErrorsForFalse = road == .sqlite || road == .store || road == .statement
        query.takesNaNForNil = road == .store || road == .statement
        return query
    }

    private func grouping() throws -> ReferenceQuery.Grouping {
        var aggregates = [ReferenceQuery.Aggregate("count", .count, nil)]
        for aggregate in self.aggregates {
            let operand = try Self.operand(aggregate.item.text)
            aggregates.append(.init(aggregate.name, aggregate.function.judged, operand))
        }
        let having = try having.map { try FormatPredicate(format: $0, arguments: []).node }
        var grouping = ReferenceQuery.Grouping(try groups.map(Self.item), aggregates, having: having)
        grouping.isLargestFirst = isCount
        return grouping
    }

    private static func item(_ item: Item) throws -> ReferenceQuery.Item { .init(item.name, try operand(item.text)) }

    private static func operand(_ text: String) throws -> ReferenceQuery.Operand {
        if OutputColumn.all.contains(where: { $0.name == text }) { return .key(text) }
        return .expression(try FormatExpression(ofQuery: text, arguments: []).node)
    }

    /// The columns of groups are keys, and so are names after AS among the values of rows.
    private func operand(ofOrder text: String) throws -> ReferenceQuery.Operand {
        if hasGroups { return .key(text) }
        return try Self.operand(items.first { $0.name == text }?.text ?? text)
    }
}

// MARK: - On the command line

extension OutputQuestion {
    /// The words of `predicate filter`, without the file.
    var words: [String] {
        var words = [predicate ?? "TRUEPREDICATE"]
        if isInverted { words.append("--invert") }
        if !items.isEmpty { words += ["-k", items.map(\.words).joined(separator: ",")] }
        if !groups.isEmpty {
            words += [isCount ? "--count-by" : "--group-by", groups.map(\.words).joined(separator: ",")]
        }
        words += hasCalls ? calls : aggregates.flatMap { ["--\($0.function.word)", $0.item.words] }
        if let having { words += ["--having", having] }
        if !order.isEmpty { words += ["--sort", order.map(\.words).joined(separator: ",")] }
        if ignoresCase { words.append("--ignore-case") }
        if isNumeric { words.append("--numeric") }
        if isDistinct { words.append("--distinct") }
        if !distinctOn.isEmpty { words += ["--distinct-on", distinctOn.joined(separator: ",")] }
        if each > 1 { words += ["--each", "\(each)"] }
        return words + page
    }

    private var calls: [String] {
        ["-k", (groups.map(\.words) + ["count() AS count"] + aggregates.map(\.call)).joined(separator: ",")]
    }

    private var page: [String] {
        if let last { return ["--last", "\(last)"] }
        return (offset > 0 ? ["--offset", "\(offset)"] : []) + (limit.map { ["--first", "\($0)"] } ?? [])
    }

    /// The command line, for messages.
    var line: String {
        words.map { $0.contains(where: { !$0.isLetter && $0 != "-" }) ? "\"\($0)\"" : $0 }.joined(separator: " ")
    }
}

// MARK: - What roads cannot be asked

extension OutputQuestion {
    /// The part of the question that a road has words for; nil if that is nothing.
    func adapted(to road: OutputRoad) -> OutputQuestion? {
        var question = self
        switch road {
        case .csv, .sqlite: return usesMixedKinds ? nil : question.withoutPlacesOfNil
        case .jsonLines: return question.withoutPlacesOfNil
        case .session:
            // A session has no page, and shows and writes all matches. It has neither distinct rows nor HAVING nor an order
            // of groups, and no options of an order.
            (question.offset, question.limit, question.last) = (0, nil, nil)
            (question.isDistinct, question.distinctOn, question.having) = (false, [], nil)
            (question.ignoresCase, question.isNumeric) = (false, false)
            if hasGroups { question.order = [] }
            // A session has no --invert.
            question.isInverted = false
            return question.withoutPlacesOfNil.inTables
        case .store:
            if usesMixedKinds { return nil }
            // A request selects the rows for which its predicate holds, with no last page and no first row of each value, and
            // SQL has no numeric order.
            (question.isInverted, question.last, question.distinctOn, question.isNumeric) = (false, nil, [], false)
            // The least and the greatest of Booleans are 0 and 1 there.
            question.aggregates.removeAll { [.min, .max].contains($0.function) && $0.item.text == "paid" }
            if question.hasGroups != hasGroups { return nil }
            return question.sortedForStore
        // NaN is nil where SQL computes it, and NaN where memory does.
        case .statement: return usesMixedKinds || usesNaN ? nil : question.asQuery
        case .memory: return question.asQuery
        }
    }

    private var withoutPlacesOfNil: OutputQuestion {
        var question = self
        for index in order.indices { question.order[index].nils = nil }
        return question
    }

    /// A query has no order by size but the one that it names, and names its columns if they are to be evaluated.
    private var asQuery: OutputQuestion {
        var question = self
        if isCount { question.order.append(Order(text: "count", isDescending: true)) }
        question.isCount = false
        for (index, aggregate) in aggregates.enumerated() where !Self.isColumn(aggregate.item.text) {
            guard let place = order.firstIndex(where: { $0.text == aggregate.name }) else { continue }
            question.aggregates[index].item.alias = "v\(index)"
            question.order[place].text = "v\(index)"
        }
        return question
    }

    private static func isColumn(_ text: String) -> Bool { OutputColumn.all.contains { $0.name == text } }

    /// Groups that the session can show: they come as a table of 80 columns, in which a blank string is not seen and many
    /// long numbers, names or texts have no place.
    private var inTables: OutputQuestion? {
        guard hasGroups else { return self }
        var question = self
        let mayBeWide = { (text: String) in text.contains("amount") || text.contains("mix") }
        question.aggregates.removeAll { if case .joined = $0.function { true } else { false } }
        if isCount {
            question.aggregates = []
            question.groups = Array(groups.map { Item(text: $0.text) }.prefix(1))
        } else {
            guard let function = question.aggregates.first?.function else { return nil }
            if !question.hasCalls { question.aggregates.removeAll { $0.function != function } }
            question.aggregates = Array(question.aggregates.prefix(groups.count > 1 ? 1 : 2))
            if question.texts.count(where: mayBeWide) > 1 { question.groups = [] }
            if question.texts.count(where: mayBeWide) > 1 { question.aggregates.removeLast() }
            question.groups = question.groups.enumerated().map { Item(text: $1.text, alias: "g\($0)") }
        }
        for index in question.aggregates.indices where question.aggregates[index].name.count > 12 {
            question.aggregates[index].item.alias = "v\(index)"
        }
        let mayBeBlank = { (text: String) in text.contains("name") || text.contains("code") }
        return question.texts.contains(where: mayBeBlank) ? nil : question
    }

    /// Sort keys of a request are names of results and key paths. Rows that are equal under all of them have no order in
    /// SQL, so that the primary key, or the keys of the groups, are added.
    private var sortedForStore: OutputQuestion {
        var question = self
        question.order = order.filter { key in
            (hasGroups || isDistinct ? [] : OutputColumn.all.map(\.name)).contains(key.text)
                || ((items + groups).map(\.name) + aggregates.map(\.name) + ["count"]).contains(key.text)
        }
        if isDistinct {
            question.order = items.map { Order(text: $0.name, isDescending: false) }
            // Different rows may be equal but for case.
            question.ignoresCase = false
        } else {
            let last = hasGroups ? groups.map(\.name) : ["id"]
            question.order += last.map { Order(text: $0, isDescending: false) }
        }
        if isCount { question.order.insert(Order(text: "count", isDescending: true), at: 0) }
        return question
    }
}
