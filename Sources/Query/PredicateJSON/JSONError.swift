import PredicateSyntax

/// An error in a JSON document, with its position.
///
///     try JSONReader.parse("[1 2]")   // line 1, column 4: expected ',' or the closing bracket
package struct JSONError: Error, Hashable, Sendable {
    package var code: Code
    /// Bytes from the beginning of the document.
    package var offset: Int
    /// The line, from 1.
    package var line: Int
    /// The column in code points, from 1.
    package var column: Int

    /// The kind of error. Each case shows the shortest input that causes it.
    package enum Code: Hashable, Sendable {
        /// `[1,`
        case unexpectedEnd
        /// `[,]`
        case expectedValue
        /// `{1: 2}`
        case expectedKey
        /// `{"a" 1}`
        case expectedColon
        /// `[1 2]`, `{"a": 1 "b": 2}`
        case expectedComma
        /// `"abc`
        case unterminatedString
        /// An unescaped tab or line end in a string
        case controlCharacter(UInt8)
        /// `"\x"`, `"\u12"`
        case invalidEscape
        /// `"\ud800"`
        case loneSurrogate
        /// The byte FF; `\xC0\x80`; an encoded surrogate
        case invalidUTF8
        /// `01`, `1.`, `-`, `1e`
        case invalidNumber
        /// `1e400`; an integer with more than 38 significant digits
        case numberOutOfRange
        /// `1 2`, where a single value is expected
        case trailingContent
        /// `[` 513 times
        case nestingTooDeep(limit: Int)
    }
}

extension JSONError: CustomStringConvertible {
    /// The message, without the position.
    package var message: String { code.message }

    /// The message with line and column.
    package var description: String { "line \(line), column \(column): \(message)" }
}

extension JSONError.Code {
    package var message: String {
        switch self {
        case .unexpectedEnd: "the JSON ends in the middle of a value"
        case .expectedValue: "expected a value"
        case .expectedKey: "expected a key in double quotes"
        case .expectedColon: "expected ':' after the key"
        case .expectedComma: "expected ',' or the closing bracket"
        case .unterminatedString: "this string has no closing quote"
        case .controlCharacter(let byte): "control character \(byte) must be escaped in a string"
        case .invalidEscape: "this escape is not one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        case .loneSurrogate: "this surrogate is unpaired"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .invalidNumber: "this is not a valid JSON number"
        case .numberOutOfRange: "this number is out of range"
        case .trailingContent: "unexpected text after the value"
        case .nestingTooDeep(let limit): "nested deeper than \(limit) levels"
        }
    }
}

/// An error inside a document, before its line and column are known.
package struct JSONFault: Error {
    package var code: JSONError.Code
    /// Bytes from the beginning of the document.
    package var offset: Int

    init(_ code: JSONError.Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    func located(in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
        let place = InputPosition().advanced(over: bytes, to: offset)
        return JSONError(code: code, offset: place.offset, line: place.line, column: place.column)
    }
}

package struct InputPosition {
    /// Bytes from the beginning.
    @usableFromInline package var offset = 0
    /// The line, from 1.
    @usableFromInline package var line = 1
    /// The column in code points, from 1.
    @usableFromInline package var column = 1

    package init(offset: Int = 0, line: Int = 1, column: Int = 1) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// Advances over bytes that may contain line ends.
    package mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        var start = 0
        while let lineFeed = bytes.firstIndex(of: Byte.lineFeed, from: start) {
            line += 1
            column = 1
            start = lineFeed + 1
        }
        for index in start..<bytes.count {
            // All bytes except UTF-8 continuation bytes.
            column &+= bytes[index] & 0xC0 != 0x80 ? 1 : 0
        }
        offset += bytes.count
    }

    /// Returns the position after the first `count` of these bytes.
    package func advanced(over bytes: UnsafeBufferPointer<UInt8>, to count: Int) -> InputPosition {
        var position = self
        position.advance(over: UnsafeBufferPointer(rebasing: bytes[0..<min(count, bytes.count)]))
        return position
    }

    /// Advances over one line of `count` bytes, including its line end.
    @inlinable
    package mutating func advanceLine(by count: Int) {
        offset += count
        line += 1
        column = 1
    }
}
