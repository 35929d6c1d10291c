import PredicateSyntax

/// The verdict of the parser on a text, with fitting arguments for its specifiers.
enum ParserVerdict {
    case accepted
    case refused(PredicateFormatError)

    init(_ text: String, as start: FormatRecogniser.Start) {
        do {
            switch start {
            case .format: _ = try FormatPredicate(format: text, arguments: Self.arguments(for: text))
            case .expressionFormat: _ = try FormatExpression(format: text, arguments: Self.arguments(for: text))
            }
            self = .accepted
        } catch {
            self = .refused(error)
        }
    }

    /// A string for `%@`, since a string can stand wherever a constant can.
    static func arguments(for text: String) -> [PredicateValue] {
        FormatPredicate.specifiers(in: text).map { specifier in
            switch specifier.kind {
            case .value, .text: .string("NSString")
            case .keyPath: .string("dept.name")
            case .integer: .integer(21)
            case .floatingPoint: .double(2.5)
            }
        }
    }

    /// The refusals that no grammar can express, each with its reason. Where the parser gives one of these, the
    /// grammar may say either.
    static func isBeyondGrammar(_ error: PredicateFormatError, _ recogniser: FormatRecogniser) -> Bool {
        switch error.code {
        // Sizes of numbers.
        case .integerTooLarge: true
        case .invalidNumber: recogniser.matches(Self.text(of: error), "FloatingPoint")
        // Arguments.
        case .missingArgument, .surplusArguments, .argumentKind, .emptyKey, .unboundVariable: true
        // Functions: only a call alone is checked, since older systems read it as a key.
        case .unknownFunction: true
        // Limits.
        case .nestingTooDeep, .formatTooLong, .exceeds: true
        // A policy of the host.
        case .refused: true
        case .emptyFormat, .expectedExpression, .expectedOperator, .unknownOperator, .foreignOperator,
            .notBeforeOperator,
            .betweenWithAnd,
            .expectedPredicate, .expectedLogicalOperator, .chainedComparison, .expectedSymbol, .expectedKey,
            .expectedVariable, .expectedString, .expectedOption, .unknownOption, .unclosed, .unmatched,
            .predicateIsNotAValue, .predicateIsNotAnExpression, .reservedWord, .unterminatedString, .quoteInsideString,
            .wildcardOutsideString, .loneSurrogate, .unexpectedCharacter, .nonASCIIKey, .loneMark, .unknownSpecifier,
            .percentSign, .predicateArgument:
            false
        }
    }

    private static func text(of error: PredicateFormatError) -> String {
        String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self)
    }
}
