import Foundation
import PredicateCoreData
import PredicateModel
@_spi(Dialect) import PredicateSQL
import PredicateSyntax

/// Declares the tables of a model on a server. The server must refuse what the model refuses, and its catalog must give
/// a schema for which the fetch requests of the model compile.
struct DeclarationRun {
    let engine: ServerEngine

    /// Every type, defaults, bounds, closed values, indexes and relationships of all kinds.
    private static let model = ManagedObjectModel(
        [
            EntityDescription(
                "Declared_Book",
                attributes: [
                    AttributeDescription(
                        "title", .string, isOptional: false, defaultValue: "it's \"new\"", minimumLength: 1),
                    AttributeDescription("state", .string, defaultValue: "draft", regularExpression: "draft|sent"),
                    AttributeDescription("pages", .integer16, defaultValue: 100, minimumValue: 1, maximumValue: 9000),
                    AttributeDescription("copies", .integer64, isOptional: false, defaultValue: -3),
                    AttributeDescription("price", .decimal, defaultValue: .decimal(Decimal(string: "1.5") ?? 0)),
                    AttributeDescription("weight", .double, defaultValue: 0.25, maximumValue: 2.5),
                    AttributeDescription("isRead", .boolean, isOptional: false, defaultValue: true),
                    AttributeDescription(
                        "added", .date, minimumValue: .date(Date(timeIntervalSinceReferenceDate: 0))),
                    AttributeDescription("mark", .string, minimumLength: 2, maximumLength: 4),
                    AttributeDescription("sign", .string, regularExpression: "[A-Z]{2}-\\d+"),
                    AttributeDescription("cover", .binaryData),
                    AttributeDescription("code", .uuid, defaultValue: .uuid(UUID(uuid: UUID().uuid))),
                    AttributeDescription("link", .uri), AttributeDescription("tint", .transformable),
                ],
                relationships: [
                    .toOne("shelf", "Declared_Shelf", inverse: "books"),
                    .toMany("tags", "Declared_Tag", inverse: "books", isOrdered: true),
                ],
                uniquenessConstraints: [["pages", "copies"]],
                indexes: [FetchIndexDescription("by title", [.init("title"), .init("pages", isAscending: false)])]),
            EntityDescription(
                "Declared_Shelf", attributes: [AttributeDescription("room", .integer32)],
                relationships: [.toMany("books", "Declared_Book", inverse: "shelf", isOrdered: true)]),
            EntityDescription(
                "Declared_Tag", attributes: [AttributeDescription("word", .string)],
                relationships: [.toMany("books", "Declared_Book", inverse: "tags")]),
        ],
        fetchRequestTemplates: [
            FetchRequestTemplate("thick", entity: "Declared_Book", predicate: "pages > $PAGES AND isRead == NO"),
            FetchRequestTemplate(
                "named", entity: "Declared_Book", predicate: "title BEGINSWITH[cd] $WORD OR state == nil"),
            FetchRequestTemplate("here", entity: "Declared_Book", predicate: "shelf.room == $ROOM"),
            FetchRequestTemplate(
                "linked", entity: "Declared_Book", predicate: "ANY tags.word == 'x' AND shelf.books.@count > 1"),
            FetchRequestTemplate("old", entity: "Declared_Book", predicate: "added < $DATE OR price > 2 OR weight < 1"),
        ])

    private static var variables: PredicateVariables {
        let date = PredicateValue.date(Date(timeIntervalSinceReferenceDate: 0))
        return ["PAGES": 3, "WORD": "em", "ROOM": 2, "DATE": date]
    }

    /// Returns the number of facts that hold, and a complaint for each that does not.
    func run() throws -> (agreed: Int, complaints: [String]) {
        let statements = try ModelDeclarations(Self.model, for: target).statements()
        try engine.run(drops + statements)
        var (agreed, complaints) = (1, [String]())
        for (row, isRight) in rows {
            switch (refusal(of: row), isRight) {
            case (nil, true), (_?, false): agreed += 1
            case (let reason?, true): complaints.append("\(row) is refused: \(reason)")
            case (nil, false): complaints.append("\(row) is not refused")
            }
        }
        for complaint in try templates() {
            if let complaint { complaints.append(complaint) } else { agreed += 1 }
        }
        try engine.run(drops)
        return (agreed, complaints)
    }

