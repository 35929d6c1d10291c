import Foundation
import PredicateData
import PredicateStore
import Testing

/// `predicate store migrate`: what it leaves behind, and where the new model is from.
@Suite struct MigrateCommandTests {
    private static let old = """
        <model userDefinedModelVersionIdentifier="1">
        <entity name="Photo">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <relationship name="album" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Album"
            inverseName="photos" inverseEntity="Album"/>
        </entity>
        <entity name="Album">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="photos" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Photo"
            inverseName="album" inverseEntity="Photo"/>
        </entity>
        </model>
        """

    private static let new = """
        <model userDefinedModelVersionIdentifier="2">
        <entity name="Photo">
        <attribute name="title" optional="YES" attributeType="String" elementID="name"/>
        <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        </entity>
        </model>
        """

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("migrate-\(UUID().uuidString)")
    private var store: String { folder.path + "/old.sqlite" }

    /// Runs a test with a store of the old model, an album with two photos.
    private func withStore(_ body: (_ old: String, _ new: String) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let models = try [("Old", Self.old), ("New", Self.new)].map { name, text in
            let model = folder.appendingPathComponent("\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: model.appendingPathComponent("contents"))
            return model.path
        }
        #expect(predicate("store", "create", store, "--model", models[0]).error.contains("version hashes"))
        for (entity, name) in [("Photo", "a"), ("Photo", "b"), ("Album", "c")] {
            #expect(predicate("store", "insert", store, "--entity", entity, "--set", "name=\(name)").status == 0)
        }
        let album = predicate("filter", "TRUEPREDICATE", store, "--entity", "Album", "--object-ids", "--keys", "name")
        let uri = try #require(album.output.split(separator: "\"").first { $0.hasPrefix("x-coredata") })
        #expect(
            predicate("store", "update", "TRUEPREDICATE", store, "--entity", "Photo", "--set", "album=\(uri)").output
                == "2\n")
        try body(models[0], models[1])
    }

    @Test func anInferredMappingModelMigratesAsInferred() throws {
        try withStore { old, new in
            let mapping = folder.path + "/OldToNew.xcmappingmodel"
            #expect(predicate("model", "map", old, new, "-o", mapping) == .success(""))
            #expect(predicate("model", "show", mapping).output.contains("$source.name"))
            #expect(predicate("model", "diff", old, new, "--mapping", mapping).status == 0)
            let outcomes = [
                ["--allow-loss", "-o", folder.path + "/1.sqlite"],
                ["--mapping", mapping, "-o", folder.path + "/2.sqlite"],
            ]
            .map { predicate(["store", "migrate", store, "--to", new] + $0, source: silence) }
            #expect(outcomes.map(\.status) == [0, 0], "\(outcomes)")
            #expect(predicate("store", "diff", folder.path + "/1.sqlite", folder.path + "/2.sqlite") == .success(""))
            #expect(predicate("model", "map", new, old).output.contains("<?xml version"))
        }
    }

