#if !canImport(Darwin)
    public import Foundation

    // Foundation has these for its NSPredicate and evaluates element by element; for ours they are preferred, and batches.
    extension NSArray {
        /// The elements for which the predicate holds, in their order.
        public func filtered(using predicate: FoundationPredicate) -> [Any] {
            predicate.accepted(of: map { $0 })
        }

        /// The elements in the order of the descriptors; those that they leave equal keep theirs.
        public func sortedArray(using sortDescriptors: [FoundationSortDescriptor]) -> [Any] {
            sortDescriptors.sorted(map { $0 })
        }
    }

    extension NSMutableArray {
        /// Removes the elements for which the predicate does not hold.
        public func filter(using predicate: FoundationPredicate) {
            setArray(filtered(using: predicate))
        }

        /// Puts the elements in the order of the descriptors.
        public func sort(using sortDescriptors: [FoundationSortDescriptor]) {
            setArray(sortedArray(using: sortDescriptors))
        }
    }

    extension NSSet {
        /// The elements for which the predicate holds.
        public func filtered(using predicate: FoundationPredicate) -> Set<AnyHashable> {
            Set(predicate.accepted(of: allObjects).compactMap { $0 as? AnyHashable })
        }

        /// The elements in the order of the descriptors.
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
        /// The elements for which the predicate holds, in their order.
        public func filtered(using predicate: FoundationPredicate) -> NSOrderedSet {
            NSOrderedSet(array: predicate.accepted(of: map { $0 }))
        }

        /// The elements in the order of the descriptors.
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
#endif
