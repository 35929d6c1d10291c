/// A drawing in SVG.
struct Canvas {
    private let width: Int
    private let height: Int
    private var shapes: [String] = []

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, colour: String) {
        shapes.append(
            "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"3\" fill=\"\(colour)\"/>")
    }

    /// A straight line between two places.
    mutating func line(_ x: Int, _ y: Int, _ endX: Int, _ endY: Int, colour: String, isThick: Bool = false) {
        shapes.append(
            "<line x1=\"\(x)\" y1=\"\(y)\" x2=\"\(endX)\" y2=\"\(endY)\" stroke=\"\(colour)\""
                + " stroke-width=\"\(isThick ? "1.5" : "1")\"/>")
    }

    /// One line of text; `anchor` is `start`, `middle` or `end`.
    mutating func text(
        _ x: Int, _ y: Int, _ text: String, size: Int, isBold: Bool = false,
        colour: String = Colour.text, anchor: String = "start"
    ) {
        let weight = isBold ? " font-weight=\"600\"" : ""
        shapes.append(
            "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"\(colour)\" text-anchor=\"\(anchor)\""
                + "\(weight)>\(Self.escaped(text))</text>")
    }

    /// The whole drawing on white, so that it reads on a dark page too.
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
        font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">
        <rect width="100%" height="100%" rx="8" fill="#ffffff" stroke="#d1d5db"/>
        \(shapes.joined(separator: "\n"))
        </svg>

        """
    }

    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
