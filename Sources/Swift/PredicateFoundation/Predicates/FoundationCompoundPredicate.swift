#if !canImport(Darwin)
    public import Foundation
    import PredicateSyntax

    /// Predicates joined by AND, OR or NOT: `NSCompoundPredicate` of the module NSPredicates.
    ///
    /// `NSCompoundPredicate(andPredicateWithSubpredicates: [isAdult, isMember])` prints as `age >= 18 AND member ==
    /// 1`
    ///
    /// Without subpredicates, AND is true and OR is false. [NSP-090]
    open class FoundationCompoundPredicate: FoundationPredicate {
        /// AND, OR or NOT.
        public typealias LogicalType = Foundation.NSCompoundPredicate.LogicalType

        /// The objects from which the compound was made; nil if it was parsed.
        private var given: [FoundationPredicate]?

        /// Joins predicates of any class: `NSCompoundPredicate(type: .or, subpredicates: [isAdult, isMember])`
        public init(type: LogicalType, subpredicates: [Foundation.NSPredicate]) {
            let objects = subpredicates.map(FoundationPredicate.wrapping)
            let compound = CompoundPredicate(PredicateSyntax.LogicalType(type), objects.map(\.node))
            given = objects
            super.init { _, _ in false }
            core = PredicateCore(FormatPredicate(.compound(compound)))
        }

        /// Makes a predicate that always has this result, as in ``FoundationPredicate``.
        public override init(value: Bool) { super.init(value: value) }

        /// Makes a predicate that a closure decides, as in ``FoundationPredicate``.
        public override init(block: @escaping (Any?, [String: Any]?) -> Bool) { super.init(block: block) }

        /// `isAdult AND isMember`
        public convenience init(andPredicateWithSubpredicates subpredicates: [Foundation.NSPredicate]) {
            self.init(type: .and, subpredicates: subpredicates)
        }

        /// `isAdult OR isMember`
        public convenience init(orPredicateWithSubpredicates subpredicates: [Foundation.NSPredicate]) {
            self.init(type: .or, subpredicates: subpredicates)
        }

        /// `NOT isAdult`
        public convenience init(notPredicateWithSubpredicate predicate: Foundation.NSPredicate) {
            self.init(type: .not, subpredicates: [predicate])
        }

        /// AND, OR or NOT.
        open var compoundPredicateType: LogicalType { compound.type.foundationType }

        /// The joined predicates in order. The array has Apple's type; each element is an `NSPredicate`.
        open var subpredicates: [Any] {
            given ?? compound.subpredicates.map { FoundationPredicate.object(of: FormatPredicate($0)) }
        }

        private var compound: CompoundPredicate {
            if case .compound(let compound) = core.node { compound } else { CompoundPredicate(.and, [core.node]) }
        }

        override class func accepts(_ node: PredicateNode) -> Bool {
            if case .compound = node { true } else { false }
        }
    }

    extension FoundationPredicate {
        /// Returns the predicate itself or, for an object of Foundation's class, a predicate of this module.
        static func wrapping(_ predicate: Foundation.NSPredicate) -> FoundationPredicate {
            predicate as? FoundationPredicate ?? object(of: predicate.evaluatedPredicate)
        }
    }
#endif
