#if !canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    // Foundation has these methods for its NSPredicate and evaluates element by element. The overloads here are
    // preferred and evaluate batches.
    extension NSArray {
        /// Returns the elements for which the predicate holds, in order.
        public func filtered(using predicate: FoundationPredicate) -> [Any] {
            predicate.accepted(of: map { $0 })
        }

        /// Returns the elements sorted by the descriptors. The sort is stable.
        public func sortedArray(using sortDescriptors: [FoundationSortDescriptor]) -> [Any] {
            sortDescriptors.sorted(map { $0 })
        }
    }

    extension NSMutableArray {
        /// Removes the elements for which the predicate does not hold.
        public func filter(using predicate: FoundationPredicate) {
            setArray(filtered(using: predicate))
        }

        /// Sorts the elements by the descriptors.
        public func sort(using sortDescriptors: [FoundationSortDescriptor]) {
            setArray(sortedArray(using: sortDescriptors))
        }
    }

    extension NSSet {
        /// Returns the elements for which the predicate holds.
        public func filtered(using predicate: FoundationPredicate) -> Set<AnyHashable> {
            Set(predicate.accepted(of: allObjects).compactMap { $0 as? AnyHashable })
        }

        /// Returns the elements sorted by the descriptors.
        public func sortedArray(using sortDescriptors: [FoundationSortDescriptor]) -> [Any] {
            sortDescriptors.sorted(allObjects)
        }
    }

    extension NSMutableSet {
        /// Removes the elements for which the predicate does not hold.
        public func filter(using predicate: FoundationPredicate) {
            setSet(filtered(using: predicate))
        }
    }

    extension NSOrderedSet {
        /// Returns the elements for which the predicate holds, in order.
        public func filtered(using predicate: FoundationPredicate) -> NSOrderedSet {
            NSOrderedSet(array: predicate.accepted(of: map { $0 }))
        }

        /// Returns the elements sorted by the descriptors.
        public func sortedArray(using sortDescriptors: [FoundationSortDescriptor]) -> [Any] {
            sortDescriptors.sorted(map { $0 })
        }
    }

    extension NSMutableOrderedSet {
        /// Removes the elements for which the predicate does not hold.
        public func filter(using predicate: FoundationPredicate) {
            let kept = predicate.accepted(of: map { $0 })
            removeAllObjects()
            addObjects(from: kept)
        }
    }

    extension NSObject {
        /// The value of a key path of the object: `NSArray(array: people).value(forKeyPath: "@avg.age")`
        public func value(forKeyPath keyPath: String) -> Any? {
            ExpressionCore(FormatExpression(.keyPath(KeyPathExpression(keys: keyPath)))).value(with: self, context: nil)
        }
    }

    extension FoundationPredicate {
        /// Returns the positions of the elements for which the predicate holds, evaluated as a batch if possible.
        func acceptedIndices(of elements: [Any]) -> [Int] {
            if isOwn, core.foreign == nil, let accepted = try? batch(elements) { return accepted }
            // The evaluation element by element handles each error by the policy.
            return elements.indices.filter { evaluate(with: elements[$0]) }
        }

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

        /// Returns the positions among elements of one type, evaluated by a program for the type; nil if there are
        /// elements of another type.
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
