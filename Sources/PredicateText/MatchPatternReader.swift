/// Reads a ``MatchPattern`` as ICU does; what is not certain to mean the same elsewhere is an obstacle.
struct MatchPatternReader {
    private let scalars: [Unicode.Scalar]
    private var ignoresCase: Bool
    private var position = 0
    /// True between `\Q` and `\E`, where characters stand for themselves.
    private var isQuoted = false
    /// The character that the last part stood for by itself; nil for a class and for a group.
    private var literal: Unicode.Scalar?
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
        if scalars.starts(with: "(?i)".unicodeScalars) {
            ignoresCase = true
            position = 4
        }
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

    private var isAtQuantifier: Bool { !isQuoted && next.map { "*+?{".unicodeScalars.contains($0) } ?? false }

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
        try beginQuotation()
        while let scalar = next, isQuoted || !"|)$".unicodeScalars.contains(scalar) {
            let start = position
            literal = nil
            let part = try part()
            let letter = ignoresCase ? literal : nil
            endQuotation()
            if CaseOrbit.mayBeOneLetter(previous, letter) {
                position = start - 1
                throw obstacle(2)
            }
            previous = letter
            parts.append(try quantified(part))
            try beginQuotation()
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// `\Q`, which some `\E` must end; with nothing between them it is passed over.
    private mutating func beginQuotation() throws(MatchPattern.Obstacle) {
        while !isQuoted, next == "\\", second == "Q" {
            let rest = scalars[(position + 2)...]
            guard zip(rest, rest.dropFirst()).contains(where: { $0 == "\\" && $1 == "E" }) else { throw obstacle(2) }
            position += 2
            isQuoted = true
            endQuotation()
        }
    }

    private mutating func endQuotation() {
        guard isQuoted, next == "\\", second == "E" else { return }
        position += 2
        isQuoted = false
    }

    private mutating func part() throws(MatchPattern.Obstacle) -> MatchPattern {
        if isQuoted { return .characters(try single(scalars[position])) }
        guard take("(") else { return .characters(try characters()) }
        let ignoredCase = ignoresCase
        defer { ignoresCase = ignoredCase }
        try beginGroup()
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw MatchPattern.Obstacle(part: "so many groups") }
        let inner = try choice()
        guard take(")") else { throw obstacle(1) }
        literal = nil
        return inner
    }

    /// What follows the parenthesis: nothing, `?:`, or `?i:`.
    private mutating func beginGroup() throws(MatchPattern.Obstacle) {
        guard next == "?" else { return }
        if scalars[position...].starts(with: "?i:".unicodeScalars) {
            ignoresCase = true
            position += 3
        } else if second == ":" {
            position += 2
        } else {
            throw obstacle(2)
        }
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
        let set = try cases(of: scalar)
        position += 1
        literal = scalar
        return set
    }

    private func cases(of scalar: Unicode.Scalar) throws(MatchPattern.Obstacle) -> CodePointSet {
        guard ignoresCase else { return CodePointSet(scalar) }
        guard let orbit = CaseOrbit.of(scalar) else { throw obstacle(1) }
        return CodePointSet(orbit.map { $0.value...$0.value })
    }

    /// `\d`, `\.`, `\n`, `\x41`, `\p{Lu}`
    private mutating func escape() throws(MatchPattern.Obstacle) -> CodePointSet {
        guard let letter = second else { throw obstacle(1) }
        if let scalar = try escapedScalar() { return try cases(of: scalar) }
        if letter == "p" || letter == "P" { return try category(isInverted: letter == "P") }
        guard let set = Self.set(of: letter) else { throw obstacle(2) }
        position += 2
        return set
    }

    /// A code point by its number or by a letter: `\x41`, `\x{1F600}`, `\u00E9`, `\U0001F600`, `\n`; nil for other escapes.
    private mutating func escapedScalar() throws(MatchPattern.Obstacle) -> Unicode.Scalar? {
        guard let letter = second else { throw obstacle(1) }
        let digits: Int
        switch letter {
        case "x": digits = 2
        case "u": digits = 4
        case "U": digits = 8
        default:
            guard let scalar = Self.scalar(of: letter) else { return nil }
            position += 2
            literal = scalar
            return scalar
        }
        let isBraced = letter == "x" && bracedName() != nil
        let scalar = isBraced ? try bracedNumber() : try number(ofDigits: digits)
        literal = scalar
        return scalar
    }

