import Foundation
import PredicateFuzzing
import PredicateSyntax
import Testing

/// Past findings of fuzzers stay fixed, and their targets hold for the first corpus.
@Suite struct ReplayTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let home = ProcessInfo.processInfo.environment["PREDICATES_CORPUS"]
    private static let conformance = folder.appendingPathComponent("../../Conformance").standardized.path

    /// `Inputs/FuzzParse/…`: every input that was ever a finding.
    @Test(arguments: FuzzTarget.allCases) func findings(of target: FuzzTarget) throws {
        let inputs = Self.folder.appendingPathComponent("Inputs/\(target.rawValue)")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: inputs.path)) ?? []
        for name in names.sorted() where !name.hasPrefix(".") {
            let bytes = try Array(Data(contentsOf: inputs.appendingPathComponent(name)))
            #expect(throws: Never.self, "\(name)") { try target.check(bytes) }
        }
    }

    @Test(arguments: FuzzTarget.allCases) func seeds(of target: FuzzTarget) throws {
        let inputs = try FuzzSeeds(folder: Self.conformance).inputs(of: target)
        #expect(inputs.count > 100)
        // A part of them each time: the fuzzer itself starts from all.
        for index in stride(from: 0, to: inputs.count, by: max(1, inputs.count / 150)) {
            #expect(throws: Never.self, "seed \(index)") { try target.check(inputs[index]) }
        }
    }

    /// The corpus that fuzzers have gathered on this machine, if a run such as `make coverage` asks for it.
    @Test(.enabled(if: home != nil, "PREDICATES_CORPUS is not set"), arguments: FuzzTarget.allCases)
    func corpus(of target: FuzzTarget) throws {
        let home = try #require(Self.home)
        let folder = URL(fileURLWithPath: home).appendingPathComponent(target.rawValue)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names.sorted().prefix(2_000) {
            let bytes = try Array(Data(contentsOf: folder.appendingPathComponent(name)))
            #expect(throws: Never.self, "\(name)") { try target.check(bytes) }
        }
    }

    @Test func hostileInputs() throws {
        let formats = try FuzzSeeds(folder: Self.conformance).formats().map { Array($0.utf8) }
        var run = HostileRun(seed: 1, formats: formats)
        for number in 0..<4_000 { try run.step(number) }
        #expect(run.counts["answered", default: 0] > 100)
        #expect(run.counts["command, status 0", default: 0] > 40)
    }

    @Test func dictionaryHasEveryWord() {
        let lines = Set(FuzzDictionary.text.split(separator: "\n").map(String.init))
        #expect(Keyword.allCases.allSatisfy { lines.contains("\"\($0.rawValue)\"") })
        #expect(lines.contains("\"\\\\u00e9\""))
    }
}
