import PredicateJSON

/// An error in reading or writing data: a code, and the position in the input.
///
/// `{"age": 01}` gives `invalidNumber` at offset 8, line 1, column 9.
///
/// Lines and columns count from 1; a column is one Unicode scalar. An error without a position, such as a file that
/// cannot be opened, has the position of the first byte.
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
    /// The error codes. Each case shows the shortest input that gives it.
    package enum Code: Hashable, Sendable {
        /// Invalid JSON: `[1,`
        case json(JSONError.Code)
        /// The byte FF; `\xC0\x80`; an encoded surrogate
        case invalidUTF8
        /// 50 4B 03 04 as the first bytes of the input
        case foreignFile(ForeignFile)
        /// Lines that are neither JSON nor separated values
        case plainText
        /// A truncated gzip file
        case truncatedCompression(CompressionFormat)
        /// `<plist><dict>`
        case invalidPropertyList
        /// A gzip file with a wrong checksum
        case invalidCompression(CompressionFormat, String)
        /// A record with more bytes than ``RecordOptions/maximumRecordLength``
        case recordTooLong(limit: Int)
        /// `{"a": []}` with the records path `b`; the document has the key `a`
        case recordsPathNotFound(String, keys: [String])
        /// `{"a": 1}` with the records path `a`
        case recordsPathNotAnArray(String)
        /// `a"b` as a CSV field: a quoted field begins with a quote
        case unexpectedQuote
        /// `"a"b` as a CSV field
        case textAfterQuote
        /// `"a` as the last CSV field of the input
        case unterminatedQuote
        /// Lines that end with a carriage return only
        case carriageReturn
        /// `1,2,3` under the header `a,b`
        case fieldCount(expected: Int, found: Int)
        /// `# generated` among rows with more fields
        case commentLine
        /// `hello` in a log of a web server
        case notALogLine
        /// The line `x` of deb822
        case notAField
        /// A line that the pattern of the options does not match
        case patternMismatch
        /// `(?<a>` as the pattern of lines
        case invalidPattern(String)
        /// A declared or chosen column that the header lacks, and columns with similar names
        case unknownColumn(String, nearMisses: [String] = [])
        /// `abc` in a column declared `integer`
        case typeMismatch(column: String, type: ColumnType, found: String)
        /// `abc` in a column of numbers, after the part of the input that was used to infer the type
        case inferredTypeMismatch(column: String, type: ColumnType, found: String, row: Int)
        /// `soon` at a key that is compared with a date, after records with dates
        case undatedValue(key: String, found: String)
        /// `age=color` as a type declaration
        case unknownColumnType(String)
        /// `age` as a type declaration
        case invalidTypeDeclaration(String)
        /// `usa` and `epoch` as the notation of dates
        case invalidDateNotation(String)
        /// A file that cannot be opened; `errno` is the system's error number
        case openFailed(path: String, errno: Int32)
        /// A read that failed
        case readFailed(errno: Int32)
        /// A write that failed
        case writeFailed(errno: Int32)
    }
}

extension DataError {
    /// The error of a JSON document.
    package init(_ error: JSONError) {
        self.init(Code(error.code), offset: error.offset, line: error.line, column: error.column)
    }
}

extension DataError.Code {
    init(_ code: JSONError.Code) { self = code == .invalidUTF8 ? .invalidUTF8 : .json(code) }
}

/// An error in a record, before the position of the record in the input is known.
struct RecordFault: Error {
    var code: DataError.Code
    /// Bytes from the beginning of the record.
    var offset: Int

    init(_ code: DataError.Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    init(_ fault: JSONFault) { self.init(DataError.Code(fault.code), at: fault.offset) }

    /// Returns the error with its position in the input; the record begins at `start`.
    func located(
        in bytes: UnsafeBufferPointer<UInt8>, from start: InputPosition, isRecoverable: Bool = false
    ) -> DataError {
        start.advanced(over: bytes, to: offset).error(code, isRecoverable: isRecoverable)
    }
}

extension InputPosition {
    func error(_ code: DataError.Code, isRecoverable: Bool = false) -> DataError {
        DataError(code, offset: offset, line: line, column: column, isRecoverable: isRecoverable)
    }
}
