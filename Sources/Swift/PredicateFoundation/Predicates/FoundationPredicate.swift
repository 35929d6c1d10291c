#if !canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// A predicate of the whole language as a Foundation object: `NSPredicate` of the module NSPredicates.
    ///
    /// ```swift
    /// let adults = NSPredicate(format: "age >= %@", 18)
    /// adults.evaluate(with: ["age": 21])
    /// NSArray(array: people).filtered(using: adults)
    /// ```
    ///
    /// It gives the same results as `FormatPredicate`, and prints and compares as Apple's classes do; its archives have a
    /// form of their own. It is immutable, so a copy is the object itself. A format makes an object of the subclass for its
    /// outermost operator: ``FoundationComparisonPredicate`` or ``FoundationCompoundPredicate``. Evaluation errors follow
    /// ``PredicateSettings/ErrorPolicy``.
    open class FoundationPredicate: Foundation.NSPredicate, NSSecureCoding {
        /// The tree with its evaluator, which this object owns. An evaluation reads it without reference counting, which
        /// would take half as long as the evaluation itself.
        @exclusivity(unchecked) private final var owned: Unmanaged<PredicateCore>

        /// The tree with its evaluator. Only initializers replace it, for subclasses in other modules.
        final var core: PredicateCore {
            get { owned.takeUnretainedValue() }
            set {
                owned.release()
                owned = .passRetained(newValue)
            }
        }

        /// Makes a predicate that always has this result: `NSPredicate(value: true)` prints as `TRUEPREDICATE`.
        public override init(value: Bool) {
            owned = .passRetained(PredicateCore(.constant(value)))
            super.init(value: value)
        }

        /// Makes a predicate that a closure decides: `NSPredicate { object, bindings in … }`. It equals only itself,
        /// prints as `BLOCKPREDICATE(<"NSPredicate">)`, and can be neither archived nor compiled to SQL. [NSP-178]
        public override init(block: @escaping (Any?, [String: Any]?) -> Bool) {
            owned = .passRetained(PredicateCore(foreign: block))
            super.init(block: block)
        }

        deinit {
            owned.release()
        }

        /// Makes a predicate that is always true: a placeholder for code that sets another one later, `var predicate
        /// = NSPredicate()`
        public convenience init() {
            self.init(value: true)
        }

        // Only the public initializers are designated, so that subclasses in other modules inherit all of them.
        convenience init(core: PredicateCore) {
            // Foundation's equality recognizes a constant only if it was made as one.
            if case .constant(let value) = core.node { self.init(value: value) } else { self.init { _, _ in false } }
            self.core = core
        }

        /// Returns the object for a predicate, of the same subclass that Apple's parser would return.
        static func object(of predicate: FormatPredicate) -> FoundationPredicate {
            let core = PredicateCore(predicate)
            switch predicate.node {
            case .comparison, .string: return FoundationComparisonPredicate(core: core)
            case .compound: return FoundationCompoundPredicate(core: core)
            case .constant, .block: return FoundationPredicate(core: core)
            }
        }

        /// True for an object of the three classes of this module; subclasses elsewhere may evaluate differently.
        var isOwn: Bool {
            let type = type(of: self)
            return type == FoundationPredicate.self || type == FoundationComparisonPredicate.self
                || type == FoundationCompoundPredicate.self
        }

        /// The tree that an object of a subclass was made from; nil for an object that only evaluates itself.
        var givenTree: PredicateNode? {
            switch core.node {
            case .comparison, .string, .compound: core.node
            case .constant, .block: nil
            }
        }

        /// Returns true if an object of this class may hold the tree.
        class func accepts(_ node: PredicateNode) -> Bool { true }

        // MARK: - NSPredicate

        /// The predicate in Apple's canonical spelling: `age >= 18`. A floating-point number without a fraction prints as
        /// an integer, `10` for `10.0`. [NSP-143]
        open override var predicateFormat: String { core.predicate.withForeignTrees.node.foundationFormat }

        /// Evaluates the predicate with an object of any type: `predicate.evaluate(with: person)`
        open override func evaluate(with object: Any?) -> Bool {
            evaluate(with: object, substitutionVariables: nil)
        }

        /// Evaluates the predicate with an object and values for its variables:
        /// `predicate.evaluate(with: person, substitutionVariables: ["AGE": 18])`
        open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            // The predicate owns what evaluates it.
            withExtendedLifetime(self) {
                owned._withUnsafeGuaranteedRef { $0.evaluate(with: object, bindings: bindings) }
            }
        }

        // MARK: - NSObject

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? Foundation.NSPredicate else { return false }
            return self === other || isOwn && core.node == other.node
        }

        open override var hash: Int { core.node.hashValue }

        open override var description: String { predicateFormat }

        /// Returns the predicate itself, which is immutable.
        open override func copy(with zone: NSZone? = nil) -> Any { self }

        // MARK: - NSSecureCoding

        /// True: an archive holds a format and constants, and decoding it means parsing.
        open class var supportsSecureCoding: Bool { true }

        /// Reads a predicate from a keyed archive; nil if the archive contains none, or one of another class.
        public required convenience init?(coder: NSCoder) {
            guard let predicate = ArchivedTree.decode(FormatPredicate.self, with: coder), Self.accepts(predicate.node)
            else { return nil }
            self.init(predicate)
        }

        /// Writes the predicate to a keyed archive. A predicate with a closure has no archived form: nothing is
        /// written, and decoding yields nil.
        open func encode(with coder: NSCoder) {
            ArchivedTree.encode(core.predicate.withForeignTrees, with: coder)
        }
    }

    /// Replaces each leaf that calls an object of the program by the tree with which the object was made.
    ///
    /// `a == 1 AND b == 2` for a compound of two objects of a subclass of NSPredicate
    struct ForeignTrees: TreeMapping {
        typealias Failure = Never

        func predicate(_ node: PredicateNode) -> PredicateNode {
            if case .block(let block) = node, case .predicate(let tree)? = block.body.tree { return predicate(tree) }
            var pass = self
            return pass.mappingChildren(of: node)
        }

        func expression(_ node: ExpressionNode) -> ExpressionNode {
            if case .block(let block) = node, case .expression(let tree)? = block.body.tree { return expression(tree) }
            var pass = self
            return pass.mappingChildren(of: node)
        }
    }

    extension FormatPredicate {
        /// The predicate for printing, archives and SQL, which do not call objects of the program.
        var withForeignTrees: FormatPredicate {
            PredicateReferences(node).blocks.isEmpty ? self : FormatPredicate(ForeignTrees().predicate(node))
        }
    }

    extension FormatExpression {
        /// The expression for printing, archives and SQL, which do not call objects of the program.
        var withForeignTrees: FormatExpression {
            PredicateReferences(node).blocks.isEmpty ? self : FormatExpression(ForeignTrees().expression(node))
        }
    }
#endif
