import PredicateText

/// A template as plain predicates are written with it: its parts lie in an ``Arena``.
struct PlainTemplate {
    let text: KeptText
    let holes: UnsafeBufferPointer<SQLTemplate.Hole>
    let precedence: SQLText.Precedence?

    init(_ template: SQLTemplate, _ arena: Arena) {
        text = arena.keep(text: template.bytes)
        holes = UnsafeBufferPointer(start: arena.keep(template.holes), count: template.holes.count)
        precedence = template.precedence
    }
}

/// An operator that stands between its operands: ` + `
struct PlainInfix {
    let sign: ShortText
    /// An operand that binds more loosely is put in parentheses.
    let left, right: SQLText.Precedence
    let precedence: SQLText.Precedence

    /// Nil for a template that is more than that.
    init?(_ template: SQLTemplate) {
        guard template.holes.map(\.operand) == [0, 1], template.holes[0].position == 0,
            template.holes[1].position == template.bytes.count, let precedence = template.precedence,
            let sign = ShortText(String(decoding: template.bytes, as: UTF8.self))
        else { return nil }
        (left, right) = (template.holes[0].least, template.holes[1].least)
        self.sign = sign
        self.precedence = precedence
    }
}

/// What a dialect says of operands, as far as plain predicates need it; nil for what it has no words for.
struct PlainTemplates: @unchecked Sendable {
    let notSame: PlainTemplate
    private let searches: UnsafePointer<PlainTemplate?>
    private let arithmetic: UnsafePointer<PlainInfix?>
    private let calls: UnsafePointer<PlainTemplate?>

    /// The templates, in memory of an arena.
    init(_ templates: DialectTemplates, _ arena: Arena) {
        let kept = { (template: SQLTemplate?) in template.map { PlainTemplate($0, arena) } }
        notSame = PlainTemplate(templates.notSame, arena)
        searches = UnsafePointer(
            arena.keep(
                SQLTextRelation.allCases.flatMap { relation in
                    [true, false].map { kept(templates.search(relation, isKnown: $0)) }
                }))
        let operators = SQLArithmetic.allCases.map { templates.arithmetic($0).flatMap(PlainInfix.init) }
        arithmetic = UnsafePointer(arena.keep(operators))
        calls = UnsafePointer(arena.keep(SQLFunction.allCases.map { kept(templates.call($0)) }))
    }

    func search(_ relation: SQLTextRelation, isKnown: Bool) -> PlainTemplate? {
        searches[2 * relation.rawValue + (isKnown ? 0 : 1)]
    }

    func arithmetic(_ operation: SQLArithmetic) -> PlainInfix? { arithmetic[operation.rawValue] }
    func call(_ function: SQLFunction) -> PlainTemplate? { calls[function.number] }
}
