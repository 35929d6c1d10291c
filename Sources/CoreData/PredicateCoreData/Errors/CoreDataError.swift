import PredicateEvaluation
import PredicateModel
import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// An error of opening, reading, changing or migrating a Core Data store.
///
///     error: 'Recipes.sqlite' contains no model, because it is from before iOS 9 (134130)
///     hint: pass the model with --model FILE: .xcdatamodel, .xcdatamodeld, .mom or .momd
///
/// ``number`` is the code of the same failure in Core Data's headers, if there is one.
public struct CoreDataError: PredicateDiagnostic {
    /// The kind of error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A SQLite file without the tables of a Core Data store
        case notAStore(String)
        /// A store that contains no model, if none was given
        case noModel(String)
        /// A store whose model cannot be used
        case unreadableModel(String, ModelProblem)
        /// A model that does not match the store, with the differences
        case modelMismatch(String, differences: [String])
        /// A store or a model with parts of unknown layout, which a change or a migration would lose
        case unsupportedParts(String, parts: [String])
        /// Metadata that is not a valid property list, or that a property list cannot contain
        case unreadableMetadata(String)
        /// `open(model:)` of a store with another model version, without the option to migrate it
        case otherVersion(store: [String], model: [String], differences: [String])
        /// A migration that cannot be inferred, with the reasons
        case notInferable([String])
        /// A mapping that names a policy class that is not registered
        case missingPolicy(className: String, mapping: String)
        /// A mapping that does not match the models
        case invalidMapping(String, MappingProblem)
        /// An invalid line in the migration rules: its number and text, and the offending range in UTF-8 offsets
        case invalidRule(line: Int, text: String, range: Range<Int>, RuleProblem)
        /// An XML store that cannot be read, or that contradicts itself
        case unreadableFile(String, FileProblem)
        /// An XML store that another program has changed since it was opened
        case changedFile(String)
        /// A store of the binary type, which only Core Data can read and write
        case binaryStore(String)
        /// A file that would be overwritten
        case fileExists(String)
        /// A file that cannot be copied, renamed or removed, with the system's message
        case file(String, reason: String)
        /// A store with tables, triggers or attributes that only Core Data can keep up to date
        case notWritable([String])
        /// A change for which the history of the store would need an entry of unknown form
        case unknownHistory(entity: String, HistoryProblem)
        /// A store of another program, which can be changed only as a copy
        case foreignStore(String)
        /// A change of a store that was opened for reading
        case readOnly
        /// A missing mandatory value, of one or of several objects
        case missingValue(key: String, entity: String, count: Int)
        /// A value that the model does not allow
        case invalidValue(key: String, entity: String, ValueProblem)
        /// A relationship to an object that does not exist
        case missingObject(key: String, entity: String, object: String)
        /// Fewer objects in a relationship than the model allows
        case tooFewObjects(key: String, entity: String, found: Int, minimum: Int)
        /// More objects in a relationship than the model allows
        case tooManyObjects(key: String, entity: String, found: Int, maximum: Int)
        /// A change that would violate a uniqueness constraint
        case constraintConflict(keys: [String], entity: String)
        /// Objects that violate a uniqueness constraint of the new model
        case notUnique(keys: [String], entity: String)
        /// External data whose file does not exist
        case missingExternalData(key: String, entity: String, file: String)
        /// A stream of comma-separated values that would hold several tables
        case severalTables([String])
        /// A new object of an abstract entity
        case abstractEntity(String)
        /// A `Z_PRIMARYKEY` table without a row for the entity
        case noPrimaryKey(entity: String)
        /// A string that is not the URI of an object of this store
        case invalidURI(String)
        /// A migrated store that failed verification, with the reason
        case verification(String)
        /// A cancelled migration
        case cancelled
        /// An error of the database
        case store(StoreError)
        /// A failed expression of a mapping, a policy or a rule, and where it is
        case expression(String, ExpressionProblem)
    }

    /// The kind of error, with its details.
    public var code: Code
    /// The step of a chain of migrations that failed: `Model 1 to Model 2 by 1to2.xcmappingmodel`
    package internal(set) var step: String?

    /// An error of a kind.
    package init(_ code: Code) {
        self.code = code
    }

    /// The format string or the statement of a database error, or the line of a rule.
    public var text: String {
        if case .invalidRule(_, let text, _, _) = code { return text }
        return if case .store(let error) = code { error.text } else { "" }
    }

    /// The offending range of ``text``.
    public var range: Range<Int> {
        if case .invalidRule(_, _, let range, _) = code { return range }
        return if case .store(let error) = code { error.range } else { 0..<0 }
    }

    /// The text next to the caret.
    public var label: String? {
        if case .invalidRule(_, _, _, .format(let error)) = code { return error.label }
        return if case .store(let error) = code { error.label } else { nil }
    }

    /// The code of the same failure in Core Data's headers; nil if there is none.
    public var number: Int? {
        switch code {
        case .otherVersion, .modelMismatch: 134_100
        case .notAStore: 134_000
        case .noModel: 134_130
        case .unreadableMetadata, .unreadableModel, .unreadableFile: 134_080
        case .binaryStore: 134_000
        case .notInferable: 134_190
        case .invalidMapping: 134_140
        case .missingPolicy, .expression, .invalidRule: 134_170
        case .cancelled: 134_120
        case .missingValue: 1570
        case .invalidValue(_, _, let problem): problem.number
        case .missingObject: 133_000
        case .tooFewObjects: 1580
        case .tooManyObjects: 1590
        case .constraintConflict: 133_021
        case .store(let error): if case .deletionDenied = error.code { 1600 } else { nil }
        case .notUnique: 134_111
        case .verification: 134_110
        case .missingExternalData: 134_200
        case .unsupportedParts, .severalTables, .fileExists, .file, .notWritable, .unknownHistory, .foreignStore,
            .readOnly, .abstractEntity, .noPrimaryKey, .invalidURI, .changedFile:
            nil
        }
    }
}

/// Runs work on the database and wraps its error.
package func storing<Result>(_ work: () throws(StoreError) -> Result) throws(CoreDataError) -> Result {
    do throws(StoreError) {
        return try work()
    } catch {
        throw CoreDataError(.store(error))
    }
}

/// Evaluates an expression or a predicate, or prepares one. Its error has the place.
func evaluating<Result>(
    _ place: @autoclosure () -> String, _ work: () throws(EvaluationError) -> Result
) throws(CoreDataError) -> Result {
    do throws(EvaluationError) { return try work() } catch {
        throw CoreDataError(.expression(place(), .evaluation(error)))
    }
}
