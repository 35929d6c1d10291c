/// Writes the typed form as SQL text through a dialect.
///
/// A condition comes out TRUE exactly where it holds, and FALSE or NULL where it does not: enough for WHERE, AND, OR,
/// EXISTS and CASE. Under a negation that would lose the NULLs, so what is negated is asked whether it is TRUE.
struct Emitter {
    let dialect: any SQLDialect
    /// The functions that the text calls.
    private(set) var functions: Set<SQLFunction> = []
    /// A name that the database cannot hold.
    private(set) var unusableName: String?

    /// A chain of more terms than this is divided, so that databases which parse it as a deep tree can follow.
    private static let longestChain = 64

    init(_ dialect: any SQLDialect) {
        self.dialect = dialect
    }

    // MARK: Conditions

    mutating func text(_ condition: ConditionForm) -> SQLText {
        switch condition {
        case .constant(let value): dialect.constant(value)
        case .and(let conditions): chain(conditions[...], .and, " AND ")
        case .or(let conditions): chain(conditions[...], .or, " OR ")
        case .not(let inner): negation(inner)
        case .isNull(let value): isNull(value, negated: false)
        case .same(let left, let right): dialect.isSame(text(left), text(right), negated: false)
        case .sameText(let left, let right): sameText(left, right, negated: false)
        case .compare(let left, let relation, let right):
            SQLText.comparison(text(left), sign(relation), text(right))
        case .compareText(let left, let relation, let right): compareText(left, sign(relation), right, relation)
        case .text(let relation, let value, let needle): search(relation, value, needle)
        case .like(let value, let pattern): dialect.like(text(value), text(pattern))
        case .truth(let value): text(value)
        case .isIn(let value, let elements, let isText): isIn(value, elements, isText: isText)
        case .isInList(let value, let list, let type):
            dialect.isIn(type == .text ? comparable(value, ordered: false) : text(value), json: text(list), of: type)
                ?? dialect.constant(false)
        case .exists(let scope, let condition): exists(scope, condition)
        }
    }

    /// `a AND b AND c`, in halves when there are many.
    private mutating func chain(
        _ conditions: ArraySlice<ConditionForm>, _ precedence: SQLText.Precedence, _ word: StaticString
    ) -> SQLText {
        var pieces: [SQLText] = []
        if conditions.count > Self.longestChain {
            let middle = conditions.startIndex + conditions.count / 2
            pieces = [conditions[..<middle], conditions[middle...]].map { chain($0, precedence, word).parenthesised }
        } else {
            for condition in conditions { pieces.append(text(condition).operand(precedence)) }
        }
        return SQLText.joined(pieces, by: word).binding(precedence)
    }

    /// The opposite, never NULL.
    private mutating func negation(_ condition: ConditionForm) -> SQLText {
        switch condition {
        case .constant(let value): return dialect.constant(!value)
        case .isNull(let value): return isNull(value, negated: true)
        case .same(let left, let right): return dialect.isSame(text(left), text(right), negated: true)
        case .sameText(let left, let right): return sameText(left, right, negated: true)
        case .compare(let left, .equal, let right) where right.isKnown:
            if left.isNeverNull { return SQLText.comparison(text(left), "<>", text(right)) }
            return dialect.isSame(text(left), text(right), negated: true)
        case .compareText(let left, .equal, let right) where right.isKnown:
            if left.isNeverNull { return compareText(left, "<>", right, .equal) }
            return sameText(left, right, negated: true)
        case .exists:
            let exists = text(condition)
            let result: SQLText = "NOT \(exists)"
            return result.binding(.not)
        case .and, .or, .not, .compare, .compareText, .text, .like, .truth, .isIn, .isInList:
            let result: SQLText = "\(text(condition).operand(.bit)) IS NOT TRUE"
            return result.binding(.comparison)
        }
    }

