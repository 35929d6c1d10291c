/// Enums with raw values as arguments: `enum Status: String, PredicateValueConvertible` needs no code.
extension PredicateValueConvertible where Self: RawRepresentable, RawValue: PredicateValueConvertible {
    public var predicateValue: PredicateValue { rawValue.predicateValue }
}

extension FormatPredicate {
    /// Parses a format string whose arguments are enums with raw values, each of which is its raw value.
    ///
    /// `try FormatPredicate("status == %@", Status.open)`
    ///
    /// Beside arguments of other types the enum conforms to ``PredicateValueConvertible``, which takes no code.
    /// - Throws: ``PredicateFormatError`` with the source range and a hint.
    @_disfavoredOverload
    public init<Value: RawRepresentable>(
        _ format: String, _ first: Value, _ others: Value..., options: FormatOptions = .standard
    ) throws(PredicateFormatError) where Value.RawValue: PredicateValueConvertible {
        let arguments = ([first] + others).map(\.rawValue.predicateValue)
        try self.init(format: format, arguments: arguments, options: options)
    }
}

/// Comparisons with enums, by their raw values. Types that conform to ``PredicateValueConvertible`` are what they say.
extension ExpressionConvertible {
    /// `status == "open"`: `PredicateKey("status") == Status.open`
    @_disfavoredOverload
    public static func == <Value: RawRepresentable>(left: Self, right: Value) -> FormatPredicate
    where Value.RawValue: PredicateValueConvertible {
        left == (right.rawValue as any PredicateValueConvertible)
    }

    /// `status != "open"`
    @_disfavoredOverload
    public static func != <Value: RawRepresentable>(left: Self, right: Value) -> FormatPredicate
    where Value.RawValue: PredicateValueConvertible {
        left != (right.rawValue as any PredicateValueConvertible)
    }

    /// `level < 2`
    @_disfavoredOverload
    public static func < <Value: RawRepresentable>(left: Self, right: Value) -> FormatPredicate
    where Value.RawValue: PredicateValueConvertible {
        left < (right.rawValue as any PredicateValueConvertible)
    }

    /// `level <= 2`
    @_disfavoredOverload
    public static func <= <Value: RawRepresentable>(left: Self, right: Value) -> FormatPredicate
    where Value.RawValue: PredicateValueConvertible {
        left <= (right.rawValue as any PredicateValueConvertible)
    }

    /// `level > 2`
    @_disfavoredOverload
    public static func > <Value: RawRepresentable>(left: Self, right: Value) -> FormatPredicate
    where Value.RawValue: PredicateValueConvertible {
        left > (right.rawValue as any PredicateValueConvertible)
    }

    /// `level >= 2`
    @_disfavoredOverload
    public static func >= <Value: RawRepresentable>(left: Self, right: Value) -> FormatPredicate
    where Value.RawValue: PredicateValueConvertible {
        left >= (right.rawValue as any PredicateValueConvertible)
    }

    /// `status IN {"open", "late"}`: `PredicateKey("status").isIn([Status.open, .late])`
    @_disfavoredOverload
    public func isIn<Values: Sequence>(_ values: Values, _ options: ComparisonOptions = []) -> FormatPredicate
    where Values.Element: RawRepresentable, Values.Element.RawValue: PredicateValueConvertible {
        isIn(PredicateValue.array(values.map(\.rawValue.predicateValue)), options)
    }
}
