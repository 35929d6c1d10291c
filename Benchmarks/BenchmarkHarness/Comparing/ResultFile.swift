import Foundation

/// Results as JSON lines: the first says where they come from, every other one is a ``BenchmarkResult``.
public struct ResultFile: Sendable {
    public var origin: RunOrigin?
    public var measurements: [BenchmarkResult]

    public init(origin: RunOrigin?, measurements: [BenchmarkResult]) {
        self.origin = origin
        self.measurements = measurements
    }

    /// Reads a file. Lines of other kinds are passed over.
    public init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let lines = data.split(separator: UInt8(ascii: "\n"))
        let decoder = JSONDecoder()
        origin = lines.lazy.compactMap { try? decoder.decode(OriginLine.self, from: $0).run }.first
        measurements = lines.compactMap { try? decoder.decode(BenchmarkResult.self, from: $0) }
    }

    public func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines = try measurements.map { try encoder.encode($0) }
        if let origin { lines.insert(try encoder.encode(OriginLine(run: origin)), at: 0) }
        let text = Data(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
        try text.write(to: URL(fileURLWithPath: path))
    }

    private struct OriginLine: Codable {
        var run: RunOrigin
    }
}

/// The machine, toolchain and date of results.
public struct RunOrigin: Codable, Hashable, Sendable {
    public var processor: String
    public var cores: Int
    public var system: String
    public var toolchain: String
    public var date: String
    /// Runnable processes when measuring began: figures of a busy machine are worth less.
    public var load: Double

    /// This machine, now. The toolchain is what the environment calls `BENCH_TOOLCHAIN`.
    public static var current: RunOrigin {
        let process = ProcessInfo.processInfo
        return RunOrigin(
            processor: processorName, cores: process.activeProcessorCount, system: process.operatingSystemVersionString,
            toolchain: process.environment["BENCH_TOOLCHAIN"] ?? "unknown",
            date: Date().formatted(.iso8601.year().month().day()), load: loadAverage)
    }

    /// `2 × AMD EPYC, Debian 12, Swift 6.3.1, 2026-05-01`
    public var summary: String { "\(cores) × \(processor), \(system), \(toolchain), \(date)" }

    private static var processorName: String {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return name ?? "unknown processor"
    }
}
