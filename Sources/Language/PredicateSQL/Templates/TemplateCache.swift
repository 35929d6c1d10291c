import PredicateSyntax

/// The templates of a compiler, by the fingerprints of predicates: a direct-mapped cache.
///
/// A template needs a second compilation, so it is derived only for a shape that is compiled again.
///
/// `@unchecked`: a lock protects every access to the slots.
final class TemplateCache: @unchecked Sendable {
    struct Slot {
        var template: StatementTemplate?
        /// The last fingerprint without a template.
        private var missed: UInt64 = 0

        /// Records a predicate without a template. Returns true if the previous one had the same fingerprint.
        mutating func misses(_ fingerprint: UInt64) -> Bool {
            defer { missed = fingerprint }
            return missed == fingerprint
        }
    }

    private let lock = ThreadLock()
    @exclusivity(unchecked) private var slots = [Slot](repeating: Slot(), count: 64)

    /// Reads or changes the slot of predicates with this fingerprint.
    func withSlot<Result>(of fingerprint: UInt64, _ body: (inout Slot) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&slots[Int(truncatingIfNeeded: fingerprint) & (slots.count - 1)])
    }
}

/// A hash of the shape of a predicate of an entity: equal shapes have equal fingerprints, and different shapes rarely do.
struct ShapeFingerprint {
    private(set) var value: UInt64 = 1

    init(_ node: PredicateNode, entity: String) {
        add(entity)
        add(node)
        value ^= value >> 29
    }

    private mutating func mix(_ number: Int) {
        value = (value ^ UInt64(truncatingIfNeeded: number)) &* 0x9E37_79B9_7F4A_7C15
    }

    private mutating func add(_ node: PredicateNode) {
        switch node {
        case .constant(let value): mix(value ? 2 : 1)
        case .comparison(let comparison): add(comparison, comparison.operator.archivedNumber)
        case .string(let comparison):
            add(comparison, comparison.operator.archivedNumber ?? 0)
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

    private mutating func add<Operator>(_ comparison: OperatorComparison<Operator>, _ number: Int) {
        mix(number << 8 | comparison.options.rawValue)
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
        case .array(let elements): mix(32 + elements.count)
        case .date, .null, .nullObject, .bool, .decimal, .data, .uuid, .url, .type, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
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
    }

    /// The name under which the schema has the entity.
    private let name: String
    let entity: EntityReference
    let body: StatementBody
    private let shape: PredicateNode
    private let sides: [OpenConstants.Side]
    private let classes: [ConstantClass]
    private let sources: [BindingSource]

    /// Functions whose result is computed at compile time and changes between compilations.
    private static let volatileFunctions = ["now", "random", "randomn:", "ago", "ago:"]

    /// Derives the template from a compiled predicate. Returns nil if its bindings are not determined by its open
    /// constants.
    init?(_ node: PredicateNode, entity name: String, _ query: SQLQuery, compile: (PredicateNode) -> SQLQuery?) {
        let functions = PredicateReferences(node).functions
        guard !functions.contains(where: Self.volatileFunctions.contains) else { return nil }
        var constants = OpenConstants()
        guard let found = compile(constants.mark(node)), found.body.hasSameText(as: query.body),
            found.bindings.count == query.bindings.count
        else { return nil }
        (self.name, entity, body, shape) = (name, query.entityReference, query.body, node)
        (sides, classes) = (constants.sides, constants.classes)
        let expressions = body.size.searches > 0 ? query.dialect.regularExpressions : nil
        let known = Self.sources(of: constants.sentinels, expressions)
        sources = zip(found.bindings, query.bindings).compactMap { sentinel, binding in
            known[sentinel] ?? (sentinel == binding ? .fixed(binding) : nil)
        }
        guard bindings(for: node, entity: name) == query.bindings else { return nil }
    }

    /// Returns the bindings that sentinels can become, with their sources.
    private static func sources(
        of sentinels: [PredicateValue], _ expressions: SQLRegularExpressions?
    ) -> [SQLBinding: BindingSource] {
        var sources: [SQLBinding: BindingSource] = [:]
        let conversions = BindingConversion.all(expressions)
        for (number, value) in sentinels.enumerated() {
            for conversion in conversions {
                guard let binding = conversion.binding(of: value), sources[binding] == nil else { continue }
                sources[binding] = .constant(number, conversion)
            }
        }
        return sources
    }

    /// Returns the bindings for a predicate of this shape; nil for one of another shape or entity.
    func bindings(for node: PredicateNode, entity name: String) -> [SQLBinding]? {
        var match = ShapeMatch(sides, classes)
        guard name.hasSameCodePoints(as: self.name), match.fits(node, shape) else { return nil }
        var bindings: [SQLBinding] = []
        bindings.reserveCapacity(sources.count)
        for source in sources {
            switch source {
            case .fixed(let binding): bindings.append(binding)
            case .constant(let number, let conversion):
                guard let binding = conversion.binding(of: match.values[number]) else { return nil }
                bindings.append(binding)
            }
        }
        return bindings
    }
}
