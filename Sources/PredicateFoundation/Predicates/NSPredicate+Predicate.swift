#if !canImport(Darwin)
    public import Foundation
    internal import PredicateConversion
    import PredicateSyntax

    // Apple's Foundation has these two for objects of classes; here any type will do.
    extension Foundation.NSPredicate {
        /// Makes a predicate of one of Swift's: `NSPredicate(#Predicate<Person> { $0.age >= 18 })`
        ///
        /// Nil for one that the language cannot say; `FormatPredicate(_:names:)` throws the reason.
        public convenience init?<Input>(_ predicate: Predicate<Input>) {
            guard let predicate = try? FormatPredicate(predicate) else { return nil }
            self.init(predicate)
        }
    }

    extension FoundationExpression {
        /// Makes an expression of one of Swift's: `NSExpression(#Expression<Order, Double> { $0.price * 2 })`
        ///
        /// Nil for one that the language cannot say; `FormatExpression(_:names:)` throws the reason.
        public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) {
            guard let expression = try? FormatExpression(expression) else { return nil }
            self.init(expression)
        }
    }
#endif
