/// The results as a picture: how many times longer each alternative takes than this package.
///
/// One drawing without scripts, fonts or links, so that a page can show it as an image.
public struct Report {
    public var origin: RunOrigin?
    public var measurements: [BenchmarkResult]
    /// The predicates, in the order of the rows.
    public var formats: [(name: String, format: String)]

    public init(origin: RunOrigin?, measurements: [BenchmarkResult], formats: [(name: String, format: String)]) {
        self.origin = origin
        self.measurements = measurements
        self.formats = formats
    }

    /// The alternatives that a filter over structs is compared with. Peers come from `make bench-peers`.
    private static let columns = [
        Column(title: "inline loop", suite: "filter-structs", variant: "inline"),
        Column(title: "closure", suite: "filter-structs", variant: "closure"),
        Column(title: "Foundation", suite: "filter-structs", variant: "Foundation"),
        Column(title: "#Predicate", suite: "filter-structs", variant: "#Predicate"),
        Column(title: "GNUstep", suite: "peers", variant: "GNUstep objects"),
        Column(title: "DuckDB", suite: "peers", variant: "DuckDB"),
        Column(title: "jq", suite: "peers-file", variant: "jq"),
    ]

    struct Column {
        var title: String
        var suite: String
        var variant: String

        /// What this package does in its place: the same file when the alternative reads one.
        var engine: (suite: String, variant: String) {
            suite == "peers-file" ? ("peers-file", "predicate filter") : ("filter-structs", "count")
        }
    }

    /// How many times longer an alternative takes, and whether it finds the same.
    struct Ratio {
        var value: Double
        var findsOthers: Bool
    }

    /// The largest scale at which both were measured; the largest of each otherwise.
    func ratio(_ name: String, _ column: Column) -> Ratio? {
        let engines = found(column.engine.suite, name, column.engine.variant)
        let others = found(column.suite, name, column.variant)
        let shared = others.last { other in engines.contains { $0.scale == other.scale } }
        guard let other = shared ?? others.last,
            let engine = engines.last(where: { $0.scale == other.scale }) ?? engines.last
        else { return nil }
        return Ratio(
            value: other.median / engine.median,
            findsOthers: other.scale == engine.scale && other.result != engine.result)
    }

    private func found(_ suite: String, _ name: String, _ variant: String) -> [BenchmarkResult] {
        measurements.filter { $0.suite == suite && $0.name == name && $0.variant == variant }
            .sorted { $0.scale < $1.scale }
    }

    private static let footnote = "* finds other objects: it does not fold case or diacritics, or gets them wrong."

    public var svg: String {
        let columns = Self.columns.filter { column in formats.contains { ratio($0.name, column) != nil } }
        var canvas = Canvas(width: 430 + 92 * max(1, columns.count), height: 200 + 24 * formats.count)
        canvas.text(20, 34, "How many times longer it takes than Predicates", size: 18, isBold: true)
        canvas.text(20, 56, "Filtering an array of structs; above 1, Predicates is faster.", size: 12)
        canvas.text(20, 74, origin?.summary ?? "", size: 11, colour: "#6b7280")
        drawHead(columns, &canvas)
        for (row, format) in formats.enumerated() {
            drawRow(row, format, columns, &canvas)
        }
        drawMeans(columns, &canvas)
        canvas.text(20, 186 + 24 * formats.count, Self.footnote, size: 11, colour: "#6b7280")
        return canvas.svg
    }

    private func drawHead(_ columns: [Column], _ canvas: inout Canvas) {
        for (index, column) in columns.enumerated() {
            canvas.text(456 + 92 * index, 110, column.title, size: 12, isBold: true, anchor: "middle")
        }
    }

    private func drawRow(
        _ row: Int, _ format: (name: String, format: String), _ columns: [Column], _ canvas: inout Canvas
    ) {
        let y = 122 + 24 * row
        canvas.text(20, y + 16, format.name, size: 12, isBold: true)
        let text = format.format.count > 52 ? format.format.prefix(51) + "…" : format.format[...]
        canvas.text(54, y + 16, String(text), size: 11, isCode: true)
        for (index, column) in columns.enumerated() {
            drawCell(ratio(format.name, column), 412 + 92 * index, y, &canvas)
        }
    }

    private func drawMeans(_ columns: [Column], _ canvas: inout Canvas) {
        let y = 134 + 24 * formats.count
        canvas.text(20, y + 16, "geometric mean", size: 12, isBold: true)
        for (index, column) in columns.enumerated() {
            let mean = formats.compactMap { ratio($0.name, column)?.value }.geometricMean
            drawCell(mean.map { Ratio(value: $0, findsOthers: false) }, 412 + 92 * index, y, &canvas)
        }
    }

    private func drawCell(_ ratio: Ratio?, _ x: Int, _ y: Int, _ canvas: inout Canvas) {
        guard let ratio else { return canvas.text(x + 44, y + 16, "–", size: 12, colour: "#9ca3af", anchor: "middle") }
        canvas.rectangle(x, y, 88, 21, colour: Self.colour(ratio.value))
        canvas.text(
            x + 44, y + 15, Figure.short(ratio.value) + (ratio.findsOthers ? "×*" : "×"), size: 12, anchor: "middle")
    }

    /// Green where this package is faster, the more the deeper; red where it is slower.
    private static func colour(_ ratio: Double) -> String {
        switch ratio {
        case ..<0.5: "#fca5a5"
        case ..<0.95: "#fee2e2"
        case ..<1.05: "#f3f4f6"
        case ..<3: "#dcfce7"
        case ..<10: "#bbf7d0"
        case ..<50: "#86efac"
        default: "#4ade80"
        }
    }
}
