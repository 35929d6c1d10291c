#if !canImport(Darwin)
    public import Foundation
    import PredicateSyntax

    /// A predicate of the whole language as a Foundation object: `NSPredicate` of the module NSPredicates.
    ///
    /// ```swift
    /// let adults = NSPredicate(format: "age >= %@", 18)
    /// adults.evaluate(with: ["age": 21])
    /// NSArray(array: people).filtered(using: adults)
    /// ```
    ///
    /// It answers as `FormatPredicate` does, prints, compares and archives as Apple's classes do, and never changes, so that a copy
    /// is the object itself. A format makes an object of the subclass for its outermost operator: ``FoundationComparisonPredicate``
    /// or ``FoundationCompoundPredicate``. An error of an evaluation follows ``PredicateSettings/ErrorPolicy``.
    open class FoundationPredicate: Foundation.NSPredicate, NSSecureCoding {
        /// The tree with its evaluator. Set again only by initializers, for a subclass of the program's own.
        var core: PredicateCore

        /// A predicate that always has this result: `NSPredicate(value: true)` prints as `TRUEPREDICATE`.
        public override init(value: Bool) {
            core = PredicateCore(.constant(value))
            super.init(value: value)
        }

        /// A predicate that a closure decides: `NSPredicate { object, bindings in … }`. It is equal to itself alone, prints as
        /// `BLOCKPREDICATE(<"NSPredicate">)`, and neither archives nor SQL take it. [NSP-178]
        public override init(block: @escaping (Any?, [String: Any]?) -> Bool) {
            core = PredicateCore(foreign: block)
            super.init(block: block)
        }

        /// A predicate that holds: the placeholder of code that sets another one later, `var predicate = NSPredicate()`
        public convenience init() {
            self.init(value: true)
        }

        // No designated initializer but the public ones, so that subclasses in other modules inherit them all.
        convenience init(core: PredicateCore) {
            // Foundation's own equality sees a constant only where there is one.
            if case .constant(let value) = core.node { self.init(value: value) } else { self.init { _, _ in false } }
            self.core = core
        }

        /// The object for a predicate: of the subclass that Apple's parser would take.
        static func object(of predicate: FormatPredicate) -> FoundationPredicate {
            let core = PredicateCore(predicate)
            switch predicate.node {
            case .comparison, .string: return FoundationComparisonPredicate(core: core)
            case .compound: return FoundationCompoundPredicate(core: core)
            case .constant, .block: return FoundationPredicate(core: core)
            }
        }

        /// True for an object of the three classes here; a subclass of the program's own may evaluate as it likes.
        var isOwn: Bool {
            let type = type(of: self)
            return type == FoundationPredicate.self || type == FoundationComparisonPredicate.self
                || type == FoundationCompoundPredicate.self
        }

        /// True if an object of this class may hold the tree.
        class func accepts(_ node: PredicateNode) -> Bool { true }

        // MARK: - NSPredicate

        /// The predicate in Apple's canonical spelling: `age >= 18`.
        open override var predicateFormat: String { core.predicate.predicateFormat }

        /// Evaluates the predicate with an object of any type: `predicate.evaluate(with: person)`
        open override func evaluate(with object: Any?) -> Bool {
            evaluate(with: object, substitutionVariables: nil)
        }

        /// Evaluates the predicate with an object and values for its variables:
        /// `predicate.evaluate(with: person, substitutionVariables: ["AGE": 18])`
        open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            // A closure gets the object as it was passed, not as the language sees it.
            if let foreign = core.foreign { return foreign.call(object, bindings) }
            return core.evaluate(with: object, bindings: bindings)
        }

        // MARK: - NSObject

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? Foundation.NSPredicate else { return false }
            return self === other || isOwn && core.node == other.node
        }

        open override var hash: Int { core.node.hashValue }

        open override var description: String { predicateFormat }

        /// The predicate itself, which never changes.
        open override func copy(with zone: NSZone? = nil) -> Any { self }

        // MARK: - NSSecureCoding

        /// True: an archive holds a format and constants, and decoding it is parsing.
        open class var supportsSecureCoding: Bool { true }

        /// Reads a predicate from a keyed archive; nil if it holds none, or one of another class.
        public required convenience init?(coder: NSCoder) {
            guard let predicate = ArchivedTree.decode(FormatPredicate.self, with: coder), Self.accepts(predicate.node)
            else { return nil }
            self.init(predicate)
        }

        /// Writes the predicate to a keyed archive. One with a closure has no archived form: nothing is written, and decoding gives nil.
        open func encode(with coder: NSCoder) {
            ArchivedTree.encode(core.predicate, with: coder)
        }
    }
#endif
