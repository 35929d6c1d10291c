import PredicateSyntax

/// Divisions of whole numbers, which drop the fraction.
///
///     score / 2 == 0.5    won / played > 0.5    size > 1 / 2
enum DivisionChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        constants(subject) + subject.comparisons.compactMap { comparison($0, subject) }
    }

    /// `score / 2 == 0.5`: where score is a whole number, so is the result.
    private static func comparison(_ comparison: PlacedComparison, _ subject: CheckSubject) -> Finding? {
        let pairs = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
        for (quotient, other) in pairs where isFraction(other, subject) {
            guard comparison.operator.isEquality || comparison.operator.isOrdering,
                case .function(let call)? = quotient.expression, call.function == .predefined(.divide),
                quotient.children.count == 2, isWhole(quotient.children, subject)
            else { continue }
            return finding(quotient, subject)
        }
        return nil
    }

    private static func finding(_ quotient: PlacedNode, _ subject: CheckSubject) -> Finding {
        let divisor = quotient.children[1]
        let isLiteral = divisor.expression?.constant != nil
        let text = subject.source(of: quotient.children[0])
        let cure =
            isLiteral ? "write \(text) / \(subject.source(of: divisor)).0" : "write \(text) * 1.0 / \(divisor.text)"
        return Finding(
            .wholeDivision, quotient, "a division of integers drops the fraction, so the quotient never has one", cure,
            fix: isLiteral ? divisor.range.map { Finding.Fix($0.upperBound..<$0.upperBound, ".0") } : nil)
    }

    /// True for a number with a fraction.
    private static func isFraction(_ node: PlacedNode, _ subject: CheckSubject) -> Bool {
        guard let real = subject.constant(node)?.realNumber else { return false }
        return real.isFinite && real != real.rounded()
    }

    /// True if the operands are whole as far as is known: a constant, and a key whose values are no fractions; two keys
    /// only if data say so.
    private static func isWhole(_ operands: [PlacedNode], _ subject: CheckSubject) -> Bool {
        var isKnown = false
        for operand in operands {
            if let constant = subject.constant(operand) {
                guard case .integer = constant else { return false }
                isKnown = true
            } else if let keys = operand.expression?.keys(in: operand.scope) {
                switch subject.keys?.isWhole(at: keys) {
                case true?: isKnown = true
                case false?: return false
                case nil: break
                }
            } else {
                return false
            }
        }
        return isKnown
    }

    /// `size > 1 / 2`: is worked out when the format is read, and is 0.
    private static func constants(_ subject: CheckSubject) -> [Finding] {
        let tokens = subject.tokens
        return tokens.indices.dropLast(2).compactMap { index in
            guard subject.source(tokens[index + 1].range) == "/",
                let dividend = Int64(subject.source(tokens[index].range)),
                let divisor = Int64(subject.source(tokens[index + 2].range)), divisor != 0, dividend % divisor != 0,
                !isPartOfChain(index, tokens, subject)
            else { return nil }
            let range = tokens[index].range.lowerBound..<tokens[index + 2].range.upperBound
            let end = range.upperBound
            return Finding(
                .wholeDivision, range,
                "a division of whole numbers drops the fraction: this is \(dividend / divisor)",
                "write \(subject.source(range)).0", fix: Finding.Fix(end..<end, ".0"))
        }
    }

    /// True if the two numbers are not the operands of one division: `2 * 1 / 2`, `1990/05/01`
    private static func isPartOfChain(_ index: Int, _ tokens: [FormatToken], _ subject: CheckSubject) -> Bool {
        let before = index > 0 ? subject.source(tokens[index - 1].range) : ""
        let after = index + 3 < tokens.count ? subject.source(tokens[index + 3].range) : ""
        return ["*", "/", "**", "."].contains(before) || ["/", "**"].contains(after)
    }
}
