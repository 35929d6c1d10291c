import PredicateSyntax

#if canImport(Darwin)
    import Darwin
#else
    import Synchronization
#endif

/// The templates of a compiler, by the fingerprints of predicates: a direct-mapped cache.
///
/// A template takes a second compilation, so it is derived for a shape that is compiled again.
final class TemplateCache: Sendable {
    private static let slotCount = 64

    private struct Slots {
        var templates = [StatementTemplate?](repeating: nil, count: slotCount)
        /// The fingerprint that missed last.
        var missed = [UInt64](repeating: 0, count: slotCount)
    }

    #if canImport(Darwin)
        nonisolated(unsafe) private let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
        nonisolated(unsafe) private var slots = Slots()

        init() {
            lock.initialize(to: os_unfair_lock())
        }

        deinit {
            lock.deallocate()
        }

        private func withSlots<Result>(_ body: (inout Slots) -> Result) -> Result {
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            return body(&slots)
        }
    #else
        private let slots = Mutex(Slots())

        private func withSlots<Result: Sendable>(_ body: (inout Slots) -> Result) -> Result {
            slots.withLock { body(&$0) }
        }
    #endif

    /// The template that predicates of this fingerprint may fit.
    func template(for fingerprint: UInt64) -> StatementTemplate? {
        let slot = Int(truncatingIfNeeded: fingerprint) & (Self.slotCount - 1)
        return withSlots { $0.templates[slot] }
    }

    /// Notes a predicate without a template; true if one of its fingerprint was the last that missed.
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

/// A hash of the shape of a predicate, and of its texts: equal shapes have equal fingerprints, others seldom.
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

    /// The kind of a constant, and whether it is one of those near zero.
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

    /// Length and ends of a name.
    private mutating func add(_ name: String) {
        var name = name
        name.withUTF8 { bytes in
            mix(bytes.count << 16 | Int(bytes.first ?? 0) << 8 | Int(bytes.last ?? 0))
        }
    }
}
