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

    static func macros(in tokens: SwiftTokens) -> [PredicateMacro] {
        (0..<tokens.count).compactMap { tokens.isWord($0, mark) ? macro(at: $0, tokens) : nil }
    }

    private static func macro(at index: Int, _ tokens: SwiftTokens) -> PredicateMacro? {
        let arguments = index + 1
        var open = tokens.angleEnd(arguments)
        var types = written(arguments..<open, tokens)
        if tokens[open].is("("), tokens.end(of: open) == open + 2 { open += 2 }
        if tokens[open].is("("), tokens[open + 1].is("{") { open += 1 }
        var parser = MacroParser(tokens, from: open)
        guard let closure = parser.closure() else { return nil }
        if types.isEmpty { types = closure.parameters.compactMap(\.type) }
        let end = tokens.end(of: open)
        if types.isEmpty { types = context(of: index, end: end, tokens) }
        return PredicateMacro(
            name: tokens[index].range, range: tokens[index].start..<tokens[end - 1].end, types: types,
            closure: closure, index: index)
    }

    /// `<Trip, Person>`: the last part of each name.
    private static func written(_ range: Range<Int>, _ tokens: SwiftTokens) -> [String] {
        range.filter { tokens[$0].kind == .word && !tokens[$0 + 1].is(".") }.map(tokens.text)
    }

    /// The type in `Predicate<Trip>` and `FetchDescriptor<Trip>` before the macro, or of the property that `@Query`
    /// declares.
    private static func context(of index: Int, end: Int, _ tokens: SwiftTokens) -> [String] {
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
    private static func queried(from start: Int, _ tokens: SwiftTokens) -> [String] {
        for index in start..<min(tokens.count, start + reach) where tokens.isWord(index, "var") {
            guard tokens[index + 2].is(":"), tokens[index + 3].is("["), tokens[index + 5].is("]") else { return [] }
            return [tokens.text(index + 4)]
        }
        return []
    }
}

/// The generic parameters of the functions and types of a source, each with the block in which it is known.
struct GenericParameters {
    private var blocks: [String: [Range<Int>]] = [:]

    init(_ tokens: SwiftTokens) {
        for index in 0..<tokens.count where tokens[index].is("<") && Self.isDeclared(index - 1, tokens) {
            let end = tokens.angleEnd(index)
            guard end > index, let block = Self.block(from: end, tokens) else { continue }
            for name in index + 1..<end - 1 where tokens[name].kind == .word {
                if tokens[name - 1].is("<") || tokens[name - 1].is(",") {
                    blocks[tokens.text(name), default: []].append(block)
                }
            }
        }
    }

    /// True for the name after `func`, `struct` and the like, and for `init`.
    private static func isDeclared(_ index: Int, _ tokens: SwiftTokens) -> Bool {
        if tokens.isWord(index, "init") { return true }
        return ["func", "struct", "class", "enum", "actor"].contains(tokens.text(index - 1))
    }

    private static func block(from start: Int, _ tokens: SwiftTokens) -> Range<Int>? {
        var index = start
        while index < min(tokens.count, start + 256), !tokens[index].is("}"), !tokens[index].is(";") {
            if tokens[index].is("{") { return index..<tokens.end(of: index) }
            index = tokens.end(of: index)
        }
        return nil
    }

    /// True if a name is a generic parameter at a token.
    func contain(_ name: String, at index: Int) -> Bool {
        blocks[name]?.contains { $0.contains(index) } ?? false
    }
}
