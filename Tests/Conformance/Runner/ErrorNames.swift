import PredicateEvaluation
import PredicateSyntax

/// The names of format error codes in conformance data.
///
/// `expectedOperator` for `age`
package enum FormatErrorName: String, Hashable, Sendable, CaseIterable {
    case emptyFormat
    case expectedExpression
    case expectedOperator
    case unknownOperator
    case foreignOperator
    case notBeforeOperator
    case betweenWithAnd
    case expectedPredicate
    case expectedLogicalOperator
    case chainedComparison
    case expectedSymbol
    case expectedKey
    case expectedVariable
    case expectedString
    case expectedOption
    case unknownOption
    case unclosed
    case unmatched
    case predicateIsNotAValue
    case predicateIsNotAnExpression
    case reservedWord
    case unterminatedString
    case quoteInsideString
    case wildcardOutsideString
    case loneSurrogate
    case unexpectedCharacter
    case nonASCIIKey
    case loneMark
    case invalidNumber
    case integerTooLarge
    case unknownSpecifier
    case percentSign
    case missingArgument
    case surplusArguments
    case argumentKind
    case predicateArgument
    case emptyKey
    case unknownFunction
    case unboundVariable
    case nestingTooDeep
    case formatTooLong
    case exceeds
    case refused

    /// Creates the name of a code. A new code needs a name here.
    package init(_ code: PredicateFormatError.Code) {
        switch code {
        case .emptyFormat: self = .emptyFormat
        case .expectedExpression: self = .expectedExpression
        case .expectedOperator: self = .expectedOperator
        case .unknownOperator: self = .unknownOperator
        case .foreignOperator: self = .foreignOperator
        case .notBeforeOperator: self = .notBeforeOperator
        case .betweenWithAnd: self = .betweenWithAnd
        case .expectedPredicate: self = .expectedPredicate
        case .expectedLogicalOperator: self = .expectedLogicalOperator
        case .chainedComparison: self = .chainedComparison
        case .expectedSymbol: self = .expectedSymbol
        case .expectedKey: self = .expectedKey
        case .expectedVariable: self = .expectedVariable
        case .expectedString: self = .expectedString
        case .expectedOption: self = .expectedOption
        case .unknownOption: self = .unknownOption
        case .unclosed: self = .unclosed
        case .unmatched: self = .unmatched
        case .predicateIsNotAValue: self = .predicateIsNotAValue
        case .predicateIsNotAnExpression: self = .predicateIsNotAnExpression
        case .reservedWord: self = .reservedWord
        case .unterminatedString: self = .unterminatedString
        case .quoteInsideString: self = .quoteInsideString
        case .wildcardOutsideString: self = .wildcardOutsideString
        case .loneSurrogate: self = .loneSurrogate
        case .unexpectedCharacter: self = .unexpectedCharacter
        case .nonASCIIKey: self = .nonASCIIKey
        case .loneMark: self = .loneMark
        case .invalidNumber: self = .invalidNumber
        case .integerTooLarge: self = .integerTooLarge
        case .unknownSpecifier: self = .unknownSpecifier
        case .percentSign: self = .percentSign
        case .missingArgument: self = .missingArgument
        case .surplusArguments: self = .surplusArguments
        case .argumentKind: self = .argumentKind
        case .predicateArgument: self = .predicateArgument
        case .emptyKey: self = .emptyKey
        case .unknownFunction: self = .unknownFunction
        case .unboundVariable: self = .unboundVariable
        case .nestingTooDeep: self = .nestingTooDeep
        case .formatTooLong: self = .formatTooLong
        case .exceeds: self = .exceeds
        case .refused: self = .refused
        }
    }
}
