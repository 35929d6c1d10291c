import Foundation
import RegexBuilder
import Testing

/// The documents describe the repository as it is: paths, targets, names, lists and counts.
struct MapTests {
    /// Pages about the repository itself. The other pages are about programs that use the package.
    private static let maps = [
        "ARCHITECTURE.md", "Benchmarks/README.md", "CONTRIBUTING.md", "Grammar/README.md", "SECURITY.md",
        "Tests/Conformance/Cases/README.md", "Tests/DropIn/README.md", "Tests/Fuzz/README.md",
        "Tests/Reference/README.md",
    ]
    private static let guides = "Sources/Swift/Predicates/Predicates.docc/"

    @Test func thePagesAreFound() throws {
        let paths = Set(try Document.all.get().map(\.path))
        #expect(paths.isSuperset(of: Self.maps + ["README.md", "CHANGELOG.md"]))
    }

    // MARK: - Paths

    @Test func everyPathExists() throws {
        let ends = try Repository.ends.get()
        let folders = try Self.folders()
        for page in try Document.all.get() {
            let words = page.spans.flatMap { $0.split(separator: " ") } + page.fencedLines.flatMap(Self.pathsOfTests)
            for word in words where Self.isPath(word, folders) {
                let path = String(word.prefix { $0 != "*" && $0 != "…" })
                let exists =
                    path.count == word.count
                    ? ends.contains(Substring(path.trimmingSuffix("/")))
                    : ends.contains { $0.hasPrefix(path) }
                #expect(exists, "\(page) names \(word)")
            }
        }
    }

    @Test func everyLinkLeadsToAFile() throws {
        for page in try Document.all.get() {
            for link in page.prose.matches(of: /\]\(([^)#]+)[^)]*\)/).map(\.1) where !link.contains("://") {
                let file = CodeBlock.root.appending(path: page.folder + link)
                #expect(FileManager.default.fileExists(atPath: file.path()), "\(page) links to \(link)")
            }
        }
    }

    /// Scripts name other files of the repository by the folder in which they lie: `"$here/../../LICENSE"`.
    @Test func everyFileThatAScriptNamesExists() throws {
        var count = 0
        for path in try Repository.paths.get() where path.hasSuffix(".sh") {
            let text = try Repository.text(path)
            var folders: [Substring: String] = [:]
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            for match in text.matches(of: /(?m)^(\w+)=\$\(cd "\$(?:\(dirname "\$0"\)|(\w+))([^"]*)" && pwd\)/) {
                guard let base = match.2.map({ folders[$0] }) ?? folder else { continue }
                folders[match.1] = base + match.3
            }
            for match in text.matches(of: /"\$(\w+)\/([\w.\/-]+)"/) where !match.2.hasPrefix(".build") {
                guard let folder = folders[match.1] else { continue }
                let file = CodeBlock.root.appending(path: "\(folder)/\(match.2)")
                #expect(FileManager.default.fileExists(atPath: file.path()), "\(path) names \(match.0)")
                count += 1
            }
        }
        #expect(count >= 5)
    }

    /// Paths begin with a folder of the repository, of Sources or of Tests, or end like a file of its kinds.
    private static func isPath(_ word: Substring, _ folders: Set<Substring>) -> Bool {
        guard word.allSatisfy({ $0.isLetter || $0.isNumber || "/._-+*…".contains($0) }) else { return false }
        let first = word.prefix { $0 != "/" }
        if first.endIndex != word.endIndex, folders.contains(first) { return true }
        return [".swift", ".md", ".py", ".ebnf", ".budget", ".cases"].contains { word.hasSuffix($0) }
            && word.first != "."
            && word.first != "*"
    }

    private static func folders() throws -> Set<Substring> {
        let paths = try Repository.paths.get().map { $0.split(separator: "/") }
        let inner = paths.filter { $0.count > 2 && ["Sources", "Tests", "Benchmarks"].contains($0[0]) }.map { $0[1] }
        let modules = paths.filter { $0.count > 3 && $0[0] == "Sources" }.map { $0[2] }
        return Set(inner + modules + paths.filter { $0.count > 1 }.map { $0[0] })
    }

    /// Paths in examples, such as `Sources/Store.swift:41`, are not paths of the repository; the data of the tests is.
    private static func pathsOfTests(_ line: String) -> [Substring] {
        line.split(separator: " ").filter { $0.hasPrefix("Tests/") }
    }

    // MARK: - The front page

    @Test func theFrontPageIsShort() throws {
        let lines = try Document.named("README.md").lines
        #expect(lines.count <= 151, "the rest belongs in a guide")
    }

