import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension CoreDataStore {
    /// Exports the objects to a new file that other tools can read, and returns what was written.
    ///
    /// ```swift
    /// try CoreDataStore("Photos.sqlite").export(to: "plain.sqlite")
    /// try store.export(to: "photos.jsonl", as: .jsonLines, ExportOptions(entities: ["Asset"]))
    /// ```
    ///
    /// Tables are those of ``ModelDeclarations``, with the columns that the store has. Persistent history is the table
    /// `history`. Dates are ISO 8601 strings with all their digits, in SQL of the type of the database; UUIDs are
    /// strings, data base 64 in text formats; external data is included. JSON has an object for each object, with its
    /// `@entity`, its URI `@id`, and the URIs of related objects. CSV is a folder with a file for each table, or one
    /// file if `path` ends in `.csv` and one table is selected.
    ///
    /// Relationships are written as they are, even to objects that are not selected. A foreign key is declared only if each of
    /// its links leads to a written object; the report lists the others. Everything is written to a temporary file, which is
    /// then renamed.
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `file`, `missingExternalData`, `store` with `unknownEntity`, for a predicate
    /// that SQL cannot express, and for an export to SQLite within a transaction of an XML store, which is locked then.
    @discardableResult
    public func export(
        to path: String, as format: ExportFormat = .sqlite, _ options: ExportOptions = ExportOptions()
    ) throws(CoreDataError) -> ExportReport {
        let file = try NewFile(path)
        return try file.write { () throws(CoreDataError) in
            switch format {
            case .sqlite: try exportSQLite(file.temporary, options)
            case .csv where !path.lowercased().hasSuffix(".csv"): try exportFolder(file, options)
            case .csv, .sql, .json, .jsonLines:
                try export(as: format, options, to: OutputFile(file.temporary, named: path).write)
            }
        }
    }

    private func exportSQLite(_ path: String, _ options: ExportOptions) throws(CoreDataError) -> ExportReport {
        let connection = try StoreConnection.migrating(path, attaching: self)
        return try exporting(options, attachedTo: connection) { (run) throws(CoreDataError) in
            try run.writeTables(.sqlite) { (tables, context) throws(CoreDataError) in try SQLiteSink(tables, context) }
        }
    }

    /// Exports the objects as one stream of bytes. Throws `unsupportedParts` for SQLite, and for CSV of several tables.
    package func export(
        as format: ExportFormat, _ options: ExportOptions, to sink: @escaping ExportSink
    ) throws(CoreDataError) -> ExportReport {
        let output = ByteOutput(sink)
        return try exporting(options) { (run) throws(CoreDataError) in
            switch format {
            case .sqlite: throw CoreDataError(.unsupportedParts("a stream", parts: ["a SQLite file"]))
            case .sql(let engine):
                return try run.writeTables(engine) { (tables, context) throws(CoreDataError) in
                    try SQLScript(output, engine, tables, context)
                }
            case .csv:
                return try run.writeDelimited(onlyOne: true) { (_) throws(CoreDataError) in output }
            case .json, .jsonLines:
                return try ObjectWriting(run.context, run.selection, output, isArray: format == .json).run()
            }
        }
    }

    private func exportFolder(_ folder: NewFile, _ options: ExportOptions) throws(CoreDataError) -> ExportReport {
        guard mkdir(folder.temporary, 0o777) == 0 else { throw NewFile.failure(folder.path) }
        return try exporting(options) { (run) throws(CoreDataError) in
            try run.writeDelimited(onlyOne: false) { (name) throws(CoreDataError) in
                let name = "\(name.replacing("/", with: "_")).csv"
                return ByteOutput(try OutputFile("\(folder.temporary)/\(name)", named: "\(folder.path)/\(name)").write)
            }
        }
    }

    private func exporting(
        _ options: ExportOptions, attachedTo connection: StoreConnection? = nil,
        _ write: (ExportRun) throws(CoreDataError) -> Int
    ) throws(CoreDataError) -> ExportReport {
        // The data of selected objects are checked as they are read.
        var missing: [MissingExternalData] = []
        for name in options.entities ?? model.rootEntities.map(\.name)
        where (options.predicate == nil || options.allowsMissingData) && schema.entities[name] != nil {
            missing += try missingData(of: name)
        }
        try missing.check(allowing: options.allowsMissingData)
        var report = ExportReport()
        func export() throws(CoreDataError) {
            let context = ExportContext(self, options, attachedTo: connection)
            let run = ExportRun(context, try ExportSelection(self, options))
            report.count = try write(run)
            report.notes = missing.map(\.readingNote) + (try strayNotes()) + run.notes
        }
        // The selection and the rows are read by two connections, whose transactions begin together.
        try objects.reading { () throws(CoreDataError) in
            if let connection { try connection.migrate(export) } else { try export() }
        }
        return report
    }
}

