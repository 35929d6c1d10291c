import Foundation
import PredicateJSON

/// Takes the bytes of an export.
package typealias ExportSink = (UnsafeRawBufferPointer) throws(CoreDataError) -> Void

/// Collects bytes and passes them on in large pieces.
final class ByteOutput {
    var bytes: [UInt8] = []
    private let sink: ExportSink
    private static let capacity = 256 << 10

    init(_ sink: @escaping ExportSink) {
        self.sink = sink
        bytes.reserveCapacity(Self.capacity + 4096)
    }

    func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Passes the bytes on if there are many.
    func flushIfFull() throws(CoreDataError) { if bytes.count >= Self.capacity { try flush() } }

    func flush() throws(CoreDataError) {
        guard !bytes.isEmpty else { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        try bytes.withUnsafeBytes { bytes in Result { () throws(CoreDataError) in try sink(bytes) } }.get()
    }
}

/// Text of values that all formats share.
enum ExportText {
    /// A date in ISO 8601 with all its digits; empty for NaN.
    static func date(_ seconds: Double) -> String {
        JSONDate.text(of: Date(timeIntervalSinceReferenceDate: seconds)) ?? ""
    }

    static func base64(_ bytes: UnsafeBufferPointer<UInt8>) -> String { Data(buffer: bytes).base64EncodedString() }

    /// A double in decimal digits without an exponent: `0.00001`
    static func plainDecimal(_ number: Double) -> String {
        let text = number.description
        guard let split = text.firstIndex(where: { $0 == "e" || $0 == "E" }),
            let exponent = Int(text[text.index(after: split)...])
        else { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
        let sign = number < 0 ? "-" : ""
        let parts = text[..<split].drop { $0 == "-" }.split(separator: ".")
        let whole = String(parts.first ?? "0")
        let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
        let digits = whole + fraction
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        let index = digits.index(digits.startIndex, offsetBy: point)
        return sign + digits[..<index] + "." + digits[index...]
    }
}
