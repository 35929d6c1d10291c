#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// How a sort descriptor compares two values of its key.
    enum SortComparison: @unchecked Sendable {
        /// As a sort key does: by value, texts under the options
        case options(ComparisonOptions)
        /// Texts as file managers list them, `2` before `10`
        case localizedStandard
        /// A closure of the program's; about threads, ``ForeignBlock`` says the same
        case comparator(Comparator)

        /// The selectors that mean a comparison.
        private static let named: [String: SortComparison] = [
            "compare:": .options([]),
            "caseInsensitiveCompare:": .options(.caseInsensitive),
            "localizedCompare:": .options(.localeSensitive),
            "localizedCaseInsensitiveCompare:": .options([.localeSensitive, .caseInsensitive]),
            "localizedStandardCompare:": .localizedStandard,
        ]

        /// The comparison that a selector means; nil for any other selector. The colon may be missing.
        init?(_ selector: Selector) {
            let name = selector.name
            guard let comparison = Self.named[name] ?? Self.named[name + ":"] else { return nil }
            self = comparison
        }

        /// The names of the selectors, for errors.
        static var names: [String] { named.keys.sorted() }

        /// The order of two values, ascending; nil counts as less than everything.
        func order(_ left: KeyedValue, _ right: KeyedValue) throws(EvaluationError) -> ComparisonResult {
            let locale = PredicateSettings.current.locale ?? .current
            switch self {
            case .comparator(let compare): return compare(left.element, right.element)
            case .options(let options): return try SortKey("", options: options).order(left, right, locale)
            case .localizedStandard:
                if case .value(.string(let left)) = left, case .value(.string(let right)) = right {
                    return left.localizedStandardCompare(right)
                }
                return try SortKey("").order(left, right, locale)
            }
        }

        /// The order of two values; values without an order follow the policy for errors.
        func result(_ left: KeyedValue, _ right: KeyedValue) -> ComparisonResult {
            do throws(EvaluationError) {
                return try order(left, right)
            } catch {
                return PredicateSettings.answer(.orderedSame, for: error)
            }
        }

        /// The options of a sort key that orders so; nil where none does.
        var sortOptions: ComparisonOptions? {
            switch self {
            case .options(let options): options
            case .localizedStandard, .comparator: nil
            }
        }
    }

    extension KeyedValue {
        fileprivate var element: Any { foundationObject ?? NSNull() }
    }
#endif
