#if !canImport(Darwin)
    import PredicateSyntax

    extension FoundationComparisonPredicate {
        /// The operator of a comparison, with Apple's names and numbers.
        public enum Operator: UInt, Sendable {
            /// `age < 21`
            case lessThan = 0
            /// `age <= 21`
            case lessThanOrEqualTo = 1
            /// `age > 21`
            case greaterThan = 2
            /// `age >= 21`
            case greaterThanOrEqualTo = 3
            /// `age == 21`
            case equalTo = 4
            /// `age != 21`
            case notEqualTo = 5
            /// `name MATCHES "j.*n"`
            case matches = 6
            /// `name LIKE "j*n"`
            case like = 7
            /// `name BEGINSWITH "jo"`
            case beginsWith = 8
            /// `name ENDSWITH "jo"`
            case endsWith = 9
            /// `name IN {"jo", "al"}`
            case `in` = 10
            /// `self isKindOfClass: %@`
            case customSelector = 11
            /// `name CONTAINS "jo"`
            case contains = 99
            /// `age BETWEEN {18, 65}`
            case between = 100
        }

        /// The quantifier of a comparison with a collection on its left.
        public enum Modifier: UInt, Sendable {
            /// `age > 21`
            case direct = 0
            /// `ALL ages > 21`
            case all = 1
            /// `ANY ages > 21`
            case any = 2

            init(_ modifier: ComparisonModifier) {
                switch modifier {
                case .direct: self = .direct
                case .all: self = .all
                case .any: self = .any
                }
            }

            fileprivate var modifier: ComparisonModifier {
                switch self {
                case .direct: .direct
                case .all: .all
                case .any: .any
                }
            }
        }

        /// The letters in brackets after an operator: `name ==[cd] "jo"`
        public struct Options: OptionSet, Hashable, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) {
                self.rawValue = rawValue
            }

            /// `[c]`: upper and lower case are the same
            public static let caseInsensitive = Options(rawValue: 1)
            /// `[d]`: accents do not count
            public static let diacriticInsensitive = Options(rawValue: 2)
            /// `[n]`: literal comparison; overrides `[c]` and `[d]` [NSP-078]
            public static let normalized = Options(rawValue: 4)

            fileprivate var options: ComparisonOptions {
                ComparisonOptions(rawValue: Int(truncatingIfNeeded: rawValue))
            }
        }
    }

    extension FoundationComparisonPredicate.Operator {
        typealias Modifier = FoundationComparisonPredicate.Modifier
        typealias Options = FoundationComparisonPredicate.Options

        /// The operator between two expressions.
        func comparison(
            _ left: ExpressionNode, _ right: ExpressionNode, _ modifier: Modifier, _ options: Options
        ) -> PredicateNode {
            switch kind {
            case .value(let comparison):
                .comparison(
                    ComparisonPredicate(left, comparison, right, modifier: modifier.modifier, options: options.options))
            case .text(let comparison):
                .string(StringPredicate(left, comparison, right, modifier: modifier.modifier, options: options.options))
            }
        }

        private enum Kind {
            case value(ComparisonOperator)
            case text(StringOperator)
        }

        private var kind: Kind {
            switch self {
            case .lessThan: .value(.lessThan)
            case .lessThanOrEqualTo: .value(.lessThanOrEqualTo)
            case .greaterThan: .value(.greaterThan)
            case .greaterThanOrEqualTo: .value(.greaterThanOrEqualTo)
            case .equalTo: .value(.equalTo)
            case .notEqualTo: .value(.notEqualTo)
            case .matches: .text(.matches)
            case .like: .text(.like)
            case .beginsWith: .text(.beginsWith)
            case .endsWith: .text(.endsWith)
            case .in: .value(.in)
            // An operator that was not named: no registry knows it, so that its evaluation is an error.
            case .customSelector: .value(.customSelector("customSelector"))
            case .contains: .text(.contains)
            case .between: .value(.between)
            }
        }
    }
#endif