    private var target: ModelDeclarations.Target { .database(engine.kind.engine) }

    private var drops: [String] {
        ["Declared_Book_tags", "Declared_Book", "Declared_Tag", "Declared_Shelf"]
            .map { "DROP TABLE IF EXISTS \(quoted($0))" }
    }

    private func quoted(_ name: String) -> String { engine.dialect.quoted(name) ?? name }

    // MARK: - Rows

    /// Rows of books, and whether the model allows them. Spark checks types and NOT NULL only.
    private var rows: [(String, isRight: Bool)] {
        guard engine.kind != .spark else { return [] }
        return keys + conditions + counted
    }

    private var keys: [(String, isRight: Bool)] {
        [
            (row("1, 'Emma', 474"), true), (row("2, '', 1"), false), (row("3, NULL, 1"), false),
            (row("4, 'x', 0"), false), (row("5, 'x', 9001"), false), (row("1, 'x', 5"), false),
            // The default of copies is the same, so the pair is not unique.
            (row("6, 'x', 474"), false), (row("7, 'x', 475"), true),
        ]
    }

    /// Lengths are in UTF-16 code units.
    private var conditions: [(String, isRight: Bool)] {
        let values: [(String, String, Bool)] = [
            ("state", "lost", false), ("state", "sent", true), ("added", "2000-12-31", false),
            ("added", "2001-01-01", true), ("mark", "abcde", false), ("mark", "😀😀", true), ("mark", "😀😀a", false),
            ("mark", "a", false), ("mark", "😀", true), ("sign", "AB-1x", false), ("sign", "AB-12", true),
        ]
        return values.enumerated().map { index, value in
            (row("\(index + 8), 'x', \(index + 8), '\(value.1)'", value.0), value.2)
        }
    }

    /// A row without a primary key gets one.
    private var counted: [(String, isRight: Bool)] {
        guard engine.kind != .duckdb else { return [] }
        let statement = "INSERT INTO \(quoted("Declared_Shelf")) (\(quoted("room"))) VALUES (3)"
        return [(statement, true), (statement, true)]
    }

    private func row(_ values: String, _ more: String...) -> String {
        let columns = (["Z_PK", "title", "pages"] + more).map(quoted).joined(separator: ", ")
        return "INSERT INTO \(quoted("Declared_Book")) (\(columns)) VALUES (\(values))"
    }

    private func refusal(of statement: String) -> String? {
        do {
            try engine.run([statement])
            return nil
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Schemas

    /// For each fetch request a complaint, or nil if it compiles: for the schema of the model's tables, and for the one
    /// that the catalog of the database gives, in which relationships have other names.
    private func templates() throws -> [String?] {
        let declared = ModelDeclarations(Self.model, for: target).schema()
        let own = Self.model.fetchRequestTemplates.map { complaint($0, declared, isRun: true) }
        guard let catalog = engine.kind.engine.catalogQuery else { return own }
        // The client of PostgreSQL reads JSON as an object, unless it is a string.
        let query = engine.kind == .postgresql ? "SELECT (\(catalog))::text" : catalog
        let document = try engine.text(of: SQLFragment(verbatim: query))
        let found = try IntrospectedSchema(document: Array(document.utf8)).schema
        return own
            + Self.model.fetchRequestTemplates.filter { !["here", "linked"].contains($0.name) }.map {
                complaint($0, found, isRun: false)
            }
    }

    private func complaint(_ template: FetchRequestTemplate, _ schema: SQLSchema, isRun: Bool) -> String? {
        do {
            guard let predicate = try template.predicate?.predicate() else { return "\(template.name) has none" }
            let bound = try predicate.substituting(Self.variables)
            let query = try SQLCompiler(schema: schema, dialect: engine.dialect).compile(bound, entity: "Declared_Book")
            if isRun {
                try engine.run(query.prelude)
                _ = try engine.text(of: query.count)
            }
            return nil
        } catch {
            return "\(template.name) does not compile for the tables: \(error)"
        }
    }
}
