import PredicateSyntax

/// An item of a list that is a call of an aggregate: `avg(age)`, `count()`, `count(DISTINCT city)`, `percentile(age, 95)`,
/// `joined(name, ", ")`. [NSP-513]
///
/// `max({a, b})` is not one: it calls the language's own function, with a list in each row.
package struct AggregateCall {
    /// The aggregate; nil for the number of rows, `count()`.
    package let aggregate: ResultKey.Aggregate?
    /// The text of the value that is aggregated; empty for the number of rows.
    package let operand: String
    /// The UTF-8 offset of the operand in the text of the call.
    let operandOffset: Int

    /// Creates the call that a text consists of; nil if it is not a call of an aggregate.
    package init?(_ text: String) {
        guard let start = text.firstIndex(of: "("), OutputList.isCall(text) else { return nil }
        let name = text[..<start].lowercased().trimmed
        var arguments = OutputList.items(String(text[text.index(after: start)...].dropLast()))
        if arguments == [""] || arguments == ["*"], name == "count" {
            (aggregate, operand, operandOffset) = (nil, "", text.utf8.count)
            return
        }
        let parameter = arguments.count == 2 ? arguments.removeLast() : nil
        guard arguments.count == 1, var operand = arguments.first, !operand.isEmpty, !operand.hasPrefix("{") else {
            return nil
        }
        let isDistinct = name == "count" && operand.lowercased().hasPrefix("distinct ")
        var rest = text[start...].dropFirst().drop(while: \.isWhitespace)
        if isDistinct {
            rest = rest.dropFirst("distinct".count).drop { $0 == " " }
            operand = String(operand.dropFirst("distinct".count).drop { $0 == " " })
        }
        guard let aggregate = Self.aggregate(name, parameter, isDistinct) else { return nil }
        (self.aggregate, self.operand) = (aggregate, operand)
        operandOffset = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
    }

    private static func aggregate(_ name: String, _ parameter: String?, _ isDistinct: Bool) -> ResultKey.Aggregate? {
        switch (name, parameter) {
        case ("percentile", let percent?): Double(percent).flatMap { (0...100).contains($0) ? .percentile($0) : nil }
        case ("joined", let text?): text.unquoted.map { .joined(separator: $0) }
        case ("joined", nil): .joined(separator: ", ")
        case ("count", nil): isDistinct ? .countDistinct : .count
        case ("sum", nil): .sum
        case ("avg", nil), ("average", nil): .average
        case ("min", nil): .minimum
        case ("max", nil): .maximum
        case ("median", nil): .median
        case ("stddev", nil): .standardDeviation
        default: nil
        }
    }

    /// The name of the result without AS: `avg_age`, and `count` for the number of rows.
    package var name: String { Self.name(aggregate, of: operand) }

    static func name(_ aggregate: ResultKey.Aggregate?, of operand: String) -> String {
        aggregate.map { "\($0.name)_\(operand)" } ?? "count"
    }
}

extension String {
    /// The contents of a quoted literal; nil for another text.
    var unquoted: String? {
        guard let quote = utf8.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            case .constantValue(.string(let text))? = try? FormatExpression(format: self, arguments: []).node
        else { return nil }
        return text
    }
}
