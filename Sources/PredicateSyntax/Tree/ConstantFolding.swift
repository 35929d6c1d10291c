#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ExpressionNode {
    /// `{a, b}`: one constant when every element is a constant, so that an array passed for `%@` and the same array
    /// written out are the same tree. [NSP-112]
    public static func aggregate(of elements: [ExpressionNode]) -> ExpressionNode {
        var values: [PredicateValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            guard case .constantValue(let value) = element else { return .aggregate(elements) }
            values.append(value)
        }
        return .constantValue(.array(values))
    }
}

extension PredicateValue {
    /// The constant that a cast of a literal stands for: how values without a literal of their own are written.
    ///
    /// `CAST(592299475.5, "NSDate")`, `CAST("137DECC8-…", "NSUUID")`; nil where the cast is work for an evaluator.
    package func literal(castTo type: String) -> PredicateValue? {
        switch (self, CastType(rawValue: type)) {
        case (.bool(let value), .date): .date(Date(timeIntervalSinceReferenceDate: value ? 1 : 0))
        case (.integer(let seconds), .date): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.double(let seconds), .date): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.string(let text), .uuid): UUID(uuidString: text).map(PredicateValue.uuid)
        case (.string(let text), .url): URL(string: text).map(PredicateValue.url)
        case (.string(let text), .data): Data(base64Encoded: text).map(PredicateValue.data)
        case (.string(let text), .decimalNumber): text.decimalLiteral.map(PredicateValue.decimal)
        case (.string(let text), .type): .type(PredicateValue.ClassName(text))
        case (.string("nan"), .number): .double(.nan)
        case (.string("inf"), .number): .double(.infinity)
        case (.string("-inf"), .number): .double(-.infinity)
        case (.array(let elements), .orderedSet): .orderedSet(distinct(elements))
        case (.array(let elements), .dictionary): dictionary(of: elements)
        default: nil
        }
    }

    /// Each element once, where it stands first.
    private func distinct(_ elements: [PredicateValue]) -> [PredicateValue] {
        var seen: Set<PredicateValue> = []
        return elements.filter { seen.insert($0).inserted }
    }

    /// Keys and values in turn.
    private func dictionary(of elements: [PredicateValue]) -> PredicateValue? {
        guard elements.count.isMultiple(of: 2) else { return nil }
        var result: [String: PredicateValue] = [:]
        for index in stride(from: 0, to: elements.count, by: 2) {
            guard case .string(let key) = elements[index] else { return nil }
            result[key] = elements[index + 1]
        }
        return .dictionary(result)
    }
}

extension String {
    /// The decimal number that the whole text spells.
    var decimalLiteral: Decimal? {
        let allowed = utf8.allSatisfy { ByteClass.isDigit($0) || "+-.eE".utf8.contains($0) }
        return allowed && !isEmpty ? Decimal(string: self) : nil
    }
}
