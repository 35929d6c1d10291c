#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation

    extension PredicateVariables {
        /// The values as a block of Foundation's gets them; nil if there are none.
        var foundationBindings: [String: Any]? {
            var bindings: [String: Any] = [:]
            for name in names { bindings[name] = self[name]?.foundationObject ?? NSNull() }
            return bindings.isEmpty ? nil : bindings
        }

        /// The variables of a context: the entries whose keys are strings.
        init(context: NSMutableDictionary?) {
            var values: [String: Any?] = [:]
            for case let name as String in context?.allKeys ?? [] { values[name] = context?.object(forKey: name) }
            self.init(bridging: values)
        }

        /// Sets in a context what an evaluation has assigned. [NSP-180]
        func copy(_ assigned: [String], to context: NSMutableDictionary?) {
            for name in assigned {
                context?.setObject(self[name]?.foundationObject ?? NSNull(), forKey: name as NSString)
            }
        }
    }
#endif
