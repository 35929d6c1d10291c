// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "swift-predicates",
    products: [
        .library(name: "PredicateSyntax", targets: ["PredicateSyntax"]),
        .library(name: "PredicateEvaluation", targets: ["PredicateEvaluation"]),
        .library(name: "PredicateSQL", targets: ["PredicateSQL"]),
        .library(name: "PredicateStore", targets: ["PredicateStore"]),
        .library(name: "Predicates", targets: ["Predicates"]),
        .executable(name: "predicate", targets: ["predicate"]),
    ],
    targets: [
        .target(name: "PredicateText", exclude: ["Generate"]),
        .target(name: "PredicateSyntax"),
        .target(name: "PredicateEvaluation", dependencies: ["PredicateSyntax", "PredicateText"]),
        .target(name: "PredicateSQL", dependencies: ["PredicateSyntax", "PredicateText"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "PredicateStore",
            dependencies: ["PredicateSyntax", "PredicateText", "PredicateEvaluation", "PredicateSQL", "CSQLite"]),
        .target(name: "Predicates", dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateSQL"]),
        .target(name: "PredicateData", dependencies: ["PredicateSyntax"]),
        .target(
            name: "PredicateConformance",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateData"]),
        .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
        .target(
            name: "PredicateSession",
            dependencies: [
                "PredicateSyntax", "PredicateEvaluation", "PredicateData", "PredicateSQL", "PredicateStore",
            ]),
        .target(
            name: "PredicateCommand",
            dependencies: [
                "PredicateSyntax", "PredicateEvaluation", "PredicateData", "PredicateConformance", "PredicateSession",
                "PredicateSQL", "PredicateStore", "CEdit",
            ]),
        .executableTarget(name: "predicate", dependencies: ["PredicateCommand"]),
        .testTarget(name: "PredicateTextTests", dependencies: ["PredicateText"]),
        .testTarget(name: "PredicateSyntaxTests", dependencies: ["PredicateSyntax"]),
        .testTarget(name: "PredicateEvaluationTests", dependencies: ["PredicateEvaluation", "PredicateSyntax"]),
        .testTarget(name: "PredicateSQLTests", dependencies: ["PredicateSQL", "PredicateSyntax"]),
        .testTarget(
            name: "PredicateStoreTests",
            dependencies: [
                "PredicateStore", "PredicateSQL", "PredicateEvaluation", "PredicateSyntax", "StoreChanger",
            ]),
        .executableTarget(
            name: "StoreChanger", dependencies: ["PredicateStore", "PredicateSQL", "PredicateSyntax"],
            path: "Tests/StoreChanger"),
        .testTarget(name: "PredicateDataTests", dependencies: ["PredicateData", "PredicateSyntax"]),
        .testTarget(
            name: "PredicateSessionTests",
            dependencies: [
                "PredicateSession", "PredicateSyntax", "PredicateEvaluation", "PredicateData", "PredicateConformance",
                "PredicateSQL", "PredicateStore",
            ],
            exclude: ["Checks", "Transcripts"]),
        .testTarget(
            name: "PredicateCommandTests",
            dependencies: [
                "PredicateCommand", "PredicateData", "PredicateSQL", "PredicateStore", "PredicateSyntax", "predicate",
            ]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["PredicateConformance", "PredicateSyntax", "PredicateEvaluation"],
            path: "Tests/Conformance",
            exclude: ["Cases", "Exceptions.txt", "Facts"]),
        .testTarget(name: "GrammarTests", dependencies: ["PredicateSyntax", "PredicateConformance"]),
        .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
        .target(name: "BenchmarkHarness", path: "Benchmarks/BenchmarkHarness"),
        .target(
            name: "BenchmarkWorkload",
            dependencies: ["PredicateSyntax", "PredicateEvaluation"],
            path: "Benchmarks/BenchmarkWorkload"),
        .executableTarget(
            name: "PredicateBenchmarks",
            dependencies: [
                "AllocationCounter", "BenchmarkHarness", "BenchmarkWorkload", "PredicateSyntax",
                "PredicateEvaluation", "PredicateData", "PredicateText",
            ],
            path: "Benchmarks/PredicateBenchmarks"),
        .testTarget(
            name: "BenchmarkTests",
            dependencies: ["BenchmarkHarness", "BenchmarkWorkload", "PredicateSyntax", "PredicateEvaluation"],
            path: "Benchmarks/BenchmarkTests"),
    ],
    swiftLanguageModes: [.v6]
)
