import PredicateSyntax

/// A format that was parsed with stand-ins: values for its specifiers, and texts for its holes.
struct FormatParse {
    enum Outcome {
        case predicate(FormatPredicate)
        case expression(FormatExpression)
        case failure(PredicateFormatError)
    }

    /// The text that was parsed.
    let text: FormatText
    let outcome: Outcome
    let specifiers: [FormatSpecifier]
    /// The stand-ins of the holes, in order.
    let standIns: [String]

    init(_ text: FormatText, isExpression: Bool, standIns: [String] = [], values: [PredicateValue?] = []) {
        self.text = text
        self.standIns = standIns
        let format = text.text
        specifiers = FormatPredicate.specifiers(in: format)
        let arguments = specifiers.enumerated().map { index, specifier in
            (index < values.count ? values[index] : nil) ?? specifier.kind.standIn
        }
        do throws(PredicateFormatError) {
            if isExpression {
                outcome = .expression(try FormatExpression(format: format, arguments: arguments))
            } else {
                outcome = .predicate(try FormatPredicate(format: format, arguments: arguments))
            }
        } catch {
            outcome = .failure(error)
        }
    }

    var error: PredicateFormatError? { if case .failure(let error) = outcome { error } else { nil } }

    /// The error that lint reports: a key path passed for `%K` may be a predicate by itself.
    var reportedError: PredicateFormatError? {
        guard let error else { return nil }
        let isLoneKey = specifiers.contains { $0.kind == .keyPath && $0.range == error.range }
        if isLoneKey, error.code == .expectedOperator || error.code == .expectedPredicate { return nil }
        return error
    }
}

extension FormatSpecifier.Kind {
    /// A value that fits.
    fileprivate var standIn: PredicateValue {
        switch self {
        case .value, .keyPath, .text: .string("x")
        case .integer: .integer(1)
        case .floatingPoint: .double(1.5)
        }
    }
}
