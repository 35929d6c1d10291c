import PredicateChecks
import PredicateSyntax

// What the source leaves open of a format: parts of its text, and values of its arguments.

extension LintSubject {
    /// The parts of the format whose values are not known: holes, and specifiers but for `%K` with a literal.
    var openParts: [OpenPart] {
        parse.text.holes.map { OpenPart($0.range) }
            + specifiers.enumerated().compactMap { index, specifier in
                isKnownKey(specifier, index) ? nil : OpenPart(specifier.range, kind(of: specifier, index))
            }
    }

    /// The parts of the format whose text is not known, of which nothing is said: holes, and `%K` without a literal.
    var unknownText: [Range<Int>] {
        parse.text.holes.map(\.range)
            + specifiers.enumerated().compactMap { index, specifier in
                specifier.kind == .keyPath && !isKnownKey(specifier, index) ? specifier.range : nil
            }
    }

    /// A format with holes is parsed without the literals of its call.
    private func isKnownKey(_ specifier: FormatSpecifier, _ index: Int) -> Bool {
        !text.hasHoles && literal(index).value(for: specifier.kind) != nil
    }

    private func literal(_ index: Int) -> ArgumentLiteral {
        literals.indices.contains(index) ? literals[index] : .unknown
    }

    /// The kind of the argument, as the specifier tells, or the literal that is passed for `%@`.
    private func kind(of specifier: FormatSpecifier, _ index: Int) -> PredicateValue.Kind? {
        guard specifier.kind == .value else { return OpenPart(specifier).kind }
        switch literal(index) {
        case .text, .keyPath: return .string
        // In a call of C they are no objects, of which another rule tells.
        case .integer, .floatingPoint: return hasVariableArguments ? nil : .number
        case .bool: return hasVariableArguments ? nil : .boolean
        case .null, .object, .cString, .unknown: return nil
        }
    }
}
