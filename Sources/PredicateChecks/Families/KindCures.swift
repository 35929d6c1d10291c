import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What to write so that both sides of a comparison are of one kind.
enum KindCures {
    static func cure(
        _ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType, _ subject: CheckSubject
    ) -> String? {
        ordered(comparison, left, right) ?? ofConstant(comparison, left, right.constant)
            ?? ofConstant(mirrored: comparison, right, left.constant) ?? cast(comparison, left, right, subject)
    }

    /// `PRIORITY <= 3` where priorities are strings: in quotes the order would be that of strings.
    private static func ordered(_ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType) -> String? {
        guard comparison.operator.isOrdering || comparison.operator == .comparison(.between), left.kinds == [.string],
            right.kinds == [.number], left.constant == nil
        else { return nil }
        return "write CAST(\(comparison.left.text), \"\(CastType.number.rawValue)\")"
    }

    private static func ofConstant(
        _ comparison: CheckedComparison, _ type: KnownType, _ constant: PredicateValue?
    ) -> String? {
        guard let constant else { return nil }
        return ofConstant(constant, beside: comparison.left, type)
    }

    private static func ofConstant(
        mirrored comparison: CheckedComparison, _ type: KnownType, _ constant: PredicateValue?
    ) -> String? {
        guard let constant else { return nil }
        return ofConstant(constant, beside: comparison.right, type)
    }

    /// What to write for a constant beside a value of a kind.
    private static func ofConstant(
        _ constant: PredicateValue, beside node: CheckedNode, _ type: KnownType
    ) -> String? {
        guard type.kinds.count == 1, let kind = type.kinds.first else { return nil }
        switch (kind, constant) {
        case (.number, .string(let text)): return Double(text) == nil ? nil : "leave out the quotes: \(text)"
        case (.boolean, .string(let text)):
            let words = ["true": "YES", "yes": "YES", "false": "NO", "no": "NO"]
            return words[text.lowercased()].map { "leave out the quotes: \($0)" } ?? "write YES or NO without quotes"
        case (.string, .integer), (.string, .double), (.string, .decimal), (.string, .bool):
            let cast = node.expression?.constant == nil ? ", or CAST(\(node.text), \"NSNumber\")" : ""
            return "put it in quotes: \(constant.printed.quotedLiteral)\(cast)"
        case (.date, .string(let text)):
            return ISO8601.date(from: text) == nil
                ? "a date is written CAST(\"2020-01-31\", \"NSDate\")" : "write CAST(\(text.quotedLiteral), \"NSDate\")"
        case (.date, .integer), (.date, .double): return "write CAST(\(constant.printed), \"NSDate\")"
        case (.uuid, .string(let text)):
            return UUID(uuidString: text) == nil ? nil : "write CAST(\(text.quotedLiteral), \"NSUUID\")"
        case (.url, .string(let text)): return "write CAST(\(text.quotedLiteral), \"NSURL\")"
        default: return nil
        }
    }

    /// A cast of one side to the kind of the other, where one exists.
    private static func cast(
        _ comparison: CheckedComparison, _ left: KnownType, _ right: KnownType, _ subject: CheckSubject
    ) -> String? {
        guard left.kinds.count == 1, right.kinds.count == 1, left.entity == nil, right.entity == nil,
            right.constant == nil || right.kinds == [.string] || right.kinds == [.date] || right.kinds == [.uuid],
            let from = left.kinds.first, let to = right.kinds.first
        else { return nil }
        let text = comparison.left.text
        switch (from, to) {
        case (.string, .number), (.string, .date), (.string, .uuid), (.date, .number), (.number, .string):
            return CastType(giving: to).map { "write CAST(\(text), \"\($0.rawValue)\")" }
        default: return nil
        }
    }

    /// `CAST(age, "NSString")`, `home.absoluteString`
    static func asString(_ node: CheckedNode, _ type: KnownType, _ subject: CheckSubject) -> String? {
        if type.kinds == [.url] { return "write \(node.text).\(URLKey.absoluteString.rawValue)" }
        if type.entity != nil || type.kinds.contains(.array) || type.kinds.contains(.dictionary) { return nil }
        return "write CAST(\(node.text), \"\(CastType.string.rawValue)\")"
    }
}

extension String {
    /// The text in double quotes.
    var quotedLiteral: String { "\"\(self)\"" }
}
