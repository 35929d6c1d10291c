/// Reads a regular expression of Swift, and writes one that means the same to ICU.
///
/// `^J.*n$` of `contains(/^J.*n$/)` becomes `J.*n`, which covers the whole text; `o+` becomes `[\s\S]*(?:o+)[\s\S]*`.
///
/// What ICU reads in another way is refused with its place: word boundaries, which Swift finds by rules of Unicode, lines
/// under `(?m)`, set operations in classes, and whatever else is not listed here. A text is characters to Swift and code
/// points to ICU, and beyond ASCII their `\d` and `\w` differ: [NSP-276].
struct SwiftPatternReader {
    private let pattern: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var output = ""
    private var depth = 0
    private var groups = 0
    /// True after an alternative of the whole pattern: its anchors do not hold for all of them.
    private var hasAlternatives = false
    /// True if what was read last is the end of the text: `$`.
    private var endsInAnchor = false
    /// The character that was read last, if it stands for itself: the next one may join it to one character.
    private var lastLiteral: Unicode.Scalar?

    private static let deepest = 32
    private static let anything = #"[\s\S]*"#

    init(_ pattern: String) {
        self.pattern = pattern
        scalars = Array(pattern.unicodeScalars)
    }

    /// A pattern for the whole text, which holds where the pattern is found anywhere in it.
    mutating func wholePattern() throws(Refusal) -> String {
        let beginsHere = takeOpeningAnchor()
        try alternatives()
        if next != nil { throw refusal(from: position, count: 1) }
        guard !hasAlternatives else { return try wholeChoice() }
        let endsHere = endsInAnchor
        if endsHere { output.removeLast(2) }
        let core = beginsHere && endsHere ? output : "(?:\(output))"
        return (beginsHere ? "" : Self.anything) + core + (endsHere ? "" : Self.anything)
    }

    /// Anchors of one alternative stay where they are.
    private mutating func wholeChoice() throws(Refusal) -> String {
        position = 0
        output = ""
        groups = 0
        lastLiteral = nil
        try alternatives()
        return "\(Self.anything)(?:\(output))\(Self.anything)"
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func takeOpeningAnchor() -> Bool {
        guard next == "^" || next == "\\" && peek(1) == "A" else { return false }
        position += next == "^" ? 1 : 2
        return true
    }

    // MARK: Structure

    private mutating func alternatives() throws(Refusal) {
        try sequence()
        while take("|") {
            if depth == 0 { hasAlternatives = true }
            output += "|"
            lastLiteral = nil
            try sequence()
        }
    }

    private mutating func sequence() throws(Refusal) {
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = position
            endsInAnchor = false
            let isAnchor = try part()
            let isRepeated = try quantifier(isAnchor, from: start)
            endsInAnchor = endsInAnchor && depth == 0 && !isRepeated
        }
    }

    /// Reads one part; returns true for an anchor, which is not repeated.
    private mutating func part() throws(Refusal) -> Bool {
        guard let scalar = next else { return false }
        if "([.\\^$".unicodeScalars.contains(scalar) { lastLiteral = nil }
        switch scalar {
        case "(": try group()
        case "[": try characterClass()
        case "\\": return try escape()
        case ".": copy(1)
        case "^":
            position += 1
            output += "^"
            return true
        case "$":
            position += 1
            output += #"\z"#
            endsInAnchor = true
            return true
        case "*", "+", "?", "{": throw refusal(from: position, count: 1)
        default:
            try literal(scalar, from: position)
            position += 1
        }
        return false
    }

    private mutating func copy(_ count: Int) {
        for scalar in scalars[position..<position + count] { output.unicodeScalars.append(scalar) }
        position += count
    }