    private mutating func isNull(_ value: ValueForm, negated: Bool) -> SQLText {
        let operand = text(value).operand(.bit)
        let result: SQLText = negated ? "\(operand) IS NOT NULL" : "\(operand) IS NULL"
        return result.binding(.comparison)
    }

    private func sign(_ relation: RelationOperator) -> SQLText {
        switch relation {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }

    private mutating func exists(_ scope: Scope, _ condition: ConditionForm) -> SQLText {
        "EXISTS (SELECT 1\(from(scope, condition)))"
    }

    // MARK: Texts

    private mutating func compareText(
        _ left: ValueForm, _ sign: SQLText, _ right: ValueForm, _ relation: RelationOperator
    ) -> SQLText {
        let (left, right) = operands(left, right, ordered: relation.isOrdering)
        return SQLText.comparison(left, sign, right)
    }

    private mutating func sameText(_ left: ValueForm, _ right: ValueForm, negated: Bool) -> SQLText {
        let (left, right) = operands(left, right, ordered: false)
        return dialect.isSame(left, right, negated: negated)
    }

    /// One side says how texts compare: a column, since it would bring a collation of its own.
    private mutating func operands(
        _ left: ValueForm, _ right: ValueForm, ordered: Bool
    ) -> (left: SQLText, right: SQLText) {
        if case .column = right, !left.isColumn { return (text(left), comparable(right, ordered: ordered)) }
        return (comparable(left, ordered: ordered), text(right))
    }

    mutating func comparable(_ value: ValueForm, ordered: Bool) -> SQLText {
        let piece = text(value)
        guard case .column(let column) = value else {
            return dialect.comparable(piece, .result, ordered: ordered) ?? piece
        }
        return dialect.comparable(piece, .column(collation: column.collation), ordered: ordered) ?? piece
    }

    private mutating func search(_ relation: SQLTextRelation, _ value: ValueForm, _ needle: Needle) -> SQLText {
        let piece: SQLNeedle =
            switch needle {
            case .known(let text, let bytes): SQLNeedle(text: SQLText(text), bytes: SQLText(bytes))
            case .value(let form): SQLNeedle(text: text(form), bytes: nil)
            }
        return dialect.text(text(value), relation, piece) ?? dialect.constant(false)
    }

    private mutating func isIn(_ value: ValueForm, _ elements: [ValueForm], isText: Bool) -> SQLText {
        let operand = isText ? comparable(value, ordered: false) : text(value)
        let list = SQLText.joined(elements.map { text($0) }, by: ", ")
        return SQLText.comparison(operand, "IN", list.parenthesised)
    }

    // MARK: Names

    mutating func name(_ identifier: String) -> SQLText {
        guard let quoted = dialect.quoted(identifier) else {
            unusableName = unusableName ?? identifier
            return "?"
        }
        return SQLText(name: quoted)
    }

    func alias(_ number: Int) -> SQLText {
        SQLText(name: Self.aliases.indices.contains(number) ? Self.aliases[number] : "t\(number)")
    }

    /// `t0."age"`
    mutating func column(_ identifier: String, of alias: Int) -> SQLText {
        guard let quoted = dialect.quoted(identifier) else { return name(identifier) }
        let prefix = Self.prefixes.indices.contains(alias) ? Self.prefixes[alias] : "t\(alias)."
        return SQLText(name: prefix + quoted)
    }

    private static let aliases = (0..<16).map { "t\($0)" }
    private static let prefixes = (0..<16).map { "t\($0)." }

    mutating func note(_ function: SQLFunction) {
        functions.insert(function)
    }
}

extension ValueForm {
    /// A parameter, which is never NULL.
    fileprivate var isKnown: Bool {
        if case .parameter = self { true } else { false }
    }

    fileprivate var isColumn: Bool {
        if case .column = self { true } else { false }
    }

    fileprivate var isNeverNull: Bool {
        switch self {
        case .parameter: true
        case .column(let column): !column.isNullable
        case .word, .null, .arithmetic, .checked, .cast, .call, .conditional, .aggregate: false
        }
    }
}
