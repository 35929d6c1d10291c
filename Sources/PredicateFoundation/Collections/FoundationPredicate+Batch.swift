#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    extension FoundationPredicate {
        /// The positions of the elements for which the predicate holds, as a batch where it can be one.
        func acceptedIndices(of elements: [Any]) -> [Int] {
            if isOwn, core.foreign == nil, let accepted = try? batch(elements) { return accepted }
            // Element by element an error has the outcome that the policy gives it.
            return elements.indices.filter { evaluate(with: elements[$0]) }
        }

        /// The elements for which the predicate holds.
        func accepted(of elements: [Any]) -> [Any] {
            acceptedIndices(of: elements).map { elements[$0] }
        }

        private func batch(_ elements: [Any]) throws -> [Int] {
            let evaluator = try core.evaluator
            if let first = elements.first, let type = type(of: first) as? any KeyValueCoding.Type,
                let accepted = try Self.batch(elements, of: type, evaluator)
            {
                return accepted
            }
            return try elements.indices(matching: evaluator)
        }

        /// The positions among elements of one type, which a program for the type evaluates; nil if there is another type among them.
        private static func batch<Object: KeyValueCoding>(
            _ elements: [Any], of type: Object.Type, _ evaluator: PredicateEvaluator
        ) throws -> [Int]? {
            var objects: [Object] = []
            objects.reserveCapacity(elements.count)
            for element in elements {
                guard let object = element as? Object else { return nil }
                objects.append(object)
            }
            return try objects.indices(matching: evaluator)
        }
    }
#endif
