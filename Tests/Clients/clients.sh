#!/bin/sh
# Builds the examples for clients and web frameworks with the real packages, and runs those that
# have a test in Tests/Clients: they select the rows that the evaluator selects.
#
#     clients.sh build        makes a package in .build/clients and builds its tests
#     clients.sh ENGINE … FOLDER   runs the tests, as a program of engines.sh: sqlite, postgresql or mariadb
#
# The package is outside of the tree, because this package depends on no other.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
package=$root/.build/clients
swift=${SWIFT:-swift}

manifest() {
    cat <<EOF
// swift-tools-version: 6.1
import PackageDescription
let package = Package(
    name: "clients", platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-predicates", path: "$package/swift-predicates"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.8.0"),
        .package(url: "https://github.com/stephencelis/SQLite.swift.git", ${SQLITE_SWIFT:-from: \"0.15.3\"}),
        .package(url: "https://github.com/vapor/sqlite-nio.git", from: "1.12.0"),
        .package(url: "https://github.com/vapor/postgres-nio.git", from: "1.29.0"),
        .package(url: "https://github.com/vapor/mysql-nio.git", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.18.0"),
        .package(url: "https://github.com/vapor/vapor.git", from: "4.119.0"),
        .package(url: "https://github.com/vapor/fluent-kit.git", from: "1.52.2"),
        .package(url: "https://github.com/vapor/fluent-postgres-driver.git", from: "2.11.0"),
    ],
    targets: [
        .testTarget(
            name: "ClientTests",
            dependencies: [
                .product(name: "Predicates", package: "swift-predicates"),
                .product(name: "PredicateSQLite", package: "swift-predicates"),
                .product(name: "PredicateStore", package: "swift-predicates"),
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "SQLite", package: "SQLite.swift"),
                .product(name: "SQLiteNIO", package: "sqlite-nio"),
                .product(name: "PostgresNIO", package: "postgres-nio"),
                .product(name: "MySQLNIO", package: "mysql-nio"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Vapor", package: "vapor"), .product(name: "VaporTesting", package: "vapor"),
                .product(name: "FluentSQL", package: "fluent-kit"),
                .product(name: "FluentPostgresDriver", package: "fluent-postgres-driver"),
            ])
    ])
EOF
}

case $1 in
build)
    rm -rf "$package/Tests"
    mkdir -p "$package/Tests/ClientTests"
    ln -sfn "$root" "$package/swift-predicates"
    ln -s "$root"/Tests/Clients/*.swift "$root"/Tests/DocumentationTests/Clients/*.swift "$package/Tests/ClientTests"
    manifest >"$package/Package.swift"
    $swift build --package-path "$package" --build-tests
    ;;
sqlite) $swift test --package-path "$package" --skip-build ;;
postgresql)
    for folder in "$@"; do :; done
    PREDICATES_CLIENT_POSTGRESQL=$folder/.s.PGSQL.5432 \
        $swift test --package-path "$package" --skip-build --filter PostgresClientTests
    ;;
mariadb)
    for folder in "$@"; do :; done
    PREDICATES_CLIENT_MARIADB=$folder/socket $swift test --package-path "$package" --skip-build --filter MySQLClientTests
    ;;
esac
