#if !canImport(Darwin)
    public import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// An order of objects by the name of a key: `NSSortDescriptor` of the module NSPredicates.
    ///
    /// ```swift
    /// let byName = NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
    /// NSArray(array: people).sortedArray(using: [byName])
    /// ```
    ///
    /// Made of a key path of Swift it is Foundation's own, `NSSortDescriptor(keyPath: \Person.name, ascending: true)`. nil counts as
    /// less than everything. Values without an order are an error, which follows ``PredicateSettings/ErrorPolicy``.
    open class FoundationSortDescriptor: Foundation.NSSortDescriptor, NSSecureCoding {
        /// What is compared; nil for a descriptor that was made of a key path. Set only by initializers.
        var form: SortForm?

        /// The ascending order of the objects themselves: the placeholder of code that sets another one later.
        public convenience init() {
            self.init(key: nil, ascending: true)
        }

        static func object(of form: SortForm, ascending: Bool) -> FoundationSortDescriptor {
            // Foundation has no initializer without a key path; this one is never read.
            let descriptor = FoundationSortDescriptor(keyPath: \String.count, ascending: ascending)
            descriptor.form = form
            return descriptor
        }

        /// The order of two objects, in the direction of the descriptor.
        open override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
            guard let form else { return super.compare(object1, to: object2) }
            do throws(EvaluationError) {
                return directed(try form.comparison.order(form.value(of: object1), form.value(of: object2)))
            } catch {
                return PredicateSettings.answer(.orderedSame, for: error)
            }
        }

        /// An ascending order in the direction of the descriptor.
        func directed(_ order: ComparisonResult) -> ComparisonResult {
            guard !ascending else { return order }
            switch order {
            case .orderedAscending: return .orderedDescending
            case .orderedDescending: return .orderedAscending
            case .orderedSame: return .orderedSame
            }
        }

        /// The descriptor with the other direction.
        open override var reversedSortDescriptor: Any {
            form.map { Self.object(of: $0, ascending: !ascending) } ?? super.reversedSortDescriptor
        }

        // MARK: - NSObject

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? FoundationSortDescriptor else { return false }
            if self === other { return true }
            guard ascending == other.ascending else { return false }
            guard let form, let otherForm = other.form else { return form == nil && keyPath == other.keyPath }
            return form.isSame(as: otherForm)
        }

        open override var hash: Int { form.map { $0.key.hashValue } ?? keyPath.hashValue }

        /// `(name, ascending, localizedStandardCompare:)`
        open override var description: String {
            let direction = ascending ? "ascending" : "descending"
            return "(\(key ?? "self"), \(direction), \(selector?.name ?? "compare:"))"
        }

        // MARK: - NSSecureCoding

        /// True: an archive holds a key, a direction and the name of a selector.
        open class var supportsSecureCoding: Bool { true }

        /// Reads a descriptor from a keyed archive; nil if it holds none.
        public required convenience init?(coder: NSCoder) {
            let key = coder.decodeObject(of: NSString.self, forKey: "key").map { String(describing: $0) }
            let name = coder.decodeObject(of: NSString.self, forKey: "selector").map {
                Selector(String(describing: $0))
            }
            guard coder.containsValue(forKey: "ascending"),
                let comparison = name.map(SortComparison.init) ?? .options([])
            else { return nil }
            let form = SortForm(key: key, selector: name, comparison)
            self.init(form, ascending: coder.decodeBool(forKey: "ascending"))
        }

        /// Writes the descriptor to a keyed archive. One with a key path of Swift or a closure has no archived form:
        /// nothing is written.
        open func encode(with coder: NSCoder) {
            guard let form, form.isSame(as: form) else {
                let words = "error: expected a sort descriptor with the name of a key, found a key path or a closure"
                return coder.note(MisuseError(words))
            }
            coder.encode(ascending, forKey: "ascending")
            if let key = form.key { coder.encode(key as NSString, forKey: "key") }
            if let selector = form.selector { coder.encode(selector.name as NSString, forKey: "selector") }
        }
    }
#endif
