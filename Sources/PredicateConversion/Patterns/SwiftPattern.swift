import PredicateSyntax

/// A regular expression of Swift, written as one that means the same to ICU.
///
/// `^J.*n$` of `contains(/^J.*n$/)` becomes `J.*n`, which covers the whole text; `o+` becomes `[\s\S]*(?:o+)[\s\S]*`.
///
/// What ICU reads in another way is refused with its place: word boundaries, which Swift finds by rules of Unicode, lines
/// under `(?m)`, set operations in classes, and whatever else is not listed here. A text is characters to Swift and code
/// points to ICU, and beyond ASCII their `\d` and `\w` differ: [NSP-276].
struct SwiftPattern {
    private let pattern: String
    private let tree: PatternTree
    private var output = ""
    private var depth = 0
    private var groups = 0
    /// The character that was written last, if it stands for itself: the next one may join it to one character.
    private var lastLiteral: Unicode.Scalar?

    private static let deepest = 32
    private static let anything = #"[\s\S]*"#

    init(_ pattern: String) {
        self.pattern = pattern
        tree = PatternTree(pattern, .swift)
    }

    /// A pattern for the whole text, which holds where the pattern is found anywhere in it.
    mutating func wholePattern() throws(Refusal) -> String {
        // Anchors of one alternative stay where they are.
        guard tree.choice.branches.count == 1 else {
            try write(tree.choice)
            return "\(Self.anything)(?:\(output))\(Self.anything)"
        }
        var parts = tree.choice.branches[0].parts[...]
        let beginsHere = parts.first.map(isBeginning) ?? false
        if beginsHere { parts.removeFirst() }
        let endsHere = parts.last.map(isEnd) ?? false
        if endsHere { parts.removeLast() }
        for part in parts { try write(part) }
        let core = beginsHere && endsHere ? output : "(?:\(output))"
        return (beginsHere ? "" : Self.anything) + core + (endsHere ? "" : Self.anything)
    }

