/// The measurements of one suite at one scale, a row for each name and engine, with a ratio to each baseline.
///
/// ```
/// filter-structs, 100k objects, ns per object (ratios: this package ÷ baseline)
///      engine  median  min–max    mallocs  inline  ratio  closure  ratio
/// P01  count     2.88  2.85–2.97        0   0.710   4.06     27.3  0.105
/// ```
public enum ResultTable {
    /// All measurements as tables, one for each suite and scale, in the order of their first lines.
    public static func text(_ measurements: [BenchmarkResult]) -> String {
        let sections = measurements.grouped { Section(suite: $0.suite, scale: $0.scale, unit: $0.unit) }
        return sections.map { text($0, $1) }.joined(separator: "\n")
    }

    private struct Section: Hashable {
        var suite: String
        var scale: Int
        var unit: String
    }

    private static func text(_ section: Section, _ measurements: [BenchmarkResult]) -> String {
        let baselines = measurements.filter { $0.role != .engine }.map(\.variant).uniqued
        var table = TextTable(
            header: ["", "engine", "median", "min–max", "mallocs"] + baselines.flatMap { [$0, "ratio"] },
            leftColumns: 2)
        for (_, group) in measurements.grouped(by: \.name) {
            rows(group, baselines).forEach { table.append($0) }
        }
        let objects = section.scale > 1 ? ", \(Figure.scale(section.scale)) \(section.unit)s" : ""
        let ratios = baselines.isEmpty ? "" : " (ratio: this package ÷ baseline)"
        return "\(section.suite)\(objects), ns per \(section.unit)\(ratios)\n\(table.text)"
    }

    private static func rows(_ group: [BenchmarkResult], _ baselines: [String]) -> [[String]] {
        group.filter { $0.role == .engine }.map { engine in
            head(engine)
                + baselines.flatMap { name -> [String] in
                    guard let baseline = group.first(where: { $0.variant == name }) else { return ["–", ""] }
                    return [Figure.short(baseline.median), Figure.short(engine.median / baseline.median)]
                }
        }
    }

    private static func head(_ measurement: BenchmarkResult) -> [String] {
        [
            measurement.name, measurement.variant, Figure.short(measurement.median),
            "\(Figure.short(measurement.minimum))–\(Figure.short(measurement.maximum))",
            measurement.allocations.map(Figure.short) ?? "–",
        ]
    }
}

extension Sequence {
    /// The elements of each key, both in the order of first appearance.
    public func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, elements: [Element])] = []
        for element in self {
            let key = key(element)
            if let place = places[key] {
                groups[place].elements.append(element)
            } else {
                places[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it stands first.
    var uniqued: [Element] {
        grouped { $0 }.map(\.key)
    }
}
