import PredicateSyntax
import PredicateText

/// A compiled predicate as a template for all predicates of its shape: the body, and how constants become bindings.
///
/// `age > 21 AND name == "jo"` serves `age > 65 AND name == "al"`.
///
/// It is derived from the typed form: the predicate is resolved once more with sentinels for its open constants
/// (``OpenConstants``), and the position of each sentinel among the bindings is kept. A predicate whose text or
/// bindings depend on the values in any other way has no template.
final class StatementTemplate: Sendable {
    /// The source of a binding.
    private enum Source: Sendable {
        /// One value for every predicate of the shape.
        case fixed(SQLBinding)
        /// An open constant, by its number.
        case constant(Int, BindingConversion)
        /// The regular expression for an open constant under a fold.
        case expression(Int, FoldExpression)
    }

    let body: StatementBody
    private let shape: PredicateNode
    private let entity: Int
    private let sides: [OpenSide]
    private let classes: [ConstantClass]
    private let sources: [Source]

    /// Functions that are evaluated when a predicate is compiled.
    private static let volatileFunctions = ["now", "random", "randomn:"]

    /// Derives the template from a compiled predicate, in a database with a kind of regular expressions; nil where its bindings are not
    /// those of its open constants.
    init?(
        _ node: PredicateNode, entity: Int, body: StatementBody, bindings: [SQLBinding],
        expressions: SQLRegularExpressions?,
        compile: (PredicateNode) -> (body: StatementBody, bindings: [SQLBinding])?
    ) {
        let functions = PredicateReferences(node).functions
        guard !functions.contains(where: Self.volatileFunctions.contains) else { return nil }
        var sentinels: [PredicateValue] = []
        var classes: [ConstantClass] = []
        let other = OpenConstants.map(node) { _, constantClass in
            classes.append(constantClass)
            sentinels.append(constantClass.sentinel(sentinels.count))
            return sentinels[sentinels.count - 1]
        }
        guard let found = compile(other), found.body.hasSameText(as: body), found.bindings.count == bindings.count
        else {
            return nil
        }
        (self.body, shape, self.entity) = (body, node, entity)
        (self.classes, sides) = (classes, OpenConstants.sides(of: node))
        var sources: [Source] = []
        for (sentinel, binding) in zip(found.bindings, bindings) {
            guard let source = Self.source(of: sentinel, sentinels, or: binding, expressions) else { return nil }
            sources.append(source)
        }
        self.sources = sources
        guard self.bindings(for: node, entity: entity) == bindings else { return nil }
    }

    private static func source(
        of sentinel: SQLBinding, _ sentinels: [PredicateValue], or binding: SQLBinding,
        _ expressions: SQLRegularExpressions?
    ) -> Source? {
        for (index, value) in sentinels.enumerated() {
            for conversion in BindingConversion.allCases where conversion.binding(of: value) == sentinel {
                return .constant(index, conversion)
            }
        }
        for (index, value) in sentinels.enumerated() {
            guard let kind = expressions, let expression = FoldExpression(of: value, sentinel, kind) else { continue }
            return .expression(index, expression)
        }
        return sentinel == binding ? .fixed(binding) : nil
    }

    /// The bindings for a predicate of this shape; nil for one of another shape.
    func bindings(for node: PredicateNode, entity: Int) -> [SQLBinding]? {
        guard entity == self.entity else { return nil }
        var match = ShapeMatch(sides, classes)
        guard match.fits(node, shape), match.values.count == classes.count else { return nil }
        var bindings: [SQLBinding] = []
        bindings.reserveCapacity(sources.count)
        for source in sources {
            switch source {
            case .fixed(let binding): bindings.append(binding)
            case .constant(let index, let conversion):
                guard let binding = conversion.binding(of: match.values[index]) else { return nil }
                bindings.append(binding)
            case .expression(let index, let expression):
                guard let binding = expression.binding(of: match.values[index]) else { return nil }
                bindings.append(binding)
            }
        }
        return bindings
    }
}

/// A way from a constant to the regular expression that finds it under a fold.
private struct FoldExpression {
    /// Nil for a whole text.
    private var search: SQLPiece.Search?
    private var mode = FoldMode.none
    private let kind: SQLRegularExpressions

    private static let searches: [SQLPiece.Search?] = SQLPiece.Search.allCases + [nil]
    private static let modes: [FoldMode] = [.caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive]

    /// The way that leads from a constant to a binding; nil if there is none.
    init?(of value: PredicateValue, _ binding: SQLBinding, _ kind: SQLRegularExpressions) {
        self.kind = kind
        guard case .text(let text) = binding, text.hasPrefix("(?:") || text.hasPrefix(kind.start + "(?:") else {
            return nil
        }
        for mode in Self.modes {
            for search in Self.searches {
                (self.search, self.mode) = (search, mode)
                if self.binding(of: value) == binding { return }
            }
        }
        return nil
    }

    /// The expression.
    func binding(of value: PredicateValue) -> SQLBinding? {
        guard case .string(let text) = value else { return nil }
        return kind.finding(search, [Folding.fold(text, mode)], mode).map(SQLBinding.text)
    }
}
