import PredicateData
import PredicateSession

/// Colours what `filter` writes on a terminal: the keys and values of JSON, and the heading of rows.
final class OutputPainter {
    private enum Form {
        case plain
        case json
        /// Rows below a heading
        case rows
    }

    private let sink: ByteSink
    private let painter: Painter
    private let output: OutputFormat?
    private var form = Form.plain
    private var json = JSONColours()
    private var isHeadingWritten = false

    init(_ settings: FilterSettings, _ console: Console) {
        sink = console.output
        painter = Painter(isColoured: console.terminal.isColoured(settings.colour))
        output = settings.output
    }

    /// Prepares for the records of a file.
    func begin(_ reader: RecordReader) { begin(output ?? OutputFormat(recordsOf: reader)) }

    /// Prepares for output in a format; `format` is nil for lines.
    func begin(_ format: OutputFormat?) {
        guard painter.isColoured else { return }
        switch format {
        case .jsonl, .json: form = .json
        case .csv, .tsv, .table: form = .rows
        case .lines, nil: form = .plain
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DataError) {
        switch form {
        case .plain: try sink(bytes)
        case .json: try send(json.coloured(bytes, painter))
        case .rows: try writeRows(bytes)
        }
    }

    private func writeRows(_ bytes: UnsafeRawBufferPointer) throws(DataError) {
        guard !isHeadingWritten, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return try sink(bytes) }
        isHeadingWritten = true
        let heading = painter.paint(String(decoding: bytes[..<end], as: UTF8.self), .heading)
        try send(Array(heading.utf8) + bytes[end...])
    }

    private func send(_ bytes: [UInt8]) throws(DataError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(DataError) in try sink(bytes) } }.get()
    }
}

extension OutputFormat {
    /// The format in which records of a file are written unchanged; nil for lines, and for rows without a heading.
    fileprivate init?(recordsOf reader: RecordReader) {
        switch reader.format {
        case .json: self = .json
        case .jsonLines: self = .jsonl
        case .csv where reader.header?.raw != nil: self = .csv
        case .tsv where reader.header?.raw != nil: self = .tsv
        case .csv, .tsv, .lines, .log, .logfmt, .deb822: return nil
        }
    }
}

/// Colours JSON, written piece by piece.
private struct JSONColours {
    private enum State {
        case between
        case string
        case escape
        /// A number, `true`, `false` or `null`
        case word
    }

    private var state = State.between
    /// True for each open object, false for each open array.
    private var containers: [Bool] = []
    private var expectsKey = false

    /// Returns JSON with colours.
    mutating func coloured(_ bytes: UnsafeRawBufferPointer, _ painter: Painter) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(2 * bytes.count)
        for byte in bytes { append(byte, painter, to: &result) }
        return result
    }

    private mutating func append(_ byte: UInt8, _ painter: Painter, to result: inout [UInt8]) {
        switch state {
        case .string:
            result.append(byte)
            if byte == UInt8(ascii: "\\") { state = .escape }
            if byte == UInt8(ascii: "\"") { close(painter, to: &result) }
        case .escape:
            result.append(byte)
            state = .string
        case .word:
            if !Self.isWord(byte) { close(painter, to: &result) }
            state == .word ? result.append(byte) : appendBetween(byte, painter, to: &result)
        case .between: appendBetween(byte, painter, to: &result)
        }
    }

    private mutating func appendBetween(_ byte: UInt8, _ painter: Painter, to result: inout [UInt8]) {
        if byte == UInt8(ascii: "\"") {
            result += painter.opening(expectsKey ? .keyword : .string).utf8
            state = .string
        } else if Self.isWord(byte) {
            result += painter.opening(Self.role(of: byte)).utf8
            state = .word
        }
        result.append(byte)
        note(byte)
    }

    private mutating func close(_ painter: Painter, to result: inout [UInt8]) {
        result += painter.closing.utf8
        state = .between
    }

    /// Takes note of a bracket, a comma or a colon.
    private mutating func note(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): containers.append(true)
        case UInt8(ascii: "["): containers.append(false)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = containers.popLast()
        case UInt8(ascii: ","), UInt8(ascii: ":"): break
        default: return
        }
        expectsKey = containers.last == true && (byte == UInt8(ascii: "{") || byte == UInt8(ascii: ","))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "+-.".utf8.contains(byte)
    }

    private static func role(of byte: UInt8) -> Painter.Role {
        switch byte {
        case UInt8(ascii: "n"): .faint
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .function
        default: .number
        }
    }
}
