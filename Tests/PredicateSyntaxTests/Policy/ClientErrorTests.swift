import Foundation
import PredicateSyntax
import Testing

/// The form of errors for clients: codes, positions and allowed keys.
@Suite struct ClientErrorTests {
    private var policy: PredicatePolicy {
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age", "address.*", "orders", "orders.total", "first name"])
        return policy
    }

    private func refusal(_ format: String) throws -> PredicateClientError {
        do throws(PredicateFormatError) {
            _ = try FormatPredicate(format, policy: policy)
        } catch {
            return PredicateClientError(error, in: format, policy: policy)
        }
        throw NotRefused()
    }

    private struct NotRefused: Error {}

    @Test(
        arguments: [
            ("adress.city == 'Oslo'", ["address.city"]), ("nmae == 'x'", ["name"]), ("AGE > 1", ["age"]),
            ("name CONTAINS jo", ["\"jo\""]), ("name = Joanna", ["\"Joanna\""]), ("name == nam", ["name", "\"nam\""]),
            ("SUBQUERY(orders, $o, $o.totl > 1).@count > 0", ["total"]), ("salary > 1", []),
            ("orders[0].totl > 1", ["total"]), ("name.length > 3", []), ("1 < salary", ["\"salary\""]),
            ("#\"first nme\" == 1", []),
        ])
    func replacements(_ format: String, _ expected: [String]) throws {
        let error = try refusal(format)
        #expect(error.code == "refused.key" && error.replacements == expected)
        #expect(error.keys == ["address.*", "age", "first name", "name", "orders", "orders.total"])
    }

    @Test func aReplacementStandsAtThePlace() throws {
        let format = "age > 1 AND SUBQUERY(orders, $o, $o.totl > 1).@count > 0"
        let error = try refusal(format)
        let place = try #require(error.place)
        let bytes = Array(format.utf8)
        let replacement = Array(error.replacements[0].utf8)[...]
        let parts = [bytes[..<place.utf8.lowerBound], replacement, bytes[place.utf8.upperBound...]]
        _ = try FormatPredicate(String(decoding: parts.joined(), as: UTF8.self), policy: policy)
    }

    @Test func othersHaveTheirCodeAndPlace() throws {
        let error = try refusal("age >= AND")
        #expect(error.code == "expectedExpression" && error.place?.utf8 == 7..<10 && error.keys == [])
        #expect(try refusal("FUNCTION(name, 'x') == 1").code == "refused.feature")
        #expect(try refusal("SELF == 1").keys.count == 6)
    }

    @Test func anErrorOfAnotherTextHasNoPlace() throws {
        let error = PredicateFormatError(.refused(.key("tenant")), text: "tenant == 7 AND age > 1", range: 0..<6)
        let shown = PredicateClientError(error, in: "age > 1", policy: policy)
        #expect(shown.code == "refused.key" && shown.place == nil && shown.keys == [])
    }

    @Test func nothingElseIsEncoded() throws {
        let error = try refusal("adress.city == 'Oslo'")
        let data = try JSONEncoder().encode(error)
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(members.keys) == ["code", "place", "replacements", "keys"])
        #expect(try JSONDecoder().decode(PredicateClientError.self, from: data) == error)
    }
}
