// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "swift-predicates",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // Static, since `swift build --product` refuses a library of no type and builds everything instead.
        .library(name: "PredicateSyntax", type: .static, targets: ["PredicateSyntax"]),
        .library(name: "PredicateEvaluation", type: .static, targets: ["PredicateEvaluation"]),
        .library(name: "PredicateChecks", type: .static, targets: ["PredicateChecks"]),
        .library(name: "PredicateSQL", type: .static, targets: ["PredicateSQL"]),
        .library(name: "PredicateConversion", type: .static, targets: ["PredicateConversion"]),
        .library(name: "PredicateSQLite", type: .static, targets: ["PredicateSQLite"]),
        .library(name: "PredicateStore", type: .static, targets: ["PredicateStore"]),
        .library(name: "PredicateModel", type: .static, targets: ["PredicateModel"]),
        .library(name: "PredicateCoreData", type: .static, targets: ["PredicateCoreData"]),
        .library(name: "Predicates", type: .static, targets: ["Predicates"]),
        .library(name: "PredicateFoundation", type: .static, targets: ["PredicateFoundation"]),
        .library(name: "NSPredicates", type: .static, targets: ["NSPredicates"]),
        .executable(name: "predicate", targets: ["predicate"]),
        .executable(name: "predicate-lint", targets: ["predicate-lint"]),
        .plugin(name: "PredicateLintPlugin", targets: ["PredicateLintPlugin"]),
        .plugin(name: "PredicateLintCommand", targets: ["PredicateLintCommand"]),
    ],
    targets: [
        .target(name: "PredicateText", exclude: ["Generate"]),
        .target(name: "PredicateSyntax"),
        .target(name: "PredicateEvaluation", dependencies: ["PredicateSyntax", "PredicateText"]),
        .target(name: "PredicateSQL", dependencies: ["PredicateSyntax", "PredicateText"]),
        // Predicates and sort descriptors of Swift's Foundation.
        .target(name: "PredicateConversion", dependencies: ["PredicateSyntax", "PredicateEvaluation"]),
        // Its name is not CSQLite, since other packages, which a program may use beside this one, have a module of that name.
        .systemLibrary(
            name: "CPredicateSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // The functions that compiled predicates call, for the connections of any client of SQLite.
        .target(
            name: "PredicateSQLite",
            dependencies: [
                "PredicateSyntax", "PredicateText", "PredicateEvaluation", "PredicateSQL", "CPredicateSQLite",
            ]),
        .target(
            name: "PredicateStore",
            dependencies: [
                "PredicateSyntax", "PredicateEvaluation", "PredicateSQL", "PredicateConversion", "PredicateSQLite",
                "CPredicateSQLite",
            ]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "PredicateModel", dependencies: ["PredicateSyntax", "PredicateChecks", "CZlib"]),
        .target(
            name: "PredicateCoreData",
            dependencies: [
                "PredicateSyntax", "PredicateEvaluation", "PredicateSQL", "PredicateStore", "PredicateModel",
            ]),
        .target(
            name: "Predicates",
            dependencies: [
                "PredicateSyntax", "PredicateEvaluation", "PredicateChecks", "PredicateSQL", "PredicateConversion",
            ]),
        .target(
            name: "PredicateFoundation",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateConversion"]),
        .target(name: "NSPredicates", dependencies: ["PredicateFoundation"]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "PredicateData", dependencies: ["PredicateSyntax", "CZlib", "CZstd"]),
        .target(
            name: "PredicateConformance",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateData", "PredicateSQL", "PredicateStore"]),
        // What is legal and probably wrong in a predicate.
        .target(name: "PredicateChecks", dependencies: ["PredicateSyntax", "PredicateEvaluation"]),
        .target(
            name: "PredicateLanguageServer",
            dependencies: [
                "PredicateLint", "PredicateChecks", "PredicateModel", "PredicateData", "PredicateSyntax",
            ]),
        .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),
        .target(
            name: "PredicateSession",
            dependencies: [
                "PredicateChecks", "PredicateSyntax", "PredicateEvaluation",
                "PredicateData", "PredicateSQL", "PredicateStore", "PredicateCoreData",
            ]),
        .target(name: "PredicateLint", dependencies: ["PredicateSyntax", "PredicateChecks", "PredicateModel"]),
        .target(
            name: "PredicateCommand",
            dependencies: [
                "PredicateChecks", "PredicateSyntax", "PredicateEvaluation",
                "PredicateData", "PredicateConformance",
                "PredicateSession", "PredicateSQL", "PredicateStore", "PredicateModel", "PredicateCoreData",
                "PredicateLanguageServer", "PredicateLint", "CEdit",
            ]),
        .executableTarget(name: "predicate", dependencies: ["PredicateCommand"], exclude: ["Packaging"]),
        // The linter for plugins: every build of a package that uses them builds it, so that it leaves out what finds no
        // mistakes: SQLite, libedit, and the modules that need them.
        .executableTarget(name: "predicate-lint", dependencies: ["PredicateLint", "PredicateModel"]),
        .plugin(
            name: "PredicateLintPlugin", capability: .buildTool(), dependencies: ["predicate-lint"],
            path: "Sources/PredicateLintPlugin"),
        .plugin(
            name: "PredicateLintCommand",
            capability: .command(
                intent: .custom(verb: "lint-predicates", description: "Check the predicates in sources")),
            dependencies: ["predicate-lint"], path: "Sources/PredicateLintCommand"),
        // What all tests use.
        .target(name: "PredicateTestSupport", path: "Tests/Support"),
        // The executable specification of the language, and the random data that several suites of tests share.
        .target(
            name: "PredicateReference",
            dependencies: ["PredicateText", "PredicateSyntax", "PredicateEvaluation", "PredicateConformance"],
            path: "Tests/Reference", exclude: ["README.md"]),
        .target(
            name: "PredicateGenerators",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateSQL", "PredicateStore"],
            path: "Tests/Generators"),
        .target(
            name: "PredicateFuzzing",
            dependencies: [
                "PredicateReference", "PredicateGenerators", "PredicateText", "PredicateSyntax", "PredicateEvaluation",
                "PredicateSQL", "PredicateStore", "PredicateModel", "PredicateCoreData", "PredicateData",
                "PredicateSession", "PredicateCommand", "PredicateLint", "PredicateLanguageServer",
            ],
            path: "Tests/Fuzz/Targets"),
        .executableTarget(name: "PredicateFuzz", dependencies: ["PredicateFuzzing"], path: "Tests/Fuzz/Program"),
        // Random predicates on every database engine, behind a bridge to the engines' own clients.
        .target(
            name: "PredicateEngines",
            dependencies: [
                "PredicateGenerators", "PredicateConformance", "PredicateSyntax", "PredicateEvaluation",
                "PredicateData",
                "PredicateSQL",
            ],
            path: "Tests/Engines/Harness"),
        .testTarget(name: "EngineTests", dependencies: ["PredicateEngines"], path: "Tests/Engines/Tests"),
        .executableTarget(
            name: "EngineAgreement", dependencies: ["PredicateEngines"], path: "Tests/Engines/Program"),
        .testTarget(
            name: "FuzzReplayTests", dependencies: ["PredicateFuzzing", "PredicateSyntax"], path: "Tests/Fuzz/Replay",
            exclude: ["Inputs"]),
        .testTarget(
            name: "PredicateTextTests", dependencies: ["PredicateText", "PredicateReference", "PredicateGenerators"]),
        .testTarget(name: "PredicateSyntaxTests", dependencies: ["PredicateSyntax"]),
        .testTarget(
            name: "PredicateEvaluationTests",
            dependencies: ["PredicateEvaluation", "PredicateSyntax", "PredicateReference", "PredicateGenerators"]),
        .testTarget(
            name: "PredicateSQLTests",
            dependencies: [
                "PredicateSQL", "PredicateSyntax", "PredicateText", "PredicateConformance", "PredicateGenerators",
            ]),
        .testTarget(
            name: "PredicateSQLiteTests",
            dependencies: [
                "PredicateSQLite", "PredicateSQL", "PredicateEvaluation", "PredicateSyntax", "CPredicateSQLite",
            ]),
        .testTarget(
            name: "PredicateStoreTests",
            dependencies: [
                "PredicateStore", "PredicateSQL", "PredicateEvaluation", "PredicateSyntax", "PredicateGenerators",
                "StoreChanger",
            ]),
        .testTarget(
            name: "PredicateConversionTests",
            dependencies: [
                "PredicateConversion", "PredicateStore", "PredicateSQL", "PredicateEvaluation", "PredicateSyntax",
                "PredicateGenerators", "Predicates",
            ]),
        .executableTarget(
            name: "StoreChanger",
            dependencies: ["PredicateCoreData", "PredicateModel", "PredicateStore", "PredicateSQL", "PredicateSyntax"],
            path: "Tests/StoreChanger"),
        .testTarget(
            name: "PredicateModelTests", dependencies: ["PredicateModel", "PredicateSyntax", "CZlib"]),
        .executableTarget(
            name: "ModelDemo",
            dependencies: ["PredicateCoreData", "PredicateModel", "PredicateStore", "PredicateSQL", "PredicateSyntax"],
            path: "Tests/Demo/Model"),
        .testTarget(
            name: "PredicateCoreDataTests",
            dependencies: [
                "PredicateCoreData", "PredicateModel", "PredicateStore", "PredicateSQL", "PredicateEvaluation",
                "PredicateSyntax", "StoreChanger",
            ]),
        .testTarget(
            name: "PredicateLintTests",
            dependencies: ["PredicateLint", "PredicateChecks", "PredicateModel", "PredicateSyntax", "predicate-lint"]),
        .testTarget(name: "PredicateDataTests", dependencies: ["PredicateData", "PredicateSyntax"]),
        .testTarget(
            name: "PredicateSessionTests",
            dependencies: [
                "PredicateSession", "PredicateChecks", "PredicateSyntax", "PredicateEvaluation", "PredicateData",
                "PredicateConformance", "PredicateSQL", "PredicateStore", "PredicateGenerators",
            ],
            exclude: ["Checks", "Transcripts"]),
        .testTarget(
            name: "PredicateLanguageServerTests",
            dependencies: [
                "PredicateLanguageServer", "PredicateLint", "PredicateChecks", "PredicateModel", "PredicateGenerators",
                "PredicateData", "PredicateSyntax",
            ]),
        .testTarget(
            name: "PredicateChecksTests",
            dependencies: [
                "PredicateChecks", "PredicateData", "PredicateEvaluation", "PredicateSyntax",
            ],
            exclude: ["Lists"]),
        .testTarget(
            name: "PredicateCommandTests",
            dependencies: [
                "PredicateCommand", "PredicateData", "PredicateEvaluation", "PredicateGenerators", "PredicateSQL",
                "PredicateSession", "PredicateStore", "PredicateSyntax", "predicate",
            ],
            exclude: ["Spreadsheets"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "PredicateConformance", "PredicateSyntax", "PredicateEvaluation", "PredicateSQL", "PredicateStore",
                "PredicateReference",
            ],
            path: "Tests/Conformance",
            exclude: ["Cases", "Exceptions.txt", "Facts"]),
        .testTarget(
            name: "PredicateFoundationTests",
            dependencies: [
                "NSPredicates", "PredicateFoundation", "PredicateConversion", "PredicateConformance",
                "PredicateEvaluation", "PredicateSyntax",
            ]),
        // Programs for Apple's platforms, the same files for each way to import the classes.
        .target(
            name: "DropInBeside", dependencies: ["PredicateFoundation"], path: "Tests/DropIn/Beside",
            swiftSettings: [.define("BESIDE"), .swiftLanguageMode(.v5)]),
        .target(
            name: "DropInInstead", dependencies: ["NSPredicates"], path: "Tests/DropIn/Instead",
            swiftSettings: [.define("INSTEAD"), .swiftLanguageMode(.v5)]),
        .target(
            name: "DropInOneFile", dependencies: ["NSPredicates"], path: "Tests/DropIn/OneFile",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "DropInTests", dependencies: ["DropInBeside", "DropInInstead", "DropInOneFile"],
            path: "Tests/DropIn/Tests"),
        .testTarget(
            name: "GrammarTests",
            dependencies: ["PredicateSyntax", "PredicateConformance", "PredicateGenerators"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "Predicates", "PredicateStore", "PredicateModel", "PredicateCoreData", "PredicateFoundation",
                "NSPredicates",
            ]),
        .testTarget(
            name: "PublicAPITests", path: "Tests/PublicAPI",
            exclude: [
                "PredicateSyntax.txt", "PredicateEvaluation.txt", "PredicateChecks.txt", "PredicateSQL.txt",
                "PredicateSQLite.txt", "PredicateStore.txt",
                "PredicateModel.txt", "PredicateCoreData.txt", "PredicateConversion.txt",
                "PredicateFoundation.txt", "NSPredicates.txt",
            ]),
        .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
        .target(name: "BenchmarkHarness", path: "Benchmarks/BenchmarkHarness"),
        .target(
            name: "BenchmarkWorkload",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateSQL"],
            path: "Benchmarks/BenchmarkWorkload"),
        .executableTarget(
            name: "PredicateBenchmarks",
            dependencies: [
                "AllocationCounter", "BenchmarkHarness", "BenchmarkWorkload", "PredicateSyntax",
                "PredicateEvaluation", "PredicateFoundation", "PredicateData", "PredicateText", "PredicateSQL",
                "PredicateStore", "CPredicateSQLite",
            ],
            path: "Benchmarks/PredicateBenchmarks"),
        .executableTarget(
            name: "InstructionCounts",
            dependencies: [
                "AllocationCounter", "BenchmarkHarness", "BenchmarkWorkload", "PredicateSyntax",
                "PredicateEvaluation", "PredicateData", "PredicateText", "PredicateSQL",
            ],
            path: "Benchmarks/InstructionCounts"),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: ["BenchmarkHarness", "BenchmarkWorkload", "PredicateSyntax", "PredicateEvaluation"],
            path: "Benchmarks/BenchmarkTests"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type == .test { target.dependencies.append("PredicateTestSupport") }

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
