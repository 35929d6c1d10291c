import Foundation

/// Numbers as readers want them: three digits that count.
public enum Figure {
    /// `0.712`, `27.3`, `1193`, `1.2M`
    public static func short(_ value: Double) -> String {
        switch abs(value) {
        case ..<0.0005: "0"
        case ..<0.9995: String(format: "%.3f", value)
        case ..<9.995: String(format: "%.2f", value)
        case ..<99.95: String(format: "%.1f", value)
        case ..<999_999.5: String(format: "%.0f", value)
        default: String(format: "%.3gM", value / 1_000_000)
        }
    }

    /// A number without zeros at its end: `0.5`, `10`.
    public static func plain(_ value: Double) -> String { String(format: "%g", value) }

    /// `1k`, `100k`, `1M`; other numbers in full.
    public static func scale(_ count: Int) -> String {
        if count >= 1_000_000, count.isMultiple(of: 1_000_000) { return "\(count / 1_000_000)M" }
        if count >= 1_000, count.isMultiple(of: 1_000) { return "\(count / 1_000)k" }
        return String(count)
    }

    /// The number that ``scale(_:)`` wrote: `100k`.
    public static func count(ofScale text: String) -> Int? {
        switch text.last {
        case "k": Int(text.dropLast()).map { $0 * 1_000 }
        case "M": Int(text.dropLast()).map { $0 * 1_000_000 }
        default: Int(text)
        }
    }
}
