import PredicateChecks
import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Policies that know the types of the objects.
@Suite struct PolicyTypesTests {
    private struct Shop: PredicateSchema {
        var origin: SchemaOrigin { .declared }
        func property(_ key: String, of entity: String) -> PredicateProperty? {
            switch (entity, key) {
            case ("Order", "total"): PredicateProperty(.number)
            case ("Order", "name"): PredicateProperty(.string)
            case ("Order", "tags"): PredicateProperty(.string, isToMany: true)
            case ("Order", "items"): PredicateProperty(objects: "Item", isToMany: true)
            case ("Item", "name"): PredicateProperty(.string)
            default: nil
            }
        }
        func keys(of entity: String) -> [String] { entity == "Order" ? ["total", "name", "tags", "items"] : ["name"] }
    }

    private let policy = PredicatePolicy.untrusted.checking(against: Shop(), entity: "Order")

    private func mistake(_ format: String) -> PredicateFormatError.Mistake? {
        let error = PredicateFormatError.thrown { _ = try FormatPredicate(format, policy: policy) }
        guard case .refused(.mistake(let mistake))? = error?.code else { return nil }
        return mistake
    }

    @Test(
        arguments: [
            "total == '21'", "name > 5", "tags == 'b'", "totl > 1", "ANY items.nmae == 'x'", "total IN 10",
            "total == 'YES'", "total BETWEEN 25", "name.lenght > 3", "name == Bob",
        ])
    func whatContradictsTheTypesIsRefusedWithTheFindingOfACheck(_ format: String) throws {
        let findings = try FormatPredicate(format).check(against: Shop(), entity: "Order")
        let mistake = try #require(self.mistake(format), "\(findings)")
        let same = findings.filter { $0.code.rawValue == mistake.code && $0.message == mistake.message }
        #expect(same.contains { $0.hint == mistake.hint })
        let error = PredicateFormatError.thrown { _ = try FormatPredicate(format, policy: policy) }
        #expect(error?.text == format && error?.range.isEmpty == false)
    }

    @Test(
        arguments: [
            "total == 21", "name == 'jo*'", "name LIKE 'jo'", "ANY tags == 'b'", "name == 'nil'",
            "total > 5 AND total < 3", "name CONTAINS ''", "total IN {}", "name == nil",
            "SUBQUERY(items, $i, $i.name == 'x').@count > 0",
        ])
    func whatIsOnlyOddIsNot(_ format: String) throws {
        _ = try FormatPredicate(format, policy: policy)
    }

    @Test func clientsGetTheCodeOfTheFinding() throws {
        let format = "total == '21'"
        let error = try #require(PredicateFormatError.thrown { _ = try FormatPredicate(format, policy: policy) })
        let shown = PredicateClientError(error, in: format, policy: policy)
        #expect(shown.code == "kind-mismatch" && shown.place != nil && shown.keys == [])
    }

    @Test(
        arguments: [
            ("totl > 1", ["total"]), ("ANY items.nmae == 'x'", ["items.name"]), ("name.lenght > 3", ["name.length"]),
            ("SUBQUERY(items, $i, $i.nmae == 'x').@count > 0", ["$i.name"]), ("name == Bob", ["\"Bob\""]),
            ("items.@max.nmae == 'x'", ["items.@max.name"]), ("name CONTAINS nam", ["name", "\"nam\""]),
            ("salary > 1", []), ("items[0].nmae == 'x'", ["items[0].name"]),
        ])
    func clientsGetWhatMayHaveBeenMeant(_ format: String, _ expected: [String]) throws {
        let error = try #require(PredicateFormatError.thrown { _ = try FormatPredicate(format, policy: policy) })
        let shown = PredicateClientError(error, in: format, policy: policy)
        let place = try #require(shown.place)
        #expect(shown.replacements == expected && shown.code.hasPrefix("unknown-"))
        for replacement in shown.replacements {
            let bytes = Array(format.utf8)
            let head = bytes[..<place.utf8.lowerBound], tail = bytes[place.utf8.upperBound...]
            let cured = String(decoding: head + replacement.utf8 + tail, as: UTF8.self)
            #expect(throws: Never.self) { try FormatPredicate(cured, policy: policy) }
        }
    }

    @Test func sortKeysAndSelectedKeysAreChecked() throws {
        try policy.check(sortKeys: [SortKey("total")])
        #expect(throws: PredicateFormatError.self) { try policy.check(sortKeys: [SortKey("totl")]) }
        #expect(throws: PredicateFormatError.self) { try policy.check(keyPaths: ["items.nmae"]) }
    }

    @Test func aTypeWithATableOfKeyPathsIsASchema() throws {
        struct Person: KeyPathCoding {
            var age = 1
            static let keys: KeyPathTable<Person> = ["age": .key(\.age)]
        }
        let policy = PredicatePolicy.untrusted.checking(against: Person.self)
        #expect(throws: PredicateFormatError.self) { try FormatPredicate("age == '21'", policy: policy) }
        _ = try FormatPredicate("age == 21", policy: policy)
        #expect(policy == policy && policy != .untrusted)
    }
}