    /// A change that cannot be inferred has no expression in the mapping model, which a rule then gives.
    @Test func aMappingModelCanBeCompleted() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let models = try ["String", "Date"].enumerated().map { index, type in
            let path = folder.path + "/\(index).xcdatamodel"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let due = "<attribute name=\"due\" optional=\"YES\" attributeType=\"\(type)\"/>"
            let entity = "<entity name=\"T\"><attribute name=\"name\" attributeType=\"String\"/>\(due)</entity>"
            try Data("<model>\(entity)</model>".utf8).write(to: URL(fileURLWithPath: path + "/contents"))
            return path
        }
        _ = predicate("store", "create", store, "--model", models[0])
        let values = ["--set", "name=a", "--set", "due=2024-05-30T12:00:00Z"]
        #expect(predicate(["store", "insert", store, "--entity", "T"] + values, source: silence).status == 0)
        let (mapping, rules) = (folder.path + "/M.xcmappingmodel", folder.path + "/rules")
        let made = predicate("model", "map", models[0], models[1], "-o", mapping)
        #expect(made.status == 0 && made.error.contains("no expression: T.due was of type String and is of type Date"))
        try Data("T, TRUEPREDICATE, due = CAST($source.due, \"NSDate\")".utf8).write(to: URL(fileURLWithPath: rules))
        let new = folder.path + "/new.sqlite"
        let options = ["--to", models[1], "--mapping", mapping, "--rules", rules, "-o", new]
        #expect(predicate(["store", "migrate", store] + options, source: silence).status == 0)
        #expect(predicate("filter", "due == CAST(\"2024-05-30T12:00:00Z\", \"NSDate\")", new, "-c").output == "1\n")
    }

    /// A bundle of three versions, with a mapping model from the first to the second.
    private func bundle() throws -> (bundle: String, mappings: String) {
        let texts = [
            ("M 1", "<attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>"),
            ("M 2", "<attribute name=\"b\" optional=\"YES\" attributeType=\"Date\"/>"),
            ("M 3", "<attribute name=\"c\" optional=\"YES\" attributeType=\"Date\" elementID=\"b\"/>"),
        ]
        for (name, attribute) in texts {
            let url = folder.appendingPathComponent("M.xcdatamodeld/\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data("<model><entity name=\"T\">\(attribute)</entity></model>".utf8)
                .write(to: url.appendingPathComponent("contents"))
        }
        let mapping = folder.appendingPathComponent("Maps/1to2.xcmappingmodel")
        try FileManager.default.createDirectory(at: mapping, withIntermediateDirectories: true)
        try Data(Self.mapping.utf8).write(to: mapping.appendingPathComponent("xcmapping.xml"))
        try Data("T, TRUEPREDICATE, b = CAST($source.a, \"NSDate\")".utf8)
            .write(to: folder.appendingPathComponent("Maps/1to2.rules"))
        return (folder.path + "/M.xcdatamodeld", folder.path + "/Maps")
    }

    private static let mapping = """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <database>
        <databaseInfo><UUID>8C1A2F26</UUID><nextObjectID>105</nextObjectID><metadata></metadata></databaseInfo>
        <object type="XDDEVMAPPINGMODEL" id="z102">
        <attribute name="sourcemodelpath" type="string">M.xcdatamodeld/M 1.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">M.xcdatamodeld/M 2.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z103"></relationship>
        </object>
        <object type="XDDEVENTITYMAPPING" id="z103">
        <attribute name="name" type="string">TToT</attribute>
        <attribute name="sourcename" type="string">T</attribute>
        <attribute name="destinationname" type="string">T</attribute>
        <attribute name="mappingtypename" type="string">Undefined</attribute>
        <relationship name="mappingmodel" type="1/1" destination="XDDEVMAPPINGMODEL" idrefs="z102"></relationship>
        </object>
        </database>
        """

    @Test("a folder of mapping models is a way, with inferred steps [NSP-477]") func chain() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (bundle, mappings) = try bundle()
        #expect(predicate("store", "create", store, "--model", bundle + "/M 1.xcdatamodel").status == 0)
        #expect(predicate("store", "insert", store, "--entity", "T", "--set", "a=2026-01-31T12:00:00Z").status == 0)
        let output = folder.path + "/new.sqlite"
        let made = predicate(
            "store", "migrate", store, "--to", bundle, "--version", "M 3", "--mapping", mappings, "-o", output)
        #expect(made.status == 0, "\(made.error)")
        #expect(made.error.contains("M 1 to M 2 by 1to2.xcmappingmodel\n"))
        #expect(made.error.contains("M 2 to M 3, inferred\n"))
        let rows = predicate("filter", "TRUEPREDICATE", output, "--entity", "T", "--keys", "c")
        #expect(rows.output == "{\"c\":\"2026-01-31T12:00:00Z\"}\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains("migrating") })

        let rules = URL(fileURLWithPath: mappings + "/1to2.rules")
        for (rule, words) in [
            ("T, TRUEPREDICATE, b = 5", "invalid value for T.b"),
            ("T, TRUEPREDICATE, x = 5", "line 1 of the rules: T has"),
        ] {
            try Data(rule.utf8).write(to: rules)
            let failed = predicate(
                "store", "migrate", store, "--to", bundle, "--version", "M 3", "--mapping", mappings, "-q", "-o",
                folder.path + "/x.sqlite")
            #expect(failed.status == 2)
            #expect(failed.error.hasPrefix("error: M 1 to M 2 by 1to2.xcmappingmodel: \(words)"), "\(failed.error)")
        }

        try FileManager.default.copyItem(
            atPath: mappings + "/1to2.xcmappingmodel", toPath: mappings + "/again.xcmappingmodel")
        let refused = predicate(
            "store", "migrate", store, "--to", bundle, "--version", "M 3", "--mapping", mappings, "-o",
            folder.path + "/x.sqlite"
        )
        #expect(refused.status == 2 && refused.error.contains("'1to2.xcmappingmodel' maps the same versions"))
    }

    @Test func objectsThatAreLeftBehindAreCounted() throws {
        try withStore { _, new in
            let output = folder.path + "/new.sqlite"
            let refused = predicate("store", "migrate", store, "--to", new, "-o", output)
            #expect(refused.status == 3 && !FileManager.default.fileExists(atPath: output))
            #expect(refused.error.contains("1 object of Album is not carried over, and 2 links to it become nil"))
            #expect(predicate("store", "migrate", store, "--to", new, "-o", output, "--allow-loss").status == 0)
            let photos = predicate("filter", "TRUEPREDICATE", output, "--entity", "Photo", "--keys", "title")
            #expect(photos.output == "{\"title\":\"a\"}\n{\"title\":\"b\"}\n")
        }
    }

    /// A store keeps the model that another one is migrated to; the way back knows the former names too.
    @Test func aStoreGivesTheModelOfTheNewOne() throws {
        try withStore { old, new in
            let (first, second, third) = (
                folder.path + "/1.sqlite", folder.path + "/2.sqlite", folder.path + "/3.sqlite"
            )
            #expect(predicate("store", "create", first, "--model", new).status == 0)
            #expect(predicate("store", "migrate", store, "--to", first, "-o", second, "--allow-loss").status == 0)
            #expect(predicate("store", "migrate", second, "--to", old, "-o", third).status == 0)
            let photos = predicate("filter", "TRUEPREDICATE", third, "--entity", "Photo", "--keys", "name")
            #expect(photos.output == "{\"name\":\"a\"}\n{\"name\":\"b\"}\n")
        }
    }

    @Test func aStoreIsExported() throws {
        try withStore { _, _ in
            let plain = folder.path + "/plain.sqlite"
            #expect(predicate("store", "export", store, "-o", plain).error == "\(plain): 3 objects\n")
            let photos = predicate("filter", "album == 1", plain, "--table", "Photo", "--keys", "name,album")
            #expect(photos.output == "{\"name\":\"a\",\"album\":1}\n{\"name\":\"b\",\"album\":1}\n")
            #expect(predicate("store", "export", store, "-o", plain).status == 2)
            let albums = folder.path + "/albums.sqlite"
            #expect(predicate("store", "export", store, "--entity", "Album", "-q", "-o", albums) == .success(""))
            #expect(predicate("store", "export", store, "--format", "sqlite").error.contains("--output NEW"))
        }
    }

    @Test func dataWhoseFileIsMissingAreAnError() throws {
        try withStore { _, new in
            let connection = try StoreConnection(store, SQLiteOptions(.readWrite))
            let name = "137DECC8-0000-4000-8000-0000000000FF"
            try connection.execute("UPDATE ZPHOTO SET ZDATA = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1")
            let photos = ["filter", "TRUEPREDICATE", store, "--entity", "Photo"]
            let printed = predicate(photos, source: silence)
            #expect(printed.status == 2 && printed.error.contains("'\(name)' with the data of Photo.data"))
            #expect(predicate(photos + ["--keys", "name"], source: silence).status == 0)
            #expect(predicate(photos + ["--count"], source: silence).output == "2\n")
            let migrated = predicate(
                "store", "migrate", store, "--to", new, "-o", folder.path + "/new.sqlite", "--allow-loss")
            #expect(migrated.status == 2 && migrated.error.contains("Photo.data"))
            // On request they are nil, and noted.
            let allowed = predicate(photos + ["--allow-missing-files"], source: silence)
            #expect(allowed.status == 0 && allowed.output.contains("\"data\":null"))
            #expect(allowed.error.contains("note: \(store): the file '\(name)' with the data of Photo.data is missing"))
            for words in [
                ["store", "export", store, "-o", folder.path + "/all.jsonl"],
                ["store", "migrate", store, "--to", new, "-o", folder.path + "/new.sqlite", "--allow-loss"],
            ] {
                #expect(predicate(words, source: silence).status == 2)
                let done = predicate(words + ["--allow-missing-files"], source: silence)
                #expect(done.status == 0 && done.error.contains("'\(name)' with the data of Photo.data is missing"))
            }
            let difference = ["store", "diff", store, folder.path + "/copy.sqlite"]
            try FileManager.default.copyItem(atPath: store, toPath: difference[3])
            let copy = try StoreConnection(difference[3], SQLiteOptions(.readWrite))
            try copy.execute("UPDATE ZPHOTO SET ZDATA = CAST(x'02' || '\(name)' || x'00' AS BLOB) WHERE Z_PK = 1")
            #expect(predicate(difference, source: silence).status == 2)
            let compared = predicate(difference + ["--allow-missing-files"], source: silence)
            #expect(compared.status == 0, "\(compared)")
            #expect(compared.error.contains("note: \(store): the file '\(name)'"))
            // The names of missing files differ.
            try copy.execute("UPDATE ZPHOTO SET ZDATA = CAST(replace(ZDATA, 'FF', 'EE') AS BLOB) WHERE Z_PK = 1")
            #expect(predicate(difference + ["--allow-missing-files"], source: silence).status == 1)
        }
    }

    /// A store in the layout of SwiftData: changes are made in a copy and are added to its history.
    @Test("a SwiftData store is changed, and migrated with and without its history [NSP-470] [NSP-475]")
    func aStoreWithAHistory() throws {
        try withStore { old, _ in
            try StoreConnection(store, SQLiteOptions(.readWrite)).execute(
                """
                CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
                    ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
                CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
                    ZBUNDLEIDTS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT);
                CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)
                """)
            let (copy, next, plain) = (
                folder.path + "/copy.store", folder.path + "/next.store", folder.path + "/plain.store"
            )
            let changed = predicate(
                "store", "update", "name == 'a'", store, "--entity", "Photo", "--set", "name=z", "--allow-write", copy)
            #expect(changed == .success("1\n"))
            #expect(predicate("store", "delete", "TRUEPREDICATE", copy, "--entity", "Album").output == "1\n")
            func changes(_ path: String) -> String {
                predicate("filter", "TRUEPREDICATE", path, "--table", "ACHANGE", "--count").output
            }
            #expect(changes(copy) == "4\n")
            #expect(predicate("store", "migrate", copy, "--to", old, "-q", "-o", next).status == 0)
            #expect(changes(next) == "4\n")
            let dropped = predicate("store", "migrate", copy, "--to", copy, "--drop-history", "-o", plain)
            #expect(dropped.error.contains("4 changes of the history are not carried over"))
            #expect(predicate("filter", "name == 'z'", plain, "--entity", "Photo", "--count").output == "1\n")
        }
    }

    @Test("rules are read from a file, and their errors show the line [NSP-473]") func rules() throws {
        try withStore { _, new in
            let file = folder.path + "/rules"
            let arguments = [
                "store", "migrate", store, "--to", new, "-o", folder.path + "/new.sqlite", "--allow-loss", "--rules",
                file,
            ]
            try Data("Photo, title == 'a', DELETE\nPhoto, TRUEPREDICATE, MAKE Photo(title = uppercase(title))\n".utf8)
                .write(to: URL(fileURLWithPath: file))
            #expect(predicate(arguments, source: silence).status == 0)
            let photos = predicate(
                "filter", "TRUEPREDICATE", folder.path + "/new.sqlite", "--entity", "Photo", "--keys", "title")
            #expect(photos.output == "{\"title\":\"b\"}\n{\"title\":\"B\"}\n")
            try Data("Photo, title == , DELETE".utf8).write(to: URL(fileURLWithPath: file))
            let failed = predicate(arguments, source: silence)
            #expect(failed.status == 2 && failed.error.contains("line 1 of the rules: "))
            #expect(failed.error.contains("\n  Photo, title == , DELETE\n"))
        }
    }
}
