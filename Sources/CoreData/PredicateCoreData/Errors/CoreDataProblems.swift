import Foundation
public import PredicateEvaluation
public import PredicateModel
public import PredicateSyntax

extension CoreDataError {
    /// The reason why the model of a store cannot be used.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ModelProblem: Hashable, Sendable {
        /// A model that cannot be read
        case unreadable(ModelError)
        /// A model with more entities than are supported
        case tooManyEntities(found: Int, limit: Int)
        /// An entity that inherits from itself, or whose superentities are more than are supported
        case inheritance(entity: String, limit: Int)
        /// Two entities, or two properties of an entity, whose names differ only in case, which XML stores do not keep
        case sameNames(String, String)
    }

    /// The reason why an XML store cannot be read.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum FileProblem: Hashable, Sendable {
        /// XML that is not well-formed, has other elements, or exceeds a limit
        case unreadable(ModelError)
        /// Two objects with the same ID
        case duplicateID(String, line: Int)
        /// An empty ID, or one with a number that is too large
        case invalidID(String, line: Int)
        /// A text that is not a value of the attribute's type
        case invalidValue(String, key: String, entity: String, line: Int)
        /// Two values of an attribute, or two objects of a to-one relationship
        case repeatedKey(String, entity: String, line: Int)
        /// A relationship to an object that does not exist, is of another entity, or belongs to another object; with
        /// the numbers of both objects
        case contradiction(key: String, entity: String, source: Int64, target: Int64)
    }

    /// The reason why a value is not valid for a property.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ValueProblem: Hashable, Sendable {
        /// A string for a number: the expected type, and the kind of value that was found
        case type(expected: String, found: String)
        /// 40000 for an integer of 16 bits
        case overflow(Int64, type: String)
        /// A number or a date before the minimum
        case belowMinimum(PredicateValue)
        /// A number or a date after the maximum
        case aboveMaximum(PredicateValue)
        /// A string that is too short; lengths are in UTF-16 code units
        case tooShort(length: Int, minimum: Int)
        /// A string that is too long; lengths are in UTF-16 code units
        case tooLong(length: Int, maximum: Int)
        /// A string that does not match the regular expression
        case noMatch(pattern: String)
        /// A value that does not satisfy a condition of the model, and the error number of the condition in the model
        case condition(String, number: Int)
        /// A condition of the model that cannot be evaluated, with the reason
        case invalidCondition(String)
    }

    /// The reason why a change cannot be recorded in the history of a store.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum HistoryProblem: Hashable, Sendable {
        /// A composite attribute of an updated object: its place among the changed columns is not known
        case composite(String)
        /// A relationship of an updated object that has a position in an ordered relationship
        case ordered(String)
        /// A to-many relationship without an inverse whose foreign key is in the row of an updated object
        case withoutInverse(String)
        /// An attribute whose value Core Data keeps in the history when an object is deleted
        case preserved(String)
    }

    /// The reason why a mapping cannot be used.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum MappingProblem: Hashable, Sendable {
        /// A mapping model that cannot be read, or that does not match the models
        case unreadable(ModelError)
        /// The name of an entity mapping that does not exist
        case unknownMapping
        /// An attribute that the destination entity does not have, with near misses, best first
        case unknownAttribute(String, entity: String, nearMisses: [String])
        /// A relationship that the destination entity does not have, with near misses, best first
        case unknownRelationship(String, entity: String, nearMisses: [String])
        /// An invalid source filter
        case sourceFilter(PredicateFormatError)
        /// A mapping model between the versions of another one
        case sameVersions(String)
    }

    /// The reason why a line of migration rules is not valid.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum RuleProblem: Hashable, Sendable {
        /// A line without a comma after the entity
        case missingPredicate
        /// A line without a comma after the predicate, or without an action
        case missingAssignment
        /// Something else than what the grammar expects
        case expected(String)
        /// An entity that the new model does not have, with near misses, best first
        case unknownEntity(String, nearMisses: [String])
        /// A key that the entity does not have, with near misses, best first
        case unknownKey(String, entity: String, nearMisses: [String])
        /// A relationship, and an entity whose objects it cannot have
        case otherEntity(String, expected: String, found: String)
        /// An abstract entity, of which no objects can be made
        case abstractEntity(String)
        /// An invalid predicate or expression
        case format(PredicateFormatError)
    }

    /// The reason why an expression of a mapping, a policy or a rule failed.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ExpressionProblem: Hashable, Sendable {
        /// An invalid format string
        case format(PredicateFormatError)
        /// An expression that cannot be evaluated
        case evaluation(EvaluationError)
        /// An error that a policy threw, in its own words
        case host(String)
    }
}

extension CoreDataError.ValueProblem {
    /// The code of the error in Core Data's headers; nil if there is none.
    var number: Int? {
        switch self {
        case .belowMinimum(.date): 1640
        case .belowMinimum: 1620
        case .aboveMaximum(.date): 1630
        case .aboveMaximum: 1610
        case .tooShort: 1670
        case .tooLong: 1660
        case .noMatch: 1680
        case .condition(_, let number): number
        case .type, .overflow, .invalidCondition: nil
        }
    }
}

