/// Finds the `#Predicate` macros of a source.
///
///     #Predicate<Trip> { $0.name == "x" }
///     let predicate: Predicate<Trip> = #Predicate { trip in trip.name == "x" }
///     FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "x" })
///     @Query(filter: #Predicate { $0.name == "x" }) var trips: [Trip]
enum MacroScanner {
    static let mark: StaticString = "#Predicate"

    /// The maximum number of tokens before a macro that are searched for the type of its objects.
    private static let reach = 24

    static func macros(in tokens: CodeTokens) -> [PredicateMacro] {
        (0..<tokens.count).compactMap { tokens.isWord($0, mark) ? macro(at: $0, tokens) : nil }
    }

    private static func macro(at index: Int, _ tokens: CodeTokens) -> PredicateMacro? {
        let arguments = index + 1
        var open = tokens.angleEnd(arguments)
        var types = written(arguments..<open, tokens)
        if tokens[open].is("("), tokens.end(of: open) == open + 2 { open += 2 }
        if tokens[open].is("("), tokens[open + 1].is("{") { open += 1 }
        var parser = ExpressionParser(tokens, from: open)
        guard let closure = parser.closure() else { return nil }
        if types.isEmpty { types = closure.parameters.compactMap(\.type) }
        if types.isEmpty { types = context(of: index, end: tokens.end(of: open), tokens) }
        let isResult = tokens[index - 1].is("{") || tokens.isWord(index - 1, "return")
        return PredicateMacro(name: tokens[index].range, types: types, isResult: isResult, closure: closure)
    }

    /// The key paths by which SwiftData sorts, each with the type of the objects and the names in the path.
    ///
    /// `@Query(sort: \Trip.name) var trips: [Trip]`, `FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])`
    static func sortKeys(in tokens: CodeTokens) -> [(owner: String, names: [Range<Int>])] {
        (0..<tokens.count).flatMap { index -> [(owner: String, names: [Range<Int>])] in
            let isQuery = tokens.isWord(index, "Query") && tokens[index - 1].is("@")
            guard isQuery || tokens.isWord(index, "FetchDescriptor") else { return [] }
            let open = tokens.angleEnd(index + 1)
            guard tokens[open].is("(") else { return [] }
            let types = isQuery ? queried(from: tokens.end(of: open), tokens) : written(index + 1..<open, tokens)
            return (open + 1..<max(open + 1, tokens.close(of: open))).compactMap { sortKey(at: $0, types, tokens) }
        }
    }

    /// `\Trip.name`, `\.name`
    private static func sortKey(
        at index: Int, _ types: [String], _ tokens: CodeTokens
    ) -> (owner: String, names: [Range<Int>])? {
        guard tokens[index].is("\\") else { return nil }
        let isWritten = tokens[index + 1].kind == .word
        guard let owner = isWritten ? tokens.text(index + 1) : types.first else { return nil }
        var (next, names): (Int, [Range<Int>]) = (isWritten ? index + 2 : index + 1, [])
        while tokens[next].is("."), tokens[next + 1].kind == .word {
            names.append(tokens[next + 1].range)
            next += tokens[next + 2].is("?") ? 3 : 2
        }
        return names.isEmpty ? nil : (owner, names)
    }

    /// `<Trip, Person>`: the last part of each name.
    private static func written(_ range: Range<Int>, _ tokens: CodeTokens) -> [String] {
        range.filter { tokens[$0].kind == .word && !tokens[$0 + 1].is(".") }.map(tokens.text)
    }

    /// The type in `Predicate<Trip>` and `FetchDescriptor<Trip>` before the macro, or of the property that `@Query`
    /// declares.
    private static func context(of index: Int, end: Int, _ tokens: CodeTokens) -> [String] {
        var word = index - 1
        while word >= 0, word > index - reach, !tokens[word].is("{"), !tokens[word].is("}"), !tokens[word].is(";") {
            if tokens.isWord(word, "Predicate") || tokens.isWord(word, "FetchDescriptor") {
                return tokens[word + 1].is("<") ? written(word + 1..<tokens.angleEnd(word + 1), tokens) : []
            }
            if tokens.isWord(word, "Query"), tokens[word - 1].is("@") { return queried(from: end, tokens) }
            if tokens.isWord(word, "let") || tokens.isWord(word, "var") || tokens.isWord(word, "return") { return [] }
            word -= 1
        }
        return []
    }

    /// `var trips: [Trip]`
    private static func queried(from start: Int, _ tokens: CodeTokens) -> [String] {
        for index in start..<min(tokens.count, start + reach) where tokens.isWord(index, "var") {
            guard tokens[index + 2].is(":"), tokens[index + 3].is("["), tokens[index + 5].is("]") else { return [] }
            return [tokens.text(index + 4)]
        }
        return []
    }
}

/// A `#Predicate` of a source.
struct PredicateMacro {
    var name: Range<Int>
    /// The types of the objects; empty if the source does not show them.
    var types: [String]
    /// True after `return` and at the beginning of a block.
    var isResult: Bool
    var closure: CodeClosure
}
