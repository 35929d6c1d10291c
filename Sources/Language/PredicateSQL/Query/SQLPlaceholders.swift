/// The placeholders of the statements of a query: ``SQLQuery/placeholders``.
///
/// A compiled condition beside a handwritten one continues the numbers of the parameters before it, or has placeholders without
/// numbers.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SQLPlaceholders: Hashable, Sendable {
    /// Numbers from this one on: `?3`, `$3`. A value that a statement uses twice is bound once.
    ///
    /// A dialect without numbers, such as that of MySQL, writes ``plain`` ones.
    case numbered(from: Int)
    /// `?` for each value, in the order of the text. A value that a statement uses twice is bound twice.
    case plain

    var isDefault: Bool { self == .numbered(from: 1) }

    /// Returns true if each value has one number, however often it occurs.
    func areNumbered(in dialect: CompilerDialect) -> Bool {
        self != .plain && dialect.features.contains(.numberedPlaceholders)
    }

    /// The number of the first parameter, far below the greatest integer.
    var first: Int {
        switch self {
        case .numbered(let first): min(max(first, 1), 1 << 30)
        case .plain: 1
        }
    }
}

extension SQLDialect {
    /// Returns a placeholder without its number: `?::int8` for `$1::int8`, `CAST(? AS BIGINT)` for `CAST(:p1 AS BIGINT)`.
    func plainPlaceholder(for type: SQLBinding.ParameterType) -> String {
        let numbered = placeholder(1, for: type)
        guard let start = numbered.firstIndex(where: "?$:@".contains) else { return numbered }
        let rest = numbered[start...].dropFirst().drop(while: \.isLetter).drop(while: \.isNumber)
        return numbered[..<start] + "?" + rest
    }
}
