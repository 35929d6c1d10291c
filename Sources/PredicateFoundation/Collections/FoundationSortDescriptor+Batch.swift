#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation

    extension [FoundationSortDescriptor] {
        /// Objects in the order of the descriptors. Each key of each object is read once.
        func sorted(_ objects: [Any]) -> [Any] {
            let forms = compactMap(\.form)
            guard forms.count == count, let rows = try? Self.rows(objects, forms) else {
                return sortedOneByOne(objects)
            }
            let sorted = try? rows.sorted { left, right in
                for (index, descriptor) in enumerated() {
                    let order = try forms[index].comparison.order(left.values[index], right.values[index])
                    if order != .orderedSame { return descriptor.directed(order) == .orderedAscending }
                }
                return false
            }
            // Pair by pair an error has the outcome that the policy gives it.
            return sorted?.map(\.object) ?? sortedOneByOne(objects)
        }

        private static func rows(_ objects: [Any], _ forms: [SortForm]) throws -> [(object: Any, values: [KeyedValue])]
        {
            try objects.map { object in (object, try forms.map { try $0.value(of: object) }) }
        }

        private func sortedOneByOne(_ objects: [Any]) -> [Any] {
            NSArray(array: objects).sortedArray(using: self as [Foundation.NSSortDescriptor])
        }
    }
#endif
