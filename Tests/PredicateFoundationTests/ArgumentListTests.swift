import NSPredicates
import Testing

/// What code for Apple's platforms passes `as CVarArg`.
@Suite struct ArgumentListTests {
    private let id = UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89") ?? UUID()

    @Test func typesThatBridge() {
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let list: [any CVarArg] = [
            id as CVarArg, date as CVarArg, Data([1]) as CVarArg, [1, 2] as CVarArg, ["a": 1] as CVarArg,
            Set([1]) as CVarArg, Decimal(2) as CVarArg, NSNumber(value: 3), date as NSDate, id as NSUUID, NSArray(),
            "x",
        ]
        #expect(list.count == 12)
        #expect(NSPredicate(format: "id == %@", id as CVarArg).evaluate(with: ["id": id]))
        #expect(NSPredicate(format: "n IN %@", [1, 2] as CVarArg).evaluate(with: ["n": 2]))
        #expect(NSPredicate(format: "d >= %@", date as CVarArg).evaluate(with: ["d": date]))
    }

    /// A format of text prints them as their objects do.
    @Test func theyPrintInText() {
        #expect(String(format: "%@ %d", id as CVarArg, 3) == "\(id.uuidString) 3")
        #expect(String(format: "%@", NSNumber(value: 3)) == "3")
        #expect(String(format: "%@, %@", "jo", NSString(string: "al")) == "jo, al")
        #expect(String(format: "%@", [1, 2] as CVarArg).filter(\.isNumber) == "12")
    }
}
