/// A part of `#Predicate` that fails, as public reports and documentation describe it.
///
/// The comment of each case shows the shortest predicate that fails.
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
    /// `$0.id.uuidString == id` with `id: UUID`
    case memberOfValue
    /// `$0.tags.contains("x")` with `tags: [String]`
    case arrayOfValues
    /// `$0.kind == kind` with `enum Kind: String, Codable`
    case enumValue
    /// `$0.kind.rawValue == kind` with `enum Kind: String, Codable`
    case enumRawValue
    /// `$0.kind == Kind.open`, `$0.kind == .open`
    case enumCase
    /// `#Predicate<Row> { $0.name == name }` in `func find<Row: PersistentModel>(…)`
    case genericParameter
    /// `$0.tags.isEmpty == false`
    case emptyWithBoolean
    /// `$0.pets.contains { $0.age > 9 } == false`
    case containsWithBoolean
    /// `$0.pets.filter { $0.visits.count > 3 }.isEmpty`
    case nestedCount
    /// `$0.name.localizedUppercase == name`
    case localizedCase
    /// `$0.isOpen ? $0.age > 5 : true`, `if let boss = $0.boss { boss.age > 5 } else { false }`
    case choice
    /// `$0.name.lowercased() == name`
    case function
    /// `$0.age == Int(text)`
    case globalFunction
    /// `$0.flags & mask == 0`
    case operation
    /// `let age = $0.age; return age > 5`, `for pet in $0.pets { … }`
    case statement
    /// `if $0.isOpen { return true } else { return false }; return true`
    case secondExpression
    /// `if $0.isOpen { $0.age > 5 }`
    case missingElse
    /// `if let boss = $0.boss, $0.isOpen { … } else { … }`
    case mixedConditions
    /// `$0.created < Date.now`
    case staticMember
    /// `$0.id == id` with `let id: UUID` of a class
    case constantOfClass
    /// `$0.isAdult` of a type whose keys do not list it, for a store of this library
    case unnamedMember
    /// `$0.id < id` with `id: UUID`, for this library
    case unordered
    /// `$0.ratio * 2 > 1` with `ratio: Float`, for this library
    case singlePrecision
    /// `$0.tags[1..<3] == tags`, for this library
    case slice
    /// `$0.tags.starts(with: tags)`, for this library
    case sequencePrefix
    /// `$0.pet as? Cat`, for this library
    case cast

    /// Describes the mistake in a part of the source.
    func message(_ part: String) -> String {
        switch self {
        case .relationshipWithNil: "SwiftData may end the program at a comparison of the relationship \(part) with nil"
        case .optionalChain: "SwiftData ends the program at a chain through two optionals: \(part)"
        case .wholeObjects: "SwiftData may fail to compare \(part) as a whole object"
        case .capturedModel: "the predicate captures the model \(part) with its property, which may fail"
        case .computedMember: "\(part) is computed, so SwiftData may have no column for it"
        case .transientMember: "\(part) is transient, and SwiftData has no column for it"
        case .codableMember: "\(part) is a member of a Codable value, which SwiftData may not translate"
        case .memberOfValue: "SwiftData may end the program at \(part), a member of a value that it stores whole"
        case .arrayOfValues: "SwiftData stores the array \(part) as one value and cannot search in it"
        case .enumValue: "SwiftData may not translate the enum \(part)"
        case .enumRawValue: "SwiftData ends the program at the raw value of the enum \(part)"
        case .enumCase: "#Predicate does not accept the enum case \(part)"
        case .genericParameter: "SwiftData does not recognize the key paths of the generic parameter \(part)"
        case .emptyWithBoolean: "SwiftData ends the program when it compares isEmpty with \(part)"
        case .containsWithBoolean: "SwiftData ends the program when it compares contains with \(part)"
        case .nestedCount: "SwiftData ends the program at the count of \(part) in a closure"
        case .localizedCase: "SwiftData ends the program at \(part), which has no counterpart in SQL"
        case .choice: "SDKs that describe predicates may end the program at this condition, a ternary expression"
        case .function: "#Predicate does not accept \(part)()"
        case .globalFunction: "#Predicate does not accept the global function \(part)()"
        case .operation: "#Predicate does not accept the operator \(part)"
        case .statement: "#Predicate accepts only an expression, not \(part)"
        case .secondExpression: "#Predicate accepts only one expression"
        case .missingElse: "#Predicate does not accept if without else"
        case .mixedConditions: "#Predicate does not accept the binding of \(part) next to other conditions"
        case .staticMember: "#Predicate does not accept the static member \(part)"
        case .constantOfClass: "\(part) is a let property of a class, whose key path #Predicate may refuse"
        case .unnamedMember: "\(part) has no name in predicates, so the predicate cannot be converted"
        case .unordered: "predicates do not order values of \(part), so the predicate cannot be converted"
        case .singlePrecision: "\(part) is a Float, but predicates compute only with Double"
        case .slice: "predicates have no slices, so \(part) cannot be converted"
        case .sequencePrefix: "starts(with:) of the collection \(part) cannot be converted"
        case .cast: "the cast to \(part) cannot be converted"
        }
    }

    /// The suggested correction.
    var cure: String {
        switch self {
        case .relationshipWithNil: "fetch without this condition and filter the result"
        case .optionalChain: "unwrap with if let or flatMap, one optional at a time, or store the value in the model"
        case .wholeObjects: "compare persistentModelID, stored in a constant before the predicate"
        case .capturedModel, .globalFunction, .staticMember: "store the value in a constant before the predicate"
        case .computedMember, .transientMember: "use stored properties, or filter the result of the fetch"
        case .codableMember: "store the value as a property of the model"
        case .memberOfValue: "compare the value itself with one that is made before the predicate"
        case .arrayOfValues: "make the elements a model of their own, and the array a relationship"
        case .enumValue, .enumRawValue: "store the raw value as a property of its own, and compare that"
        case .enumCase: "store the case in a constant before the predicate"
        case .genericParameter: "make the predicate in a function of each concrete type"
        case .emptyWithBoolean: "write isEmpty or !isEmpty"
        case .containsWithBoolean: "write ! before the call instead"
        case .nestedCount: "store the count as a property of its own, or filter the result of the fetch"
        case .localizedCase: "use localizedStandardContains or caseInsensitiveCompare"
        case .choice: "write && and ||, if such an SDK is part of the program"
        case .function: "use localizedStandardContains, starts(with:), contains or caseInsensitiveCompare"
        case .operation: "store the result as a property of its own"
        case .statement: "write values out, or compute them before the predicate"
        case .secondExpression: "join the conditions with && and ||"
        case .missingElse: "write && instead, or add else { false }"
        case .mixedConditions: "nest the conditions in an if of their own"
        case .constantOfClass: "declare it with var"
        case .unnamedMember: "list it in the keys of a KeyPathCoding type, or pass names:"
        case .unordered: "compare with == or contains, or order by a string, number or date"
        case .singlePrecision: "declare it as Double"
        case .slice: "compare single elements: tags[0]"
        case .sequencePrefix: "compare single elements: tags[0] == first"
        case .cast: "compare the value without a cast"
        }
    }

    /// True for a failure that few programs have, although its construct is common in predicates.
    var isRare: Bool { self == .choice }

    /// The systems on which the failure was observed, and the address of a report.
    var report: (system: String, address: String)? {
        switch self {
        case .relationshipWithNil: ("iOS 26", "https://github.com/meshtastic/Meshtastic-Apple/pull/1900")
        case .optionalChain:
            ("iOS 17, March 2024", "https://github.com/NoahKamara/CompoundPredicate/issues/1")
        case .wholeObjects: ("no version given", "https://worldofsoftware.org/?p=847751")
        case .capturedModel:
            (
                "December 2025",
                "https://sia.hackernoon.com/swifts-predicate-explained-how-type-safe-filtering-works-in-swiftdata"
            )
        case .computedMember:
            (
                "no version given",
                "https://contextqmd.com/libraries/provenance/versions/3.3.1/pages/.agents/skills/swiftdata-pro/references/predicates"
            )
        case .transientMember: ("iOS 17", "https://developer.apple.com/documentation/swiftdata/transient()")
        case .codableMember: ("Swift 5.9", "https://boohere.com/tr/detail/10544466.html")
        case .memberOfValue: ("January 2025", Self.fitness + "SWIFTDATA_KEYPATH_FIX.md")
        case .arrayOfValues: ("Xcode 15", Self.bookshelf + "common-swiftdata-errors-and-their-solutions.html")
        case .enumValue: ("January 2025", Self.fitness + "MEAL_LOG_API_AND_PREDICATE_FIX.md")
        case .enumRawValue:
            ("up to iOS 18", "https://mjtsai.com/blog/2024/08/26/using-codable-and-enums-in-swiftdata-models")
        case .enumCase: ("November 2023", "https://github.com/swiftlang/swift-foundation/issues/318")
        case .genericParameter: ("iOS 27, release builds", "https://github.com/kasianov-mikhail/scout/pull/1152")
        case .emptyWithBoolean: ("Xcode 15", Self.course + "how-to-filter-swiftdata-results-with-predicates")
        case .containsWithBoolean: ("Xcode 15", Self.bookshelf + "how-to-filter-swiftdata-results-with-predicates.html")
        case .nestedCount, .localizedCase:
            ("Xcode 15", Self.course + "how-to-filter-swiftdata-results-with-predicates")
        case .choice: ("sentry-cocoa 8.18, iOS 17", "https://github.com/getsentry/sentry-cocoa/issues/3553")
        case .function: (Self.recent, Self.macroTests + "PredicateMacroFunctionCallTests.swift")
        case .operation: (Self.recent, Self.macroTests + "PredicateMacroLanguageOperatorTests.swift")
        case .statement, .missingElse: (Self.recent, Self.macroTests + "PredicateMacroLanguageTokenTests.swift")
        case .globalFunction, .mixedConditions:
            (
                Self.recent,
                "https://github.com/swiftlang/swift-foundation/blob/main/Sources/FoundationMacros/PredicateMacro.swift"
            )
        case .secondExpression: ("Xcode 15", Self.course + "common-swiftdata-errors-and-their-solutions")
        case .constantOfClass: ("Xcode 16.2", "https://github.com/swiftlang/swift-foundation/issues/1174")
        case .staticMember: ("March 2024", "https://github.com/swiftlang/swift-foundation/issues/499")
        case .unnamedMember, .unordered, .singlePrecision, .slice, .sequencePrefix, .cast: nil
        }
    }

    private static let recent = "swift-foundation of August 2026"
    private static let macroTests =
        "https://github.com/swiftlang/swift-foundation/blob/main/Tests/FoundationMacrosTests/"
    private static let course = "https://www.hackingwithswift.com/quick-start/swiftdata/"
    private static let bookshelf = "https://chanhi2000.github.io/bookshelf/hackingwithswift.com/swiftdata/"
    private static let fitness = "https://github.com/marcosbarbero/fit-iq-workspaces/blob/main/FitIQ/docs/fixes/"

    /// The hints of a finding: the correction, and the report.
    var hints: [String] {
        [cure] + (report.map { ["\(isReported ? "reported" : "described") (\($0.system)): \($0.address)"] } ?? [])
    }

    /// False for a failure that is described in notes or articles only, not in a report.
    private var isReported: Bool {
        ![.wholeObjects, .capturedModel, .computedMember, .codableMember, .memberOfValue, .enumValue].contains(self)
    }

    /// The reports, for the help page of the rule.
    static var reports: String {
        var seen: Set<String> = []
        return allCases.compactMap(\.report).filter { seen.insert($0.address).inserted }
            .map { "\($0.address) (\($0.system))" }.joined(separator: ", ")
    }

    /// The functions that `#Predicate` accepts, according to the source of the macro.
    static let functions: Set<String> = [
        "contains", "allSatisfy", "flatMap", "filter", "starts", "min", "max", "evaluate", "localizedStandardContains",
        "localizedCompare", "caseInsensitiveCompare",
    ]

    /// Operators of Swift that `#Predicate` refuses.
    static let operators: Set<String> = ["===", "!==", "~=", "&", "|", "^", "<<", ">>"]

    /// Properties of strings that compile but fail at run time.
    static let localizedCases: Set<String> = ["localizedUppercase", "localizedLowercase", "localizedCapitalized"]
}
