#if !canImport(Darwin)
    import PredicateSyntax

    extension FoundationExpression {
        /// The kind of an expression, with Apple's names and numbers.
        public enum ExpressionType: UInt, Sendable {
            /// `21`, `"jo"`, an argument
            case constantValue = 0
            /// `SELF`
            case evaluatedObject = 1
            /// `$limit`
            case variable = 2
            /// `name`, `dept.name`
            case keyPath = 3
            /// `sum(prices)`, `a + 1`, `FUNCTION(a, "name")`, `CAST(a, "NSDate")`, `a[0]`
            case function = 4
            /// `a UNION b`
            case unionSet = 5
            /// `a INTERSECT b`
            case intersectSet = 6
            /// `a MINUS b`
            case minusSet = 7
            /// `SUBQUERY(friends, $f, $f.age > 21)`
            case subquery = 13
            /// `{a, 65}`
            case aggregate = 14
            /// `ANYKEY`
            case anyKey = 15
            /// `NSExpression { object, expressions, context in … }`
            case block = 19
            /// `TERNARY(age > 17, "adult", "child")`
            case conditional = 20

            /// The node of a kind that has no parts.
            var plainNode: ExpressionNode {
                switch self {
                case .evaluatedObject: .evaluatedObject
                case .anyKey: .anyKey
                case .constantValue, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet, .subquery,
                    .aggregate, .block, .conditional:
                    .constantValue(.null)
                }
            }
        }

        /// The kind of the expression, which says what parts it has.
        ///
        /// An array of constants in a format, `{1, 2}`, is a constant, as an array passed for `%@` is.
        public var expressionType: ExpressionType {
            switch core.expression.node {
            case .constantValue: isAggregate ? .aggregate : .constantValue
            case .symbol: .constantValue
            case .evaluatedObject: .evaluatedObject
            case .variable, .assignment: .variable
            case .keyPath: .keyPath
            case .member, .function, .message, .cast, .index, .fetch: .function
            case .aggregate: .aggregate
            case .subquery: .subquery
            case .conditional: .conditional
            case .set(let set): set.operator.expressionType
            case .anyKey: .anyKey
            case .block: .block
            }
        }
    }

    extension SetExpression.Operator {
        fileprivate var expressionType: FoundationExpression.ExpressionType {
            switch self {
            case .union: .unionSet
            case .intersect: .intersectSet
            case .minus: .minusSet
            }
        }
    }
#endif
