/// The results as a picture: how many times longer each alternative takes than this package, on a logarithmic scale.
///
/// One drawing without scripts, fonts or links, so that a page can show it as an image.
public struct Report {
    public var origin: RunOrigin?
    public var lines: [(line: ComparisonLine, summary: ComparisonLine.Summary)]

    /// Lines for which nothing was measured are left out.
    public init(origin: RunOrigin?, comparisons: [ComparisonLine], results: [BenchmarkResult]) {
        self.origin = origin
        lines = comparisons.compactMap { line in line.summary(of: results).map { (line, $0) } }
    }

    private static let width = 880
    private static let left = 330
    private static let right = 690
    /// Where the columns of figures end.
    private static let meanEnd = 764
    private static let spreadEnd = 856
    private static let top = 112
    private static let rowHeight = 24
    private static let sectionHeight = 34

    private var axis: LogarithmicAxis {
        let values = lines.map(\.summary.least) + lines.map(\.summary.greatest) + [0.5, 10]
        return LogarithmicAxis(values, from: Self.left, to: Self.right)
    }

    public var svg: String {
        let sections = lines.grouped(by: \.line.section)
        let bottom = Self.top + sections.count * Self.sectionHeight + lines.count * Self.rowHeight
        var canvas = Canvas(width: Self.width, height: bottom + 92)
        drawTitle(&canvas)
        drawGrid(bottom, &canvas)
        drawHead(&canvas)
        var y = Self.top
        for (section, lines) in sections {
            canvas.text(24, y + 23, section, size: 13, isBold: true)
            y += Self.sectionHeight
            for (line, summary) in lines {
                draw(line, summary, y, &canvas)
                y += Self.rowHeight
            }
        }
        drawFoot(bottom, &canvas)
        return canvas.svg
    }

    private func drawTitle(_ canvas: inout Canvas) {
        canvas.text(24, 38, "How many times longer the alternatives take", size: 20, isBold: true)
        canvas.text(
            24, 60, "Bars: geometric mean of up to sixteen predicates. Lines: from the least to the greatest of them.",
            size: 12, colour: Colour.quiet)
        canvas.rectangle(24, 73, 12, 12, colour: Colour.faster)
        canvas.text(42, 84, "this package is faster", size: 12, colour: Colour.quiet)
        canvas.rectangle(190, 73, 12, 12, colour: Colour.slower)
        canvas.text(208, 84, "the alternative is faster", size: 12, colour: Colour.quiet)
    }

    private func drawGrid(_ bottom: Int, _ canvas: inout Canvas) {
        for mark in axis.marks {
            let x = axis.place(of: mark)
            canvas.line(
                x, Self.top - 4, x, bottom + 8, colour: mark == 1 ? Colour.text : Colour.grid, isThick: mark == 1)
            canvas.text(x, Self.top - 10, "\(Figure.plain(mark))×", size: 11, colour: Colour.quiet, anchor: "middle")
        }
    }

    private func drawHead(_ canvas: inout Canvas) {
        canvas.text(Self.meanEnd, Self.top - 10, "mean", size: 11, colour: Colour.quiet, anchor: "end")
        canvas.text(Self.spreadEnd, Self.top - 10, "from–to", size: 11, colour: Colour.quiet, anchor: "end")
    }

    private func draw(
        _ line: ComparisonLine, _ summary: ComparisonLine.Summary, _ y: Int, _ canvas: inout Canvas
    ) {
        let (one, mean) = (axis.place(of: 1), axis.place(of: summary.mean))
        let (least, greatest) = (axis.place(of: summary.least), axis.place(of: summary.greatest))
        let isFaster = summary.mean >= 1
        canvas.text(Self.left - 14, y + 15, line.label, size: 12, anchor: "end")
        canvas.rectangle(
            min(one, mean), y + 4, max(2, abs(mean - one)), 14, colour: isFaster ? Colour.faster : Colour.slower)
        if summary.count > 1 {
            canvas.line(least, y + 11, greatest, y + 11, colour: Colour.text)
            canvas.line(least, y + 8, least, y + 14, colour: Colour.text)
            canvas.line(greatest, y + 8, greatest, y + 14, colour: Colour.text)
        }
        drawFigures(summary, y, &canvas)
    }

    private func drawFigures(_ summary: ComparisonLine.Summary, _ y: Int, _ canvas: inout Canvas) {
        canvas.text(Self.meanEnd, y + 15, "\(Figure.ratio(summary.mean))×", size: 12, isBold: true, anchor: "end")
        if summary.hasNotes { canvas.text(Self.meanEnd + 1, y + 15, "*", size: 12) }
        guard summary.count > 1 else { return }
        let spread = "\(Figure.ratio(summary.least))–\(Figure.ratio(summary.greatest))"
        canvas.text(Self.spreadEnd, y + 15, spread, size: 11, colour: Colour.quiet, anchor: "end")
    }

    private func drawFoot(_ bottom: Int, _ canvas: inout Canvas) {
        if lines.contains(where: \.summary.hasNotes) {
            let note =
                "* It finds other objects for some predicates: it does not fold case or accents, or gets them wrong."
            canvas.text(24, bottom + 40, note, size: 11, colour: Colour.quiet)
        }
        let isBusy = (origin?.load ?? 0) > 0.5
        let machine = (origin?.summary ?? "") + (isBusy ? "; the machine was busy" : "")
        canvas.text(24, bottom + 58, machine, size: 11, colour: Colour.quiet)
        canvas.text(
            24, bottom + 76, "make bench, make bench-peers and make bench-report draw it anew.", size: 11,
            colour: Colour.quiet)
    }
}

/// Where numbers stand on a logarithmic scale.
struct LogarithmicAxis {
    private let low: Double
    private let high: Double
    private let from: Int
    private let to: Int

    /// An axis that holds the values, all positive, with a little room at both ends.
    init(_ values: [Double], from: Int, to: Int) {
        let positive = values.filter { $0 > 0 && $0.isFinite }
        low = logarithm((positive.min() ?? 1) / 1.15)
        high = logarithm((positive.max() ?? 10) * 1.15)
        self.from = from
        self.to = to
    }

    func place(of value: Double) -> Int {
        let share = (logarithm(value) - low) / (high - low)
        return from + Int((min(1, max(0, share)) * Double(to - from)).rounded())
    }

    /// Powers of ten, and threes between them.
    var marks: [Double] {
        [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000].filter {
            let place = logarithm($0)
            return place >= low && place <= high
        }
    }
}

/// The colours of the report, told apart by those who see fewer too.
enum Colour {
    static let text = "#1f2937"
    static let quiet = "#6b7280"
    static let grid = "#e5e7eb"
    static let faster = "#2a9d8f"
    static let slower = "#e76f51"
}
