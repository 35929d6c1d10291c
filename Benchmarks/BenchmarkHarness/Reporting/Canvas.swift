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

    /// One line of text; `anchor` is `start`, `middle` or `end`.
    mutating func text(
        _ x: Int, _ y: Int, _ text: String, size: Int, isBold: Bool = false, isCode: Bool = false,
        colour: String = "#111827", anchor: String = "start"
    ) {
        let family = isCode ? " font-family=\"ui-monospace, Menlo, Consolas, monospace\"" : ""
        let weight = isBold ? " font-weight=\"600\"" : ""
        shapes.append(
            "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" fill=\"\(colour)\" text-anchor=\"\(anchor)\""
                + "\(family)\(weight)>\(Self.escaped(text))</text>")
    }

    /// The whole drawing on white, so that it reads on a dark page too.
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
        font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">
        <rect width="100%" height="100%" rx="8" fill="#ffffff"/>
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
