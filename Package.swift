// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "swift-predicates",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        product("PredicateSyntax"), product("PredicateEvaluation"), product("PredicateChecks"),
        product("PredicateSQL"), product("PredicateConversion"), product("PredicateQuery"), product("PredicateSQLite"),
        product("PredicateStore"), product("PredicateModel"), product("PredicateCoreData"),
        product("Predicates"), product("PredicateFoundation"), product("NSPredicates"),
        .executable(name: "predicate", targets: ["predicate"]),
        .executable(name: "predicate-lint", targets: ["predicate-lint"]),
        .plugin(name: "PredicateLintPlugin", targets: ["PredicateLintPlugin"]),
        .plugin(name: "PredicateLintCommand", targets: ["PredicateLintCommand"]),
    ],
    targets: [
        // Libraries of the system. CPredicateSQLite is not called CSQLite, because a program may use another package that
        // has a module of that name.
        .systemLibrary(
            name: "CPredicateSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),

        // The language: trees, evaluation, SQL.
        module("Text", exclude: ["Generate"]),
        module("Syntax"),
        module("Evaluation", "Syntax", "Text"),
        module("SQL", "Syntax", "Text"),
        module("Conversion", "Syntax", "Evaluation"),
        module("Checks", "Syntax", "Evaluation"),
        module("JSON", "Syntax"),
        module("Query", "Syntax", "Evaluation", "Checks", "SQL", "JSON"),
        module("SQLite", "Syntax", "Text", "Evaluation", "SQL", "JSON", c: ["CPredicateSQLite"]),
        module("Store", "Syntax", "Evaluation", "SQL", "Query", "SQLite", c: ["CPredicateSQLite"]),
        module("Model", "Syntax", "Checks", c: ["CZlib"]),
        module("CoreData", "Syntax", "Evaluation", "SQL", "Store", "Model", "JSON"),
        module("Foundation", "Syntax", "Evaluation", "Conversion"),
        .target(
            name: "Predicates", dependencies: names("Syntax", "Evaluation", "Checks", "SQL", "Conversion", "Query")),
        .target(name: "NSPredicates", dependencies: ["PredicateFoundation"]),

        // The tools around it.
        module("Data", "JSON", "Syntax", c: ["CZlib", "CZstd"]),
        module("Lint", "Syntax", "Evaluation", "Checks", "Model", "JSON"),
        module("LanguageServer", "Lint", "Checks", "Model", "JSON", "Syntax"),
        module("Session", "Checks", "Syntax", "Evaluation", "JSON", "Data", "SQL", "Query", "Store", "CoreData"),
        module(
            "Command", "Checks", "Syntax", "Evaluation", "JSON", "Data", "Session", "SQL", "Query", "Store", "Model",
            "CoreData",
            "LanguageServer", "Lint", c: ["CEdit"]),
        .executableTarget(name: "predicate", dependencies: ["PredicateCommand"], exclude: ["Packaging"]),
        // Every build of a package that uses a plugin builds the linter, so it links neither SQLite nor libedit.
        .executableTarget(name: "predicate-lint", dependencies: names("Lint")),
        .plugin(
            name: "PredicateLintPlugin", capability: .buildTool(), dependencies: ["predicate-lint"]),
        .plugin(
            name: "PredicateLintCommand",
            capability: .command(
                intent: .custom(verb: "lint-predicates", description: "Check the predicates in sources")),
            dependencies: ["predicate-lint"]),

        // What all tests use.
        .target(name: "PredicateTestSupport", path: "Tests/Support"),
        // What several test targets share: the conformance runner, the executable specification of the language, random
        // data, random predicates on any engine, and programs.
        support(
            "Conformance", "Reference", "Syntax", "Evaluation", "JSON", "Data", "SQL", "Store",
            path: "Conformance/Runner"),
        program("predicate-conformance", "Conformance", path: "Conformance/Program"),
        support("Reference", "Text", "Syntax", "Evaluation", path: "Reference", exclude: ["README.md"]),
        support("Generators", "Syntax", "Evaluation", path: "Generators"),
        support("Agreement", "Generators", "Syntax", "Evaluation", "SQL", "Store", "JSON", path: "Agreement"),
        support(
            "Fuzzing", "Reference", "Generators", "Agreement", "Text", "Syntax", "Evaluation", "SQL", "Store", "Model",
            "CoreData", "JSON", "Data", "Session", "Command", "Lint", "LanguageServer", path: "Fuzz/Targets"),
        support(
            "Engines", "Agreement", "Generators", "Conformance", "Syntax", "Evaluation", "JSON", "Data", "SQL", "Store",
            "Model", "CoreData", path: "Engines/Harness"),
        program("PredicateFuzz", "Fuzzing", path: "Fuzz/Program"),
        program("EngineAgreement", "Engines", path: "Engines/Program"),
        program("StoreChanger", "CoreData", "Model", "Store", "SQL", "Syntax", path: "StoreChanger"),
        program("ModelDemo", "CoreData", "Model", "Store", "SQL", "Syntax", path: "Demo/Model"),
        // Programs for Apple's platforms, the same files for each way to import the classes.
        dropIn("Beside", "PredicateFoundation", settings: [.define("BESIDE")]),
        dropIn("Instead", "NSPredicates", settings: [.define("INSTEAD")]),
        dropIn("OneFile", "NSPredicates", settings: []),

        // The tests of the modules, in the order of the modules.
        tests("Text", "Reference", "Generators"),
        tests("Syntax"),
        tests("Evaluation", "Syntax", "Reference", "Generators"),
        tests("SQL", "Syntax", "Text", "Conformance", "Generators"),
        tests("Conversion", "Store", "SQL", "Evaluation", "Syntax", "Generators", other: ["Predicates"]),
        tests("Checks", "Data", "Evaluation", "Syntax", exclude: ["Lists"]),
        tests("Query", "SQL", "Evaluation", "Syntax", "Reference", "Generators"),
        tests("SQLite", "SQL", "Evaluation", "Syntax", other: ["CPredicateSQLite"]),
        tests("Store", "SQL", "Query", "Evaluation", "Syntax", "Generators", "Agreement", other: ["StoreChanger"]),
        tests("Model", "Syntax", other: ["CZlib"]),
        tests(
            "CoreData", "Model", "Store", "SQL", "Evaluation", "Syntax", "Agreement", "Generators",
            other: ["StoreChanger", "Predicates"]),
        tests("Foundation", "Conversion", "Conformance", "Reference", "Evaluation", "Syntax", other: ["NSPredicates"]),
        tests("Data", "JSON", "Syntax"),
        tests("Lint", "Generators", "Checks", "Model", "Syntax", other: ["predicate-lint"], exclude: ["Planted"]),
        tests("LanguageServer", "Lint", "Checks", "Model", "Generators", "JSON", "Syntax"),
        tests(
            "Session", "Checks", "Syntax", "Evaluation", "JSON", "Data", "Conformance", "SQL", "Store", "Generators",
            exclude: ["Checks", "Transcripts"]),
        tests(
            "Command", "Reference", "JSON", "Data", "Evaluation", "Generators", "Agreement", "SQL", "Session", "Store",
            "Syntax", other: ["predicate"], exclude: ["Databases", "Spreadsheets"]),

        // The tests of the whole.
        .testTarget(
            name: "ConformanceTests",
            dependencies: names("Conformance", "Syntax", "Evaluation", "SQL", "Store", "Reference"),
            path: "Tests/Conformance/Tests"),
        .testTarget(
            name: "GrammarTests", dependencies: names("Syntax", "Query", "Conformance", "Reference", "Generators")),
        .testTarget(
            name: "EngineTests", dependencies: names("Engines", "Agreement", "Syntax"), path: "Tests/Engines/Tests"),
        .testTarget(
            name: "FuzzReplayTests", dependencies: names("Fuzzing", "Syntax"), path: "Tests/Fuzz/Replay",
            exclude: ["Inputs"]),
        // The sources for Apple's platforms, checked with declarations that stand in for Apple's.
        .testTarget(
            name: "AppleTests",
            dependencies: ["predicate", "predicate-lint"] + names("Foundation", "Store", "CoreData"),
            path: "Tests/Apple", exclude: ["StandIns"]),
        .testTarget(
            name: "DropInTests", dependencies: ["DropInBeside", "DropInInstead", "DropInOneFile"],
            path: "Tests/DropIn/Tests"),
        .testTarget(
            name: "DocumentationTests",
            dependencies: names("SQLite", "Store", "Model", "CoreData", "Foundation")
                + ["Predicates", "NSPredicates", "OtherPackages"]),
        // Types with the names of types of other packages, and the lists of these names.
        .target(
            name: "OtherPackages", path: "Tests/PublicAPI/OtherPackages",
            exclude: [
                "AsyncHTTPClient.txt", "CoreData.txt", "Fluent.txt", "FoundationAndSwift.txt", "GRDB.txt",
                "Hummingbird.txt", "MySQLNIO.txt", "PostgresNIO.txt", "SQLiteNIO.txt", "ServiceLifecycle.txt",
                "SwiftCollections.txt", "SwiftData.txt", "SwiftLog.txt", "SwiftNIO.txt", "SwiftUI.txt", "Vapor.txt",
            ]),
        .testTarget(
            name: "PublicAPITests", path: "Tests/PublicAPI",
            exclude: [
                "NSPredicates.txt", "PredicateChecks.txt", "PredicateConversion.txt", "PredicateCoreData.txt",
                "PredicateEvaluation.txt", "PredicateFoundation.txt", "PredicateModel.txt", "PredicateQuery.txt",
                "PredicateSQL.txt", "PredicateSQLite.txt", "PredicateStore.txt", "PredicateSyntax.txt",
                "Predicates.txt", "OtherPackages",
            ]),

        // Benchmarks.
        .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
        .target(name: "BenchmarkHarness", path: "Benchmarks/BenchmarkHarness"),
        .target(
            name: "BenchmarkWorkload", dependencies: names("Syntax", "Evaluation", "SQL"),
            path: "Benchmarks/BenchmarkWorkload"),
        benchmark("PredicateBenchmarks", "Foundation", "Query", "Store", c: ["CPredicateSQLite"]),
        benchmark("InstructionCounts", "Command"),
        .executableTarget(
            name: "EngineBenchmark",
            dependencies: names("Engines", "Syntax", "Evaluation", "JSON", "SQL", "SQLite") + ["CPredicateSQLite"],
            path: "Benchmarks/Engines/Program"),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: ["BenchmarkHarness", "BenchmarkWorkload"] + names("Syntax", "Evaluation"),
            path: "Benchmarks/BenchmarkTests"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type == .test { target.dependencies.append("PredicateTestSupport") }

/// The floors of Sources, from the ground up. A module stands in `Sources/FLOOR/MODULE`, and imports modules of its own floor
/// and of the floors below it.
let floors: [(name: String, modules: [String])] = [
    ("System", ["CEdit", "CPredicateSQLite", "CZlib", "CZstd"]),
    ("Language", ["PredicateText", "PredicateSyntax", "PredicateEvaluation", "PredicateChecks", "PredicateSQL"]),
    ("Query", ["PredicateJSON", "PredicateData", "PredicateQuery"]),
    ("Swift", ["PredicateConversion", "PredicateFoundation", "Predicates", "NSPredicates"]),
    ("SQLite", ["PredicateSQLite", "PredicateStore"]),
    ("CoreData", ["PredicateModel", "PredicateCoreData"]),
    (
        "Lint",
        ["PredicateLint", "PredicateLanguageServer", "predicate-lint", "PredicateLintPlugin", "PredicateLintCommand"]
    ),
    ("Command", ["PredicateSession", "PredicateCommand", "predicate"]),
]
for (floor, modules) in floors {
    for target in package.targets where modules.contains(target.name) {
        target.path = "Sources/\(floor)/\(target.name)"
    }
}

/// A library product of one target. It is static because `swift build --product` refuses a library without a type.
func product(_ name: String) -> Product {
    .library(name: name, type: .static, targets: [name])
}

/// Modules of this package by the names without `Predicate`: `names("SQL")` is `PredicateSQL`.
func names(_ modules: String...) -> [Target.Dependency] { names(modules) }
func names(_ modules: [String]) -> [Target.Dependency] { modules.map { .byName(name: "Predicate" + $0) } }

/// A module of Sources, `Predicate…`, and what it imports; `c` are libraries of the system.
func module(_ name: String, _ imports: String..., c: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: "Predicate" + name, dependencies: names(imports) + c, exclude: exclude)
}

/// The tests of a module, `Tests/Predicate…Tests`, which import the module and others.
func tests(_ name: String, _ imports: String..., other: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(name: "Predicate\(name)Tests", dependencies: names([name] + imports) + other, exclude: exclude)
}

/// A module that several test targets share.
func support(_ name: String, _ imports: String..., path: String, exclude: [String] = []) -> Target {
    .target(name: "Predicate" + name, dependencies: names(imports), path: "Tests/" + path, exclude: exclude)
}

/// A program that tests start.
func program(_ name: String, _ imports: String..., path: String) -> Target {
    .executableTarget(name: name, dependencies: names(imports), path: "Tests/" + path)
}

/// A program written for Apple's platforms, in Swift 5.
func dropIn(_ name: String, _ module: Target.Dependency, settings: [SwiftSetting]) -> Target {
    .target(
        name: "DropIn" + name, dependencies: [module], path: "Tests/DropIn/" + name,
        swiftSettings: settings + [.swiftLanguageMode(.v5)])
}

/// A program that measures.
func benchmark(_ name: String, _ imports: String..., c: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["AllocationCounter", "BenchmarkHarness", "BenchmarkWorkload"]
            + names(["Syntax", "Evaluation", "Data", "Text", "SQL"] + imports) + c,
        path: "Benchmarks/" + name)
}

// ROOMS="PredicateSyntax PredicateSQL" builds and tests these modules with what they import, and nothing else.
if let rooms = Context.environment["ROOMS"]?.split(separator: " ").map(String.init), !rooms.isEmpty {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed: Set<String> = []
    var open = rooms + rooms.map { $0 + "Tests" }
    while let name = open.popLast() {
        guard let target = targets[name], needed.insert(name).inserted else { continue }
        open += target.dependencies.map { dependency in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _), .productItem(let name, _, _, _): name
            @unknown default: fatalError("a dependency of another kind")
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let own = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return own.isEmpty || !needed.isSuperset(of: own)
    }
}
