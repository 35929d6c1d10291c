import PredicateEvaluation

/// The names of evaluation error codes in conformance data.
///
/// `incomparable` for `name < 3`
package enum EvaluationErrorName: String, Hashable, Sendable, CaseIterable {
    case incomparable
    case notANumber
    case notAnInteger
    case integerOverflow
    case divisionByZero
    case notAString
    case notACollection
    case notARange
    case notAContainer
    case undefinedKey
    case unreadLazyKey
    case isolatedKey
    case untrackedKey
    case unreadWrapper
    case notEquatable
    case notEncodable
    case unknownCollectionOperator
    case notAKey
    case indexOutOfRange
    case notIndexable
    case symbolOutsideIndex
    case unboundVariable
    case unknownFunction
    case argumentCount
    case unknownMessage
    case unknownSelector
    case unknownCastType
    case castFailed
    case invalidPattern
    case patternTooCostly
    case resultTooLarge
    case emptyCollection
    case argumentKind
    case notEvaluable
    case unlistedKeys
    case subpredicateCount
    case nestingTooDeep
    case exceeds
    case refused
    case host

    /// Creates the name of a code. A new code needs a name here.
    package init(_ code: EvaluationError.Code) {
        switch code {
        case .incomparable: self = .incomparable
        case .notANumber: self = .notANumber
        case .notAnInteger: self = .notAnInteger
        case .integerOverflow: self = .integerOverflow
        case .divisionByZero: self = .divisionByZero
        case .notAString: self = .notAString
        case .notACollection: self = .notACollection
        case .notARange: self = .notARange
        case .notAContainer: self = .notAContainer
        case .undefinedKey: self = .undefinedKey
        case .unreadLazyKey: self = .unreadLazyKey
        case .isolatedKey: self = .isolatedKey
        case .untrackedKey: self = .untrackedKey
        case .unreadWrapper: self = .unreadWrapper
        case .notEquatable: self = .notEquatable
        case .notEncodable: self = .notEncodable
        case .unknownCollectionOperator: self = .unknownCollectionOperator
        case .notAKey: self = .notAKey
        case .indexOutOfRange: self = .indexOutOfRange
        case .notIndexable: self = .notIndexable
        case .symbolOutsideIndex: self = .symbolOutsideIndex
        case .unboundVariable: self = .unboundVariable
        case .unknownFunction: self = .unknownFunction
        case .argumentCount: self = .argumentCount
        case .unknownMessage: self = .unknownMessage
        case .unknownSelector: self = .unknownSelector
        case .unknownCastType: self = .unknownCastType
        case .castFailed: self = .castFailed
        case .invalidPattern: self = .invalidPattern
        case .patternTooCostly: self = .patternTooCostly
        case .resultTooLarge: self = .resultTooLarge
        case .emptyCollection: self = .emptyCollection
        case .argumentKind: self = .argumentKind
        case .notEvaluable: self = .notEvaluable
        case .unlistedKeys: self = .unlistedKeys
        case .subpredicateCount: self = .subpredicateCount
        case .nestingTooDeep: self = .nestingTooDeep
        case .exceeds: self = .exceeds
        case .refused: self = .refused
        case .host: self = .host
        }
    }
}
