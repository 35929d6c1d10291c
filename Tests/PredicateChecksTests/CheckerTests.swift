import Foundation
import PredicateChecks
import PredicateData
import PredicateSyntax
import Testing

/// The checks that need no data, on two lists: mistakes that people make, and ordinary predicates.
struct CheckerTests {
    /// A mistake, and the code of its finding; `error` stands for a format that does not parse.
    struct Mistake: CustomTestStringConvertible {
        let format: String
        let code: String

        init?(_ line: Substring) {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            (code, format) = (String(parts[0]), String(parts[1]))
        }

        var testDescription: String { format }
    }

    static func lines(_ name: String) throws -> [Substring] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "Lists/\(name)"), encoding: .utf8)
        return text.split(separator: "\n").filter { !$0.hasPrefix("# ") }
    }

    static func codes(of format: String) -> [String] {
        do throws(PredicateFormatError) {
            return try Checker.findings(inFormat: format).map(\.code.rawValue)
        } catch {
            return ["error"]
        }
    }

    @Test func everyMistakeIsFound() throws {
        let mistakes = try Self.lines("mistakes.txt").map(Mistake.init)
        #expect(mistakes.count >= 140 && !mistakes.contains { $0 == nil })
        for mistake in mistakes.compactMap(\.self) {
            let codes = Self.codes(of: mistake.format)
            #expect(codes.contains(mistake.code), "\(mistake.format): \(codes), not \(mistake.code)")
        }
    }

    @Test func ordinaryPredicatesAreLeftAlone() throws {
        let formats = try Self.lines("ordinary.txt").map(String.init)
        #expect(formats.count >= 300 && Set(formats).count == formats.count)
        for format in formats {
            let codes = Self.codes(of: format)
            #expect(codes.isEmpty, "\(format): \(codes)")
        }
    }

    /// Decimals that have the same nearest double are different bounds.
    @Test(arguments: [
        ("x > %@ AND x < %@", ["1.00000000000000001", "1.00000000000000003"], []),
        ("x > %@ AND x < %@", ["1.00000000000000003", "1.00000000000000001"], ["never-holds"]),
        ("x > %@ AND x <= 1.0", ["1.00000000000000001"], []),
        ("x > %@ AND x < %@", ["1e-127", "2e-127"], []),
        ("x <= %@ OR x >= %@", ["1.00000000000000001", "1.00000000000000003"], []),
    ])
    func decimalsAreComparedExactly(format: String, numbers: [String], codes: [String]) throws {
        let arguments = numbers.compactMap { Decimal(string: $0) }.map(PredicateValue.decimal)
        let predicate = try FormatPredicate(format: format, arguments: arguments)
        #expect(predicate.check().map(\.code.rawValue) == codes)
    }

    /// A fix is an edit after which the finding is gone.
    @Test func fixesCure() throws {
        var count = 0
        for mistake in try Self.lines("mistakes.txt").compactMap(Mistake.init) where mistake.code != "error" {
            for finding in try Checker.findings(inFormat: mistake.format) {
                guard let fix = finding.fix else { continue }
                let mended = fix.applied(to: mistake.format)
                let rest = try Checker.findings(inFormat: mended).filter { $0.code == finding.code }
                let before = try Checker.findings(inFormat: mistake.format).filter { $0.code == finding.code }
                #expect(rest.count < before.count, "\(mistake.format) became \(mended)")
                count += 1
            }
        }
        #expect(count >= 12)
    }

    @Test(arguments: [0..<100, -1..<2, 5..<5, 1..<2])
    func aFixOutsideOfItsFormatChangesNothing(range: Range<Int>) {
        let mended = PredicateFinding.Fix(range, "x").applied(to: "é")
        #expect(mended == "é")
    }

    /// What is known about keys replaces guesses.
    @Test func knowledgeOfKeysIsUsed() throws {
        struct Ages: PredicateSchema {
            var origin: SchemaOrigin { .observed }
            func property(_ key: String, of entity: String) -> PredicateProperty? {
                var property = PredicateProperty()
                if key == "age" || key == "count" { (property.kinds, property.isWhole) = ([.number], true) }
                if key == "share" { (property.kinds, property.isWhole) = ([.number], false) }
                return property
            }
            func keys(of entity: String) -> [String] { ["age", "share", "count", "@id"] }
        }
        func codes(_ format: String) throws -> [PredicateFinding.Code] {
            try FormatPredicate(format).check(against: Ages(), entity: "Person").map(\.code)
        }
        #expect(try codes("age == '30'") == [.kindMismatch])
        #expect(try codes("age / count > 0.5") == [.wholeDivision])
        #expect(try codes("share / 2 > 0.5") == [])
        #expect(try codes("@id == 3") == [])
        #expect(try codes("name == Bob") == [])
    }

    /// The empty string may be an element of an array.
    @Test func argumentsMayBeArrays() throws {
        #expect(try Checker.findings(inFormat: "name CONTAINS ''").map(\.code) == [.emptyText])
        #expect(try !Checker.findings(inFormat: "%@ CONTAINS ''").map(\.code).contains(.emptyText))
        #expect(try !Checker.findings(inFormat: "{'a', ''} CONTAINS ''").map(\.code).contains(.emptyText))
        #expect(try Checker.findings(inFormat: "%@ BEGINSWITH ''").map(\.code).contains(.emptyText))
    }

    @Test func findingsHaveAPlaceAndALevel() throws {
        let format = "name MATCHES \"(\" AND mass > 1 AND mass > 0"
        let findings = try Checker.findings(inFormat: format)
        #expect(findings.map(\.code) == [.cannotBePrepared, .impliedClause])
        #expect(findings.map(\.level) == [.error, .note])
        let bytes = Array(format.utf8)
        let places = findings.compactMap { $0.range.map { String(decoding: bytes[$0], as: UTF8.self) } }
        #expect(places == ["\"(\"", "mass > 0"])
    }
}
