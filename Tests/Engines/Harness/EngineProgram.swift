import Foundation
import PredicateAgreement

/// The program that proves an engine: `EngineAgreement postgresql --count 5000 --seed 1 -- python bridge.py postgresql …`
///
/// Prints a report, and what differs; its exit status is 1 then, and 2 where it could not run.
package struct EngineProgram {
    private let words: [String]

    package init(_ arguments: some Sequence<String>) {
        words = Array(arguments)
    }

    package func run() -> Int32 {
        do {
            let settings = try EngineSettings(words)
            return try EngineJudgement(settings).run() ? 0 : 1
        } catch {
            FileHandle.standardError.write(Data("EngineAgreement: \(error)\n".utf8))
            return 2
        }
    }
}

/// The words of a command.
struct EngineSettings {
    var engine = ""
    var count = 5000
    var seed: UInt64 = 1
    /// The only world to ask about.
    var world: Int?
    /// The command that starts the bridge.
    var bridge: [String] = []

    init(_ words: [String]) throws(EngineUsage) {
        var rest = words[...]
        guard let name = rest.popFirst() else { throw EngineUsage("expected the name of an engine") }
        engine = name
        while let option = rest.popFirst() {
            if option == "--" {
                bridge = Array(rest)
                return
            }
            guard let value = rest.popFirst() else { throw EngineUsage("expected a value of \(option)") }
            try set(option, value)
        }
    }

    private mutating func set(_ option: String, _ value: String) throws(EngineUsage) {
        guard let number = Int(value), number >= 0 else {
            throw EngineUsage("\(option) takes a number, found \(value)")
        }
        switch option {
        case "--count": count = number
        case "--seed": seed = UInt64(number)
        case "--world": world = number
        default: throw EngineUsage("unknown option \(option)")
        }
    }

    var worlds: Range<Int> { world.map { $0..<$0 + 1 } ?? AgreementRun.worlds(forPredicates: count) }
}

struct EngineUsage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
