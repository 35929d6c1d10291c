public import PredicateModel
public import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The declarations of a model's tables in a database: what `predicate model sql` prints.
///
/// ```swift
/// for statement in try ModelDeclarations(model, for: .database(.postgresql)).statements() { print(statement + ";") }
/// ```
///
/// Each entity that is not abstract has a table with its own objects (not those of subentities): the primary key
/// `Z_PK`, the attributes, elements of composite attributes under their paths, and the foreign keys of to-one
/// relationships. `NAME.entity` is added if the related objects may be of several entities, and `NAME.position` if
/// the inverse is ordered. A transformable attribute has two columns: `NAME` with the JSON of its archive, and
/// `NAME@data` with its bytes. A many-to-many relationship, and a to-many relationship without an inverse, is a join
/// table, such as `Album_assets`. An export writes the same tables.
///
/// The tables declare the constraints of the model, as far as the database can express them:
/// - NOT NULL for mandatory attributes and to-one relationships, PRIMARY KEY, UNIQUE, foreign keys.
/// - A primary key that PostgreSQL, MariaDB, MySQL and SQLite count up for rows without one.
/// - DEFAULT for numbers, dates, Booleans, UUIDs, and strings without control characters and backslashes.
/// - CHECK for the bounds of numbers and dates, for lengths in UTF-16 code units, for closed sets of values, and for regular
///   expressions that the database reads in the same way. SQLite counts code points, so only the maximum length is declared for
///   it, and neither regular expressions nor bounds of dates.
/// - The indexes of the model over attributes and to-one relationships. The condition of a partial index is left out.
public struct ModelDeclarations: Sendable {
    /// The databases for which tables can be declared.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Target: Hashable, Sendable {
        /// A database. Tables of Spark have types and NOT NULL only.
        case database(SQLEngine)
        /// The tables in which Core Data keeps the objects, for SQLite.
        case coreData
    }

    let model: ManagedObjectModel
    let target: Target

    /// Creates the declarations of a model for a database.
    public init(_ model: ManagedObjectModel, for target: Target) {
        (self.model, self.target) = (model, target)
    }

    /// The statements in order, without semicolons: first the tables, then the indexes and foreign keys, which require all
    /// tables.
    ///
    /// Throws a ``CoreDataError``: `unsupportedParts` for a name that the database cannot hold, and for a part of the
    /// model of unknown layout.
    public func statements() throws(CoreDataError) -> [String] {
        switch target {
        case .database(let engine):
            let tables = ModelTables(model, for: engine).tables.map { table in
                var declared = table.declaration
                declared.indexes = Self.indexes(of: table, model)
                return declared
            }
            return try declaring(for: engine) { () throws(SQLSchemaError) in
                let declarations = try Declarations(tables, for: engine)
                return try (declarations.tables + declarations.constraints).statements(for: engine)
            }
        case .coreData: return try coreData()
        }
    }

    /// The tables of a store without objects, and the rows that list its entities.
    private func coreData() throws(CoreDataError) -> [String] {
        let layout = StoreLayout(model)
        try layout.checkUnderstood("the model")
        let tables = StoreTables(layout: layout)
        let rows = layout.ordered.map { entity -> SQLText in
            """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES
            (\(number: entity.number), \(string: entity.name), \(number: entity.parent), 0)
            """
        }
        return (tables.tables + tables.indexes + rows).map { SQLFragment($0).text }
    }
}

// MARK: - Indexes

extension ModelDeclarations {
    /// The indexes of the model for a table that has their columns.
    private static func indexes(of table: PlainTable, _ model: ManagedObjectModel) -> [TableDeclaration.Index] {
        guard case .entity(let entity) = table.content else { return [] }
        return wanted(model, entity).compactMap { index in
            let terms = index.keys.compactMap { key in
                table.columns.first { $0.role.key == key.name }.map { ($0.name, key.isAscending) }
            }
            return terms.count == index.keys.count ? TableDeclaration.Index(index.name, terms) : nil
        }
    }

    /// The indexes of an entity and its superentities: the fetch indexes and those of the old forms.
    private static func wanted(
        _ model: ManagedObjectModel, _ entity: String
    ) -> [(name: String, keys: [(name: String, isAscending: Bool)])] {
        model.lineage(of: entity).reversed().flatMap { owner in
            let indexes = owner.indexes.compactMap { index in
                index.keys.map { (name: index.name, keys: $0) }
            }
            let compound = owner.compoundIndexes.map { names in
                (name: names.joined(separator: "_"), keys: names.map { (name: $0, isAscending: true) })
            }
            let single = owner.attributes.filter { $0.isIndexed && $0.isStored }.map { attribute in
                (name: attribute.name, keys: [(name: attribute.name, isAscending: true)])
            }
            return indexes + compound + single
        }
    }
}
