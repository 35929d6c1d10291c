#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// A closure of the program's that gives a value, as a leaf of a tree; about threads, ``ForeignBlock`` says the same.
    struct ForeignExpression: @unchecked Sendable {
        typealias Call = (_ object: Any?, _ context: NSMutableDictionary?) -> Any?

        let call: Call
    }

    extension FormatExpression {
        /// A leaf of a closure in Foundation's form.
        init(foreign block: @escaping ForeignExpression.Call) {
            let block = ForeignExpression(call: block)
            self.init(name: "NSExpression") { object, _, variables in
                let context = variables.foundationBindings.map { NSMutableDictionary(dictionary: $0) }
                return KeyedValue(bridging: block.call(object.foundationObject, context))
            }
        }
    }
#endif
