// swift-tools-version: 6.0
import PackageDescription

// The plugins with a linter that is already built, so that a build of your package does not compile it:
//
//     .package(path: "predicate-lint-plugins")
//     .target(name: "App", plugins: [.plugin(name: "PredicateLintPlugin", package: "predicate-lint-plugins")])
let package = Package(
    name: "predicate-lint-plugins",
    products: [
        .plugin(name: "PredicateLintPlugin", targets: ["PredicateLintPlugin"]),
        .plugin(name: "PredicateLintCommand", targets: ["PredicateLintCommand"]),
    ],
    targets: [
        .binaryTarget(name: "predicate-lint", path: "predicate-lint.artifactbundle"),
        .plugin(
            name: "PredicateLintPlugin", capability: .buildTool(), dependencies: ["predicate-lint"],
            path: "PredicateLintPlugin"),
        .plugin(
            name: "PredicateLintCommand",
            capability: .command(
                intent: .custom(verb: "lint-predicates", description: "Check the predicates in sources")),
            dependencies: ["predicate-lint"], path: "PredicateLintCommand"),
    ]
)
