import PredicateSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension DataError: CustomStringConvertible {
    /// The message, without the position.
    package var message: String {
        switch code {
        case .json(let code): code.message
        case .invalidUTF8: "these bytes are not UTF-8; --encoding names another encoding"
        case .foreignFile(.sqlite): ForeignFile.sqlite.cure
        case .foreignFile(let file): "expected text, found \(file.noun): \(file.cure)"
        case .plainText:
            "expected JSON, CSV or TSV, found plain text: use -f lines to read each line as SELF, --pattern REGEX for"
                + " its parts, or -f csv for a single column"
        case .truncatedCompression(let format): "the \(format.rawValue) data is truncated"
        case .invalidPropertyList: "this property list cannot be read: plutil -lint shows why"
        case .invalidCompression(let format, let text): "invalid \(format.rawValue) data: \(text)"
        case .recordTooLong(let limit): "this record is longer than \(limit) bytes"
        case .recordsPathNotFound(let path, let keys):
            "there is no value at the path '\(path)'" + Self.suggestion(for: path, among: keys)
        case .recordsPathNotAnArray(let path): "'\(path)' holds neither an array nor an object"
        case .unexpectedQuote: "quote in an unquoted field: --quotes lazy reads it as it stands"
        case .textAfterQuote: "text after the closing quote of a field: --quotes lazy reads it as it stands"
        case .unterminatedQuote:
            "this quoted field has no closing quote: --quotes none reads quotes as ordinary characters"
        case .carriageReturn: "expected a line feed, found a carriage return: convert line endings with tr '\\r' '\\n'"
        case .fieldCount(let expected, let found):
            "\(found) field\(found == 1 ? "" : "s"), but the header has \(expected): " + Self.cure(expected, found)
        case .commentLine: "this line begins with #: --comment '#' skips such lines"
        case .notALogLine:
            "this line is not in the common or combined log format: --pattern REGEX with named groups reads other lines"
        case .notAField: "expected a field such as Package: bash, or a line that begins with a blank"
        case .patternMismatch: "this line does not match --pattern (see --unmatched)"
        case .invalidPattern(let text): "--pattern: \(text)"
        case .unknownColumn(let name, let nearMisses): "there is no column '\(name)'" + Self.suggestion(nearMisses)
        case .typeMismatch(let column, let type, let found):
            "column '\(column)' has the type \(type.rawValue), but '\(found)' is not a valid \(type.rawValue)"
                + (type == .date ? "; --dates '\(column)=NOTATION' reads \(DateNotation.list)" : "")
        case .inferredTypeMismatch(let column, let type, let found, let row):
            "row \(row): column '\(column)' is \(type.rawValue) in all rows sampled, but '\(found)' is not: declare"
                + " its type, as in --types '\(column)=string'"
        case .undatedValue(let key, let found):
            "'\(key)' has dates in the first records, but '\(found)' is not one: --types '\(key)=string' compares strings"
        case .unknownColumnType(let name): "unknown type '\(name)'" + Self.typeSuggestion(name)
        case .invalidTypeDeclaration(let text): "invalid type declaration '\(text)'; write column=type"
        case .invalidDateNotation(let word):
            "expected \(DateNotation.list), for one column as in joined=epoch, found '\(word)'"
        case .openFailed(let path, let errno):
            "cannot open '\(path)': \(Self.systemText(errno))"
                + (path.contains { "*?".contains($0) } ? "; the shell replaces * and ? outside of quotes only" : "")
        case .readFailed(let errno): "cannot read: \(Self.systemText(errno))"
        case .writeFailed(let errno): "cannot write: \(Self.systemText(errno))"
        }
    }

    /// The message with line and column.
    package var description: String {
        "line \(line), column \(column): \(message)"
    }

    private static func cure(_ expected: Int, _ found: Int) -> String {
        if found < expected { return "--ragged reads missing fields as nil" }
        return expected == 1
            ? "--skip N starts at a header below it, --ragged reads further fields"
            : "put a field that contains the delimiter in quotes, or --ragged reads further fields"
    }

    /// `; did you mean items?`, `; the keys are total, items`
    private static func suggestion(for path: String, among keys: [String]) -> String {
        let last = (RecordsPath.keys(path).last ?? path).filter { !"$[]*/".contains($0) }
        if keys.contains(last) { return suggestion([last]) }
        let nearMisses = NearMiss.candidates(for: last, among: keys)
        if !nearMisses.isEmpty { return suggestion(nearMisses) }
        guard !keys.isEmpty else { return "" }
        let more = keys.count > mostKeys ? ", …" : ""
        return "; the keys are " + keys.prefix(mostKeys).joined(separator: ", ") + more
    }

    private static let mostKeys = 12

    private static func typeSuggestion(_ name: String) -> String {
        let nearMisses = NearMiss.candidates(for: name, among: ColumnType.allCases.map(\.rawValue))
        return nearMisses.isEmpty ? "; the types are \(ColumnType.list)" : suggestion(nearMisses)
    }

    private static func suggestion(_ nearMisses: [String]) -> String {
        nearMisses.isEmpty ? "" : "; did you mean \(nearMisses.joined(separator: " or "))?"
    }

    private static func systemText(_ errno: Int32) -> String {
        strerror(errno).map { String(cString: $0) } ?? "system error \(errno)"
    }
}
