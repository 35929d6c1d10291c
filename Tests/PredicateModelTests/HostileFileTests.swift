import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Files that were made to do harm: each a typed error, within bounds.
@Suite struct HostileFileTests {
    private func code(_ bytes: [UInt8], limits: ModelLimits = .standard) -> ModelError.Code? {
        do throws(ModelError) {
            _ = try ManagedObjectModel(bytes: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    private func xml(_ text: String) -> ModelError.Code? { code(Array(text.utf8)) }

    private func isPropertyListError(_ code: ModelError.Code?) -> Bool {
        if case .notAPropertyList? = code { true } else { false }
    }

    // MARK: Property lists

    @Test func aCollectionThatHoldsItself() {
        let loop = ListWriter.assemble([[0xA1, 0, 0]], top: 0)
        #expect(isPropertyListError(code(loop)))
        let pair = ListWriter.assemble([[0xA1, 0, 1], [0xA1, 0, 0]], top: 0)
        #expect(isPropertyListError(code(pair)))
    }

    @Test func countsThatNoFileHolds() {
        for head: [UInt8] in [[0xAF, 0x13], [0xDF, 0x13], [0x5F, 0x13], [0x6F, 0x13], [0x4F, 0x13]] {
            let object = head + ListWriter.big(Int.max, 8)
            #expect(isPropertyListError(code(ListWriter.assemble([object], top: 0))))
        }
        #expect(
            isPropertyListError(code(ListWriter.assemble([[0xAF, 0x14] + Array(repeating: 0xFF, count: 16)], top: 0))))
    }

    @Test func trailersThatLie() {
        let good = ListWriter.bytes(.string("x"))
        for offset in 1...26 {
            var bytes = good
            bytes[bytes.count - offset] = 0xFF
            #expect(code(bytes) != nil)
        }
    }

    /// Arrays of arrays that share their elements: a thousand objects that unfold to 2^1000.
    @Test func sharedCollectionsAreReadOnce() {
        let count = 90
        var objects = (0..<count).map { [0xA2] + ListWriter.big($0 + 1, 2) + ListWriter.big($0 + 1, 2) }
        objects.append([0x09])
        #expect(code(ListWriter.assemble(objects, top: 0)) == .notAnArchive("there is no list of objects"))
        let deep = (0..<1000).map { [0xA1] + ListWriter.big($0 + 1, 2) } + [[0x09]]
        #expect(code(ListWriter.assemble(deep, top: 0)) == .exceeds(.nesting, limit: 100))
    }

    @Test func elementsAreLimitedTogether() {
        let row =
            [0xAF, 0x11] + ListWriter.big(1000, 2) + [[UInt8]](repeating: ListWriter.big(1001, 2), count: 1000).joined()
        let rows = [[0xAF, 0x11] + ListWriter.big(1000, 2) + (1...1000).map { ListWriter.big($0, 2) }.joined()]
        let bytes = ListWriter.assemble(rows + Array(repeating: row, count: 1000) + [[0x09]], top: 0)
        #expect(code(bytes, limits: ModelLimits(objects: 100_000)) == .exceeds(.objects, limit: 100_000))
    }

    /// A predicate whose subpredicates are itself.
    @Test func expressionsThatHoldThemselves() {
        var writer = ArchiveWriter()
        let predicate = writer.reserve()
        let parts = writer.array([.uid(predicate), .uid(predicate)])
        writer.fill(
            predicate, "NSCompoundPredicate", [("NSCompoundPredicateType", .integer(1)), ("NSSubpredicates", parts)])
        let entity = writer.object("NSEntityDescription", [("NSEntityName", writer.string("A"))])
        let request = writer.object("NSFetchRequest", [("NSEntity", entity), ("NSPredicate", .uid(predicate))])
        let model = writer.object(
            "NSManagedObjectModel",
            [
                ("NSEntities", writer.dictionary([("A", entity)])),
                ("NSFetchRequestTemplates", writer.dictionary([("loop", request)])),
            ])
        #expect(code(writer.bytes(root: model)) == .exceeds(.nesting, limit: 100))
    }

    @Test func otherArchivesAreNamed() {
        var writer = ArchiveWriter()
        let root = writer.object("NSMutableArray", [("NS.objects", .array([]))])
        #expect(code(writer.bytes(root: root)) == .unexpectedClass("NSMutableArray", expected: "NSManagedObjectModel"))
        var blocks = ArchiveWriter()
        let block = blocks.object("NSBlockPredicate", [])
        let entity = blocks.object("NSEntityDescription", [("NSEntityName", blocks.string("A"))])
        let request = blocks.object("NSFetchRequest", [("NSEntity", entity), ("NSPredicate", block)])
        let model = blocks.object(
            "NSManagedObjectModel",
            [
                ("NSEntities", blocks.dictionary([("A", entity)])),
                ("NSFetchRequestTemplates", blocks.dictionary([("x", request)])),
            ])
        #expect(code(blocks.bytes(root: model)) == .unsupportedExpression("NSBlockPredicate"))
    }

    // MARK: Compression

    @Test func aBombIsStoppedAtTheLimit() {
        let bomb = Compressed.raw([UInt8](repeating: 0, count: 8 << 20))
        #expect(bomb.count < 20_000)
        #expect(throws: ModelError(.exceeds(.inflatedSize, limit: 1 << 20))) {
            try ManagedObjectModel(modelCache: bomb, limits: ModelLimits(inflatedSize: 1 << 20))
        }
    }

    @Test func cutAndForeignDataIsCorrupt() {
        let whole = Compressed.raw(Array("bplist00".utf8))
        for bytes in [[], Array(whole.dropLast(2)), [0xFF, 0xFF, 0xFF], Array("bplist00".utf8)] {
            #expect(throws: ModelError(.corruptCompression)) { try ManagedObjectModel(modelCache: bytes) }
        }
    }

    // MARK: XML

    @Test func entitiesAreRefused() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
            <model name="&b;"/>
            """
        #expect(xml(bomb) == .entityDeclaration)
        #expect(xml("<!DOCTYPE m [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><model>&x;</model>") == .entityDeclaration)
        #expect(xml("<model>&x;</model>") == .notXML("&x; is not a character"))
        #expect(xml("<!DOCTYPE model SYSTEM \"file:///etc/passwd\"><model/>") == nil)
    }

    @Test func otherEncodingsAreRefused() {
        #expect(xml("<?xml version=\"1.0\" encoding=\"UTF-7\"?><model/>") != nil)
        #expect(code(Array("<model/>".utf16).flatMap { ListWriter.big(Int($0), 2) }) != nil)
        #expect(code(Array("<model name=\"".utf8) + [0xFF] + Array("\"/>".utf8)) == .notXML("the file is not UTF-8"))
    }

    @Test func depthIsLimited() {
        let deep = String(repeating: "<model>", count: 100_000)
        #expect(xml(deep) == .exceeds(.nesting, limit: 100))
    }

    @Test(arguments: [
        "", "<", "<model", "<model a", "<model a=", "<model a=\"", "<model a=\"x\" a=\"y\"/>", "<model>", "</model>",
        "<model></mode>", "<model/><model/>", "x<model/>", "<model/>x", "<model><![CDATA[</model>",
        "<model><!--</model>",
        "<model a=\"<\"/>", "<model>&#xD800;</model>", "<model>&#0;</model>", "<model>&amp</model>",
        "<model>\u{1}</model>",
        "<?xml", "<!DOCTYPE x", "<model a='\"/>", "<1/>", "<!ELEMENT x>",
    ])
    func notWellFormed(_ text: String) {
        #expect(xml(text) != nil)
    }

    @Test func errorsHaveALine() throws {
        let text = "<model>\n  <entity name=\"A\">\n    <attribute attributeType=\"String\"/>\n  </entity>\n</model>"
        do {
            _ = try ManagedObjectModel(bytes: Array(text.utf8))
            Issue.record("expected an error")
        } catch {
            #expect(error.code == .missingAttribute("name", element: "attribute"))
            #expect(error.place == ModelPlace(line: 3, column: 5, path: ["entity A"]))
            #expect("\(error)" == "error: <attribute> has no attribute name (at line 3, column 5, entity A)")
        }
    }
}
