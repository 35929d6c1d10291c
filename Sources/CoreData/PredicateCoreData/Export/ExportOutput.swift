import Foundation
import PredicateJSON
import PredicateSyntax

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
    /// Appends a date in ISO 8601 with all its digits, as ``JSONDate`` writes it, but without strings: several times as fast.
    /// False for NaN.
    static func append(date seconds: Double, to bytes: inout [UInt8]) -> Bool {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        if let micros = Microseconds.nearest(to: date), Microseconds.seconds(micros) == seconds {
            let moment = CivilDate(microseconds: micros)
            if (0...9999).contains(moment.year) {
                append(moment, to: &bytes)
                return true
            }
        }
        guard let text = JSONDate.text(of: date) else { return false }
        bytes.append(contentsOf: text.utf8)
        return true
    }

    /// `2026-01-31T12:00:00.5Z` for a year of four digits.
    private static func append(_ moment: CivilDate, to bytes: inout [UInt8]) {
        appendTime(moment, to: &bytes)
        if moment.microsecond > 0 {
            bytes.append(Byte.dot)
            append(moment.microsecond, digits: 6, to: &bytes)
            while bytes.last == Byte.zero { bytes.removeLast() }
        }
        bytes.append(UInt8(ascii: "Z"))
    }

    private static func appendTime(_ moment: CivilDate, to bytes: inout [UInt8]) {
        append(moment.year, digits: 4, to: &bytes)
        bytes.append(Byte.minus)
        append(moment.month, digits: 2, to: &bytes)
        bytes.append(Byte.minus)
        append(moment.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(moment.second / 3600, digits: 2, to: &bytes)
        bytes.append(Byte.colon)
        append(moment.second / 60 % 60, digits: 2, to: &bytes)
        bytes.append(Byte.colon)
        append(moment.second % 60, digits: 2, to: &bytes)
    }

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var scale = 1
        for _ in 1..<digits { scale *= 10 }
        while scale > 0 {
            bytes.append(Byte.zero + UInt8(number / scale % 10))
            scale /= 10
        }
    }

    static func base64(_ bytes: UnsafeBufferPointer<UInt8>) -> String { Data(buffer: bytes).base64EncodedString() }

    /// Appends a UUID without a string: `137DECC8-0000-4000-8000-0000000000FF`
    static func append(_ uuid: UUID, to text: inout [UInt8]) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { text.append(Byte.minus) }
                text.append(capitals[Int(byte >> 4)])
                text.append(capitals[Int(byte & 15)])
            }
        }
    }

    private static let capitals = Array("0123456789ABCDEF".utf8)

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
