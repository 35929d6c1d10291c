#if !canImport(Darwin)
    /// A use of an object that its kind does not have: `keyPath` of an expression that is a constant.
    struct MisuseError: Error, CustomStringConvertible {
        let description: String

        /// `expected an expression with a key path, found a constant value: 1`
        init(expected: String, of expression: FoundationExpression) {
            description =
                "error: expected an expression with \(expected), found \(expression.expressionType): \(expression)\n"
                + "hint: ask expressionType first"
        }

        init(_ description: String) {
            self.description = description
        }
    }
#endif
