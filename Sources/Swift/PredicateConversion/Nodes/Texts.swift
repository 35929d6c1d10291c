import Foundation
import PredicateSyntax

/// `$0.name.starts(with: "Jo")`
extension PredicateExpressions.SequenceStartsWith: ConvertibleNode {
    var operands: [any PredicateExpression] { [base, prefix] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        let types: [Any.Type] = [Base.Output.self, Prefix.Output.self]
        return .condition(try walk.search(.beginsWith, base, prefix, types, "SequenceStartsWith", scope))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write(".starts(with: ")
        printer.argument(1, of: self)
        printer.write(")")
    }
}

/// `$0.name.contains("o")`
extension PredicateExpressions.CollectionContainsCollection: ConvertibleNode {
    var operands: [any PredicateExpression] { [base, other] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        let types: [Any.Type] = [Base.Output.self, Other.Output.self]
        return .condition(try walk.search(.contains, base, other, types, "CollectionContainsCollection", scope))
    }

    func print(to printer: inout SourcePrinter) { printer.call("contains", self) }
}

extension Walk {
    /// Searches in a string. In the language the empty string is never found; in Swift it always is.
    fileprivate func search(
        _ operator: StringOperator, _ text: any PredicateExpression, _ needle: any PredicateExpression,
        _ types: [Any.Type], _ node: String, _ scope: ConversionScope
    ) throws(ConversionRefusal) -> PredicateNode {
        if let other = types.first(where: { !ValueType.isText($0) }) {
            throw ConversionRefusal(.unsupported(node: node, .sequenceSearch(type: "\(other)")))
        }
        let text = try value(text, at: 0, scope)
        let needle = try value(needle, at: 1, scope)
        let found = PredicateNode.matching(text, `operator`, needle)
        guard case .constantValue(let constant) = needle else {
            return .any([found, .comparing(needle, .equalTo, .constantValue(.string("")))])
        }
        return constant == .string("") ? .constant(true) : found
    }
}

/// `$0.name.contains(/J.*n/)`
extension PredicateExpressions.StringContainsRegex: ConvertibleNode {
    var operands: [any PredicateExpression] { [subject, regex] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        let text = try walk.value(subject, at: 0, scope)
        guard ValueType.isText(Subject.Output.self) else {
            throw ConversionRefusal(
                .unsupported(node: "StringContainsRegex", .sequenceSearch(type: "\(Subject.Output.self)")))
        }
        guard let node = regex as? any ConvertibleNode, FreeVariables.none(in: node),
            let pattern = try? regex.evaluate(PredicateBindings()),
            let literal = PredicateExpressions.PredicateRegex(pattern)?.stringRepresentation
        else { throw ConversionRefusal(.unsupported(node: "StringContainsRegex", .variablePattern)).below(1) }
        var swift = SwiftPattern(literal)
        let whole = try swift.wholePattern()
        // An empty pattern matches nothing in the language.
        if whole.isEmpty { return .condition(.comparing(text, .equalTo, .constantValue(.string("")))) }
        return .condition(.matching(text, .matches, .constantValue(.string(whole))))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        let pattern = (try? regex.evaluate(PredicateBindings())).flatMap { PredicateExpressions.PredicateRegex($0) }
        printer.write(".contains(/\(pattern?.stringRepresentation ?? "…")/)")
    }
}

/// Translates a Swift regular expression to an equivalent one for ICU.
///
/// `^J.*n$` of `contains(/^J.*n$/)` becomes `J.*n`, which matches the whole string; `o+` becomes
/// `[\s\S]*(?:o+)[\s\S]*`.
///
/// Constructs that ICU interprets differently are refused with their position: word boundaries, which Swift
/// determines by Unicode rules, lines under `(?m)`, set operations in classes, and everything else that is not listed
/// here. Strings consist of characters in Swift and of code points in ICU, and `\d` and `\w` differ beyond ASCII:
/// [NSP-276].
struct SwiftPattern {
    private let pattern: String
    private let tree: PatternTree
    private var output = ""
    private var depth = 0
    private var groups = 0
    /// The last character written, if it is literal: the next code point may combine with it into one character.
    private var lastLiteral: Unicode.Scalar?

    private static let deepest = 32
    private static let anything = #"[\s\S]*"#

    init(_ pattern: String) {
        self.pattern = pattern
        tree = PatternTree(pattern, .swift)
    }

