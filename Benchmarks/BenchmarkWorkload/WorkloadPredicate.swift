public import Foundation
public import PredicateSyntax

/// One of the sixteen predicates that everything is measured with.
public struct WorkloadPredicate: Sendable {
    /// `P02`
    public var id: String
    /// `age >= 21 AND name BEGINSWITH[cd] "jo"`
    public var format: String
    public var arguments: [PredicateValue]
    /// The canonical print, written by hand.
    public var printed: String
    /// The keys at the beginning of its key paths.
    public var keys: Set<String>
    /// The expected result, in Swift with Foundation: slow, and independent of everything that is measured.
    public var truth: @Sendable (Person) -> Bool

    init(
        _ id: String, _ format: String, arguments: [PredicateValue] = [], printed: String? = nil, keys: Set<String>,
        truth: @escaping @Sendable (Person) -> Bool
    ) {
        self.id = id
        self.format = format
        self.arguments = arguments
        self.printed = printed ?? format
        self.keys = keys
        self.truth = truth
    }

    /// The predicate, parsed.
    public func parsed() throws(PredicateFormatError) -> FormatPredicate {
        try FormatPredicate(format: format, arguments: arguments)
    }
}

extension WorkloadPredicate {
    /// The argument of P12: the middle of the ten years.
    public static let middle = Date(timeIntervalSinceReferenceDate: 599_529_600)
    /// The departments of P05 and P10.
    public static let offices = ["Sales", "Legal", "R&D"]

    public static let all: [WorkloadPredicate] = [
        .init("P01", "age > 21", keys: ["age"]) { $0.age > 21 },
        .init("P02", #"age >= 21 AND name BEGINSWITH[cd] "jo""#, keys: ["age", "name"]) {
            $0.age >= 21 && $0.name.loosely("jo", .anchored)
        },
        .init(
            "P03", #"name CONTAINS[cd] "an" OR email LIKE "*@example.com""#, keys: ["name", "email"]
        ) { $0.name.loosely("an") || $0.email.hasSuffix("@example.com") },
        .init("P04", #"name == "John Smith""#, keys: ["name"]) { $0.name == "John Smith" },
        .init("P05", #"dept.name IN {"Sales", "Legal", "R&D"}"#, keys: ["dept"]) { offices.contains($0.dept.name) },
        .init("P06", "score BETWEEN {10, 20}", keys: ["score"]) { $0.score >= 10 && $0.score <= 20 },
        .init("P07", #"ANY tags == "swift""#, keys: ["tags"]) { $0.tags.contains("swift") },
        .init("P08", #"name MATCHES "J.*n S.*""#, keys: ["name"]) {
            $0.name.hasPrefix("J") && $0.name.dropFirst().range(of: "n S") != nil
        },
        .init(
            "P09", #"SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1"#, keys: ["tags"]
        ) { $0.tags.filter { $0.hasPrefix("s") }.count > 1 },
        .init(
            "P10",
            #"active == YES AND age BETWEEN {18, 65} AND dept.name IN {"Sales", "Legal", "R&D"}"#
                + #" AND NOT (email ENDSWITH[c] ".ORG")"#,
            printed: #"active == 1 AND age BETWEEN {18, 65} AND dept.name IN {"Sales", "Legal", "R&D"}"#
                + #" AND (NOT email ENDSWITH[c] ".ORG")"#,
            keys: ["active", "age", "dept", "email"]
        ) {
            $0.active && (18...65).contains($0.age) && offices.contains($0.dept.name)
                && !$0.email.lowercased().hasSuffix(".org")
        },
        .init(
            "P11", "score * 2 + 1 > 50 AND age < 50", printed: "(score * 2) + 1 > 50 AND age < 50",
            keys: ["score", "age"]
        ) { $0.score * 2 + 1 > 50 && $0.age < 50 },
        .init(
            "P12", "created > %@", arguments: [.date(middle)],
            printed: #"created > CAST(599529600.000000, "NSDate")"#, keys: ["created"]
        ) { $0.created > middle },
        .init("P13", #"name LIKE[c] "j*n s?ith""#, keys: ["name"]) {
            let name = Array($0.name.lowercased().unicodeScalars)
            return name.count >= 8 && name.first == "j" && String.UnicodeScalarView(name.suffix(7)).fits("n s?ith")
        },
        .init("P14", #"name ==[cd] "jose garcia""#, keys: ["name"]) {
            $0.name.compare("jose garcia", options: [.caseInsensitive, .diacriticInsensitive]) == .orderedSame
        },
        .init("P15", #""swift" IN tags"#, keys: ["tags"]) { $0.tags.contains("swift") },
        .init("P16", "tags.@count > 2", keys: ["tags"]) { $0.tags.count > 2 },
    ]
}

extension String {
    /// True if the string contains the needle, or begins with it, by Foundation's `[cd]` comparison.
    public func holds(loosely needle: String, anchored: Bool) -> Bool {
        loosely(needle, anchored ? .anchored : [])
    }

    /// True if the string contains the needle, ignoring case and diacritics.
    fileprivate func loosely(_ needle: String, _ options: CompareOptions = []) -> Bool {
        range(of: needle, options: options.union([.caseInsensitive, .diacriticInsensitive])) != nil
    }
}

extension String.UnicodeScalarView {
    /// True if a pattern without `*` matches: `n s?ith`.
    fileprivate func fits(_ pattern: String) -> Bool {
        elementsEqual(pattern.unicodeScalars) { $1 == "?" || $0 == $1 }
    }
}

extension PredicateNode {
    /// A number that depends on the root of a tree: cheap, and proof that the tree was made.
    public var shape: Int {
        switch self {
        case .constant: 1
        case .comparison: 2
        case .string: 3
        case .compound(let compound): 3 + compound.count
        case .block: 0
        @unknown default: 0
        }
    }
}
