import Foundation
import PredicateCommand
import PredicateData
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// Hostile inputs, as many as are wanted, through the library and the command: no trap, no second of processor time for
/// one, no growth over 256 MiB.
package struct HostileRun {
    /// MiB that the process may grow by.
    package static let growth = 256
    private static let keys: [String: SQLType] = [
        "name": .string, "nick": .string, "age": .integer, "rank": .integer, "score": .double, "ratio": .double,
        "active": .boolean, "born": .date(.since2001),
    ]
    private var inputs: HostileInputs
    private let samples: [Sample]
    private let compiler: SQLCompiler
    /// The number of inputs, by outcome.
    package private(set) var counts: [String: Int] = [:]

    package init(seed: UInt64, formats: [[UInt8]]) {
        inputs = HostileInputs(seed: seed, formats: formats)
        var source = RandomSource(seed: seed)
        samples = (0..<4).map { _ in Sample(&source) }
        let entity = SQLEntity("Sample", attributes: Self.keys.mapValues { SQLAttribute($0) })
        compiler = SQLCompiler(schema: SQLSchema([entity]))
    }

    /// One input. Throws what does not hold.
    package mutating func step(_ number: Int) throws(FuzzFinding) {
        let format = inputs.format()
        let watch = ProcessorWatch()
        do throws(FuzzFinding) {
            try ParseCheck(format).run()
            try library(String(decoding: format, as: UTF8.self))
            if number % 4 == 0 { try command(String(decoding: format, as: UTF8.self)) }
            try watch.check()
        } catch {
            throw FuzzFinding("\(String(decoding: format, as: UTF8.self).debugDescription): \(error)")
        }
    }

    private mutating func library(_ format: String) throws(FuzzFinding) {
        guard let predicate = try? FormatPredicate(format: format, arguments: [21, "jo", 3, 4, 5, 6]) else {
            return count("not a predicate")
        }
        _ = try? compiler.compile(predicate, entity: "Sample", variables: ["v": 1])
        let evaluator: PredicateEvaluator
        do {
            evaluator = try PredicateEvaluator(predicate)
        } catch {
            try FuzzFinding.unless(!error.description.isEmpty, "an empty message")
            return count("no evaluator")
        }
        let number = Result { () throws(EvaluationError) in try samples.count(matching: evaluator, variables: ["v": 1])
        }
        switch number {
        case .success: count("answered")
        case .failure(let error):
            try FuzzFinding.unless(!error.description.isEmpty, "an empty message")
            count("an error for an object")
        }
    }

    private mutating func command(_ format: String) throws(FuzzFinding) {
        let words = inputs.random.pick(
            ["filter", "--", format], ["parse", "--", format, "1", "x"], ["check", "--", format],
            ["filter", "--arg", format, "name == %@"], ["repl"])
        let input = words == ["repl"] ? Array(format.utf8) : inputs.file()
        let (output, errors) = (Written(), Written())
        let status = CommandLineTool.run(
            arguments: words, input: MemorySource(input), output: output.append, errorOutput: errors.append)
        try FuzzFinding.unless((0...3).contains(status), "status \(status) of \(words)")
        try FuzzFinding.unless(status < 2 || errors.count + output.count > 0, "status \(status) in silence: \(words)")
        count("command, status \(status)")
    }

    private mutating func count(_ outcome: String) {
        counts[outcome, default: 0] += 1
    }

    /// MiB that the process has held at most.
    package static var peak: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Int(usage.ru_maxrss) / 1024
    }
}

/// The number of bytes written.
private final class Written {
    private(set) var count = 0

    func append(_ bytes: UnsafeRawBufferPointer) throws(DataError) {
        count += bytes.count
    }
}
