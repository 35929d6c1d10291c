// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "swift-predicates",
    products: [
        .library(name: "PredicateSyntax", targets: ["PredicateSyntax"]),
        .library(name: "PredicateEvaluation", targets: ["PredicateEvaluation"]),
        .library(name: "Predicates", targets: ["Predicates"]),
        .executable(name: "predicate", targets: ["predicate"]),
    ],
    targets: [
        .target(name: "PredicateText", exclude: ["Generate"]),
        .target(name: "PredicateSyntax"),
        .target(name: "PredicateEvaluation", dependencies: ["PredicateSyntax", "PredicateText"]),
        .target(name: "Predicates", dependencies: ["PredicateSyntax", "PredicateEvaluation"]),
        .target(name: "PredicateData", dependencies: ["PredicateSyntax"]),
        .target(
            name: "PredicateConformance",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateData"]),
        .target(
            name: "PredicateCommand",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateData", "PredicateConformance"]),
        .executableTarget(name: "predicate", dependencies: ["PredicateCommand"]),
        .testTarget(name: "PredicateTextTests", dependencies: ["PredicateText"]),
        .testTarget(name: "PredicateSyntaxTests", dependencies: ["PredicateSyntax"]),
        .testTarget(name: "PredicateEvaluationTests", dependencies: ["PredicateEvaluation", "PredicateSyntax"]),
        .testTarget(name: "PredicateDataTests", dependencies: ["PredicateData", "PredicateSyntax"]),
        .testTarget(name: "PredicateCommandTests", dependencies: ["PredicateCommand"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["PredicateConformance", "PredicateSyntax", "PredicateEvaluation"],
            path: "Tests/Conformance",
            exclude: ["Cases", "Facts"]),
        .testTarget(name: "GrammarTests", dependencies: ["PredicateSyntax", "PredicateConformance"]),
    ],
    swiftLanguageModes: [.v6]
)
