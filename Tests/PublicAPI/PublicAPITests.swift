import Foundation
import Testing

/// The public API is a decision: a declaration that becomes public, or is no longer public, changes a listing.
///
/// `PREDICATES_REWRITE=1 swift test --filter PublicAPITests` rewrites the listings.
@Suite struct PublicAPITests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static let api = Result {
        try PublicAPI(sources: folder.appendingPathComponent("../../Sources"))
    }

    @Test func everyLibraryProductHasAListing() throws {
        let manifest = try String(
            contentsOf: Self.folder.appendingPathComponent("../../Package.swift"), encoding: .utf8)
        let products = manifest.matches(of: /\bproduct\("(\w+)"\)/).map { String($0.1) }
        #expect(products.sorted() == PublicAPI.modules.sorted())
    }

    @Test(arguments: PublicAPI.modules) func isTheListing(_ module: String) throws {
        let found = try Self.api.get().listing(of: module)
        let file = Self.folder.appendingPathComponent("\(module).txt")
        if ProcessInfo.processInfo.environment["PREDICATES_REWRITE"] == "1" {
            try Data(found.utf8).write(to: file)
        } else {
            let difference = Self.difference(from: try String(contentsOf: file, encoding: .utf8), to: found)
            #expect(difference.isEmpty, "the public interface of \(module) has changed:\n\(difference)")
        }
    }

    /// Removed lines with `-`, added lines with `+`.
    private static func difference(from old: String, to new: String) -> String {
        let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
        return new.difference(from: old).map { change in
            switch change {
            case .remove(_, let line, _): "- \(line)"
            case .insert(_, let line, _): "+ \(line)"
            }
        }.joined(separator: "\n")
    }

    /// A common word is likely to be the name of a type in the importing program.
    @Test(arguments: PublicAPI.modules) func noTypeTakesACommonWord(_ module: String) throws {
        let taken = try Self.api.get().topLevelTypes(of: module).filter(Self.commonWords.contains)
        #expect(taken.isEmpty, "\(module) takes \(taken.joined(separator: ", ")) from whoever imports it")
    }

    /// A file that imports another package too uses the names of both. The lists have one type a line.
    @Test(arguments: PublicAPI.modules) func noTypeHasTheNameOfAnotherPackagesType(_ module: String) throws {
        let folder = Self.folder.appendingPathComponent("OtherPackages")
        let lists = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "txt" }
        #expect(!lists.isEmpty)
        let own = try Set(Self.api.get().topLevelTypes(of: module).map { Substring($0) })
        for list in lists {
            let taken = own.intersection(try String(contentsOf: list, encoding: .utf8).split(separator: "\n")).sorted()
            #expect(taken.isEmpty, "\(module) and \(list.lastPathComponent) have \(taken.joined(separator: ", "))")
        }
    }

    @Test(arguments: PublicAPI.modules) func everythingIsDocumented(_ module: String) throws {
        let missing = try Self.api.get().undocumented(in: module)
        #expect(missing.isEmpty, "\(module) does not say what these are:\n\(missing.joined(separator: "\n"))")
    }

    private static let commonWords: Set = [
        "Argument", "Arguments", "Batch", "Bindings", "Cache", "Change", "Column", "Configuration", "Context", "Cursor",
        "Database", "Dialect", "Entity", "Entry", "Evaluator", "Expression", "Failure", "Field", "Fields", "Format",
        "Function", "ISO8601", "Index", "Item", "Key", "KeyPath", "Keyword", "Lexer", "Limit", "Limits", "Literal",
        "Model", "Node", "Object", "ObjectID", "Operator", "Options", "Order", "Parser", "Path", "Pattern", "Policy",
        "Predicate", "Printer", "Program", "Property", "Query", "Record", "Reference", "Relation", "Relationship",
        "Result", "Row", "Schema", "Scope", "Session", "SetOperator", "Sort", "Source", "SourceMap", "Statement",
        "Store", "Symbol", "Table", "Term", "Text", "Token", "Transaction", "Type", "Value", "Variable", "Variables",
    ]
}

/// The scanner on declarations that are easy to misread.
@Suite struct DeclarationScannerTests {
    private func lines(_ source: String) -> [String] {
        DeclarationScanner(source).declarations.filter(\.isPublic).map(\.line)
    }

    @Test func declarationsOverSeveralLines() {
        let source = """
            @inlinable
            public func find<Value>(
                _ value: Value,  // which
                in text: String = "}",
            ) throws(Failure) -> [Value]
            where Value: Hashable {
                func inner() { "\\(value) {" }
            }
            """
        let line =
            #"func find<Value>(_ value: Value, in text: String = "}",) throws(Failure) -> [Value] where Value: Hashable"#
        #expect(lines(source) == [line])
    }

    @Test func propertiesSayWhetherTheyAreSet() {
        let source = """
            public struct A: B {
                public let a: Int, other = 1
                public private(set) var b = [1].map { $0 }
                public var c: Int { 1 }
                public var d: [Int] { get { [] } set {} }
                public static let e =
                    A()
                var f: Int
                package init() {}
                public init?(_ text: String) { return nil }
            }
            """
        #expect(
            lines(source).dropFirst(2) == [
                "var A.b { get }", "var A.c: Int { get }", "var A.d: [Int] { get set }", "static var A.e { get }",
                "A.init?(_ text: String)",
            ])
    }

    @Test func casesAndRequirementsNeedNoModifier() {
        let source = """
            public indirect enum A {
                /// `b`
                case b, c(Int, d: String)
                enum Hidden { case e }
            }
            public protocol P {
                associatedtype Q
                func r() -> Q
                var s: Int { get set }
            }
            extension P where Q == Int {
                public static func == (left: Self, right: Self) -> Bool { switch left { case right: true } }
                func t() {}
            }
            """
        #expect(
            lines(source) == [
                "indirect enum A", "case A.b", "case A.c(Int, d: String)", "protocol P", "associatedtype P.Q",
                "func P.r() -> Q", "var P.s: Int { get set }", "extension P where Q == Int",
                "static func P.==(left: Self, right: Self) -> Bool where Q == Int",
            ])
    }
}
