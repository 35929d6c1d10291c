import Foundation
import PredicateSyntax
import Testing

struct LimitTests {
    let limit = PredicateLimits.standard.nesting

    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private func code(_ format: String) -> PredicateFormatError.Code? {
        do throws(PredicateFormatError) {
            _ = try FormatPredicate(format)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func everyWayToNestHasTheSameLimit() {
        let tooDeep = PredicateFormatError.Code.nestingTooDeep(limit: limit)
        for count in [2 * limit + 1, 20_000] {
            #expect(code(repeated("(", count) + "a == 1" + repeated(")", count)) == tooDeep)
            #expect(code(repeated("NOT ", count) + "a == 1") == tooDeep)
            #expect(code("a == " + repeated("-", count) + "b") == tooDeep)
            #expect(code("a == 1" + repeated(" + 1", count)) == tooDeep)
            #expect(code("a" + repeated("[0]", count) + " == 1") == tooDeep)
            #expect(code("a == " + repeated("{", count)) == tooDeep)
            #expect(code("a == " + repeated("abs(", count)) == tooDeep)
            #expect(code(repeated("TERNARY(", count)) == tooDeep)
            #expect(code(repeated("SUBQUERY(a, $x, ", count)) == tooDeep)
            #expect(code("a == " + repeated("$a := ", count) + "1") == tooDeep)
        }
    }

    @Test func justBelowTheLimitParsesPrintsAndReadsBack() throws {
        let formats = [
            repeated("(", 2 * limit) + "a == 1" + repeated(")", 2 * limit),
            repeated("NOT ", limit - 2) + "a == 1",
            repeated("NOT (", limit - 2) + "a == 1" + repeated(")", limit - 2),
            "a == 1" + repeated(" + 1", limit - 2),
            "a" + repeated("[0]", limit - 2) + " == 1",
            repeated("SUBQUERY(a, $x, ", limit / 3 - 1) + "a == 1" + repeated(").@count == 1", limit / 3 - 1),
        ]
        for format in formats {
            let predicate = try FormatPredicate(format)
            #expect(try FormatPredicate(predicate.predicateFormat) == predicate)
        }
    }

    @Test func aWideCompoundIsNoDeepOne() throws {
        let format = Array(repeating: "a == 1", count: 20_000).joined(separator: " OR ")
        #expect(try FormatPredicate(format).predicateFormat == format)
    }

    @Test func theLengthOfAFormatIsBounded() throws {
        let room = PredicateLimits.standard.formatLength - "a == ''".utf8.count
        #expect(code("a == '" + repeated("x", room) + "'") == nil)
        #expect(
            code("a == '" + repeated("x", room + 1) + "'")
                == .formatTooLong(limit: PredicateLimits.standard.formatLength))
    }

    @Test func aSmallStackIsEnough() {
        let format = repeated("(", 2 * limit) + "a == 1" + repeated(")", 2 * limit)
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            _ = try? FormatPredicate(format).predicateFormat
            done.signal()
        }
        thread.stackSize = 4 << 20
        thread.start()
        #expect(done.wait(timeout: .now() + 60) == .success)
    }
}
