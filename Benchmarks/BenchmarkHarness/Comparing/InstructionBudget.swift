import Foundation

/// The instructions that small works may take: a regression test that does not depend on noise.
///
/// ```
/// # instructions for one operation
/// machine x86_64, Swift 6.3.1, glibc 2.36
/// tolerance 3%
/// filter-structs/P01 62 of 80
/// ```
///
/// A count may pass what was counted by the tolerance, and may never pass the number after `of`, whatever was counted.
public struct InstructionBudget: Equatable, Sendable {
    /// The budget of one work.
    public struct Line: Equatable, Sendable {
        public var name: String
        /// The count when the budget was written.
        public var count: Double
        /// The limit that no update raises.
        public var ceiling: Double?
    }

    /// By how much a count may pass what was counted: 0.03.
    public var tolerance = 0.03
    /// The platform of the counts: another compiler or C library generates other instructions.
    public var machine: String?
    public var lines: [Line] = []

    /// Reads the text of a budget file. Throws a ``BenchmarkError`` with the first invalid line.
    public init(_ text: String) throws {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words[0] == "machine" {
                machine = String(line.dropFirst("machine ".count))
            } else if words[0] == "tolerance", words.count == 2, let percent = Double(words[1].filter { $0 != "%" }) {
                tolerance = percent / 100
            } else {
                lines.append(try Self.line(words, line))
            }
        }
    }

    private static func line(_ words: [Substring], _ line: Substring) throws -> Line {
        guard words.count == 2 || words.count == 4 && words[2] == "of", let count = Double(words[1]) else {
            throw BenchmarkError.usage("no budget: \(line)")
        }
        guard words.count == 4 else { return Line(name: String(words[0]), count: count, ceiling: nil) }
        guard let ceiling = Double(words[3]) else { throw BenchmarkError.usage("no budget: \(line)") }
        return Line(name: String(words[0]), count: count, ceiling: ceiling)
    }

    public var text: String {
        let head = """
            # Instructions per operation, counted by callgrind, and the ceilings that they must not exceed.
            # Rewritten by: make instructions UPDATE=1
            machine \(machine ?? "unknown")
            tolerance \(Figure.plain(tolerance * 100))%

            """
        return lines.reduce(into: head) { text, line in
            let ceiling = line.ceiling.map { " of \(Figure.plain($0))" } ?? ""
            text += "\(line.name) \(Int(line.count.rounded()))\(ceiling)\n"
        }
    }

    /// Makes counts the budget; ceilings stay.
    public mutating func update(_ counts: [(name: String, count: Double)], machine: String) {
        let ceilings = Dictionary(lines.map { ($0.name, $0.ceiling) }, uniquingKeysWith: { first, _ in first })
        lines = counts.map { Line(name: $0.name, count: $0.count.rounded(), ceiling: ceilings[$0.name] ?? nil) }
        self.machine = machine
    }

    /// The outcome of comparing a count with its budget.
    public enum Verdict: String, Sendable {
        case kept = ""
        case exceeded = "TOO MANY"
        case overCeiling = "ABOVE THE CEILING"
        /// So far below that the budget guards nothing.
        case loose = "far below: lower the budget"
        case missing = "NO BUDGET"

        public var isFailure: Bool {
            switch self {
            case .exceeded, .overCeiling, .missing: true
            case .kept, .loose: false
            }
        }
    }

    public func verdict(_ name: String, _ count: Double) -> Verdict {
        guard let line = lines.first(where: { $0.name == name }) else { return .missing }
        if let ceiling = line.ceiling, count > ceiling { return .overCeiling }
        if count > line.count * (1 + tolerance) + 1 { return .exceeded }
        return count < line.count * 0.8 ? .loose : .kept
    }

    /// The counts beside their budgets.
    public func table(_ counts: [(name: String, count: Double)]) -> String {
        var table = TextTable(header: ["", "instructions", "budget", "ceiling", ""])
        for (name, count) in counts {
            let line = lines.first { $0.name == name }
            table.append([
                name, Figure.short(count), line.map { Figure.short($0.count) } ?? "–",
                line?.ceiling.map(Figure.short) ?? "", verdict(name, count).rawValue,
            ])
        }
        return table.text
    }
}

extension InstructionBudget {
    /// The processor's family, the toolchain as the environment calls it in `BENCH_TOOLCHAIN`, the C library.
    public static var currentMachine: String {
        let toolchain = ProcessInfo.processInfo.environment["BENCH_TOOLCHAIN"] ?? "unknown toolchain"
        return "\(processorFamily), \(toolchain), \(libraryVersion)"
    }

    private static var processorFamily: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another processor"
        #endif
    }
}

/// The parts of a callgrind profile, one for each call of a counted region.
public enum CallgrindParts {
    /// The instructions of each part in a folder, in the order in which they were written: `callgrind.out.123.1`, …
    public static func counts(in folder: String) throws -> [Double] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let parts = names.compactMap { name -> (number: Int, name: String)? in
            guard name.hasPrefix("callgrind.out."), name.split(separator: ".").count == 4 else { return nil }
            return name.split(separator: ".").last.flatMap { Int($0) }.map { ($0, name) }
        }
        return try parts.sorted { $0.number < $1.number }.map { try total(inFile: "\(folder)/\($0.name)") }
    }

    private static func total(inFile path: String) throws -> Double {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let total = lines.last { $0.hasPrefix("totals: ") } ?? lines.last { $0.hasPrefix("summary: ") }
        guard let word = total?.split(separator: " ").last, let count = Double(word) else {
            throw BenchmarkError.usage("\(path) has no total")
        }
        return count
    }
}
