import Foundation
import PredicateFuzzing

#if FUZZING
    /// The entry point that libFuzzer calls with every input. The environment names the target in `FUZZ_TARGET`.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let input = Array(UnsafeBufferPointer(start: bytes, count: count))
        do {
            try Fuzzing.target.check(input)
        } catch {
            fatalError("\(Fuzzing.target.rawValue): \(error)")
        }
        return 0
    }

    enum Fuzzing {
        static let target: FuzzTarget = {
            let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
            guard let target = FuzzTarget(rawValue: name) else {
                fatalError("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return target
        }()
    }
#else
    /// The program without libFuzzer: it replays inputs and writes the dictionary and the first corpus.
    @main
    struct FuzzProgram {
        static func main() throws {
            let words = Array(CommandLine.arguments.dropFirst())
            switch words.first {
            case "dictionary": print(FuzzDictionary.text)
            case "seeds" where words.count == 4: try FuzzSeeds(folder: words[1]).write(words[2], to: words[3])
            case "hostile" where words.count == 4:
                exit(try hostile(folder: words[1], count: Int(words[2]) ?? 0, seed: UInt64(words[3]) ?? 0) ? 0 : 1)
            case "sources" where words.count == 4:
                exit(sources(folder: words[1], count: Int(words[2]) ?? 0, seed: UInt64(words[3]) ?? 0) ? 0 : 1)
            case "length" where words.count == 2: print(FuzzTarget(rawValue: words[1])?.maximumLength ?? 0)
            case let name? where words.count > 1: exit(try replay(name, words.dropFirst()) ? 0 : 1)
            default: usage()
            }
        }

        private static func usage() {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " | ")
            print(
                """
                PredicateFuzz TARGET FILE...                        puts files to a target
                PredicateFuzz length TARGET                         bytes of an input at most
                PredicateFuzz dictionary                            words for libFuzzer's -dict
                PredicateFuzz seeds Tests/Conformance TARGET FOLDER the first corpus
                PredicateFuzz hostile Tests/Conformance COUNT SEED  broken formats and data, through library and command
                PredicateFuzz sources FOLDER COUNT SEED             broken sources, through lint
                TARGET: \(names)
                """)
        }

        private static func hostile(folder: String, count: Int, seed: UInt64) throws -> Bool {
            var run = HostileRun(seed: seed, formats: try FuzzSeeds(folder: folder).formats().map { Array($0.utf8) })
            var start = 0
            for number in 0..<count {
                do {
                    try run.step(number)
                } catch {
                    print("input \(number): \(error)")
                    return false
                }
                // What is loaded once is loaded by now.
                if number == min(count, 1000) / 2 { start = HostileRun.peak }
                if HostileRun.peak - start > HostileRun.growth, start > 0 {
                    print("input \(number): grown from \(start) to \(HostileRun.peak) MiB")
                    return false
                }
            }
            for (outcome, number) in run.counts.sorted(by: { $0.key < $1.key }) { print("\(outcome): \(number)") }
            print("\(count) inputs, peak \(HostileRun.peak) MiB, at the beginning \(start) MiB")
            return true
        }

        private static func sources(folder: String, count: Int, seed: UInt64) -> Bool {
            var mutants = SourceMutants(folder: folder, seed: seed)
            guard mutants.count > 0 else {
                print("\(folder) has no source with predicates")
                return false
            }
            for number in 0..<count {
                do throws(FuzzFinding) {
                    try mutants.step()
                } catch {
                    print("mutant \(number): \(error)")
                    return false
                }
            }
            print("\(count) mutants of \(mutants.count) sources, peak \(HostileRun.peak) MiB")
            return true
        }

        private static func replay(_ name: String, _ paths: some Sequence<String>) throws -> Bool {
            guard let target = FuzzTarget(rawValue: name) else {
                print("no target \(name)")
                return false
            }
            var isFine = true
            for path in paths {
                do {
                    try target.check(Array(Data(contentsOf: URL(fileURLWithPath: path))))
                } catch {
                    print("\(path): \(error)")
                    isFine = false
                }
            }
            return isFine
        }
    }
#endif
