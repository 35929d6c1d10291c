import PredicateText

/// What is written for a column: a text in which the alias of its table stands once.
///
/// `t0."name" COLLATE BINARY`
struct AliasedText {
    /// The text with the alias of the root.
    let text: KeptText
    /// Where the number of the alias stands in it.
    let place: Int
    let precedence: SQLText.Precedence
    /// How many templates stand in one another.
    let depth: Int

    fileprivate init(_ draft: Draft, _ arena: Arena) {
        text = arena.keep(text: draft.bytes)
        place = draft.place
        precedence = draft.precedence
        depth = draft.depth
    }

    /// `t0."name"`
    init(_ quoted: [UInt8], _ arena: Arena) {
        self.init(Draft(quoted), arena)
    }

    /// A text that is put together from the inside.
    fileprivate struct Draft {
        var bytes: [UInt8]
        var place = 1
        var precedence = SQLText.Precedence.atom
        var depth = 0

        init(_ quoted: [UInt8]) {
            bytes = Array("t0.".utf8) + quoted
        }

        /// The draft as the operand of a template; nil where the column would stand there more than once.
        func inside(_ template: SQLTemplate) -> Draft? {
            guard template.holes.count == 1, let hole = template.holes.first else { return nil }
            let isLoose = precedence < hole.least
            let operand = isLoose ? [UInt8(ascii: "(")] + bytes + [UInt8(ascii: ")")] : bytes
            var draft = self
            draft.bytes = template.bytes[..<hole.position] + operand + template.bytes[hole.position...]
            draft.place = hole.position + (isLoose ? 1 : 0) + place
            draft.precedence = template.precedence ?? (isLoose ? .atom : precedence)
            draft.depth += 1
            return draft
        }
    }
}

/// A column of texts as operators see it under each mode; nil for what the dialect has no words for.
struct AliasedForms {
    private let forms: UnsafePointer<AliasedText?>

    /// What is written where.
    enum Use: Int, CaseIterable {
        /// Where a piece is looked for in the text
        case plain
        /// Where texts are put in order
        case ordered
        /// Where texts are equal or not
        case unordered
    }

    init(_ column: ColumnReference, _ quoted: [UInt8], _ templates: DialectTemplates, _ arena: Arena) {
        let drafts = FoldMode.allCases.flatMap { mode in
            let text = Self.text(AliasedText.Draft(quoted), mode, templates)
            let pair = mode == .none ? column.comparable : templates.comparableResult
            return [text, Self.inside(pair.ordered, text), Self.inside(pair.unordered, text)]
        }
        forms = UnsafePointer(arena.keep(drafts.map { draft in draft.map { AliasedText($0, arena) } }))
    }

    subscript(_ mode: FoldMode, _ use: Use) -> AliasedText? {
        forms[Int(mode.rawValue) * Use.allCases.count + use.rawValue]
    }

    /// The column as `[c]` and `[d]` see it.
    private static func text(
        _ column: AliasedText.Draft, _ mode: FoldMode, _ templates: DialectTemplates
    ) -> AliasedText.Draft? {
        mode == .none ? column : templates.call(.fold(mode)).flatMap(column.inside)
    }

    /// The text as an operand of a comparison by code points.
    private static func inside(_ template: SQLTemplate?, _ text: AliasedText.Draft?) -> AliasedText.Draft? {
        template.flatMap { text?.inside($0) }
    }
}
