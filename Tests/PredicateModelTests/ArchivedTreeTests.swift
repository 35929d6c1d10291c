import Foundation
import PredicateModel
import PredicateSyntax
import Testing

/// Property lists and archives of any classes as values.
@Suite struct ArchivedTreeTests {
    private func archive(_ objects: [ListValue], root: Int = 1) -> [UInt8] {
        ListWriter.bytes(
            .dictionary([
                ("$archiver", .string("NSKeyedArchiver")), ("$version", .integer(100_000)),
                ("$objects", .array([.string("$null")] + objects)), ("$top", .dictionary([("root", .uid(root))])),
            ]))
    }

    private func named(_ name: String) -> ListValue {
        .dictionary([("$classname", .string(name)), ("$classes", .array([.string(name)]))])
    }

    @Test func plainListsAreValues() {
        let list = ListWriter.bytes(.array([.integer(1), .bool(true), .string("é"), .data([1]), .real(0.5)]))
        #expect(ArchivedTree.value(of: list) == .array([1, true, "é", .data(Data([1])), 0.5]))
        #expect(ArchivedTree.value(of: Array("<plist><string>a</string></plist>".utf8)) == "a")
        #expect(ArchivedTree.value(of: [1, 2, 3]) == nil)
        #expect(ArchivedTree.value(of: Array("plain text".utf8)) == nil)
    }

    @Test func objectsHaveTheirClassAndKeys() {
        let colour = archive([
            .dictionary([("$class", .uid(2)), ("UIRed", .real(0.5)), ("name", .uid(3)), ("nothing", .uid(0))]),
            named("UIColor"), .string("red"),
        ])
        #expect(
            ArchivedTree.value(of: colour)
                == .dictionary(["$class": "UIColor", "UIRed": 0.5, "name": "red", "nothing": .null]))
    }

    @Test func classesOfFoundationArePlain() {
        let list = archive([
            .dictionary([("$class", .uid(2)), ("NS.objects", .array([.uid(3), .uid(5), .uid(7), .integer(1)]))]),
            named("NSArray"),
            .dictionary([("$class", .uid(4)), ("NS.time", .real(0))]), named("NSDate"),
            .dictionary([
                ("$class", .uid(6)), ("NS.keys", .array([.uid(9)])), ("NS.objects", .array([.uid(3)])),
            ]), named("NSDictionary"),
            .dictionary([("$class", .uid(8)), ("NS.relative", .uid(9)), ("NS.base", .uid(0))]), named("NSURL"),
            .string("https://a.org"),
        ])
        let date = PredicateValue.date(Date(timeIntervalSinceReferenceDate: 0))
        #expect(
            ArchivedTree.value(of: list)
                == .array([date, .dictionary(["https://a.org": date]), "https://a.org", 1]))
        let numbers = archive([
            .dictionary([
                ("$class", .uid(2)), ("NS.keys", .array([.integer(1)])), ("NS.objects", .array([.bool(true)])),
            ]),
            named("NSDictionary"),
        ])
        #expect(ArchivedTree.value(of: numbers) == .dictionary(["$entries": .array([.array([1, true])])]))
    }

    @Test func cyclesEndAndSizesAreBounded() {
        let cycle = archive([.dictionary([("$class", .uid(2)), ("me", .uid(1))]), named("Node")])
        #expect(ArchivedTree.value(of: cycle) == .dictionary(["$class": "Node", "me": .dictionary(["$object": 1])]))
        // Each array has the next one twice: a thousand bytes for 2⁴⁰ values.
        let shared = (1...40).map { ListValue.array([.uid($0 + 1), .uid($0 + 1)]) } + [.integer(1)]
        #expect(ArchivedTree.value(of: archive(shared)) == nil)
        let deep = (1...100).map { ListValue.array([.uid($0 + 1)]) } + [.integer(1)]
        #expect(ArchivedTree.value(of: archive(deep)) == nil)
        #expect(ArchivedTree.value(of: archive([.array([.uid(77)])])) == nil)
    }
}
