#if !canImport(Darwin)
    public import Foundation
    internal import PredicateConversion
    public import PredicateEvaluation
    public import PredicateSyntax

    extension FormatPredicate {
        /// Makes the value of an NSPredicate, for SQL and for policies:
        /// `try SQLCompiler(…).compile(FormatPredicate(predicate), entity: "Person")`
        ///
        /// Foundation's own compounds and constants are converted, and so is an object of a subclass that was made from
        /// a format or from other predicates: as on Apple's platforms, a store does not call its `evaluate(with:)`. A
        /// closure, or any other object, becomes a leaf that evaluators call and SQL refuses. [NSP-178]
        public init(_ predicate: Foundation.NSPredicate) { self = predicate.evaluatedPredicate.withForeignTrees }
    }

    extension FormatExpression {
        /// Makes the value of an NSExpression.
        public init(_ expression: FoundationExpression) { self = FormatExpression(expression.node).withForeignTrees }
    }

    extension Foundation.NSPredicate {
        /// The predicate for evaluation, with leaves that call the objects of subclasses.
        var evaluatedPredicate: FormatPredicate {
            if let own = self as? FoundationPredicate, own.isOwn { return own.core.predicate }
            if type(of: self) == Foundation.NSCompoundPredicate.self,
                let compound = self as? Foundation.NSCompoundPredicate
            {
                return FormatPredicate(.compound(compound.compound))
            }
            if let value = foundationConstant { return .constant(value) }
            return FormatPredicate(
                foreign: { object, bindings in
                    // A subclass may override either of the two.
                    bindings == nil
                        ? self.evaluate(with: object)
                        : self.evaluate(with: object, substitutionVariables: bindings)
                },
                evaluating: (self as? FoundationPredicate)?.givenTree)
        }

        /// The tree for evaluation.
        var node: PredicateNode { evaluatedPredicate.node }

        /// The result of a constant of Foundation's class, which only its equality with another constant reveals.
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

    /// `try people.filtered(using: predicate)`: sequences accept an NSPredicate and evaluate it as a batch.
    extension Foundation.NSPredicate: EvaluablePredicate {
        public func evaluator() throws(EvaluationError) -> PredicateEvaluator {
            if let own = self as? FoundationPredicate, own.isOwn { return try own.core.evaluator }
            return try PredicateCore(evaluatedPredicate).evaluator
        }
    }

    // Foundation has these initializers and marks them unavailable; initializers of an extension take precedence.
    extension Foundation.NSPredicate {
        /// Parses a format string: `NSPredicate(format: "%K == %@ AND age > %d", "name", "jo", 18)`
        ///
        /// Arguments may have any type, including nil, and are never parsed as format. A format that does not parse
        /// stops the program with a message that shows the position and a hint; ``init(validating:_:)`` throws
        /// instead.
        public convenience init(format predicateFormat: String, _ args: Any?...) {
            self.init(format: predicateFormat, values: args)
        }

        /// Parses a format string with an array of arguments:
        /// `NSPredicate(format: "%K IN %@", argumentArray: ["name", ["jo", "al"]])`
        public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            self.init(format: predicateFormat, values: arguments ?? [])
        }

        /// Unavailable: a Spotlight query has no meaning without its index.
        @available(*, unavailable, message: "write the query as a format: NSPredicate(format:)")
        public convenience init?(fromMetadataQueryString queryString: String) {
            self.init(value: false)
        }

        private convenience init(format: String, values: [Any?]) {
            do throws(PredicateFormatError) {
                self.init(try FormatPredicate(format: format, arguments: values.map(PredicateValue.init(argument:))))
            } catch {
                PredicateSettings.stop(error.description)
            }
        }

        /// Makes the object for a predicate: `NSPredicate(try FormatPredicate("age >= 18"))` is a comparison.
        public convenience init(_ predicate: FormatPredicate) {
            let made = FoundationPredicate.object(of: predicate)
            if let made = made as? Self {
                self.init(replacing: made)
            } else {
                self.init(value: false)
                (self as? FoundationPredicate)?.core = made.core
            }
        }
    }

    extension Foundation.NSPredicate {
        /// Returns the predicate with its variables replaced by values:
        /// `template.withSubstitutionVariables(["LAST_NAME": "Turner"])`
        ///
        /// A variable without a value stops the program; with ``PredicateSettings/ErrorPolicy/answerFalse(_:)`` the
        /// predicate is returned unchanged. [NSP-136]
        public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
            do throws(PredicateFormatError) {
                let values = PredicateVariables(variables.mapValues(PredicateValue.init(argument:)))
                let substituted = FoundationPredicate.object(of: try evaluatedPredicate.substituting(values))
                return substituted as? Self ?? self
            } catch {
                return PredicateSettings.answer(self, for: error)
            }
        }

        /// Does nothing: a decoded predicate can call only what is registered in ``PredicateSettings/registry`` and
        /// can be evaluated immediately.
        public func allowEvaluation() {}
    }

    // Apple's Foundation has these two for class types only; here any type can be used.
    extension Foundation.NSPredicate {
        /// Makes a predicate from a Swift predicate: `NSPredicate(#Predicate<Person> { $0.age >= 18 })`
        ///
        /// Nil if the language cannot express it; `FormatPredicate(_:names:)` throws the reason.
        public convenience init?<Input>(_ predicate: Predicate<Input>) {
            guard let predicate = try? FormatPredicate(predicate) else { return nil }
            self.init(predicate)
        }
    }

    extension FoundationExpression {
        /// Makes an expression from a Swift expression: `NSExpression(#Expression<Order, Double> { $0.price * 2 })`
        ///
        /// Nil if the language cannot express it; `FormatExpression(_:names:)` throws the reason.
        public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) {
            guard let expression = try? FormatExpression(expression) else { return nil }
            self.init(expression)
        }
    }
#endif
