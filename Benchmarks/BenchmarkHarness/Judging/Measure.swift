/// One figure of results: the time that a variant takes, its blocks, its memory, or what it returned.
///
/// `filter-structs:count@1M` is the time of one operation of the variant `count` in the suite `filter-structs` at a
/// million objects; `mallocs(filter-structs:count@1M)` counts blocks, `memory(…)` megabytes, `result(…)` what a run
/// returned. Without a scale it is that of the only, or largest, scale measured.
public struct Measure: Hashable, Sendable {
    /// A figure of a result.
    public enum Quantity: String, Hashable, Sendable, CaseIterable {
        case time
        case mallocs
        case memory
        case result
    }

    public var quantity: Quantity
    public var suite: String
    public var variant: String
    public var scale: Int?

    /// Reads `mallocs(parse:tree@1)`. Throws a ``BenchmarkError`` for anything else.
    public init(_ text: String) throws {
        let (quantity, place) = Self.divided(text)
        let parts = place.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw BenchmarkError.usage("no measure (suite:variant@scale): \(text)")
        }
        self.quantity = quantity
        suite = parts[0]
        guard let at = parts[1].lastIndex(of: "@") else {
            variant = parts[1]
            return
        }
        variant = String(parts[1][..<at])
        guard let scale = Figure.count(ofScale: String(parts[1][parts[1].index(after: at)...])) else {
            throw BenchmarkError.usage("no scale: \(text)")
        }
        self.scale = scale
    }

    private static func divided(_ text: String) -> (Quantity, String) {
        for quantity in Quantity.allCases {
            let head = quantity.rawValue + "("
            if text.hasPrefix(head), text.hasSuffix(")") {
                return (quantity, String(text.dropFirst(head.count).dropLast()))
            }
        }
        return (.time, text)
    }

    /// The names of the benchmarks that have this figure, in the order of the results.
    func names(in results: [BenchmarkResult]) -> [String] {
        results.filter { $0.suite == suite && $0.variant == variant && (scale ?? $0.scale) == $0.scale }
            .map(\.name).uniqued
    }

    /// The figure of one benchmark; nil where it was not measured.
    func value(_ name: String, in results: [BenchmarkResult]) -> Double? {
        let found = results.filter {
            $0.suite == suite && $0.variant == variant && $0.name == name && (scale ?? $0.scale) == $0.scale
        }
        return found.max { $0.scale < $1.scale }.flatMap(value(of:))
    }

    private func value(of result: BenchmarkResult) -> Double? {
        switch quantity {
        case .time: result.median
        case .mallocs: result.allocations
        case .memory: result.memory
        case .result: Double(result.result)
        }
    }
}

/// A figure, or one divided by another: `filter-structs:count@1M / filter-structs:inline@1M`.
public struct Ratio: Hashable, Sendable {
    public var numerator: Measure
    public var denominator: Measure?

    /// Throws what is neither a measure nor two with ` / ` between them.
    public init(_ text: String) throws {
        let parts = text.divided(by: " / ")
        guard parts.count <= 2 else { throw BenchmarkError.usage("no ratio: \(text)") }
        numerator = try Measure(parts[0])
        denominator = parts.count == 2 ? try Measure(parts[1]) : nil
    }

    /// The value for one benchmark; nil where a side was not measured.
    public func value(_ name: String, in results: [BenchmarkResult]) -> Double? {
        guard let numerator = numerator.value(name, in: results) else { return nil }
        guard let denominator else { return numerator }
        guard let divisor = denominator.value(name, in: results), divisor > 0 else { return nil }
        return numerator / divisor
    }
}

extension String {
    /// The parts between occurrences of a separator, without spaces around them.
    func divided(by separator: String) -> [String] {
        var parts = [""]
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(separator) {
                rest = rest.dropFirst(separator.count)
                parts.append("")
            } else {
                parts[parts.count - 1].append(rest.removeFirst())
            }
        }
        return parts.map(\.trimmed)
    }

    /// Without spaces at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
