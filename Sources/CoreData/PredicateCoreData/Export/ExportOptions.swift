public import PredicateSQL
public import PredicateSyntax

/// What an export writes, and how.
///
/// `ExportOptions(entities: ["Recipe"], predicate: FormatPredicate("rating > 3"), anonymizes: true)`
public struct ExportOptions: Sendable {
    /// The entities to write, with their subentities; nil for all. Join tables and history are written only with
    /// all entities.
    package var entities: [String]?
    /// The predicate that the objects of each of these entities match; nil for all objects.
    package var predicate: FormatPredicate?
    /// A Boolean value that indicates whether values that may identify a person are replaced with others of the same shape.
    ///
    /// Strings keep their length and the kind of each character; URLs also keep their scheme. Dates are shifted by the same
    /// time, and each by up to a month more, so that a known date does not reveal the others. Numbers keep their count of
    /// digits, and Booleans and integers of less than four digits are kept. UUIDs are replaced, data by bytes of the same
    /// length, and transformable values are left out. Equal values stay equal, different ones different. The replacement
    /// depends on a secret that is created for each export and never stored. Names of the model, relationships and the number
    /// of objects are not changed.
    package var anonymizes: Bool
    /// If true, external data files may be missing: the values are nil, and the report counts them.
    package var allowsMissingData: Bool

    /// Options of an export; by default everything is written as it is.
    public init(
        entities: [String]? = nil, predicate: FormatPredicate? = nil, anonymizes: Bool = false,
        allowsMissingData: Bool = false
    ) {
        (self.entities, self.predicate, self.anonymizes) = (entities, predicate, anonymizes)
        self.allowsMissingData = allowsMissingData
    }
}

/// The form of an export.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ExportFormat: Hashable, Sendable {
    /// A SQLite file with the tables of ``ModelDeclarations``.
    case sqlite
    /// A script that creates and fills these tables in a database; Spark has none.
    case sql(SQLEngine)
    /// A file for each of these tables; related objects are named by their URIs.
    case csv
    /// An object for each line, with its entity, its URI and its relationships.
    case jsonLines
    /// An array of the same objects.
    case json
}

/// What an export has written.
public struct ExportReport: Hashable, Sendable {
    /// The number of objects.
    public internal(set) var count = 0
    /// Sentences about differences from the store, such as foreign keys that could not be declared.
    public internal(set) var notes: [String] = []
}
