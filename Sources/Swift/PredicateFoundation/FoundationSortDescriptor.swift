#if !canImport(Darwin)
    public import Foundation
    package import PredicateConversion
    import PredicateEvaluation
    import PredicateSyntax

    /// A sort order by the name of a key: `NSSortDescriptor` of the module NSPredicates.
    ///
    /// ```swift
    /// let byName = NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
    /// NSArray(array: people).sortedArray(using: [byName])
    /// ```
    ///
    /// A descriptor made from a Swift key path, `NSSortDescriptor(keyPath: \Person.name, ascending: true)`, is
    /// Foundation's own. nil is less than every other value. Values without an order are an error, which follows
    /// ``PredicateSettings/ErrorPolicy``.
    open class FoundationSortDescriptor: Foundation.NSSortDescriptor, NSSecureCoding {
        /// The compared value and its comparison; nil for a descriptor made from a key path. Only initializers set
        /// it.
        var form: SortForm?

        /// An ascending order of the objects themselves: a placeholder for code that sets another one later.
        public convenience init() {
            self.init(key: nil, ascending: true)
        }

        static func object(of form: SortForm, ascending: Bool) -> FoundationSortDescriptor {
            // Foundation has no initializer without a key path; this key path is never used.
            let descriptor = FoundationSortDescriptor(keyPath: \String.count, ascending: ascending)
            descriptor.form = form
            return descriptor
        }

        /// Compares two objects in the direction of the descriptor.
        open override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
            guard let form else { return super.compare(object1, to: object2) }
            do throws(EvaluationError) {
                return directed(try form.comparison.order(form.value(of: object1), form.value(of: object2)))
            } catch {
                return PredicateSettings.answer(.orderedSame, for: error)
            }
        }

        /// The comparison of two values of the key in ascending order: the closure that the descriptor was made with, or
        /// the comparison that its selector denotes.
        open override var comparator: Comparator {
            guard let comparison = form?.comparison else { return super.comparator }
            if case .comparator(let compare) = comparison { return compare }
            return { comparison.result(KeyedValue(bridging: $0), KeyedValue(bridging: $1)) }
        }

        /// Returns the comparison result in the direction of the descriptor, given the result for ascending order.
        func directed(_ order: ComparisonResult) -> ComparisonResult {
            guard !ascending else { return order }
            switch order {
            case .orderedAscending: return .orderedDescending
            case .orderedDescending: return .orderedAscending
            case .orderedSame: return .orderedSame
            }
        }

        /// The descriptor with the opposite direction.
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

        /// Reads a descriptor from a keyed archive; nil if the archive contains none.
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

        /// Writes the descriptor to a keyed archive. A descriptor with a Swift key path or a closure has no archived
        /// form, so nothing is written.
        open func encode(with coder: NSCoder) {
            guard let form, form.isSame(as: form) else {
                let words = "error: a sort descriptor with a Swift key path or a closure cannot be archived"
                return coder.note(MisuseError(words))
            }
            coder.encode(ascending, forKey: "ascending")
            if let key = form.key { coder.encode(key as NSString, forKey: "key") }
            if let selector = form.selector { coder.encode(selector.name as NSString, forKey: "selector") }
        }
    }

    /// How a sort descriptor compares two values of its key.
    enum SortComparison: @unchecked Sendable {
        /// As a sort key does: by value, strings according to the options
        case options(ComparisonOptions)
        /// Strings as file managers list them, `2` before `10`
        case localizedStandard
        /// A closure of the program; see ``ForeignBlock`` about threads
        case comparator(Comparator)

        private static let localizedStandardName = "localizedStandardCompare:"

        /// Makes the comparison that a selector denotes; nil for any other selector. The colon is optional.
        init?(_ selector: Selector) {
            let name = selector.name.hasSuffix(":") ? selector.name : selector.name + ":"
            guard name != Self.localizedStandardName else {
                self = .localizedStandard
                return
            }
            guard let options = ComparisonOptions.ofSelectors[name] else { return nil }
            self = .options(options)
        }

        /// The names of the selectors, for errors.
        static var names: [String] { (ComparisonOptions.ofSelectors.keys + [localizedStandardName]).sorted() }

        /// Returns the ascending order of two values; nil is less than every other value.
        func order(_ left: KeyedValue, _ right: KeyedValue) throws(EvaluationError) -> ComparisonResult {
            let locale = PredicateSettings.current.locale ?? .current
            switch self {
            case .comparator(let compare): return compare(left.foundationElement, right.foundationElement)
            case .options(let options): return try SortKey("", options: options).order(left, right, locale)
            case .localizedStandard:
                if case .value(.string(let left)) = left, case .value(.string(let right)) = right {
                    return left.localizedStandardCompare(right)
                }
                return try SortKey("").order(left, right, locale)
            }
        }

        /// Returns the order of two values; values without an order follow the error policy.
        func result(_ left: KeyedValue, _ right: KeyedValue) -> ComparisonResult {
            do throws(EvaluationError) {
                return try order(left, right)
            } catch {
                return PredicateSettings.answer(.orderedSame, for: error)
            }
        }

        /// The options of a sort key with the same order; nil if there is none.
        var sortOptions: ComparisonOptions? {
            switch self {
            case .options(let options): options
            case .localizedStandard, .comparator: nil
            }
        }
    }

    /// The value that a sort descriptor with the name of a key compares.
    struct SortForm: Sendable {
        /// The key path; nil for the object itself.
        let key: String?
        let selector: Selector?
        let comparison: SortComparison
        private let path: ExpressionCore

        init(key: String?, selector: Selector?, _ comparison: SortComparison) {
            self.key = key
            self.selector = selector
            self.comparison = comparison
            let node = key.map { ExpressionNode.keyPath(KeyPathExpression(keys: $0)) } ?? .evaluatedObject
            path = ExpressionCore(FormatExpression(node))
        }

        func value(of object: Any) throws(EvaluationError) -> KeyedValue {
            try path.keyedValue(with: object)
        }

        /// Returns true if two forms have the same order; a closure equals nothing.
        func isSame(as other: SortForm) -> Bool {
            if case .comparator = comparison { return false }
            return key == other.key && selector == other.selector
        }
    }

    /// The name of a method, as in code for Apple's platforms: `Selector("caseInsensitiveCompare:")`
    ///
    /// It names a comparison of `NSSortDescriptor(key:ascending:selector:)` or of a predicate; nothing is called by
    /// its name. Without Objective-C the compiler rejects `#selector`; write the name instead.
    public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// `caseInsensitiveCompare:`
        let name: String

        /// Makes a selector from a name: `Selector("compare:")`
        public init(_ name: String) {
            self.name = name
        }

        public init(stringLiteral value: String) {
            self.init(value)
        }

        public var description: String { name }
    }

    /// Returns the name of a selector: `NSStringFromSelector(Selector("compare:"))` is `compare:`
    public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

    /// Returns the selector with this name.
    public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

    // Foundation has the first two and marks them unavailable; initializers of an extension take precedence.
    extension Foundation.NSSortDescriptor {
        /// Makes an order by a key path: `NSSortDescriptor(key: "boss.name", ascending: true)`. The key nil or `self`
        /// is the object itself.
        public convenience init(key: String?, ascending: Bool) {
            self.init(SortForm(key: key, selector: nil, .options([])), ascending: ascending)
        }

        /// Makes an order by a key path and a closure that compares two values; nil is passed as `NSNull`.
        public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
            self.init(SortForm(key: key, selector: nil, .comparator(cmptr)), ascending: ascending)
        }

        /// Makes an order by a key path and the selector of a comparison: `Selector("localizedStandardCompare:")`
        ///
        /// The selectors are `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`,
        /// `localizedCaseInsensitiveCompare:` and `localizedStandardCompare:`; any other stops the program with a
        /// list of these names. The locale is that of ``PredicateSettings``, or else the current one.
        public convenience init(key: String?, ascending: Bool, selector: Selector?) {
            guard let comparison = selector.map(SortComparison.init) ?? .options([]) else {
                let names = SortComparison.names.joined(separator: ", ")
                PredicateSettings.stop(
                    "error: \(selector?.name ?? "nil") is not the selector of a comparison\nhint: use one of \(names)"
                )
            }
            self.init(SortForm(key: key, selector: selector, comparison), ascending: ascending)
        }

        /// Makes an order by a Swift key path whose values need not be `Comparable`: optionals, Booleans, enums with
        /// raw values.
        ///
        /// `NSSortDescriptor(keyPath: \Task.due, ascending: true)` where `due` is a `Date?`. nil is less than every
        /// other value.
        public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
            self.init(keyPath: keyPath, ascending: ascending) { left, right in
                SortComparison.options([]).result(KeyedValue(bridging: left), KeyedValue(bridging: right))
            }
        }

        /// Makes the order of a Swift sort descriptor.
        ///
        /// `NSSortDescriptor(SortDescriptor(\Person.name, comparator: .lexical))`
        ///
        /// Objects of another type are all equal in this order. For the order of a fetch, convert the Swift
        /// descriptor itself.
        public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
            // A Foundation descriptor keeps its direction when its order is set, so its results are reversed here.
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

        fileprivate var ownForm: SortForm? { (self as? FoundationSortDescriptor)?.form }

        /// The selector of the comparison: `compare:` unless another was given, nil for a closure.
        public var selector: Selector? {
            if case .comparator? = ownForm?.comparison { return nil }
            return ownForm?.selector ?? Selector("compare:")
        }

        /// Does nothing: a decoded descriptor can be used immediately.
        public func allowEvaluation() {}
    }

    /// The sort descriptors whose key has a name: Foundation's class and its subclasses.
    ///
    /// `key` is a member of this protocol, because the class has an unavailable `key` of the same type. If it were in an
    /// extension of the class, the compiler would confuse the two in optimized programs with ``FoundationSortDescriptor``.
    public protocol KeyedSortDescriptor: Foundation.NSSortDescriptor {}

    extension Foundation.NSSortDescriptor: KeyedSortDescriptor {}

    extension KeyedSortDescriptor {
        /// The key path by name; for a descriptor made from a Swift key path, its name if all of its properties have
        /// names.
        public var key: String? {
            if let ownForm { return ownForm.key }
            let path: AnyKeyPath? = keyPath
            return path.flatMap(KeyPathNames.keys)?.joined(separator: ".")
        }
    }

    extension FoundationSortDescriptor: NamedSortDescriptor {
        package func namedSortKey() throws(PredicateConversionError) -> SortKey? {
            guard let form else { return nil }
            guard let key = form.key else {
                throw PredicateConversionError(.unnamedKeyPath("its key", of: "NSSortDescriptor", isClass: false))
            }
            guard let options = form.comparison.sortOptions else {
                throw PredicateConversionError(.unsupported(node: "NSSortDescriptor", .locale))
            }
            return SortKey(key, ascending: ascending, options: options)
        }
    }

    extension [FoundationSortDescriptor] {
        /// Returns the objects sorted by the descriptors. Each key of each object is read once.
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
            // The comparison pair by pair handles each error by the policy.
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
