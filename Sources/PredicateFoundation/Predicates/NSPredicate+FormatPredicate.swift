#if !canImport(Darwin)
    public import Foundation
    public import PredicateEvaluation
    public import PredicateSyntax

    extension Foundation.NSPredicate {
        /// The predicate as a value, for SQL and for a policy: `try SQLCompiler(…).compile(predicate.formatPredicate, …)`
        ///
        /// Foundation's own compounds are joined, its constants kept. A closure, and an object of a class that this module does not
        /// know, is a leaf that evaluators call and SQL refuses. [NSP-178]
        public var formatPredicate: FormatPredicate {
            if let own = self as? FoundationPredicate, own.isOwn { return own.core.predicate }
            if type(of: self) == Foundation.NSCompoundPredicate.self,
                let compound = self as? Foundation.NSCompoundPredicate
            {
                return FormatPredicate(.compound(compound.compound))
            }
            if let value = foundationConstant { return .constant(value) }
            return FormatPredicate(foreign: { self.evaluate(with: $0, substitutionVariables: $1) })
        }

        /// The tree.
        var node: PredicateNode { formatPredicate.node }

        /// The result of a constant of Foundation's, which it tells by being equal to another.
        private var foundationConstant: Bool? {
            guard type(of: self) == Foundation.NSPredicate.self else { return nil }
            return [true, false].first { isEqual(Foundation.NSPredicate(value: $0)) }
        }
    }

    extension Foundation.NSCompoundPredicate {
        fileprivate var compound: CompoundPredicate {
            CompoundPredicate(PredicateSyntax.LogicalType(compoundPredicateType), subpredicates.map(\.node))
        }
    }

    extension LogicalType {
        init(_ type: Foundation.NSCompoundPredicate.LogicalType) {
            switch type {
            case .not: self = .not
            case .and: self = .and
            case .or: self = .or
            }
        }

        var foundationType: Foundation.NSCompoundPredicate.LogicalType {
            switch self {
            case .not: .not
            case .and: .and
            case .or: .or
            }
        }
    }

    /// Sequences of Swift are filtered by an NSPredicate, too: `try people.filtered(using: predicate)`, as a batch.
    extension Foundation.NSPredicate: EvaluablePredicate {
        public func evaluator() throws(EvaluationError) -> PredicateEvaluator {
            if let own = self as? FoundationPredicate, own.isOwn { return try own.core.evaluator }
            return try PredicateCore(formatPredicate).evaluator
        }
    }

    /// A predicate is an argument of formats: `NSPredicate(format: "SUBQUERY(friends, $f, $f.age > 18).@count > 0 AND %@ == YES", other)`
    extension Foundation.NSPredicate: PredicateValueConvertible {
        public var predicateValue: PredicateValue { .predicate(node) }
    }
#endif
