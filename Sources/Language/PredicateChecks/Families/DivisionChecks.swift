import PredicateSyntax

/// Integer divisions that drop the fraction where the fraction matters.
///
///     score / 2 == 0.5    won / played > 0.5    distance / time * 60 > 480    size > 1 / 2
enum DivisionChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        constants(subject) + divisions(in: subject).map { finding($0, subject) }
    }

    /// The integer divisions whose fraction matters, except divisions that are computed when the format is parsed.
    private static func divisions(in subject: CheckSubject) -> [CheckedNode] {
        subject.comparisons.flatMap { comparison -> [CheckedNode] in
            let isBetween = comparison.operator == .comparison(.between)
            guard comparison.operator.isEquality || comparison.operator.isOrdering || isBetween
            else { return [] }
            return lossy(comparison.left, Use(comparison, comparison.right, subject), subject)
                + lossy(comparison.right, Use(comparison, comparison.left, subject), subject)
        }
    }

    /// A use of the result of a division.
    private enum Use {
        /// In further arithmetic, or compared with a value that may have a fraction.
        case exact
        /// Compared with an integer so that the fraction makes no difference, or rounded on purpose.
        case whole
        /// Compared with an integer by `>` or `<=`: `size / 1024 > 5` is false for 5.5.
        case bound

        init(_ comparison: CheckedComparison, _ other: CheckedNode, _ subject: CheckSubject) {
            guard let constant = subject.constant(other) else {
                self = subject.isUnknown(other) ? .whole : .exact
                return
            }
            guard let number = constant.realNumber else {
                self = .whole
                return
            }
            if number.hasFraction {
                self = .exact
            } else {
                let isLeft = comparison.right === other
                switch comparison.operator {
                case .comparison(.greaterThan), .comparison(.lessThanOrEqualTo): self = isLeft ? .bound : .whole
                case .comparison(.lessThan), .comparison(.greaterThanOrEqualTo): self = isLeft ? .whole : .bound
                case .comparison, .string: self = .whole
                }
            }
        }
    }

    private static func lossy(_ node: CheckedNode, _ use: Use, _ subject: CheckSubject) -> [CheckedNode] {
        guard case .function(let call)? = node.expression, case .predefined(let function) = call.function else {
            return []
        }
        switch function {
        case .divide where node.children.count == 2:
            let inner = node.children.flatMap { lossy($0, .exact, subject) }
            return inner + (losesFraction(node, use, subject) ? [node] : [])
        case .multiply: return node.children.flatMap { lossy($0, isUndone(node) ? .whole : .exact, subject) }
        case .add, .subtract, .negate, .abs, .sqrt, .power:
            return node.children.flatMap { lossy($0, .exact, subject) }
        // These round on purpose, or their result is not a number.
        case .floor, .ceiling, .trunc, .modulus, .sum, .count, .min, .max, .average, .median, .mode, .stddev, .log, .ln,
            .exp, .uppercase, .lowercase, .random, .randomn, .now, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
            .rightShift, .onesComplement, .noindex, .length, .distance, .divide:
            return []
        }
    }

    /// `year / 10 * 10`: rounds down on purpose.
    private static func isUndone(_ product: CheckedNode) -> Bool {
        product.children.contains { factor in
            guard case .function(let call)? = factor.expression, call.function == .predefined(.divide) else {
                return false
            }
            return product.children.contains { $0 !== factor && $0.expression == factor.children.last?.expression }
        }
    }

    private static func losesFraction(_ quotient: CheckedNode, _ use: Use, _ subject: CheckSubject) -> Bool {
        let isKnown = quotient.children.allSatisfy { $0.type.isWhole == true && !subject.isUnknown($0) }
        switch use {
        case .whole: return false
        case .bound: return isKnown && quotient.children[1].expression?.constant == nil
        case .exact: return isKnown || isGuessed(quotient, subject)
        }
    }

    /// A key divided by an integer literal. A key of unknown type is assumed to be an integer.
    private static func isGuessed(_ quotient: CheckedNode, _ subject: CheckSubject) -> Bool {
        guard quotient.children.contains(where: { $0.expression?.constant != nil && $0.type.isWhole == true }) else {
            return false
        }
        guard isComparedWithFraction(quotient, subject) else { return false }
        return quotient.children.allSatisfy { child in
            if child.type.isWhole != nil { return child.type.isWhole == true }
            return child.keys != nil && (child.type.isOpen || child.type.kinds == [.number])
        }
    }

    private static func isComparedWithFraction(_ quotient: CheckedNode, _ subject: CheckSubject) -> Bool {
        subject.comparisons.contains { comparison in
            let other =
                comparison.left === quotient ? comparison.right : comparison.right === quotient ? comparison.left : nil
            return other.flatMap(subject.constant)?.realNumber?.hasFraction ?? false
        }
    }

    private static func finding(_ quotient: CheckedNode, _ subject: CheckSubject) -> PredicateFinding {
        let divisor = quotient.children[1]
        let isLiteral = divisor.expression?.constant != nil
        let text = subject.source(of: quotient.children[0])
        let cure =
            isLiteral
            ? "write \(text) / \(subject.source(of: divisor)).0"
            : "write \(text) * 1.0 / \(subject.source(of: divisor))"
        return PredicateFinding(
            .wholeDivision, quotient, "integer division drops the fraction", cure,
            fix: isLiteral ? divisor.range.map { PredicateFinding.Fix($0.upperBound..<$0.upperBound, ".0") } : nil)
    }

    /// `size > 1 / 2`: computed when the format is parsed, with the result 0.
    private static func constants(_ subject: CheckSubject) -> [PredicateFinding] {
        let tokens = subject.tokens
        return tokens.indices.dropLast(2).compactMap { index in
            guard subject.source(tokens[index + 1].range) == "/",
                let dividend = Int64(subject.source(tokens[index].range)),
                let divisor = Int64(subject.source(tokens[index + 2].range)), divisor != 0, dividend % divisor != 0,
                !isPartOfChain(index, tokens, subject)
            else { return nil }
            let range = tokens[index].range.lowerBound..<tokens[index + 2].range.upperBound
            let end = range.upperBound
            return PredicateFinding(
                .wholeDivision, range,
                "integer division drops the fraction: this is \(dividend / divisor)",
                "write \(subject.source(range)).0", fix: PredicateFinding.Fix(end..<end, ".0"))
        }
    }

    /// True if the two numbers are not the only operands: `2 * 1 / 2`, `1990/05/01`
    private static func isPartOfChain(_ index: Int, _ tokens: [FormatToken], _ subject: CheckSubject) -> Bool {
        let before = index > 0 ? subject.source(tokens[index - 1].range) : ""
        let after = index + 3 < tokens.count ? subject.source(tokens[index + 3].range) : ""
        return ["*", "/", "**", "."].contains(before) || ["/", "**"].contains(after)
    }
}

extension Double {
    /// True for a finite number that is not an integer: 0.5
    fileprivate var hasFraction: Bool { isFinite && self != rounded() }
}