    private func isBeginning(_ part: PatternNode) -> Bool { ["^", #"\A"#].contains(anchor(part)) }
    private func isEnd(_ part: PatternNode) -> Bool { anchor(part) == #"\z"# }

    /// The anchors of a text, as ICU spells them; nil for other parts.
    private func anchor(_ part: PatternNode) -> String? {
        switch part {
        case .beginning: "^"
        case .end: #"\z"#
        case .escape(let escape): escape.letter == "A" ? #"\A"# : escape.letter == "z" ? #"\z"# : nil
        case .character, .dot, .set, .group, .repetition, .emptyQuotation, .quantifier, .malformed: nil
        }
    }

    /// The refusal of a part of the pattern.
    private func refusal(_ range: Range<Int>) -> Refusal {
        let part = tree.text(range)
        return Refusal(.pattern(part.isEmpty ? "its end" : part), excerpt: (pattern, range))
    }

    // MARK: Structure

    private mutating func write(_ choice: PatternChoice) throws(Refusal) {
        for (index, branch) in choice.branches.enumerated() {
            if index > 0 { output += "|" }
            lastLiteral = nil
            for part in branch.parts { try write(part) }
        }
    }

    private mutating func write(_ part: PatternNode) throws(Refusal) {
        let previous = lastLiteral
        lastLiteral = nil
        switch part {
        case .character(let character): try write(character, after: previous)
        case .dot: output += "."
        case .beginning, .end: output += anchor(part) ?? ""
        case .escape(let escape): try write(escape)
        case .set(let set): try write(set)
        case .group(let group):
            depth += 1
            try write(group)
            depth -= 1
            lastLiteral = nil
        case .repetition(let repetition):
            lastLiteral = previous
            try write(repetition)
            lastLiteral = nil
        case .emptyQuotation, .quantifier, .malformed: throw refusal(part.range)
        }
    }

    /// `(a)`, `(?:a)`, `(?=a)`, `(?!a)`, `(?>a)`, `(?<name>a)`, `(?i)`, `(?i:a)`. ICU takes fewer names.
    private mutating func write(_ group: PatternGroup) throws(Refusal) {
        let opening = tree.text(group.opening)
        guard depth <= Self.deepest else { throw refusal(group.opening) }
        switch group.kind {
        case .capturing, .named:
            groups += 1
            output += "("
        case .plain: output += opening
        case .options(let letters), .optionSwitch(let letters):
            guard letters.utf8.allSatisfy("is".utf8.contains) else { throw refusal(group.opening) }
            output += opening
            if group.kind.isSwitch { return }
        case .special:
            guard ["(?=", "(?!", "(?>"].contains(opening) else { throw refusal(group.opening) }
            output += opening
        }
        try write(group.content)
        guard group.isClosed else { throw refusal(group.opening) }
        output += ")"
    }

    /// `a*`, `a+?`, `a{2,3}+`; an anchor is not repeated.
    private mutating func write(_ repetition: PatternRepetition) throws(Refusal) {
        try write(repetition.part)
        let quantifier = repetition.quantifier
        if anchor(repetition.part) != nil { throw refusal(repetition.range) }
        if quantifier.manner == .malformed { throw refusal(quantifier.range) }
        let text = tree.text(quantifier.range)
        output += text.hasPrefix("{,") ? "{0" + text.dropFirst() : text
    }

    // MARK: Characters

    /// `\d`, `\p{Lu}`, `\A`, `\1`
    private mutating func write(_ escape: PatternEscape) throws(Refusal) {
        switch escape.letter {
        case "d", "D", "w", "W", "s", "S", "A", "z": break
        case "p", "P": guard isCategory(escape) else { throw refusal(escape.range) }
        case let letter:
            guard let digit = letter.flatMap({ Int(String($0)) }), digit > 0, digit <= groups, escape.argument == nil
            else {
                throw refusal(escape.range)
            }
        }
        output += tree.text(escape.range)
    }

    /// General categories, which both know by these names.
    private static let categories: Set<String> = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp",
    ]

    private func isCategory(_ escape: PatternEscape) -> Bool {
        escape.argument.map { Self.categories.contains(tree.text($0)) } ?? false
    }

    /// A character that stands for itself. One that joins the one before it is a part of a character of several code points.
    private mutating func write(_ character: PatternCharacter, after previous: Unicode.Scalar?) throws(Refusal) {
        let scalar = try scalar(of: character)
        if Self.joins(character.spelling == .plain ? previous : nil, scalar) { throw refusal(character.range) }
        lastLiteral = scalar
        write(scalar, escaping: #"\^$.|?*+()[]{}"#)
    }

    /// `a`, `\n`, `\.`, `\x41`, `\u{e9}`
    private func scalar(of character: PatternCharacter) throws(Refusal) -> Unicode.Scalar {
        let scalar = character.scalar
        switch character.spelling {
        case .plain, .code: return scalar
        case .escaped where scalar.isASCII && scalar.value >= 0x20 && scalar != "_": return scalar
        case .escaped, .quoted: throw refusal(character.range)
        }
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
    private mutating func write(_ set: PatternSet) throws(Refusal) {
        let opening = tree.range(from: set.range.lowerBound, count: 1)
        output += set.isInverted ? "[^" : "["
        for (index, member) in set.members.enumerated() {
            // Swift spells properties so: `[:scx=Greek:]`; and `[]` is empty.
            let (place, first) = (member.range.lowerBound, index == 0 ? tree.bytes[member.range.lowerBound] : 0)
            if first == UInt8(ascii: "]") || first == UInt8(ascii: ":") && !set.isInverted {
                throw refusal(opening.lowerBound..<place + 1)
            }
            try write(member)
        }
        guard set.isClosed else { throw refusal(opening) }
        output += "]"
    }

    private mutating func write(_ member: PatternSet.Member) throws(Refusal) {
        switch member {
        case .character(let character): writeMember(try scalar(ofMember: character))
        case .range(let low, let high):
            guard let high else { throw refusal(member.range) }
            let (first, last) = (try scalar(ofMember: low), try scalar(ofMember: high))
            guard first <= last else { throw refusal(member.range) }
            writeMember(first)
            output += "-"
            writeMember(last)
        case .escape(let escape):
            switch escape.letter {
            case "d", "D", "w", "W", "s", "S": break
            case "p", "P": guard isCategory(escape) else { throw refusal(escape.range) }
            default: throw refusal(escape.range)
            }
            output += tree.text(escape.range)
        case .set(let nested): throw refusal(tree.range(from: nested.range.lowerBound, count: 1))
        case .operator(let range): throw refusal(range)
        }
    }

    private func scalar(ofMember character: PatternCharacter) throws(Refusal) -> Unicode.Scalar {
        let scalar = try scalar(of: character)
        guard !Self.joins(nil, scalar) else { throw refusal(character.range) }
        return scalar
    }

    private mutating func writeMember(_ scalar: Unicode.Scalar) {
        write(scalar, escaping: #"\[]^-&{}$"#)
    }
}
