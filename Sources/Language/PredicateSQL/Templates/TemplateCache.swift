import PredicateSyntax
import PredicateText

/// The templates of a compiler, by the fingerprints of predicates: a direct-mapped cache.
///
/// A template needs a second compilation, so it is derived only for a shape that is compiled again.
///
/// `@unchecked`: a lock protects every access to the slots.
final class TemplateCache: @unchecked Sendable {
    private static let slotCount = 64

    private struct Slots {
        var templates = [StatementTemplate?](repeating: nil, count: slotCount)
        /// The last fingerprint that missed.
        var missed = [UInt64](repeating: 0, count: slotCount)
    }

    private let lock = ThreadLock()
    @exclusivity(unchecked) private var slots = Slots()

    private func withSlots<Result>(_ body: (inout Slots) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&slots)
    }

    /// Returns the template that may fit predicates with this fingerprint.
    func template(for fingerprint: UInt64) -> StatementTemplate? {
        let slot = Int(truncatingIfNeeded: fingerprint) & (Self.slotCount - 1)
        return withSlots { $0.templates[slot] }
    }

    /// Records a predicate without a template. Returns true if the previous miss had the same fingerprint.
    func missed(_ fingerprint: UInt64) -> Bool {
        let slot = Int(truncatingIfNeeded: fingerprint) & (Self.slotCount - 1)
        return withSlots { slots in
            defer { slots.missed[slot] = fingerprint }
            return slots.missed[slot] == fingerprint
        }
    }

    func insert(_ template: StatementTemplate, for fingerprint: UInt64) {
        let slot = Int(truncatingIfNeeded: fingerprint) & (Self.slotCount - 1)
        withSlots { $0.templates[slot] = template }
    }
}

/// A hash of the shape of a predicate and its strings: equal shapes have equal fingerprints, and different shapes
/// rarely do.
struct ShapeFingerprint {
    private(set) var value: UInt64

    init(_ node: PredicateNode, entity: Int) {
        value = UInt64(truncatingIfNeeded: entity) &+ 1
        add(node)
        value ^= value >> 29
    }

    private mutating func mix(_ number: Int) {
        value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x9E37_79B9_7F4A_7C15
    }

    private mutating func add(_ node: PredicateNode) {
        switch node {
        case .constant(let value): mix(value ? 2 : 1)
        case .comparison(let comparison): add(comparison)
        case .string(let comparison):
            add(comparison)
            if comparison.operator.binding == nil,
                case .constantValue(.string(let pattern)) = comparison.rightExpression
            {
                for byte in pattern.utf8 { mix(Int(byte)) }
            }
        case .compound(let compound):
            mix(3 + compound.count)
            for index in 0..<compound.count { add(compound[index]) }
        case .block: mix(5)
        }
    }

    private mutating func add<Operator>(_ comparison: OperatorComparison<Operator>) {
        mix(comparison.options.rawValue)
        add(comparison.leftExpression)
        add(comparison.rightExpression)
    }

    private mutating func add(_ expression: ExpressionNode) {
        switch expression {
        case .constantValue(let value): add(value)
        case .keyPath(let path):
            switch path.steps {
            case .key(let name), .basedKey(_, let name): add(name)
            case .keys(let first, let second):
                add(first)
                add(second)
            case .components(let components), .based(_, let components): mix(components.count)
            }
        case .function(let call): mix(64 + call.count)
        case .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .block, .fetch:
            mix(7)
        }
    }

    /// Adds the type of a constant, and a value near zero.
    private mutating func add(_ value: PredicateValue) {
        switch value {
        case .integer(let value): mix(value > 1 ? 16 : value < 0 ? 17 : 18 + Int(value))
        case .double: mix(20)
        case .string(let text): mix(text.isEmpty ? 21 : 22)
        case .date: mix(23)
        case .array(let elements): mix(32 + elements.count)
        case .null, .nullObject, .bool, .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary, .object,
            .expression, .predicate:
            mix(9)
        }
    }

    /// Adds the length of a name, and its first and last bytes.
    private mutating func add(_ name: String) {
        var name = name
        name.withUTF8 { bytes in
            mix(bytes.count << 16 | Int(bytes.first ?? 0) << 8 | Int(bytes.last ?? 0))
        }
    }
}

/// A compiled predicate as a template for all predicates of its shape: the body, and how constants become bindings.
///
/// `age > 21 AND name == "jo"` serves `age > 65 AND name == "al"`.
///
/// It is derived from the typed form: the predicate is resolved once more with sentinels for its open constants
/// (``OpenConstants``), and the position of each sentinel among the bindings is recorded. A predicate whose SQL or
/// bindings depend on the values in any other way has no template.
final class StatementTemplate: Sendable {
    /// The source of a binding.
    private enum BindingSource: Sendable {
        /// A value that is the same for every predicate of the shape.
        case fixed(SQLBinding)
        /// An open constant, by its number.
        case constant(Int, BindingConversion)
        /// The regular expression for an open constant under a fold.
        case expression(Int, FoldedPattern)
    }

    let body: StatementBody
    private let shape: PredicateNode
    private let entity: Int
    private let sides: [OpenSide]
    private let classes: [ConstantClass]
    private let sources: [BindingSource]

    /// Functions whose result is computed at compile time and changes between compilations.
    private static let volatileFunctions = ["now", "random", "randomn:", "ago", "ago:"]

    /// Derives the template from a compiled predicate. Returns nil if its bindings are not determined by its open
    /// constants.
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
        var sources: [BindingSource] = []
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
    ) -> BindingSource? {
        for (index, value) in sentinels.enumerated() {
            for conversion in BindingConversion.allCases where conversion.binding(of: value) == sentinel {
                return .constant(index, conversion)
            }
        }
        for (index, value) in sentinels.enumerated() {
            guard let kind = expressions, let expression = FoldedPattern(of: value, sentinel, kind) else { continue }
            return .expression(index, expression)
        }
        return sentinel == binding ? .fixed(binding) : nil
    }

    /// Returns the bindings for a predicate of this shape; nil for a predicate of another shape.
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

/// A conversion of a constant to the regular expression that finds it under a fold.
private struct FoldedPattern {
    /// The search; nil for the whole string.
    private var search: SQLPiece.Search?
    private var mode = FoldMode.none
    private let kind: SQLRegularExpressions

    private static let searches: [SQLPiece.Search?] = SQLPiece.Search.allCases + [nil]
    private static let modes: [FoldMode] = [.caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive]

    /// Finds the conversion from a constant to a binding. Returns nil if there is none.
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

    /// Returns the regular expression.
    func binding(of value: PredicateValue) -> SQLBinding? {
        guard case .string(let text) = value else { return nil }
        return kind.finding(search, [Folding.fold(text, mode)], mode).map(SQLBinding.text)
    }
}
