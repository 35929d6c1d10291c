/// Reads a ``MatchPattern`` as ICU does; what is not certain to mean the same elsewhere is an obstacle.
struct MatchPatternReader {
    private let scalars: [Unicode.Scalar]
    private let ignoresCase: Bool
    private var position = 0
    /// The number of open groups.
    private var depth = 0

    private static let deepest = 32
    /// The greatest count that all matchers take.
    private static let greatestCount = 255
    /// Ranges of classes, with counts written out.
    private static let largest = 20_000

    init(_ pattern: String, ignoringCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        ignoresCase = ignoringCase
    }

    mutating func read() throws(MatchPattern.Obstacle) -> MatchPattern {
        let pattern = try choice()
        guard next == nil else { throw obstacle(1) }
        guard pattern.size <= Self.largest else { throw MatchPattern.Obstacle(part: "so many repetitions") }
        return pattern
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    private var second: Unicode.Scalar? { position + 1 < scalars.count ? scalars[position + 1] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// The next characters of the pattern are more than a set of texts.
    private func obstacle(_ count: Int) -> MatchPattern.Obstacle {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[position...].prefix(count))
        return MatchPattern.Obstacle(part: "'\(String(part))'")
    }

    private var isAtQuantifier: Bool { next.map { "*+?{".unicodeScalars.contains($0) } ?? false }

    // MARK: Structure

    /// Anchors at the ends of the whole pattern say nothing that is not so.
    private mutating func choice() throws(MatchPattern.Obstacle) -> MatchPattern {
        var branches: [MatchPattern] = []
        repeat {
            if depth == 0, take("^"), isAtQuantifier { throw obstacle(1) }
            branches.append(try sequence())
            if depth == 0, take("$"), isAtQuantifier { throw obstacle(1) }
        } while take("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(MatchPattern.Obstacle) -> MatchPattern {
        var parts: [MatchPattern] = []
        var previous: Unicode.Scalar?
        while let scalar = next, scalar != "|", scalar != ")", scalar != "$" {
            let start = position
            let part = try part()
            let letter = ignoresCase ? literal(from: start) : nil
            if CaseOrbit.mayBeOneLetter(previous, letter) {
                position = start - 1
                throw obstacle(2)
            }
            previous = letter
            parts.append(try quantified(part))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// The letter that stood at a position by itself.
    private func literal(from start: Int) -> Unicode.Scalar? { position == start + 1 ? scalars[start] : nil }

    private mutating func part() throws(MatchPattern.Obstacle) -> MatchPattern {
        guard take("(") else { return .characters(try characters()) }
        if next == "?" {
            guard second == ":" else { throw obstacle(2) }
            position += 2
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw MatchPattern.Obstacle(part: "so many groups") }
        let inner = try choice()
        guard take(")") else { throw obstacle(1) }
        return inner
    }

    /// A second mark makes the first one lazy, which is all the same here, or possessive, which is not. Matchers give up at an empty
    /// text that repeats, each in its way.
    private mutating func quantified(_ part: MatchPattern) throws(MatchPattern.Obstacle) -> MatchPattern {
        guard let (low, high) = try quantifier() else { return part }
        _ = take("?")
        if isAtQuantifier { throw obstacle(1) }
        guard high == 1 || !part.matchesEmptyText else {
            throw MatchPattern.Obstacle(part: "what may be empty, repeated")
        }
        return .repeated(part, atLeast: low, atMost: high)
    }

    private mutating func quantifier() throws(MatchPattern.Obstacle) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next == "{" else { return nil }
        let start = position
        position += 1
        let low = number()
        let high = take(",") ? (next == "}" ? nil : number() ?? -1) : low
        guard let low, take("}"), high.map({ $0 >= low && $0 > 0 }) ?? true else {
            position = start
            throw obstacle(4)
        }
        return (low, high)
    }

    /// A count; nil for none, and for one that is too great for some matcher.
    private mutating func number() -> Int? {
        var number: Int?
        while let digit = next.flatMap({ Int(String($0)) }), (number ?? 0) <= Self.greatestCount {
            position += 1
            number = (number ?? 0) * 10 + digit
        }
        return number.flatMap { $0 <= Self.greatestCount ? $0 : nil }
    }
}

// MARK: - Characters and classes

extension MatchPatternReader {
    /// One code point or class.
    private mutating func characters() throws(MatchPattern.Obstacle) -> CodePointSet {
        guard let scalar = next, !"^*+?{}]".unicodeScalars.contains(scalar) else { throw obstacle(1) }
        switch scalar {
        case ".":
            position += 1
            return .line
        case "\\": return try escape()
        case "[": return try characterClass()
        default: return try single(scalar)
        }
    }

    /// A code point that stands for itself, and under `[c]` for its other cases.
    private mutating func single(_ scalar: Unicode.Scalar) throws(MatchPattern.Obstacle) -> CodePointSet {
        guard ignoresCase else {
            position += 1
            return CodePointSet(scalar)
        }
        guard let orbit = CaseOrbit.of(scalar) else { throw obstacle(1) }
        position += 1
        return CodePointSet(orbit.map { $0.value...$0.value })
    }

    /// `\d`, `\.`, `\n`
    private mutating func escape() throws(MatchPattern.Obstacle) -> CodePointSet {
        guard let letter = second else { throw obstacle(1) }
        guard let set = Self.set(of: letter) else { throw obstacle(2) }
        position += 2
        return set
    }

    private static func set(of letter: Unicode.Scalar) -> CodePointSet? {
        switch letter {
        case "d": .digits
        case "D": CodePointSet.digits.inverted
        case "s": .spaces
        case "S": CodePointSet.spaces.inverted
        case "w": .words
        case "W": CodePointSet.words.inverted
        case "t": CodePointSet("\t")
        case "n": CodePointSet("\n")
        case "r": CodePointSet("\r")
        default: isMark(letter) ? CodePointSet(letter) : nil
        }
    }

    /// ASCII that is no letter, no digit and no control.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F && !isWord(scalar)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// `[a-z.]`, `[^0-9]`, `[\w.-]`
    private mutating func characterClass() throws(MatchPattern.Obstacle) -> CodePointSet {
        let start = position
        position += 1
        let isInverted = take("^")
        var set: CodePointSet?
        while let scalar = next, scalar != "]" {
            let members = try member(isFirst: set == nil)
            set = set?.union(members) ?? members
        }
        guard let set, take("]") else {
            position = start
            throw obstacle(2)
        }
        return isInverted ? set.inverted : set
    }

    /// One code point, a range, or `\d`. A hyphen stands for itself as the last one.
    private mutating func member(isFirst: Bool) throws(MatchPattern.Obstacle) -> CodePointSet {
        guard let scalar = next, Self.isPlain(scalar) || scalar == "\\" || scalar == "-" && !isFirst && second == "]"
        else { throw obstacle(1) }
        let first = scalar == "\\" ? try escape() : try single(scalar)
        guard next == "-", let last = second, last != "]" else { return first }
        guard scalar != "\\", Self.isPlain(last), scalar.value <= last.value else { throw obstacle(2) }
        position += 1
        guard ignoresCase else {
            position += 1
            return CodePointSet([scalar.value...last.value])
        }
        var members: [ClosedRange<UInt32>] = []
        for value in scalar.value...last.value {
            guard let orbit = Unicode.Scalar(value).flatMap(CaseOrbit.of) else { throw obstacle(1) }
            members += orbit.map { $0.value...$0.value }
        }
        position += 1
        return CodePointSet(members)
    }

    /// Code points that mean nothing more in a class.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isWord(scalar) || "._@,;/%+*?()|!'\"#=<>~` ".unicodeScalars.contains(scalar) }
        return true
    }
}
