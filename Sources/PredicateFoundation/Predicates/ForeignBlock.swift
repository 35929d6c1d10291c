#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// A closure or an object of the program's as a leaf of a tree.
    ///
    /// Its type does not promise safety across threads: as with Apple's classes, a predicate that holds one may be used by several
    /// threads only if the closure may.
    struct ForeignBlock: @unchecked Sendable {
        typealias Call = (_ object: Any?, _ bindings: [String: Any]?) -> Bool

        let call: Call
    }

    extension FormatPredicate {
        /// A leaf of a closure in Foundation's form.
        init(foreign block: @escaping ForeignBlock.Call) {
            let block = ForeignBlock(call: block)
            self.init(name: "NSPredicate") { object, variables in
                block.call(object.foundationObject, variables.foundationBindings)
            }
        }
    }
#endif
