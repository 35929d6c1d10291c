import NSPredicates
import Testing

/// Keyed archives of predicates, expressions and sort descriptors, and archives that hold something else.
@Suite struct ArchiveTests {
    private func archived(_ object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    @Test(arguments: [
        "age >= 18", "a == 1 AND NOT (b == 2 OR c == 3)", "TRUEPREDICATE", "ANY tags ==[cd] 'é'",
        "name MATCHES '\\\\d+'",
        "SUBQUERY(friends, $f, $f.age > 21).@count > 0", "born > CAST(0.25, 'NSDate')", "x == $V",
    ])
    func predicatesComeBackEqual(format: String) throws {
        let predicate = NSPredicate(format: format)
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: archived(predicate))
        #expect(decoded == predicate)
        #expect(decoded.map { type(of: $0) } == type(of: predicate))
        #expect(decoded?.predicateFormat == predicate.predicateFormat)
    }

    @Test func constantsWithoutALiteralComeBackToo() throws {
        let predicate = NSPredicate(format: "id IN %@", Set([1, 2]))
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: archived(predicate))
        #expect(decoded == predicate)
        #expect(decoded?.evaluate(with: ["id": 2]) == true)
    }

    @Test func expressionsAndDescriptors() throws {
        let expression = NSExpression(format: "sum(list) * 1.5")
        let decoded = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: archived(expression))
        #expect(decoded == expression)
        let descriptor = NSSortDescriptor(key: "name", ascending: false, selector: "localizedStandardCompare:")
        let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: archived(descriptor))
        #expect(again == descriptor)
        #expect(again?.ascending == false)
    }

    @Test func aClosureIsNotArchived() throws {
        let data = try archived(NSPredicate { _, _ in true })
        let decoded = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        #expect(decoded == nil)
    }

    /// An archive whose tree was replaced: of another kind, and by what does not parse.
    @Test func anArchiveThatHoldsSomethingElseIsNil() throws {
        let data = try archived(NSPredicate(format: "age >= 18"))
        let text = String(decoding: try Self.xml(data), as: UTF8.self)
        for replacement in ["age &gt;= 18 AND b == 1", "age &gt;=", "", "{"] {
            let forged = text.replacingOccurrences(of: "age &gt;= 18", with: replacement)
            #expect(forged != text)
            let decoded = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: Data(forged.utf8))
            #expect(decoded == nil, "\(replacement)")
        }
    }

    private static func xml(_ archive: Data) throws -> Data {
        let list = try PropertyListSerialization.propertyList(from: archive, format: nil)
        return try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }
}