    /// `(a)`, `(?:a)`, `(?=a)`, `(?!a)`, `(?>a)`, `(?<name>a)`, `(?i)`, `(?i:a)`
    private mutating func group() throws(Refusal) {
        let start = position
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw refusal(from: start, count: 1) }
        position += 1
        if take("?") {
            guard try opening(from: start) else { return }
        } else {
            groups += 1
            output += "("
        }
        try alternatives()
        guard take(")") else { throw refusal(from: start, count: 1) }
        output += ")"
        lastLiteral = nil
    }

    /// What follows `(?`; false for `(?i)`, which opens no group.
    private mutating func opening(from start: Int) throws(Refusal) -> Bool {
        for kind in [":", "=", "!", ">"] where take(kind) {
            output += "(?\(kind)"
            return true
        }
        if take("<") { return try name(from: start) }
        var options = ""
        while let scalar = next, scalar == "i" || scalar == "s" {
            options.unicodeScalars.append(scalar)
            position += 1
        }
        guard !options.isEmpty else { throw refusal(from: start, count: 3) }
        output += "(?\(options)"
        if take(":") {
            output += ":"
            return true
        }
        guard take(")") else { throw refusal(from: start, count: position - start + 1) }
        output += ")"
        return false
    }

    /// `(?<year>`: a group with a number as well; ICU takes fewer names.
    private mutating func name(from start: Int) throws(Refusal) -> Bool {
        guard let first = next, first != "=", first != "!" else { throw refusal(from: start, count: 4) }
        while let scalar = next, scalar != ">" {
            guard scalar.properties.isXIDContinue else { throw refusal(from: start, count: 3) }
            position += 1
        }
        guard take(">") else { throw refusal(from: start, count: 3) }
        groups += 1
        output += "("
        return true
    }

    /// `*`, `+?`, `{2,3}+`
    private mutating func quantifier(_ isAnchor: Bool, from start: Int) throws(Refusal) -> Bool {
        guard let scalar = next, "*+?{".unicodeScalars.contains(scalar) else { return false }
        guard !isAnchor else { throw refusal(from: start, count: position - start + 1) }
        if scalar == "{" { try count() } else { copy(1) }
        if let mark = next, mark == "?" || mark == "+" { copy(1) }
        lastLiteral = nil
        return true
    }

    /// `{2}`, `{2,}`, `{2,3}`, `{,3}`
    private mutating func count() throws(Refusal) {
        let start = position
        position += 1
        let low = number()
        let isOpen = take(",")
        let high = isOpen ? number() : nil
        guard take("}"), low != nil || high != nil else { throw refusal(from: start, count: 1) }
        output += "{\(low ?? 0)\(isOpen ? "," : "")\(high.map { "\($0)" } ?? "")}"
    }

    /// At most nine digits.
    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = next, ("0"..."9").contains(scalar), digits.count < 9 {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        return Int(digits)
    }

    // MARK: Characters

    /// `\d`, `\.`, `\u{e9}`, `\p{Lu}`, `\A`, `\1`; returns true for an anchor.
    private mutating func escape() throws(Refusal) -> Bool {
        let start = position
        guard let letter = peek(1) else { throw refusal(from: start, count: 1) }
        switch letter {
        case "d", "D", "w", "W", "s", "S": copy(2)
        case "p", "P": try property(from: start)
        case "A", "z":
            copy(2)
            endsInAnchor = letter == "z"
            return true
        case "1"..."9":
            guard let digit = Int(String(letter)), digit <= groups, peek(2).map({ ("0"..."9").contains($0) }) != true
            else {
                throw refusal(from: start, count: 2)
            }
            copy(2)
        default: try literal(try escaped(from: start), from: start)
        }
        return false
    }

    /// A character that is written with a backslash: `\n`, `\.`, `\x41`, `\u{e9}`.
    private mutating func escaped(from start: Int) throws(Refusal) -> Unicode.Scalar {
        position += 1
        guard let letter = next else { throw refusal(from: start, count: 1) }
        position += 1
        switch letter {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "f": return "\u{C}"
        case "e": return "\u{1B}"
        case "a": return "\u{7}"
        case "x": return try code(digits: 2, from: start)
        case "u": return try code(digits: 4, from: start)
        default:
            let isMark = letter.isASCII && letter.value > 0x20 && !letter.properties.isXIDContinue || letter == " "
            guard isMark else { throw refusal(from: start, count: 2) }
            return letter
        }
    }

    /// `41` of `\x41`, `{e9}` of `\u{e9}`
    private mutating func code(digits: Int, from start: Int) throws(Refusal) -> Unicode.Scalar {
        let isBraced = take("{")
        var text = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit, text.count < (isBraced ? 8 : digits) {
            text.unicodeScalars.append(scalar)
            position += 1
        }
        guard isBraced ? take("}") : text.count == digits, let value = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw refusal(from: start, count: 2) }
        return scalar
    }

    /// General categories, which both know by these names.
    private static let categories: Set<String> = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp",
    ]

    private mutating func property(from start: Int) throws(Refusal) {
        position += 2
        var name = ""
        guard take("{") else { throw refusal(from: start, count: 2) }
        while let scalar = next, scalar != "}" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard Self.categories.contains(name), take("}") else {
            throw refusal(from: start, count: position - start + 1)
        }
        output += "\\\(String(scalars[start + 1])){\(name)}"
    }

    /// A character that stands for itself. One that joins the one before it is a part of a character of several code points.
    private mutating func literal(_ scalar: Unicode.Scalar, from start: Int) throws(Refusal) {
        if Self.joins(lastLiteral, scalar) { throw refusal(from: start, count: max(1, position - start)) }
        lastLiteral = scalar
        write(scalar, escaping: #"\^$.|?*+()[]{}"#)
    }

    private mutating func write(_ scalar: Unicode.Scalar, escaping marks: String) {
        if marks.unicodeScalars.contains(scalar) { output += "\\" }
        switch scalar {
        case "\n": output += #"\n"#
        case "\r": output += #"\r"#
        case "\t": output += #"\t"#
        default: output.unicodeScalars.append(scalar)
        }
    }

    /// True if a code point makes one character with the one before it, or would with any letter.
    private static func joins(_ previous: Unicode.Scalar?, _ scalar: Unicode.Scalar) -> Bool {
        var text = String.UnicodeScalarView()
        text.append(previous ?? "a")
        text.append(scalar)
        if String(text).count == 1 { return true }
        return String(String.UnicodeScalarView(["a", scalar])).count == 1
    }

    // MARK: Classes

    /// `[a-z\d]`, `[^"]`
    private mutating func characterClass() throws(Refusal) {
        let start = position
        position += 1
        // Swift spells properties so: `[:scx=Greek:]`.
        guard next != ":" else { throw refusal(from: start, count: 2) }
        output += take("^") ? "[^" : "["
        var isEmpty = true
        while let scalar = next, scalar != "]" {
            try member(scalar)
            isEmpty = false
        }
        guard !isEmpty, take("]") else { throw refusal(from: start, count: 1) }
        output += "]"
    }

    private mutating func member(_ scalar: Unicode.Scalar) throws(Refusal) {
        let start = position
        if scalar == "[" || ("&-~".unicodeScalars.contains(scalar) && peek(1) == scalar) {
            throw refusal(from: start, count: scalar == "[" ? 1 : 2)
        }
        if scalar == "\\", let letter = peek(1), "dDwWsS".unicodeScalars.contains(letter) { return copy(2) }
        if scalar == "\\", let letter = peek(1), letter == "p" || letter == "P" { return try property(from: start) }
        let low = try single(scalar)
        guard next == "-", let last = peek(1), last != "]" else { return writeMember(low) }
        position += 1
        guard last != "[", last != "-" else { throw refusal(from: start, count: position - start + 1) }
        let high = try single(last)
        guard low.value <= high.value else { throw refusal(from: start, count: position - start) }
        writeMember(low)
        output += "-"
        writeMember(high)
    }

    /// A character of a class.
    private mutating func single(_ scalar: Unicode.Scalar) throws(Refusal) -> Unicode.Scalar {
        let start = position
        var member = scalar
        if scalar == "\\" { member = try escaped(from: start) } else { position += 1 }
        guard !Self.joins(nil, member) else { throw refusal(from: start, count: position - start) }
        return member
    }

    private mutating func writeMember(_ scalar: Unicode.Scalar) {
        write(scalar, escaping: #"\[]^-&{}$"#)
    }

    /// The refusal of some characters of the pattern.
    private func refusal(from start: Int, count: Int) -> Refusal {
        let end = min(start + count, scalars.count)
        func text(_ slice: ArraySlice<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: slice)
            return String(view)
        }
        let (before, part) = (text(scalars[..<start]).utf8.count, text(scalars[start..<end]))
        return Refusal(
            .pattern(part.isEmpty ? "its end" : part), excerpt: (pattern, before..<before + part.utf8.count))
    }
}
