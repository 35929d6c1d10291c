import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// `predicate model swift MODEL`, `model sql` and `model diagram`: text that is generated from a model.
struct ModelCode {
    let reader: ArgumentReader
    let model: ManagedObjectModel
    let path: String

    func swift(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let access: ModelSwiftCode.Access = try reader.choice(of: ModelCommand.access) ?? .internal
        let code = ModelSwiftCode(model, access: access)
        // A path that ends in `/` is created.
        guard let folder = reader.value(of: ModelCommand.save), folder.hasSuffix("/") || FileAccess.isFolder(folder)
        else { return try output(code.text, console) }
        for file in code.files { try Self.write(file.text, to: "\(folder)/\(file.name)") }
        return .success
    }

    func sql(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let isCoreData = reader.has(ModelCommand.coreData)
        guard let engine = try reader.engine(of: ModelCommand.dialect) else {
            throw reader.failure(
                "expected --dialect NAME: \(SQLEngine.list())")
        }
        guard !isCoreData || engine == .sqlite else {
            throw reader.failure("--core-data is for SQLite, in which Core Data keeps its stores")
        }
        let declarations = ModelDeclarations(model, for: isCoreData ? .coreData : .database(engine))
        let statements = try CoreDataFile.reading(path, declarations.statements)
        let text =
            reader.has(ModelCommand.schema)
            ? String(decoding: declarations.schema().json, as: UTF8.self) + "\n"
            : statements.map { $0 + ";\n" }.joined()
        return try output(text, console)
    }

    func diagram(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try output(try diagram().text, console)
    }

    /// Writes the text to the file of `--save`, or prints it.
    private func output(_ text: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
        if let path = reader.value(of: ModelCommand.save) {
            try Self.write(text, to: path)
        } else {
            try console.write(text)
        }
        return .success
    }

    private func diagram() throws(CommandFailure) -> ModelDiagram {
        let depth = try depth()
        guard let entity = reader.value(of: ModelCommand.entity) else {
            guard depth == nil else { throw reader.failure("--depth needs --entity NAME") }
            return ModelDiagram(model)
        }
        return try ModelInput.reading(path) { () throws(ModelError) in
            try ModelDiagram(model, around: entity, depth: depth ?? 1)
        }
    }

    private func depth() throws(CommandFailure) -> Int? {
        guard let word = reader.value(of: ModelCommand.depth) else { return nil }
        guard let depth = Int(word), depth >= 0 else {
            throw reader.failure("--depth: expected a number of steps, found '\(word)'")
        }
        return depth
    }

    // MARK: Files

    /// Writes a generated file, which may replace the file of an earlier run.
    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            let file = URL(fileURLWithPath: path)
            if path.contains("/") {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw .message("\(path): \((error as NSError).localizedDescription)")
        }
    }
}
