import Testing

@testable import PredicateSyntax

/// A tree as text: `(a* [b-c])`, with a `!` after what is malformed.
enum PatternDump {
    static func text(_ tree: PatternTree) -> String { text(tree.choice, tree) }

    private static func text(_ choice: PatternChoice, _ tree: PatternTree) -> String {
        "(" + choice.branches.map { $0.parts.map { text($0, tree) }.joined(separator: " ") }.joined(separator: "|")
            + ")"
    }

    private static func text(_ part: PatternNode, _ tree: PatternTree) -> String {
        switch part {
        case .character(let character): text(character)
        case .dot: "."
        case .beginning: "^"
        case .end: "$"
        case .escape(let escape): text(escape, tree)
        case .set(let set): text(set, tree)
        case .group(let group):
            "group:\(group.kind)" + (group.kind.isSwitch ? "" : text(group.content, tree))
                + (group.isClosed ? "" : "!")
        case .repetition(let repetition): text(repetition.part, tree) + text(repetition.quantifier)
        case .emptyQuotation: "0"
        case .quantifier(let quantifier): text(quantifier) + "!"
        case .malformed: "!"
        }
    }

    private static func text(_ character: PatternCharacter) -> String {
        let scalar = character.scalar
        if "]}".unicodeScalars.contains(scalar) { return "\\\(scalar)" }
        return scalar.isASCII && scalar.value > 0x20
            ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    private static func text(_ escape: PatternEscape, _ tree: PatternTree) -> String {
        "\\" + (escape.letter.map { "\($0)" } ?? "") + (escape.argument.map { ":" + tree.text($0) } ?? "")
    }

    private static func text(_ set: PatternSet, _ tree: PatternTree) -> String {
        let members = set.members.map { member in
            switch member {
            case .character(let character): text(character)
            case .range(let low, let high): text(low) + "-" + (high.map(text) ?? "!")
            case .escape(let escape): text(escape, tree)
            case .set(let nested): text(nested, tree)
            case .operator(let range): tree.text(range)
            }
        }
        return (set.isInverted ? "[^" : "[") + members.joined(separator: " ") + (set.isClosed ? "]" : "!")
    }

    private static func text(_ quantifier: PatternQuantifier) -> String {
        let (least, most) = (quantifier.least, quantifier.most)
        let mark =
            quantifier.isCounted ? "{\(least),\(most.map { "\($0)" } ?? "")}" : most == 1 ? "?" : least == 0 ? "*" : "+"
        switch quantifier.manner {
        case .greedy: return mark
        case .lazy: return mark + "?"
        case .possessive: return mark + "+"
        case .malformed: return "{!"
        }
    }
}

/// Ranges of a tree: those of the parts of a part lie within its own, one after another, and leave out only the marks around them.
enum PatternCover {
    static func check(_ tree: PatternTree, sourceLocation: SourceLocation = #_sourceLocation) {
        let fault = tree.choice.range == tree.bytes.indices ? fault(tree.choice, tree) : tree.choice.range
        #expect(
            fault == nil, "\(String(decoding: tree.bytes.prefix(200), as: UTF8.self))", sourceLocation: sourceLocation)
    }

    /// The first range that is not where it has to be.
    static func fault(_ choice: PatternChoice, _ tree: PatternTree) -> Range<Int>? {
        fault(choice.branches.map(\.range), within: choice.range, gap: 1)
            ?? choice.branches.firstResult { branch in
                fault(branch.parts.map(\.range), within: branch.range, gap: 0)
                    ?? branch.parts.firstResult { fault($0, tree) }
            }
    }

    private static func fault(_ part: PatternNode, _ tree: PatternTree) -> Range<Int>? {
        if part.range.isEmpty { return part.range }
        switch part {
        case .character, .dot, .beginning, .end, .emptyQuotation, .quantifier, .malformed: return nil
        case .escape(let escape):
            return escape.argument.flatMap { fault([$0], within: escape.range, gap: nil) }
        case .set(let set): return fault(set)
        case .group(let group):
            return fault([group.content.range], within: group.range, gap: nil) ?? fault(group.content, tree)
        case .repetition(let repetition):
            return fault([repetition.part.range, repetition.quantifier.range], within: repetition.range, gap: 0)
                ?? fault(repetition.part, tree)
        }
    }

    private static func fault(_ set: PatternSet) -> Range<Int>? {
        let inner = set.range.lowerBound + (set.isInverted ? 2 : 1)..<set.range.upperBound - (set.isClosed ? 1 : 0)
        return fault(set.members.map(\.range), within: inner, gap: 0)
            ?? set.members.firstResult { member in
                guard case .set(let nested) = member else { return nil }
                return fault(nested)
            }
    }

    /// Ranges with so many bytes between them, which fill a range; with nil for the gap they only lie within it.
    private static func fault(_ ranges: [Range<Int>], within whole: Range<Int>, gap: Int?) -> Range<Int>? {
        var end = whole.lowerBound - (gap ?? 0)
        for range in ranges {
            guard gap.map({ range.lowerBound == end + $0 }) ?? (range.lowerBound >= end) else { return range }
            end = range.upperBound
        }
        return end == whole.upperBound || gap == nil && end < whole.upperBound || ranges.isEmpty && whole.isEmpty
            ? nil : whole
    }
}

extension Sequence {
    fileprivate func firstResult<Result>(_ transform: (Element) -> Result?) -> Result? {
        for element in self {
            if let result = transform(element) { return result }
        }
        return nil
    }
}
