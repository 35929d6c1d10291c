#if !canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    public import PredicateSyntax

    // Foundation has these initializers and marks them as unavailable; those of an extension win over them.
    extension Foundation.NSPredicate {
        /// Parses a format string: `NSPredicate(format: "%K == %@ AND age > %d", "name", "jo", 18)`
        ///
        /// An argument is a value of any type, nil too, and never parsed as format. A format that does not parse stops the program
        /// with the place and a cure; ``init(validating:_:)`` throws instead.
        public convenience init(format predicateFormat: String, _ args: Any?...) {
            self.init(format: predicateFormat, values: args)
        }

        /// Parses a format string with an array of arguments:
        /// `NSPredicate(format: "%K IN %@", argumentArray: ["name", ["jo", "al"]])`
        public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
            self.init(format: predicateFormat, values: arguments ?? [])
        }

        /// Parses a format string that a person wrote: `try NSPredicate(validating: field.text)`
        ///
        /// - Throws: `PredicateFormatError` with the place and a hint.
        public convenience init(validating predicateFormat: String, _ args: Any?...) throws {
            self.init(try FormatPredicate(format: predicateFormat, arguments: args.map(PredicateValue.init(argument:))))
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
        /// The predicate with values in place of its variables: `template.withSubstitutionVariables(["LAST_NAME": "Turner"])`
        ///
        /// A variable without a value stops the program, or with ``PredicateSettings/ErrorPolicy/answerFalse(_:)`` leaves the
        /// predicate as it is. [NSP-136]
        public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
            do throws(PredicateFormatError) {
                let values = variables.mapValues(PredicateValue.init(argument:))
                let substituted = FoundationPredicate.object(of: try formatPredicate.substituting(values))
                return substituted as? Self ?? self
            } catch {
                return PredicateSettings.answer(self, for: error)
            }
        }

        /// Nothing: a decoded predicate reaches no code but what ``PredicateSettings/registry`` names, and may be evaluated at once.
        public func allowEvaluation() {}
    }
#endif
