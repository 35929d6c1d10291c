import Foundation
import PredicateChecks
import PredicateData
import PredicateJSON
import PredicateSession
import PredicateSyntax
import Testing

struct CheckTests {
    /// A planted mistake: its range and its expected code.
    struct Planted {
        let format: String
        let code: String
        let place: String
        let data: String?

        init?(_ line: Substring) {
            guard case .dictionary(let members)? = try? JSONReader.parse(String(line)) else { return nil }
            func text(_ key: String) -> String? { if case .string(let text)? = members[key] { text } else { nil } }
            guard let format = text("format"), let code = text("code"), let place = text("at") else { return nil }
            (self.format, self.code, self.place) = (format, code, place)
            data = text("data")
        }
    }

    static func planted() throws -> [Planted] {
        try TestFile.text("Checks/planted.jsonl").split(separator: "\n").compactMap(Planted.init)
    }

    @Test func everyPlantedMistakeIsFound() throws {
        let planted = try Self.planted()
        #expect(planted.count >= 30)
        for mistake in planted {
            let session = Session.forTests()
            if let data = mistake.data { #expect(!session.load(file: data).isError) }
            let findings = try session.findings(in: mistake.format, words: [])
            let hits = findings.filter { $0.code.rawValue == mistake.code }
            #expect(!hits.isEmpty, "\(mistake.format): \(findings.map(\.code.rawValue))")
            let bytes = Array(mistake.format.utf8)
            let places = hits.compactMap { $0.range.map { String(decoding: bytes[$0], as: UTF8.self) } }
            #expect(places.contains(mistake.place), "\(mistake.format): \(places)")
        }
    }

    @Test(arguments: ["name ==[c] 'Zoë.txt'", "name == 'plain.txt'", "name CONTAINS[d] 'ö'"])
    func foldedAndPlainTextsHaveOneSpelling(_ format: String) throws {
        let session = Session.forTests()
        #expect(!session.load(file: "files.jsonl").isError)
        #expect(try session.findings(in: format, words: []).isEmpty)
    }

    /// What matches some object of the data is not said to be wrong.
    @Test(arguments: [
        "friends[SIZE] > 1", "friends.count > 1", "{\"x\"} UNION keyPaths CONTAINS \"x\"", "friends.name CONTAINS 'Jo'",
        "friends[0].name == 'Ann' OR friends.@count == 0", "flights.miles / 100 >= 7",
    ])
    func whatMatchesIsLeftAlone(_ format: String) throws {
        let session = Session.forTests()
        #expect(!session.load(file: "words.jsonl").isError)
        #expect(
            try session.findings(in: format, words: []).filter { $0.code != .cannotBeEvaluated }.map(\.message) == [])
    }

    @Test func everyCodeIsPlanted() throws {
        let planted = Set(try Self.planted().map(\.code))
        let codes = Set(PredicateFinding.Code.allCases.map(\.rawValue))
        // These need a model of a store: ModelCheckTests has them.
        let ofStores: Set = ["subentity-key", "transient-key", "out-of-range", "nil-in-to-many", "refused-by-store"]
        #expect(codes.subtracting(planted).subtracting(ofStores).isEmpty)
    }

    /// Formats of real programs, without their arguments, have no other findings than the listed ones.
    @Test func ordinaryPredicatesAreLeftAlone() throws {
        let accepted = try TestFile.text("Checks/found.txt").split(separator: "\n").map(String.init)
        let formats = try Self.corpus()
        #expect(formats.count >= 200)
        var found: [String] = []
        for format in formats {
            for finding in try Session.forTests().findings(in: format, words: []) {
                found.append(
                    "\(finding.code.rawValue): \(format.split(whereSeparator: \.isNewline).joined(separator: " "))")
            }
        }
        #expect(found.sorted() == accepted.sorted())
    }

    /// The predicates of the corpus that were not collected for their mistakes.
    private static func corpus() throws -> [String] {
        let text = try TestFile.text("../Conformance/Facts/corpus.jsonl")
        return text.split(separator: "\n").compactMap { line -> String? in
            guard case .dictionary(let row)? = try? JSONReader.parse(String(line)), row["suspect"] == nil,
                row["expression"] == nil, row["sample"] == .string("unsteered"),
                case .string(let format)? = row["format"]
            else { return nil }
            return format
        }
    }

    @Test(arguments: [
        "age > 5 AND age < 6", "age > 1 OR age < 1", "age == 1 OR age == 2", "age BETWEEN {1, 1}", "a <= nil",
        "a == nil OR a > 1", "a >= 5 AND a <= 5", "name != \"a\" AND name != \"b\"", "name > \"a\" AND name < \"b\"",
        "age != 1 OR name != \"a\"", "NOT a == 1 OR b == 2", "NOT (a == 1 OR a == 2)", "a > 1 OR a < 0",
        "a == 1 AND (a == 1 OR b == 2)", "ANY tags == 1 AND ANY tags == 2", "random() > 0.5 OR random() <= 0.5",
        "name MATCHES \".*jo.*\"", "name MATCHES \"\\\\d+\"",
        "name == \"a*b\"", "name LIKE \"jo?\"", "TRUEPREDICATE",
        "name BEGINSWITH \"a\" AND name BEGINSWITH \"ab\"", "a.@count == 0", "a.@avg.b > 1", "path MATCHES \"a.b\"",
        "a > %d AND a < %d", "a == %@ AND a == %@", "%K == %@ OR %K == %@", "a BETWEEN %@", "a IN %@",
    ])
    func rightPredicatesAreLeftAlone(format: String) throws {
        #expect(try Session.forTests().findings(in: format, words: []).map(\.message) == [])
    }

    /// The variable of a SUBQUERY is one element, not the array.
    @Test(arguments: [
        ("SUBQUERY(phones, $p, $p.number == '0').@count > 0", nil),
        ("SUBQUERY(phones, $p, ANY $p.tags == 'a').@count > 0", nil),
        ("SUBQUERY(phones, $p, SUBQUERY($p.calls, $c, $c.seconds == 1).@count > 0).@count > 0", nil),
        ("SUBQUERY(phones, $p, $p.tags == 'a').@count > 0", "to-many-key"),
        ("SUBQUERY(phones, $p, $p.calls.seconds == 1).@count > 0", "to-many-key"),
        ("SUBQUERY(phones, $p, $p.number > 5).@count > 0", "kind-mismatch"),
        ("phones.number == '0'", "to-many-key"),
    ])
    func elementsOfASubquery(format: String, code: String?) throws {
        let session = Session.forTests()
        _ = session.reply(
            to: #":object {"phones": [{"number": "0", "tags": ["a"], "calls": [{"seconds": 1}]}, {"number": "1"}]}"#)
        #expect(try session.findings(in: format, words: []).map(\.code.rawValue) == (code.map { [$0] } ?? []))
    }
}