    @Test func theFrontPagesLeadToEveryGuide() throws {
        let readme = try Document.named("README.md").prose
        let site = try Document.named(Self.guides + "Predicates.md").prose
        for page in try Document.all.get() where page.path.hasPrefix(Self.guides) {
            let name = page.path.dropFirst(Self.guides.count).dropLast(".md".count)
            guard name != "Predicates" else { continue }
            #expect(site.contains("- <doc:\(name)>"), "the first page of the site lacks \(name)")
            let isReference = name.hasPrefix("Help-") || name == "Language"
            #expect(isReference || readme.contains("(\(page.path))"), "README lacks \(name)")
        }
    }

    @Test func theModulesWithPagesAreThoseOfThePackageIndex() throws {
        let pages = try Document.all.get().compactMap { $0.path.firstMatch(of: /(Predicate\w+)\.docc\/\1\.md/)?.1 }
        let targets = try Repository.text(".spi.yml").matches(of: /- (Predicate\w+)/).map(\.1)
        #expect(targets.sorted() == pages.sorted())
    }

    // MARK: - Make and swift test

    @Test func everyTargetIsInTheMakefile() throws {
        let makefile = try Repository.text("Makefile")
        let targets = Set(makefile.matches(of: /(?m)^([a-z][a-z-]*):/).map { String($0.1) })
        #expect(targets.isSuperset(of: ["test", "lint", "docs", "engines"]))
        for page in try Document.all.get() {
            let commands = page.spans + page.fencedLines
            for match in commands.flatMap({ $0.matches(of: /(?:^|\$ | {4})make ([a-z][a-z-]*)([^#|]*)/) }) {
                let isTarget = targets.contains(String(match.1))
                #expect(isTarget, "\(page) names make \(match.1)")
                for variable in match.2.matches(of: /\b([A-Z_]+)=/).map(\.1) {
                    let isUsed = makefile.contains("$(\(variable))")
                    #expect(isUsed, "\(page) names \(variable)")
                }
            }
        }
    }

    @Test func everyFilterAndSettingIsInTheTests() throws {
        let words = try Repository.words.get()
        let settings =
            try Repository.text("Makefile") + words.filter { $0.hasPrefix("PREDICATES_") }.joined(separator: " ")
        for page in try Document.all.get() {
            for match in page.text.matches(of: /--filter '?([A-Za-z|]+)'?/)
            where page.text[..<match.range.lowerBound].hasSuffix("swift test ") {
                for suite in match.1.split(separator: "|") {
                    let isThere = words.contains { $0.hasPrefix(suite) }
                    #expect(isThere, "\(page) filters \(suite)")
                }
            }
            for setting in page.text.matches(of: /PREDICATES_[A-Z_]+/).map(\.output) {
                let isKnown = settings.contains(setting)
                #expect(isKnown, "\(page) names \(setting)")
            }
        }
    }

    // MARK: - Names

    @Test(arguments: maps) func everyTypeIsDeclared(page: String) throws {
        let words = try Repository.words.get()
        let ends = try Repository.ends.get()
        for span in try Document.named(page).spans {
            guard span.wholeMatch(of: /[A-Z]\w*[a-z]\w*(\.\w+)*(\(.*\))?/) != nil, !ends.contains(Substring(span))
            else { continue }
            for word in span.prefix(while: { $0 != "(" }).split(separator: ".") {
                let isDeclared = words.contains(String(word))
                #expect(isDeclared, "\(page) names \(word)")
            }
        }
    }

    @Test func everySymbolOfTheGuidesIsDeclared() throws {
        let words = try Repository.words.get()
        for page in try Document.all.get() where page.path.contains(".docc/") {
            for symbol in page.prose.matches(of: /``([^`(]+)[^`]*``/).map(\.1) {
                for word in symbol.split(separator: "/") {
                    let isDeclared = words.contains(String(word))
                    #expect(isDeclared, "\(page) links to \(symbol)")
                }
            }
        }
    }

    /// A page of a module lists its public types, so that the documentation site groups all of them.
    @Test func everyPublicTypeIsOnThePageOfItsModule() throws {
        let type = /(?m)^(?:public|open) (?:final |indirect )?(?:struct|class|enum|protocol|actor) (\w+)/
        for page in try Document.all.get() {
            guard let module = page.path.firstMatch(of: /(Predicate\w+)\.docc\/\1\.md/)?.1 else { continue }
            let folder = try #require(
                Repository.paths.get().first { $0.contains(/^Sources\/\w+\/\w+$/) && $0.hasSuffix("/\(module)") })
            let types = try Self.sources(in: folder).matches(of: type).map(\.1)
            for type in types {
                let isListed = page.text.contains("- ``\(type)``\n")
                #expect(isListed, "\(page) lacks \(type)")
            }
        }
    }

    @Test func modulesNameTheirFolders() throws {
        let paths = Set(try Repository.paths.get())
        let rows = try Document.named("ARCHITECTURE.md").rows(below: "## Modules")
        #expect(rows.count > 15)
        for row in rows {
            let module = Document.spans(of: row[0])[0]
            for folder in Document.spans(of: row[2]) where folder.wholeMatch(of: /[A-Z][A-Za-z]*/) != nil {
                let isKnown = paths.contains { $0.hasSuffix("/\(module)/\(folder)") || $0.hasSuffix("/\(folder)") }
                #expect(isKnown || ["SortDescriptor", "SQLSchema"].contains(folder), "\(module) has no \(folder)")
            }
        }
    }

    // MARK: - Counts and lists

    @Test func decisionsAreAsManyAsStated() throws {
        let page = try Document.named("ARCHITECTURE.md")
        #expect(page.items(below: "## Ten decisions").count == 10)
        #expect((1...20).contains(page.items(below: "## Smaller decisions").count))
    }

    /// The Swift files below a folder, joined.
    private static func sources(in folder: String) throws -> String {
        try Repository.paths.get().filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") }
            .map(Repository.text).joined()
    }

    @Test func everyDialectIsListed() throws {
        let names = try Self.sources(in: "Sources/Language/PredicateSQL/Dialects")
            .matches(of: /public struct (\w+Dialect)\b/).map { String($0.1) }
        #expect(names.count >= 6)
        for page in [
            Self.guides + "SQLAndEngines.md", "Sources/Language/PredicateSQL/PredicateSQL.docc/PredicateSQL.md",
        ] {
            let page = try Document.named(page)
            for name in names {
                let isListed = page.text.contains("`\(name)`")
                #expect(isListed, "\(page) lacks \(name)")
            }
        }
    }

    @Test func everyProductIsListed() throws {
        let manifest = try Repository.text("Package.swift")
        let products = manifest.matches(of: /\bproduct\("(\w+)"\)/).map { "`\($0.1)`" }
        let readme = try Document.named("README.md").prose
        #expect(products.count > 10)
        for product in products {
            let isListed = readme.contains(product)
            #expect(isListed, "README lacks \(product)")
        }
    }

    @Test func everyFuzzTargetIsListed() throws {
        let source = try Repository.text("Tests/Fuzz/Targets/FuzzTarget.swift")
        let targets = source.matches(of: /case \w+ = "(Fuzz\w+)"/).map { "`\($0.1)`" }
        let rows = try Document.named("Tests/Fuzz/README.md").rows(below: "# Fuzzing")
        #expect(rows.map { $0[0] }.sorted() == targets.sorted())
    }

    @Test func everyFieldOfARecordIsListed() throws {
        let source = try Repository.text("Tests/Conformance/Runner/CaseFile.swift")
        let names = try #require(source.firstRange(of: "enum Name: String, CaseIterable {")).upperBound
        let cases = source[names...].matches(of: /(?m)^ *case ([a-z`, ]+)$/).prefix(2).map(\.1).joined(separator: ",")
        let fields = cases.split { !$0.isLetter }.map(String.init)
        let rows = try Document.named("Tests/Conformance/Cases/README.md").rows(below: "# Conformance records")
        #expect(rows.flatMap { Document.spans(of: $0[0]) }.sorted() == fields.sorted())
    }

    @Test func everyLintRuleIsListed() throws {
        let source = try Self.sources(in: "Sources/Lint/PredicateLint/Rules")
        let rules = Set(source.matches(of: /case \w+ = "(predicate-[a-z-]+)"/).map { String($0.1) })
        #expect(rules.count > 5)
        let guide = try Document.named(Self.guides + "Linting.md").prose
        for rule in rules {
            let isListed = guide.contains("`\(rule)`")
            #expect(isListed, "Linting.md lacks \(rule)")
        }
    }

    @Test func theReferenceListsItsFiles() throws {
        let files = try Repository.paths.get().filter { $0.hasPrefix("Tests/Reference/") && $0.hasSuffix(".swift") }
            .map { "`\($0.split(separator: "/").last!)`" }
        let rows = try Document.named("Tests/Reference/README.md").rows(below: "## How to read it")
        #expect(rows.map { $0[0] }.sorted() == files.sorted())
    }

    @Test func theBenchmarksHaveSixteenPredicates() throws {
        let source = try Self.sources(in: "Benchmarks/BenchmarkWorkload")
        let numbers = Set(source.matches(of: /\bP(\d\d)\b/).compactMap { Int($0.1) })
        #expect(numbers == Set(1...16))
    }

    /// A stated number of tests or checks is wrong as soon as there is another one. The lists above are tested instead.
    @Test func noOtherCountIsStated() throws {
        let number = /\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen/
        let noun =
            /tests|suites|properties|targets|dialects|codes|checks|rules|modules|statements|records|subcommands/
        let counts = Regex {
            Anchor.wordBoundary
            number
            " "
            noun
            Anchor.wordBoundary
        }.ignoresCase()
        let pages = Self.maps.filter { !$0.hasPrefix("Grammar/") } + ["README.md"]
        let stated = try pages.flatMap { page in
            try Document.named(page).prose.matches(of: counts).map { "\(page): \($0.output)" }
        }
        #expect(stated == ["SECURITY.md: three tests"])
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
