import PredicateSyntax
import PredicateText

extension ComparisonOptions {
    /// The fold of strings under these options: `[n]` overrides `[c]` and `[d]`; `[l]` is a ``Collation``. [NSP-078]
    var foldMode: FoldMode {
        if contains(.normalized) { return .none }
        switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
        case (false, false): return .none
        case (true, false): return .caseInsensitive
        case (false, true): return .diacriticInsensitive
        case (true, true): return .caseAndDiacriticInsensitive
        }
    }
}

extension KeyedValue {
    /// The string that the value is; nil for every other value.
    var text: String? {
        if case .value(.string(let text)) = self { text } else { nil }
    }

    /// The number that the value is; nil for every other value.
    var number: Number? {
        if case .value(let value) = self { Number(value) } else { nil }
    }

    /// The string that an operand must be.
    @inline(never)
    func requiredText(operand: Int? = nil) throws(Fault) -> String {
        guard let text else { throw Fault(.notAString(found: found), operand: operand) }
        return text
    }

    /// The number that an operand must be.
    @inline(never)
    func requiredNumber(operand: Int? = nil) throws(Fault) -> Number {
        guard let number else { throw Fault(.notANumber(found: found), operand: operand) }
        return number
    }

    /// The integer that an operand must be: a double without a fraction is one.
    @inline(never)
    func requiredInteger(operand: Int? = nil) throws(Fault) -> Int64 {
        guard let integer = try requiredNumber(operand: operand).exactInteger else {
            throw Fault(.notAnInteger(found: found), operand: operand)
        }
        return integer
    }
}