/// One export.
final class ExportRun {
    let context: ExportContext
    let selection: ExportSelection
    private(set) var notes: [String] = []

    init(_ context: ExportContext, _ selection: ExportSelection) {
        (self.context, self.selection) = (context, selection)
    }

    /// Declares and writes the tables for a database, and returns the number of objects.
    func writeTables(
        _ engine: SQLEngine, _ open: ([TableDeclaration], ExportContext) throws(CoreDataError) -> any TableSink
    ) throws(CoreDataError) -> Int {
        var plan = try ExportPlan(context, selection, engine, usesURIs: false)
        let tables = plan.tables()
        let check = ExportConstraints(context: context, selection: selection)
        var declared: [TableDeclaration] = []
        for table in tables { declared.append(try check.declared(table, among: tables, &notes)) }
        let count = try write(tables, to: try open(declared, context))
        notes += context.tally.notes(of: engine.rawValue)
        return count
    }

    /// Writes the tables as separated values.
    func writeDelimited(
        onlyOne: Bool, _ open: @escaping (String) throws(CoreDataError) -> ByteOutput
    ) throws(CoreDataError) -> Int {
        var plan = try ExportPlan(context, selection, .sqlite, usesURIs: true)
        let tables = plan.tables()
        if onlyOne, tables.count != 1 {
            throw CoreDataError(.severalTables(tables.map(\.name)))
        }
        return try write(tables, to: DelimitedSink(context, open))
    }

    private func write(_ tables: [ExportTable], to sink: any TableSink) throws(CoreDataError) -> Int {
        var count = 0
        for table in tables {
            let written = try sink.write(table)
            if table.entity != nil { count += written }
        }
        try sink.finish()
        return count
    }
}

/// Finds the constraints that the rows of an export satisfy.
private struct ExportConstraints {
    let context: ExportContext
    let selection: ExportSelection

    /// The declaration of a table, with those foreign keys and mandatory columns that hold.
    func declared(
        _ table: ExportTable, among tables: [ExportTable], _ notes: inout [String]
    ) throws(CoreDataError) -> TableDeclaration {
        var declared = table.declared
        for index in declared.columns.indices {
            let column = declared.columns[index]
            let isKey = table.columns[index].column.role == .key
            if !isKey, table.entity != nil { declared.columns[index].isOptional = true }
            guard let other = column.references else { continue }
            let target = tables.first { $0.name == other.table }
            guard let target, !selection.isFiltered else {
                declared.columns[index].references = nil
                continue
            }
            guard try dangling(table.links[index], to: target) else { continue }
            declared.columns[index].references = nil
            notes.append("\(table.name).\(column.name) is not a foreign key: some of its objects do not exist")
        }
        return declared
    }

    /// True if a column refers to rows that do not exist. Each key is looked up once: an index of the column returns the
    /// distinct keys in order.
    private func dangling(
        _ link: (key: SQLText, rows: SQLText)?, to target: ExportTable
    ) throws(CoreDataError) -> Bool {
        guard let link, let entity = target.entity, let stored = context.store.layout.entities[entity] else {
            return true
        }
        let query: SQLText = """
            SELECT 1 FROM (SELECT DISTINCT \(link.key) AS k FROM \(link.rows) AND \(link.key) IS NOT NULL) AS l
            WHERE NOT EXISTS (SELECT 1 FROM \(context.table(stored.table)) AS d
            WHERE d.Z_PK = l.k AND d.Z_ENT = \(bind: .integer(stored.number))) LIMIT 1
            """
        let row = try storing { () throws(StoreError) in
            try context.connection.rows(of: SQLFragment(query)).next()
        }
        return row != nil
    }
}
