import PredicateModel
import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// An error of opening, reading, changing or migrating a store of Core Data.
///
///     error: expected a model for 'Recipes.sqlite': a store of this age does not keep one
///     hint: --model FILE names the model
///
/// ``number`` is the one that Core Data has for the same failure, where its headers name one.
public struct CoreDataError: PredicateDiagnostic {
    /// The kind of error, named by what was expected or violated.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A SQLite file without the tables of a store
        case notAStore(String)
        /// A store that keeps no model, where none was given
        case noModel(String)
        /// A store whose model cannot be read, and the reason
        case unreadableModel(String, reason: String)
        /// A model that is given for a store of another one; what the store lacks, or has beyond it
        case unfitModel(String, differences: [String])
        /// A store or a model with parts that have no known layout, which a change or a migration would lose
        case notUnderstood(String, parts: [String])
        /// A property list of metadata that cannot be read
        case unreadableMetadata(String)
        /// `open(model:)` of a store of another version, without the option to migrate it
        case otherVersion(store: [String], model: [String], differences: [String])
        /// A migration that cannot be worked out, with the reasons
        case notInferable([String])
        /// A mapping that names a class of code for which the registry has no policy
        case missingPolicy(className: String, mapping: String)
        /// A mapping that does not fit the models
        case invalidMapping(String, reason: String)
        /// A line of a file of rules that cannot be read
        case invalidRule(line: Int, reason: String)
        /// A file that would be overwritten
        case fileExists(String)
        /// A file that cannot be copied, renamed or removed, and the reason
        case file(String, reason: String)
        /// Changes of a store by something other than Core Data would break what these tables or triggers keep
        case notWritable([String])
        /// A store of another program, which is changed as a copy only
        case foreignStore(String)
        /// A change of a store that was opened for reading
        case readOnly
        /// A mandatory value that is missing: of one object, or of a number of them
        case missingValue(key: String, entity: String, count: Int)
        /// A value outside the bounds that the model states for it, and the number of the error in Core Data's headers, where
        /// they name one
        case invalidValue(key: String, entity: String, reason: String, number: Int? = nil)
        /// A relationship to an object that is not there
        case missingObject(key: String, entity: String, object: String)
        /// Fewer objects at the end of a relationship than the model allows
        case tooFewObjects(key: String, entity: String, found: Int, least: Int)
        /// More objects at the end of a relationship than the model allows
        case tooManyObjects(key: String, entity: String, found: Int, most: Int)
        /// A change that would give an object the values of another one in the keys of a uniqueness constraint
        case constraintConflict(keys: [String], entity: String)
        /// Objects with the same values in the keys of a uniqueness constraint
        case notUnique(keys: [String], entity: String)
        /// Data of an attribute whose file beside the store is not there
        case missingExternalData(key: String, entity: String, file: String)
        /// A new object of an abstract entity
        case abstractEntity(String)
        /// A table of primary keys that has no next one for an entity
        case noKeyLeft(entity: String)
        /// A text that is no URI of an object of this store
        case invalidURI(String)
        /// A migrated store that does not have what the plan promises
        case verification(String)
        /// A migration that was cancelled
        case cancelled
        /// An error of the database
        case store(StoreError)
        /// An error of an expression of a mapping, a policy or a rule
        case expression(String, reason: String)
    }

    /// The kind of error, with the names and values that it is about.
    public var code: Code

    /// An error of a kind.
    public init(_ code: Code) {
        self.code = code
    }

    /// The format string or the statement of an error of the database.
    public var text: String { if case .store(let error) = code { error.text } else { "" } }

    /// The offending range of ``text``.
    public var range: Range<Int> { if case .store(let error) = code { error.range } else { 0..<0 } }

    /// The words next to the caret.
    public var label: String? { if case .store(let error) = code { error.label } else { nil } }

    /// The number of the same failure in Core Data's headers; nil for none.
    public var number: Int? {
        switch code {
        case .otherVersion, .unfitModel: 134_100
        case .notAStore: 134_000
        case .noModel: 134_130
        case .unreadableMetadata, .unreadableModel: 134_080
        case .notInferable: 134_190
        case .invalidMapping: 134_140
        case .missingPolicy, .expression, .invalidRule: 134_170
        case .cancelled: 134_120
        case .missingValue: 1570
        case .invalidValue(_, _, _, let number): number
        case .missingObject: 133_000
        case .tooFewObjects: 1580
        case .tooManyObjects: 1590
        case .constraintConflict: 133_021
        case .store(let error): if case .deletionDenied = error.code { 1600 } else { nil }
        case .notUnique: 134_111
        case .verification: 134_110
        case .missingExternalData: 134_200
        case .notUnderstood, .fileExists, .file, .notWritable, .foreignStore, .readOnly, .abstractEntity, .noKeyLeft,
            .invalidURI:
            nil
        }
    }
}

/// Runs work of the store; its errors become errors of Core Data's store.
func storing<Result>(_ work: () throws(StoreError) -> Result) throws(CoreDataError) -> Result {
    do throws(StoreError) {
        return try work()
    } catch {
        throw CoreDataError(.store(error))
    }
}
