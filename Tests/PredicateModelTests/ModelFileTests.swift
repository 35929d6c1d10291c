import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Model files as Xcode writes them, and bundles of versions.
@Suite struct ModelFileTests {
    private static let source = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!DOCTYPE model SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="21754" \
        userDefinedModelVersionIdentifier="v2" usedWithCloudKit="false">
            <entity name="Item" representedClassName=".Item" syncable="YES" codeGenerationType="class" elementID="Task">
                <attribute name="amount" optional="YES" attributeType="Decimal" defaultValueString="1.10"/>
                <attribute name="count" attributeType="Integer 16" defaultValueString="3" minValueString="1" \
        maxValueString="8" usesScalarValueType="YES"/>
                <attribute name="done" attributeType="Boolean" defaultValueString="NO"/>
                <attribute name="due" optional="YES" attributeType="Date" defaultDateTimeInterval="592299475.5"/>
                <attribute name="name" attributeType="String" defaultValueString="a &lt;b&gt;&#10;&quot;c&quot;" \
        minValueString="1" maxValueString="80" regularExpressionString="[a-z]+"/>
                <attribute name="note" optional="YES" transient="YES"/>
                <attribute name="number" attributeType="Integer 32" defaultValueString=""/>
                <attribute name="ratio" attributeType="Double" defaultValueString="0.0"/>
                <attribute name="total" optional="YES" attributeType="Integer 64" derived="YES" \
        derivationExpression="parts.@count"/>
                <relationship name="category" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Category" inverseName="items" inverseEntity="Category"/>
                <relationship name="parts" optional="YES" toMany="YES" minCount="2" maxCount="9" ordered="YES" \
        deletionRule="Deny" destinationEntity="Item"/>
                <fetchedProperty name="same" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Item" \
        predicateString="name == $FETCH_SOURCE.name"/>
                    <userInfo><entry key="search" value="x"/></userInfo>
                </fetchedProperty>
                <fetchIndex name="byDue" partialIndexPredicate="done == NO">
                    <fetchIndexElement property="due" type="Binary" order="descending"/>
                    <fetchIndexElement expression="name.length" type="Binary" order="ascending"/>
                </fetchIndex>
                <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
        </uniquenessConstraints>
            </entity>
            <entity name="Category" isAbstract="YES" versionHashModifier="2">
                <relationship name="items" toMany="YES" deletionRule="Cascade" destinationEntity="Item" \
        inverseName="category" inverseEntity="Item"/>
            </entity>
            <fetchRequest name="dueBefore" entity="Item" predicateString="due &lt; $DATE" fetchLimit="5" \
        includeSubentities="NO"/>
            <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Item"/></configuration>
            <elements><element name="Item" positionX="1"/></elements>
            <future kind="unknown"/>
        </model>
        """

    @Test func everythingIsRead() throws {
        let model = try ManagedObjectModel(bytes: Array(Self.source.utf8))
        let item = try #require(model.entity("Item"))
        #expect(item.renamingIdentifier == "Task" && item.canonicalName == "Task")
        #expect(item.editorAttributes == ["syncable": "YES", "codeGenerationType": "class"])
        func attribute(_ name: String) throws -> AttributeDescription {
            guard case .attribute(let found)? = item.property(name) else { throw ModelError(.noVersions) }
            return found
        }
        #expect(try attribute("amount").defaultValue == .decimal(Decimal(string: "1.10") ?? 0))
        #expect(try attribute("count").minimumValue == .integer(1))
        #expect(try attribute("done").defaultValue == .bool(false))
        #expect(try attribute("due").defaultValue == .date(Date(timeIntervalSinceReferenceDate: 592_299_475.5)))
        #expect(try attribute("name").defaultValue == .string("a <b>\n\"c\""))
        #expect(try attribute("name").maximumLength == 80)
        #expect(try attribute("note").type == .undefined)
        #expect(try attribute("number").defaultValue == nil)
        #expect(try attribute("total").derivation == "parts.@count")
        #expect(item.relationships[1].minimumCount == 2 && item.relationships[1].maximumCount == 9)
        #expect(item.relationships[0].maximumCount == 1 && !item.relationships[0].isToMany)
        #expect(item.fetchedProperties[0].userInfo == ["search": "x"])
        #expect(item.indexes[0].elements[0] == .init("due", isAscending: false))
        #expect(model.fetchRequestTemplates[0].includesSubentities == false)
        var cloud = ConfigurationDescription("Cloud", entityNames: ["Item"])
        cloud.editorAttributes = ["usedWithCloudKit": "YES"]
        #expect(model.configurations == [cloud])
        #expect(model.versionIdentifiers == ["v2"])
    }

    @Test func aBooleanThatWasANumberKeepsItsDefault() throws {
        let model = ManagedObjectModel([EntityDescription("A", attributes: [.init("b", .boolean, defaultValue: false)])]
        )
        let text = ModelDocument(model).text
        for (word, value) in [("0.0", false), ("1.0", true), ("2.0", "2.0")] as [(String, PredicateValue)] {
            let changed = text.replacing("defaultValueString=\"NO\"", with: "defaultValueString=\"\(word)\"")
            let read = try ManagedObjectModel(bytes: Array(changed.utf8))
            #expect(read["A"]?.attributes[0].defaultValue == value)
            #expect(read.check().map(\.code) == (word == "2.0" ? [.invalidDefault] : []))
        }
    }

    @Test func whatIsWrittenReadsBackEqual() throws {
        let model = try ManagedObjectModel(bytes: Array(Self.source.utf8))
        let document = ModelDocument(model)
        #expect(document.omissions.isEmpty)
        #expect(try ManagedObjectModel(bytes: Array(document.text.utf8)) == model)
        #expect(try ModelDocument(ManagedObjectModel(bytes: Array(document.text.utf8))).text == document.text)
    }

    /// Awkward names and values, in a model that Swift made.
    @Test func awkwardValuesSurviveAFile() throws {
        let texts = ["", " a\tb\r\n", "\"'<>&", "e\u{301}", "é", "👩‍👩‍👧", "\u{FFFD}", "]]>", "&amp;"]
        let numbers: [Double] = [0, -0.0, .leastNonzeroMagnitude, 9_007_199_254_740_992, 0.1, -1e300]
        let model = ManagedObjectModel(
            [
                EntityDescription(
                    "A",
                    attributes: texts.enumerated().map { .init("t\($0)", .string, defaultValue: .string($1)) }
                        + numbers.enumerated().map { .init("n\($0)", .double, defaultValue: .double($1)) }
                        + [
                            .init("m", .integer64, defaultValue: .integer(.min)),
                            .init("d", .date, minimumValue: .date(Date(timeIntervalSinceReferenceDate: -0.001))),
                            .init("u", .uuid, defaultValue: .uuid(UUID())),
                        ],
                    userInfo: Dictionary(texts.map { ($0, .string($0)) }, uniquingKeysWith: { $1 }))
            ], fetchRequestTemplates: [.init("x", entity: "A", predicate: "t0 == \"<&\\\"\" AND n0 < 2")])
        let document = ModelDocument(model)
        #expect(document.omissions.isEmpty)
        #expect(try ManagedObjectModel(bytes: Array(document.text.utf8)) == model)
    }

    @Test func whatAFileCannotSayIsNamed() throws {
        let model = ManagedObjectModel(
            [EntityDescription("A\u{1}", attributes: [.init("x", .binaryData, defaultValue: .data(Data([1])))])],
            fetchRequestTemplates: [.init("f", entity: "A", sortKeys: [SortKey("x")])])
        let omissions = ModelDocument(model).omissions
        #expect(omissions.count == 3)
        #expect(omissions.contains("fetch request f, sort keys"))
        _ = try ManagedObjectModel(bytes: Array(ModelDocument(model).text.utf8))
    }

    // MARK: Bundles

    private static func withFolder(_ work: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try work(folder)
    }

    private static func write(_ text: String, _ folder: URL, _ path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private static func model(_ entity: String) -> String { "<model><entity name=\"\(entity)\"/></model>" }

    @Test func versionsStandInNaturalOrder() throws {
        try Self.withFolder { folder in
            for name in ["M 10", "M", "M 9", "M 2"] {
                try Self.write(Self.model("E"), folder, "M.xcdatamodeld/\(name).xcdatamodel/contents")
            }
            let current = "<plist><dict><key>_XCCurrentVersionName</key><string>M 9.xcdatamodel</string></dict></plist>"
            try Self.write(current, folder, "M.xcdatamodeld/.xccurrentversion")
            let bundle = try ModelBundle(path: folder.path + "/M.xcdatamodeld")
            #expect(bundle.versions.map(\.name) == ["M", "M 2", "M 9", "M 10"])
            #expect(bundle.currentVersionName == "M 9")
            #expect(try bundle.currentVersion().model().entities.map(\.name) == ["E"])
            #expect(try bundle.version(named: "M 2.xcdatamodel").name == "M 2")
            do throws(ModelError) { _ = try bundle.version(named: "M 3") } catch {
                #expect(error.code == .unknownVersion("M 3", available: ["M", "M 2", "M 9", "M 10"]))
            }
            #expect(try ManagedObjectModel(path: folder.path + "/M.xcdatamodeld").entities.count == 1)
        }
    }

    @Test func modelsBeforeXcode43AreRefused() throws {
        try Self.withFolder { folder in
            try Self.write("", folder, "Old.xcdatamodel/elements")
            do throws(ModelError) { _ = try ManagedObjectModel(path: folder.path + "/Old.xcdatamodel") } catch {
                #expect(error.code == .oldModel)
                return
            }
            Issue.record("no error")
        }
    }

    @Test func versionInformationIsReadInAllForms() throws {
        try Self.withFolder { folder in
            try Self.write(Self.model("E"), folder, "M.momd/One.mom")
            try Self.write(Self.model("E"), folder, "M.momd/Two.mom")
            try Self.write("{ \"NSManagedObjectModel_CurrentVersionName\" = Two; }", folder, "M.momd/VersionInfo.plist")
            #expect(try ModelBundle(path: folder.path + "/M.momd").currentVersionName == "Two")
            let hash = [UInt8](repeating: 7, count: 32)
            let info = ListWriter.bytes(
                .dictionary([
                    ("NSManagedObjectModel_CurrentVersionName", .string("One")),
                    (
                        "NSManagedObjectModel_VersionHashes",
                        .dictionary([("One", .dictionary([("E", .data(hash))]))])
                    ), ("NSManagedObjectModel_VersionChecksums", .dictionary([("One", .string("c="))])),
                ]))
            try Data(info).write(to: folder.appendingPathComponent("M.momd/VersionInfo.plist"))
            let bundle = try ModelBundle(path: folder.path + "/M.momd")
            #expect(try bundle.currentVersion().entityHashes == ["E": Data(hash)])
            #expect(try bundle.currentVersion().checksum == "c=")
            let one = try ManagedObjectModel(path: folder.path + "/M.momd/One.mom")
            #expect(one.versionHashes == ["E": Data(hash)])
        }
    }

    @Test func otherFilesSayWhatTheyAre() throws {
        try Self.withFolder { folder in
            try Self.write("<plist><dict/></plist>", folder, "Old.xcdatamodel/elements")
            try Self.write("SQLite format 3\u{0}", folder, "store.sqlite")
            try Self.write("momv2$", folder, "M.omo")
            let cases: [(String, ModelError.Code)] = [
                ("/Old.xcdatamodel", .oldModel),
                ("/store.sqlite", .notAModel(found: "a SQLite store")),
                ("/nothing", .noSuchFile), ("", .notAModel(found: "a folder")),
            ]
            for (path, code) in cases {
                do throws(ModelError) {
                    _ = try ManagedObjectModel(path: folder.path + path)
                    Issue.record("expected an error for \(path)")
                } catch {
                    #expect(error.code == code)
                    #expect(error.place.file?.hasPrefix(folder.path) == true)
                }
            }
        }
    }
}