    /// Returns a pattern that matches a whole string if this pattern is found anywhere in that string.
    mutating func wholePattern() throws(ConversionRefusal) -> String {
        // With several alternatives, anchors stay in their alternatives.
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

    /// Returns an anchor of the string as ICU spells it; nil for other parts.
    private func anchor(_ part: PatternNode) -> String? {
        switch part {
        case .beginning: "^"
        case .end: #"\z"#
        case .escape(let escape): escape.letter == "A" ? #"\A"# : escape.letter == "z" ? #"\z"# : nil
        case .character, .dot, .set, .group, .repetition, .emptyQuotation, .quantifier, .malformed: nil
        }
    }

    /// Returns the refusal of a part of the pattern.
    private func refusal(_ range: Range<Int>) -> ConversionRefusal {
        let part = tree.text(range)
        return ConversionRefusal(.pattern(part.isEmpty ? "its end" : part), excerpt: (pattern, range))
    }

    // MARK: Structure

    private mutating func write(_ choice: PatternChoice) throws(ConversionRefusal) {
        for (index, branch) in choice.branches.enumerated() {
            if index > 0 { output += "|" }
            lastLiteral = nil
            for part in branch.parts { try write(part) }
        }
    }

    private mutating func write(_ part: PatternNode) throws(ConversionRefusal) {
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

    /// `(a)`, `(?:a)`, `(?=a)`, `(?!a)`, `(?>a)`, `(?<name>a)`, `(?i)`, `(?i:a)`. ICU allows fewer names.
    private mutating func write(_ group: PatternGroup) throws(ConversionRefusal) {
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
        case .special, .comment:
            guard ["(?=", "(?!", "(?>"].contains(opening) else { throw refusal(group.opening) }
            output += opening
        }
        try write(group.content)
        guard group.isClosed else { throw refusal(group.opening) }
        output += ")"
    }

    /// `a*`, `a+?`, `a{2,3}+`. An anchor cannot be repeated.
    private mutating func write(_ repetition: PatternRepetition) throws(ConversionRefusal) {
        try write(repetition.part)
        let quantifier = repetition.quantifier
        if anchor(repetition.part) != nil { throw refusal(repetition.range) }
        if quantifier.manner == .malformed { throw refusal(quantifier.range) }
        let text = tree.text(quantifier.range)
        output += text.hasPrefix("{,") ? "{0" + text.dropFirst() : text
    }

    // MARK: Characters

    /// `\d`, `\p{Lu}`, `\A`, `\1`
    private mutating func write(_ escape: PatternEscape) throws(ConversionRefusal) {
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

    /// General categories with the same names in Swift and in ICU.
    private static let categories: Set<String> = [
        "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe",
        "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl", "Zp",
    ]

    private func isCategory(_ escape: PatternEscape) -> Bool {
        escape.argument.map { Self.categories.contains(tree.text($0)) } ?? false
    }

    /// Writes a literal character. A code point that combines with the previous one is refused, because together they are
    /// one character in Swift.
    private mutating func write(_ character: PatternCharacter, after previous: Unicode.Scalar?)
        throws(ConversionRefusal)
    {
        let scalar = try scalar(of: character)
        if Self.joins(character.spelling == .plain ? previous : nil, scalar) { throw refusal(character.range) }
        lastLiteral = scalar
        write(scalar, escaping: #"\^$.|?*+()[]{}"#)
    }

    /// `a`, `\n`, `\.`, `\x41`, `\u{e9}`
    private func scalar(of character: PatternCharacter) throws(ConversionRefusal) -> Unicode.Scalar {
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

    /// Returns true if a code point forms one character with the previous one, or would with any letter.
    private static func joins(_ previous: Unicode.Scalar?, _ scalar: Unicode.Scalar) -> Bool {
        var text = String.UnicodeScalarView()
        text.append(previous ?? "a")
        text.append(scalar)
        if String(text).count == 1 { return true }
        return String(String.UnicodeScalarView(["a", scalar])).count == 1
    }

    // MARK: Classes

    /// `[a-z\d]`, `[^"]`
    private mutating func write(_ set: PatternSet) throws(ConversionRefusal) {
        let opening = tree.range(from: set.range.lowerBound, count: 1)
        output += set.isInverted ? "[^" : "["
        for (index, member) in set.members.enumerated() {
            // Swift writes properties as `[:scx=Greek:]`, and `[]` is an empty set.
            let (place, first) = (member.range.lowerBound, index == 0 ? tree.bytes[member.range.lowerBound] : 0)
            if first == UInt8(ascii: "]") || first == UInt8(ascii: ":") && !set.isInverted {
                throw refusal(opening.lowerBound..<place + 1)
            }
            try write(member)
        }
        guard set.isClosed else { throw refusal(opening) }
        output += "]"
    }

    private mutating func write(_ member: PatternSet.Member) throws(ConversionRefusal) {
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

    private func scalar(ofMember character: PatternCharacter) throws(ConversionRefusal) -> Unicode.Scalar {
        let scalar = try scalar(of: character)
        guard !Self.joins(nil, scalar) else { throw refusal(character.range) }
        return scalar
    }

    private mutating func writeMember(_ scalar: Unicode.Scalar) {
        write(scalar, escaping: #"\[]^-&{}$"#)
    }
}
