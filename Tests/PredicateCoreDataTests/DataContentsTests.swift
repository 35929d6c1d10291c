import Foundation
import PredicateModel
import PredicateStore
import PredicateSyntax
import Testing

@testable import PredicateCoreData

/// Data that are JSON, property lists, archives or compressed, in exports and in predicates. [NSP-478]
@Suite struct DataContentsTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder["a.sqlite"]
        let tags = CompositeDescription("Tags", attributes: [AttributeDescription("flavors", .binaryData)])
        let model = ManagedObjectModel(
            [
                EntityDescription(
                    "Drink",
                    attributes: [
                        AttributeDescription("name", .string), AttributeDescription("photo", .binaryData),
                        AttributeDescription("steps", .binaryData), AttributeDescription("note", .binaryData),
                        AttributeDescription("tags", .composite, compositeName: "Tags"),
                    ])
            ], composites: [tags])
        let store = try CoreDataStore.create(path, model: model)
        let steps = try PropertyListSerialization.data(fromPropertyList: ["stir"], format: .binary, options: 0)
        // gzip of {"a":1}
        let note = Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA")
        try store.insert(
            "Drink",
            [
                "name": "Sazerac", "photo": Data([0x89, 0x50]), "steps": steps, "note": note,
                "tags": PredicateValue.dictionary(["flavors": .data(Data(#"["Anise","Rye"]"#.utf8))]),
            ])
        try store.insert("Drink", ["name": "Water", "note": Data("{}".utf8)])
    }

    @Test func theContentsOfAStoreAreKnown() throws {
        let store = try CoreDataStore(path)
        let contents = try DataContents(store)
        #expect(contents.words("photo", of: "Drink", in: store.model) == nil)
        #expect(contents.words("steps", of: "Drink", in: store.model) == "property list: array of string")
        #expect(contents.words("note", of: "Drink", in: store.model) == "JSON: empty dictionary; gzip: dictionary of a")
        #expect(contents.words("tags", of: "Drink", in: store.model) == "flavors JSON: array of string")
    }

    @Test func exportsHaveTheDecodedValuesBesideTheBytes() throws {
        let output = folder["a.jsonl"]
        try CoreDataStore(path).export(to: output, as: .jsonLines)
        let text = try String(contentsOfFile: output, encoding: .utf8)
        #expect(text.contains(#""tags":{"flavors":["Anise","Rye"],"flavors@data":"#))
        #expect(text.contains(#""steps":["stir"],"steps@data":"#) && text.contains(#""note":{"a":1}"#))
        #expect(text.contains(#""photo":"iVA=""#) && !text.contains("photo@data"))
        var options = ExportOptions()
        options.anonymizes = true
        try CoreDataStore(path).export(to: folder["b.jsonl"], as: .jsonLines, options)
        let anonymous = try String(contentsOfFile: folder["b.jsonl"], encoding: .utf8)
        #expect(!anonymous.contains("Anise") && !anonymous.contains("stir"))
    }

    /// Data in files of their own are decoded too, and a missing file says nothing about the others.
    @Test func dataInFilesIsDecoded() throws {
        let path = folder["files.sqlite"]
        let list = AttributeDescription("list", .binaryData, allowsExternalBinaryDataStorage: true)
        let model = ManagedObjectModel([EntityDescription("Page", attributes: [list])])
        let store = try CoreDataStore.create(path, model: model)
        for _ in 1...3 { try store.insert("Page", ["list": Data(#"["inline"]"#.utf8)]) }
        let external = folder[".files_SUPPORT/_EXTERNAL_DATA"]
        try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
        try Data(#"["file"]"#.utf8).write(to: URL(fileURLWithPath: external + "/PRESENT"))
        for (key, file) in [(1, "MISSING"), (2, "PRESENT")] {
            try StoreConnection(path, SQLiteOptions(.readWrite)).execute(
                "UPDATE ZPAGE SET ZLIST = CAST(x'02' || '\(file)' || x'00' AS BLOB) WHERE Z_PK = \(key)")
        }
        let changed = try CoreDataStore(path)
        #expect(try DataContents(changed).words("list", of: "Page", in: changed.model) == "JSON: array of string")
        var options = ExportOptions()
        options.allowsMissingData = true
        try changed.export(to: folder["files.jsonl"], as: .jsonLines, options)
        let text = try String(contentsOfFile: folder["files.jsonl"], encoding: .utf8)
        #expect(text.contains(#""list":["file"]"#) && text.contains(#""list":["inline"]"#))
    }

    @Test func predicatesSeeTheDecodedValues() throws {
        let store = try CoreDataStore(path, [], .standard, decodesData: true)
        for (format, count) in [
            ("ANY tags.flavors == 'Anise'", 1), ("tags.flavors CONTAINS 'Rye'", 1), ("note.a == 1", 1),
            ("tags.flavors == nil", 1), ("photo != nil", 1), ("'stir' IN steps", 1),
        ] {
            let predicate = try FormatPredicate(format)
            let request = PredicateFetchRequest("Drink", predicate, allowsResidual: true)
            #expect(try store.objects.fetchCount(request) == count, "\(format)")
        }
        #expect(try CoreDataStore(path).objects.fetchAll("Drink").first?["steps"]?.kind == .data)
    }
}