    private mutating func number(ofDigits count: Int) throws(MatchPattern.Obstacle) -> Unicode.Scalar {
        let digits = scalars[(position + 2)...].prefix(count)
        guard digits.count == count, let scalar = Self.scalar(digits) else { throw obstacle(2) }
        position += 2 + count
        return scalar
    }

    /// `\x{1F600}`
    private mutating func bracedNumber() throws(MatchPattern.Obstacle) -> Unicode.Scalar {
        guard let name = bracedName(), (1...6).contains(name.count), let scalar = Self.scalar(name) else {
            throw obstacle(2)
        }
        position += 4 + name.count
        return scalar
    }

    /// What stands in braces after the next two characters.
    private func bracedName() -> ArraySlice<Unicode.Scalar>? {
        let rest = scalars[(position + 2)...]
        guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
        return rest[(rest.startIndex + 1)..<end]
    }

    private static func scalar(_ digits: some Collection<Unicode.Scalar>) -> Unicode.Scalar? {
        guard digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        return UInt32(digits.map { String($0) }.joined(), radix: 16).flatMap(Unicode.Scalar.init)
    }

    /// `\p{L}`. Matchers differ on a category whose letters have other cases.
    private mutating func category(isInverted: Bool) throws(MatchPattern.Obstacle) -> CodePointSet {
        guard !ignoresCase, let name = bracedName(),
            let set = CodePointSet.category(name.map { String($0) }.joined())
        else { throw obstacle(2) }
        position += 4 + name.count
        return isInverted ? set.inverted : set
    }

    private static func set(of letter: Unicode.Scalar) -> CodePointSet? {
        switch letter {
        case "d": .digits
        case "D": CodePointSet.digits.inverted
        case "s": .spaces
        case "S": CodePointSet.spaces.inverted
        case "w": .words
        case "W": CodePointSet.words.inverted
        default: nil
        }
    }

    /// The code point that a letter or a mark stands for after a backslash.
    private static func scalar(of letter: Unicode.Scalar) -> Unicode.Scalar? {
        switch letter {
        case "a": "\u{7}"
        case "e": "\u{1B}"
        case "f": "\u{C}"
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        default: isMark(letter) ? letter : nil
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
        literal = nil
        return isInverted ? set.inverted : set
    }

    /// One code point, a range, or `\d`. A hyphen stands for itself as the last one.
    private mutating func member(isFirst: Bool) throws(MatchPattern.Obstacle) -> CodePointSet {
        guard let scalar = next, Self.isPlain(scalar) || scalar == "\\" || scalar == "-" && !isFirst && second == "]"
        else { throw obstacle(1) }
        literal = nil
        let members = scalar == "\\" ? try escape() : try single(scalar)
        guard next == "-", second != "]", second != nil else { return members }
        guard let first = literal else { throw obstacle(2) }
        position += 1
        let last = try lastOfRange()
        guard first.value <= last.value else { throw obstacle(1) }
        guard ignoresCase else { return CodePointSet([first.value...last.value]) }
        var ranges: [ClosedRange<UInt32>] = []
        for value in first.value...last.value {
            guard let scalar = Unicode.Scalar(value) else { throw obstacle(1) }
            ranges += try cases(of: scalar).ranges
        }
        return CodePointSet(ranges)
    }

    private mutating func lastOfRange() throws(MatchPattern.Obstacle) -> Unicode.Scalar {
        guard let scalar = next, Self.isPlain(scalar) || scalar == "\\" else { throw obstacle(1) }
        if scalar == "\\" {
            guard let escaped = try escapedScalar() else { throw obstacle(2) }
            return escaped
        }
        position += 1
        return scalar
    }

    /// Code points that mean nothing more in a class.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isWord(scalar) || "._@,;/%+*?()|!'\"#=<>~` ".unicodeScalars.contains(scalar) }
        return true
    }
}
