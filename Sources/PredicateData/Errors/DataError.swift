/// An error in reading or writing data: a code, and the position in the input.
///
/// `{"age": 01}` gives `invalidNumber` at offset 8, line 1, column 9.
///
/// Lines and columns count from 1; a column is one Unicode scalar. An error without a position, such as a file that
/// cannot be opened, has that of the beginning.
package struct DataError: Error, Hashable, Sendable {
    package var code: Code
    /// Bytes from the beginning of the input.
    package var offset: Int
    package var line: Int
    package var column: Int
    /// True if a ``RecordReader`` that threw the error can read the next record.
    package var isRecoverable: Bool

    package init(_ code: Code, offset: Int = 0, line: Int = 1, column: Int = 1, isRecoverable: Bool = false) {
        self.code = code
        self.offset = offset
        self.line = line
        self.column = column
        self.isRecoverable = isRecoverable
    }
}

extension DataError {
    /// The error codes, named by what was expected or violated. Each case shows the shortest input that gives it.
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
        /// A tab or a line end, written as itself inside a string
        case controlCharacter(UInt8)
        /// `"\x"`, `"\u12"`
        case invalidEscape
        /// `"\ud800"`
        case loneSurrogate
        /// The byte FF; `\xC0\x80`; an encoded surrogate
        case invalidUTF8
        /// 50 4B 03 04 as the first bytes of the input
        case foreignFile(ForeignFile)
        /// Lines of text that are neither JSON nor separated values
        case plainText
        /// A gzip file that ends too soon
        case truncatedCompression(CompressionFormat)
        /// A gzip file with a wrong checksum
        case invalidCompression(CompressionFormat, String)
        /// `01`, `1.`, `-`, `1e`
        case invalidNumber
        /// `1e999`; an integer that 38 decimal digits do not hold
        case numberOutOfRange
        /// `1 2` as one value
        case trailingContent
        /// 513 times `[`
        case nestingTooDeep(limit: Int)
        /// A record with more bytes than ``RecordOptions/maximumRecordLength``
        case recordTooLong(limit: Int)
        /// `{"a": []}` with the records path `b`, where the key is `a`
        case recordsPathNotFound(String, keys: [String])
        /// `{"a": 1}` with the records path `a`
        case recordsPathNotAnArray(String)
        /// `a"b` as a CSV field: a quote belongs at the beginning, and then to the whole field
        case unexpectedQuote
        /// `"a"b` as a CSV field
        case textAfterQuote
        /// `"a` as the last CSV field of the input
        case unterminatedQuote
        /// Lines that end with a carriage return and no line feed
        case carriageReturn
        /// `1,2,3` under the header `a,b`
        case fieldCount(expected: Int, found: Int)
        /// A declared or chosen column that the header lacks, and the columns whose names are near
        case unknownColumn(String, nearMisses: [String] = [])
        /// `abc` in a column declared `integer`
        case typeMismatch(column: String, type: ColumnType, found: String)
        /// `abc` in a column of numbers, after the part of the input from which the type was inferred
        case inferredTypeMismatch(column: String, type: ColumnType, found: String, row: Int)
        /// `age=color` as a type declaration
        case unknownColumnType(String)
        /// `age` as a type declaration
        case invalidTypeDeclaration(String)
        /// A file that does not open; the number is the system's `errno`
        case openFailed(path: String, errno: Int32)
        /// A read that failed
        case readFailed(errno: Int32)
        /// A write that failed
        case writeFailed(errno: Int32)
    }
}

/// An error inside a piece of text, before its position in the input is known.
struct Fault: Error {
    var code: DataError.Code
    /// Bytes from the beginning of the piece.
    var offset: Int

    init(_ code: DataError.Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// Returns the error with its position; the piece begins at `start`.
    func located(in bytes: UnsafeBufferPointer<UInt8>, from start: Position, isRecoverable: Bool = false) -> DataError {
        var position = start
        position.advance(over: UnsafeBufferPointer(rebasing: bytes[0..<min(offset, bytes.count)]))
        return position.error(code, isRecoverable: isRecoverable)
    }
}

/// A position in the input.
struct Position {
    var offset = 0
    var line = 1
    var column = 1

    /// Advances over bytes that may contain line ends.
    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
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

    /// Advances over one line of `count` bytes, including its line end.
    mutating func advanceLine(by count: Int) {
        offset += count
        line += 1
        column = 1
    }

    func error(_ code: DataError.Code, isRecoverable: Bool = false) -> DataError {
        DataError(code, offset: offset, line: line, column: column, isRecoverable: isRecoverable)
    }
}
