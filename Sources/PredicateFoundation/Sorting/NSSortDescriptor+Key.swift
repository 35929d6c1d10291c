#if !canImport(Darwin)
    public import Foundation
    package import PredicateConversion
    import PredicateEvaluation
    public import PredicateSyntax

    // Foundation has the first two and marks them as unavailable; those of an extension win over them.
    extension Foundation.NSSortDescriptor {
        /// An order by a key path: `NSSortDescriptor(key: "boss.name", ascending: true)`; nil, or `self`, for the object itself.
        public convenience init(key: String?, ascending: Bool) {
            self.init(SortForm(key: key, selector: nil, .options([])), ascending: ascending)
        }

        /// An order by a key path and a closure that compares two values, nil as `NSNull`.
        public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
            self.init(SortForm(key: key, selector: nil, .comparator(cmptr)), ascending: ascending)
        }

        /// An order by a key path and the selector of a comparison: `Selector("localizedStandardCompare:")`
        ///
        /// `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` and
        /// `localizedStandardCompare:` are known; any other stops the program with these names. The locale is that of
        /// ``PredicateSettings``, else the current one.
        public convenience init(key: String?, ascending: Bool, selector: Selector?) {
            guard let comparison = selector.map(SortComparison.init) ?? .options([]) else {
                let names = SortComparison.names.joined(separator: ", ")
                PredicateSettings.stop(
                    "error: expected the selector of a comparison, found \(selector?.name ?? "nil")\nhint: one of \(names)"
                )
            }
            self.init(SortForm(key: key, selector: selector, comparison), ascending: ascending)
        }

        /// An order by a key path of Swift whose values need not be `Comparable`: optional ones, Booleans, enums with raw values.
        ///
        /// `NSSortDescriptor(keyPath: \Task.due, ascending: true)` where `due` is a `Date?`; nil counts as less than everything.
        public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
            self.init(keyPath: keyPath, ascending: ascending) { left, right in
                SortComparison.options([]).result(KeyedValue(bridging: left), KeyedValue(bridging: right))
            }
        }

        /// The order of a descriptor of Swift's: `NSSortDescriptor(SortDescriptor(\Person.name, comparator: .lexical))`
        ///
        /// Objects of another type than its own have the same order. As an order of a fetch, convert the descriptor itself.
        public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
            // A descriptor of Foundation keeps its direction when its order is set, so its results are turned round here.
            let isForward = sortDescriptor.order == .forward
            let compare: Comparator = { left, right in
                guard let left = left as? Compared, let right = right as? Compared else { return .orderedSame }
                return isForward ? sortDescriptor.compare(left, right) : sortDescriptor.compare(right, left)
            }
            self.init(
                SortForm(key: nil, selector: nil, .comparator(compare)), ascending: isForward)
        }

        convenience init(_ form: SortForm, ascending: Bool) {
            let made = FoundationSortDescriptor.object(of: form, ascending: ascending)
            if let made = made as? Self {
                self.init(replacing: made)
            } else {
                self.init(keyPath: \String.count, ascending: ascending)
                (self as? FoundationSortDescriptor)?.form = form
            }
        }

        private var ownForm: SortForm? { (self as? FoundationSortDescriptor)?.form }

        /// The key path by name; that of a descriptor made of a key path of Swift if its properties have names.
        public var key: String? {
            if let ownForm { return ownForm.key }
            let path: AnyKeyPath? = keyPath
            return path.flatMap(KeyPathNames.keys)?.joined(separator: ".")
        }

        /// The selector of the comparison; `compare:` unless another was given, nil for a closure.
        public var selector: Selector? {
            if case .comparator? = ownForm?.comparison { return nil }
            return ownForm?.selector ?? Selector("compare:")
        }

        /// Nothing: a decoded descriptor may be used at once.
        public func allowEvaluation() {}

        /// The descriptor as an order of a fetch; nil where none orders so: for a closure, for numbers inside texts as
        /// `localizedStandardCompare:` reads them, for the object itself.
        public var sortKey: SortKey? { try? SortKey(self) }
    }

    extension FoundationSortDescriptor: NamedSortDescriptor {
        package func namedSortKey() throws(PredicateConversionError) -> SortKey? {
            guard let form else { return nil }
            guard let key = form.key else {
                throw PredicateConversionError(.unnamedKeyPath("its key", of: "NSSortDescriptor"))
            }
            guard let options = form.comparison.sortOptions else {
                throw PredicateConversionError(.unsupported(node: "NSSortDescriptor", .locale))
            }
            return SortKey(key, ascending: ascending, options: options)
        }
    }
#endif