// MARK: - Wording

extension CoreDataError.ModelProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .unreadable(let error): error.title
        case .tooManyEntities(let found, let limit): "it has \(found) entities, at most \(limit) are supported"
        case .inheritance(let entity, let limit): "\(entity) inherits from itself, or over more than \(limit) levels"
        case .sameNames(let one, let other): "\(one) and \(other) have the same name in an XML store"
        }
    }
}

extension CoreDataError.FileProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .unreadable(let error):
            error.place.description.isEmpty ? error.title : "\(error.title) (at \(error.place))"
        case .duplicateID(let id, let line): "line \(line): another object has the ID \(id)"
        case .invalidID(let id, let line): "line \(line): '\(id)' is not the ID of an object"
        case .invalidValue(let text, let key, let entity, let line):
            "line \(line): '\(text)' is not a value of \(entity).\(key)"
        case .repeatedKey(let key, let entity, let line): "line \(line): \(entity).\(key) has more than one value"
        case .contradiction(let key, let entity, let source, let target):
            "\(entity).\(key) of z\(source) contains z\(target), which does not exist, is of another entity, or belongs to"
                + " another object"
        }
    }
}

extension CoreDataError.ValueProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .type(let expected, let found): "expected \(expected), found \(found)"
        case .overflow(let number, let type): "\(number) does not fit in \(type)"
        case .belowMinimum(let minimum): "the minimum is \(minimum.modelText)"
        case .aboveMaximum(let maximum): "the maximum is \(maximum.modelText)"
        case .tooShort(let length, let minimum): "the string has length \(length), the minimum is \(minimum)"
        case .tooLong(let length, let maximum): "the string has length \(length), the maximum is \(maximum)"
        case .noMatch(let pattern): "it does not match \(pattern)"
        case .condition(let condition, _): "it does not satisfy \(condition)"
        case .invalidCondition(let reason): "a condition of the model cannot be evaluated: \(reason)"
        }
    }
}

extension CoreDataError.HistoryProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .composite(let key): "the place of its composite attribute '\(key)' among the changed columns is not known"
        case .ordered(let key):
            "the place of the order of its relationship '\(key)' among the changed columns is not known"
        case .withoutInverse(let key):
            "\(key) has no inverse, and the place of its foreign key among the changed columns is not known"
        case .preserved(let key):
            "where the value of '\(key)' is kept after a deletion is not known"
        }
    }
}

extension CoreDataError.MappingProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .unreadable(let error): error.title
        case .unknownMapping: "there is no entity mapping of this name"
        case .unknownAttribute(let key, let entity, let nearMisses):
            "\(entity) has no attribute '\(key)'\(NearMiss.question(nearMisses))"
        case .unknownRelationship(let key, let entity, let nearMisses):
            "\(entity) has no relationship '\(key)'\(NearMiss.question(nearMisses))"
        case .sourceFilter(let error): "the source filter: \(error.title)"
        case .sameVersions(let other): "'\(other)' maps the same versions"
        }
    }
}

extension CoreDataError.RuleProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .missingPredicate: "expected entity, predicate, action"
        case .missingAssignment: "expected a predicate, a comma, and an action"
        case .expected(let what): "expected \(what)"
        case .unknownEntity(let name, let near): "the new model has no entity '\(name)'\(NearMiss.question(near))"
        case .unknownKey(let key, let entity, let near): "\(entity) has no key '\(key)'\(NearMiss.question(near))"
        case .otherEntity(let key, let expected, let found): "'\(key)' takes objects of \(expected), not of \(found)"
        case .abstractEntity(let name): "\(name) is abstract, so it has no objects of its own"
        case .format(let error): error.title
        }
    }

    /// Suggestions, each without a full stop.
    var hints: [String] {
        switch self {
        case .missingAssignment:
            [
                "an action is key = expression, key = FIND Entity(…) OR MAKE, key = MAKE Entity(…), MAKE Entity(…) or DELETE"
            ]
        case .format(let error): error.hints
        case .missingPredicate, .expected, .unknownEntity, .unknownKey, .otherEntity, .abstractEntity: []
        }
    }
}

extension CoreDataError.ExpressionProblem {
    /// The words at the end of the error's title.
    var words: String {
        switch self {
        case .format(let error): error.title
        case .evaluation(let error): [error.title, error.label].compactMap(\.self).joined(separator: ": ")
        case .host(let words): words
        }
    }
}

extension NearMiss {
    /// `, did you mean 'name'?`; empty without near misses.
    fileprivate static func question(_ names: [String]) -> String {
        names.isEmpty ? "" : ", did you mean \(names.map { "'\($0)'" }.joined(separator: " or "))?"
    }
}
