extension SimpleExpression {
    /// The longest run of characters that every matching text has somewhere after its first character:
    /// `n S` of `J.*n S.*`. Empty if it has none.
    ///
    /// The beginning of a text is no part of it: a matcher that walks from there finds a difference at once.
    var innerWord: [UInt8] {
        var search = WordSearch()
        search.walk(self)
        search.endRun()
        return search.longest
    }
}

/// The runs of characters that follow one another whatever else a text has.
private struct WordSearch {
    /// A longer word is cut to the bytes of one comparison.
    private static let most = 8

    private(set) var longest: [UInt8] = []
    private var run: [UInt8] = []
    private var isFirstRun = true

    mutating func walk(_ expression: SimpleExpression) {
        switch expression {
        case .atom(let atom):
            if let byte = atom.onlyByte { run.append(byte) } else { endRun() }
        case .sequence(let parts):
            for part in parts { walk(part) }
        case .choice, .optional, .repeated: endRun()
        }
    }

    mutating func endRun() {
        if !isFirstRun, run.count > longest.count { longest = Array(run.prefix(Self.most)) }
        run = []
        isFirstRun = false
    }
}

extension SimpleAtom {
    /// The one character that it takes; nil for a class of several.
    fileprivate var onlyByte: UInt8? {
        isNegated || takesOthers || isASCIIOnly ? nil : characters.onlyByte
    }
}
