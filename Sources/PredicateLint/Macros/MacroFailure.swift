/// A part of `#Predicate` that fails, as public reports and documentation describe it.
///
/// The comment of each case shows the shortest predicate.
enum MacroFailure: Hashable, CaseIterable {
    /// `$0.owner == nil` of an optional relationship
    case relationshipWithNil
    /// `$0.owner?.team?.name == "x"`
    case optionalChain
    /// `$0.owner == owner` of two models
    case wholeObjects
    /// `$0.owner?.id == owner.id` with `owner: Person`, a model outside the predicate
    case capturedModel
    /// `$0.isAdult` with `var isAdult: Bool { age >= 18 }`
    case computedMember
    /// `$0.isOpen` with `@Transient var isOpen = false`
    case transientMember
    /// `$0.address.city == "x"` with `struct Address: Codable`
    case codableMember
    /// `$0.kind == kind` with `enum Kind: String, Codable`
    case enumValue
    /// `$0.kind == Kind.open`, `$0.kind == .open`
    case enumCase
    /// `#Predicate<Row> { $0.name == name }` in `func find<Row: PersistentModel>(…)`
    case genericParameter
    /// `$0.tags.isEmpty == false`
    case emptyWithBoolean
    /// `$0.name.lowercased() == name`
    case function
    /// `$0.id == id` with `let id: UUID` of a class
    case constantOfClass
    /// `$0.isAdult` of a type whose keys do not list it, for a store of this library
    case unnamedMember

    /// What is wrong with a part of the source.
    func message(_ part: String) -> String {
        switch self {
        case .relationshipWithNil: "SwiftData may end the program at a comparison of the relationship \(part) with nil"
        case .optionalChain: "SwiftData ends the program at a chain through two optionals: \(part)"
        case .wholeObjects: "SwiftData cannot compare \(part) as a whole object"
        case .capturedModel: "the predicate captures the model \(part) with its property, which may fail"
        case .computedMember: "\(part) is computed, and SwiftData has no column for it"
        case .transientMember: "\(part) is transient, and SwiftData has no column for it"
        case .codableMember: "\(part) is a member of a Codable value, which SwiftData may not translate"
        case .enumValue: "SwiftData does not translate the enum \(part)"
        case .enumCase: "#Predicate does not accept the enum case \(part)"
        case .genericParameter: "SwiftData does not recognize the key paths of the generic parameter \(part)"
        case .emptyWithBoolean: "SwiftData ends the program when it compares isEmpty with \(part)"
        case .function: "#Predicate does not accept \(part)()"
        case .constantOfClass: "the key path of \(part), a let of a class, may be one that #Predicate refuses"
        case .unnamedMember: "\(part) has no name in predicates, so the predicate cannot be converted"
        }
    }

    /// The correction.
    var cure: String {
        switch self {
        case .relationshipWithNil: "fetch without this condition and filter the result"
        case .optionalChain: "unwrap with if let or flatMap, one optional at a time, or store the value in the model"
        case .wholeObjects: "compare persistentModelID, stored in a constant before the predicate"
        case .capturedModel: "store the value in a constant before the predicate"
        case .computedMember, .transientMember: "use stored properties, or filter the result of the fetch"
        case .codableMember: "store the value as a property of the model"
        case .enumValue: "store the raw value as a property of its own, and compare that"
        case .enumCase: "store the case in a constant before the predicate"
        case .genericParameter: "make the predicate in a function of each concrete type"
        case .emptyWithBoolean: "write isEmpty or !isEmpty"
        case .function: "use localizedStandardContains, starts(with:), contains or caseInsensitiveCompare"
        case .constantOfClass: "declare it with var"
        case .unnamedMember: "list it in the keys of a KeyPathCoding type, or pass names:"
        }
    }

    /// The systems on which the failure was seen, and the address of a report of it.
    var report: (system: String, address: String)? {
        switch self {
        case .relationshipWithNil: ("iOS 26", "https://github.com/meshtastic/Meshtastic-Apple/pull/1900")
        case .optionalChain:
            ("iOS 17, March 2024", "https://github.com/NoahKamara/CompoundPredicate/issues/1")
        case .wholeObjects: ("no version given", "https://worldofsoftware.org/?p=847751")
        case .capturedModel: ("December 2025", Self.explanation)
        case .computedMember, .transientMember, .emptyWithBoolean: ("no version given", Self.guide)
        case .codableMember: ("Swift 5.9", "https://boohere.com/tr/detail/10544466.html")
        case .enumValue:
            ("up to iOS 18", "https://mjtsai.com/blog/2024/08/26/using-codable-and-enums-in-swiftdata-models")
        case .enumCase: ("November 2023", "https://github.com/swiftlang/swift-foundation/issues/318")
        case .genericParameter: ("iOS 27, release builds", "https://github.com/kasianov-mikhail/scout/pull/1152")
        case .function: ("no version given", Self.guide)
        case .constantOfClass: ("Xcode 16.2", "https://github.com/swiftlang/swift-foundation/issues/1174")
        case .unnamedMember: nil
        }
    }

    private static let explanation =
        "https://sia.hackernoon.com/swifts-predicate-explained-how-type-safe-filtering-works-in-swiftdata"

    private static let guide =
        "https://contextqmd.com/libraries/provenance/versions/3.3.1/pages/.agents/skills/swiftdata-pro/references/predicates"

    /// The hints of a finding: the correction, and the report.
    var hints: [String] { [cure] + (report.map { ["reported (\($0.system)): \($0.address)"] } ?? []) }

    /// The reports, for the help of the rule.
    static var reports: String {
        var seen: Set<String> = []
        return allCases.compactMap(\.report).filter { seen.insert($0.address).inserted }
            .map { "\($0.address) (\($0.system))" }.joined(separator: ", ")
    }

    /// The methods that `#Predicate` refuses, although strings and collections have them.
    static let functions: Set<String> = [
        "lowercased", "uppercased", "hasPrefix", "hasSuffix", "map", "reduce", "sorted", "trimmingCharacters",
        "compactMap", "replacingOccurrences",
    ]
}
