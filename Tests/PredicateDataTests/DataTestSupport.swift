import PredicateData
import PredicateJSON
import PredicateSyntax

/// The result of one call of a reader, which can be compared.
enum Outcome: Equatable, CustomStringConvertible {
    case record(PredicateValue, text: String, line: Int, index: Int)
    case error(DataError.Code, line: Int, column: Int, isRecoverable: Bool)

    var description: String {
        switch self {
        case .record(let value, let text, let line, let index): "\(index) @\(line) \(text) = \(value)"
        case .error(let code, let line, let column, let isRecoverable): "\(code) @\(line):\(column) \(isRecoverable)"
        }
    }

    var text: String? {
        if case .record(_, let text, _, _) = self { return text }
        return nil
    }

    var value: PredicateValue? {
        if case .record(let value, _, _, _) = self { return value }
        return nil
    }

    var code: DataError.Code? {
        if case .error(let code, _, _, _) = self { return code }
        return nil
    }
}

/// Reads all records and errors, up to the end or the first error that is not recoverable.
func read(_ bytes: [UInt8], _ options: RecordOptions = RecordOptions(), piece: Int = .max) -> [Outcome] {
    var outcomes: [Outcome] = []
    do {
        let reader = try RecordReader(source: MemorySource(bytes, maximumPiece: piece), options: options)
        while let outcome = next(reader) {
            outcomes.append(outcome)
            if outcomes.count > 100_000 { return outcomes }
        }
    } catch {
        outcomes.append(Outcome(error))
    }
    return outcomes
}

func read(_ text: String, _ options: RecordOptions = RecordOptions(), piece: Int = .max) -> [Outcome] {
    read(Array(text.utf8), options, piece: piece)
}

private func next(_ reader: RecordReader) -> Outcome? {
    do {
        return try reader.next().map { .record($0.value, text: $0.text, line: $0.line, index: $0.index) }
    } catch {
        return Outcome(error)
    }
}

extension Outcome {
    init(_ error: DataError) {
        self = .error(error.code, line: error.line, column: error.column, isRecoverable: error.isRecoverable)
    }
}

/// Returns the error of a JSON text; nil if it is valid.
func jsonError(_ bytes: [UInt8]) -> JSONError? {
    do {
        _ = try JSONReader.parse(bytes)
        return nil
    } catch {
        return error
    }
}

func jsonError(_ text: String) -> JSONError? { jsonError(Array(text.utf8)) }

/// A deterministic random number generator.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2 &+ 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
