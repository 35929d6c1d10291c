import PredicateJSON
import PredicateSyntax

/// JSON documents: the elements of an array, values one after another, or the values at a path.
///
/// An array on the path stands for its elements, `*` for all members of an object. Each record that comes from such a member
/// contains the member's key as `@key`. With ``RecordOptions/parentKey``, each record at a path also contains the innermost object
/// on the path, without the member in which the record is.
struct DocumentRecords: RecordStream {
    private enum State {
        /// Before a value to which the steps from this index on apply.
        case value(step: Int)
        /// After a value, inside the open containers.
        case after
        /// After all containers of a document with a path.
        case end
    }

    /// An open array or object.
    private enum Container {
        /// The array of records.
        case records
        /// An array on the path; the steps from this index on apply to its elements.
        case elements(step: Int)
        /// An object whose members are all wanted.
        case members(step: Int)
        /// An object whose wanted member was found.
        case found

        /// True if its members or elements are read one after another.
        var isRead: Bool {
            switch self {
            case .records, .elements, .members: true
            case .found: false
            }
        }
    }

    private var state = State.value(step: 0)
    private var containers: [Container] = []
    /// True directly after an opening bracket.
    private var isFirst = false
    /// The key of the current member of an object whose members are all wanted.
    private var memberKey: String?
    private var search: PathSearch
    private var decoder: JSONRecordDecoder
    private let path: [RecordsPath.Step]
    private let limit: Int
    /// The key under which records have their parent.
    private let parentKey: String?
    /// The number of steps after which the parent of the records is found.
    private let parentStep: Int?
    /// The parent of the next records as a member in JSON: `"issue":{"number":1}`; empty without one.
    private var parent: [UInt8] = []

    init(_ options: RecordOptions) {
        decoder = JSONRecordDecoder(options)
        parentKey = options.parentKey
        path = options.recordsPath.map(RecordsPath.steps) ?? []
        search = PathSearch(path)
        limit = options.maximumRecordLength
        parentStep = path.lastIndex { $0 != .every }
    }

    mutating func next(in window: ByteWindow, index: Int) throws(DataError) -> SourceRecord? {
        while true {
            switch state {
            case .value(let step):
                if let record = try value(window, step, index) { return record }
            case .after:
                if try !continueContainer(window) { return nil }
            case .end:
                guard try beginDocument(window) else { return nil }
            }
        }
    }

    /// Reads a value, or enters it if there are records inside; returns nil if it is not a record.
    private mutating func value(
        _ window: ByteWindow, _ step: Int, _ index: Int
    ) throws(DataError) -> SourceRecord? {
        let isOutermost = containers.isEmpty
        guard try window.skipWhitespace() else {
            if isOutermost, path.isEmpty {
                state = .end
                return nil
            }
            throw isOutermost ? search.failure(window) : window.position.error(.json(.unexpectedEnd))
        }
        let byte = window.bytes[0]
        if byte == Byte.openBracket, let container = container(at: step) {
            open(window, container)
            return nil
        }
        guard step < path.count else { return try record(window, index) }
        state = .after
        guard byte == Byte.openBrace else {
            if !search.isInArray { throw search.failure(window) }
            try window.skipValue()
            return nil
        }
        try enterObject(window, step)
        return nil
    }

    /// Returns the container that an array at a step opens; nil if the array itself is a record.
    private func container(at step: Int) -> Container? {
        if step < path.count { return .elements(step: path[step] == .every ? step + 1 : step) }
        if isInRecords { return nil }
        return path.isEmpty && (!containers.isEmpty || search.hasRecords) ? nil : .records
    }

    private var isInRecords: Bool {
        if case .records? = containers.last { true } else { false }
    }

    private mutating func open(_ window: ByteWindow, _ container: Container) {
        window.drop(1)
        containers.append(container)
        (isFirst, state) = (true, .after)
        switch container {
        case .elements, .members: search.isInArray = true
        case .records: search.isMissing = false
        case .found: break
        }
    }

    /// Enters an object at a step of the path.
    private mutating func enterObject(_ window: ByteWindow, _ step: Int) throws(DataError) {
        switch path[step] {
        case .every:
            open(window, .members(step: step + 1))
        case .key(let key):
            if step == parentStep, let parentKey { parent = try parent(window, without: key, as: parentKey) }
            window.drop(1)
            guard try search.find(key, window, limit) else {
                if !search.isInArray { throw search.failure(window) }
                return window.drop(1)
            }
            containers.append(.found)
            state = .value(step: step + 1)
        }
    }

    /// The maximum length of a parent, which each of its records contains.
    private static let parentLength = 1 << 20

    /// Returns the object at the beginning of the window as a member, without one of its own members, and leaves it in the
    /// window.
    private func parent(
        _ window: ByteWindow, without key: String, as parentKey: String
    ) throws(DataError) -> [UInt8] {
        let start = window.position
        var boundary = JSONBoundary()
        guard case .whole(let length) = try window.cut(with: &boundary, limit: limit) else {
            throw start.error(.recordTooLong(limit: limit))
        }
        let text = window.bytes.slice(0..<length)
        do throws(RecordFault) { _ = try decoder.decode(text) } catch { throw error.located(in: text, from: start) }
        var object: [UInt8] = []
        JSONWriter.writeString(parentKey, to: &object)
        object.append(Byte.colon)
        let members = (JSONScanner.members(of: Array(text)) ?? []).filter { !$0.key.hasSameCodePoints(as: key) }
        for (index, member) in members.enumerated() {
            object.append(index == 0 ? Byte.openBrace : Byte.comma)
            JSONWriter.writeString(member.key, to: &object)
            object.append(Byte.colon)
            object += member.text
        }
        if members.isEmpty { object.append(Byte.openBrace) }
        guard object.count < Self.parentLength else { throw start.error(.recordTooLong(limit: Self.parentLength)) }
        return object + [Byte.closeBrace]
    }

    /// Goes on to the next element or member, or closes containers; returns false at the end of the input.
    private mutating func continueContainer(_ window: ByteWindow) throws(DataError) -> Bool {
        guard let container = containers.last else {
            state = path.isEmpty ? .value(step: 0) : .end
            return true
        }
        guard container.isRead else {
            containers.removeLast()
            try window.skipRest()
            return true
        }
        let isObject = if case .members = container { true } else { false }
        guard try hasElement(window, closing: isObject ? Byte.closeBrace : Byte.closeBracket) else {
            containers.removeLast()
            if isObject { memberKey = nil }
            if containers.isEmpty, path.isEmpty {
                if try window.skipWhitespace() { throw window.position.error(.json(.trailingContent)) }
                return false
            }
            return true
        }
        switch container {
        case .records: state = .value(step: path.count)
        case .elements(let step): state = .value(step: step)
        case .members(let step):
            memberKey = try window.readKey(limit)
            state = .value(step: step)
        case .found: break
        }
        return true
    }

    /// Advances past the comma before the next element; returns false at the end of the container.
    private mutating func hasElement(_ window: ByteWindow, closing: UInt8) throws(DataError) -> Bool {
        try window.expectText()
        if window.bytes[0] == closing {
            window.drop(1)
            isFirst = false
            return false
        }
        if isFirst {
            isFirst = false
            return true
        }
        guard window.bytes[0] == Byte.comma else { throw window.position.error(.json(.expectedComma)) }
        window.drop(1)
        try window.expectText()
        return true
    }

    /// Begins the next document of a sequence; returns false at the end of the input.
    private mutating func beginDocument(_ window: ByteWindow) throws(DataError) -> Bool {
        guard try window.skipWhitespace() else {
            if !path.isEmpty, search.isMissing { throw search.failure(window) }
            return false
        }
        guard window.bytes[0] == Byte.openBrace || window.bytes[0] == Byte.openBracket else {
            throw window.position.error(.json(.trailingContent))
        }
        (state, search.isInArray) = (.value(step: 0), true)
        return true
    }

    private mutating func record(_ window: ByteWindow, _ index: Int) throws(DataError) -> SourceRecord? {
        state = .after
        (search.hasRecords, search.isMissing) = (true, false)
        guard !path.isEmpty, !isInRecords, window.bytes[0] != Byte.openBrace else {
            return try readRecord(window, index)
        }
        // Below an array, null is skipped, and a value of any other kind is a record.
        if !search.isInArray { throw window.position.error(.recordsPathNotAnArray(RecordsPath.text(of: path))) }
        guard window.bytes[0] == UInt8(ascii: "n") else { return try readRecord(window, index) }
        try window.skipValue()
        return nil
    }

    private mutating func readRecord(_ window: ByteWindow, _ index: Int) throws(DataError) -> SourceRecord {
        let start = window.position
        var boundary = JSONBoundary()
        switch try window.cut(with: &boundary, limit: limit) {
        case .tooLong:
            throw start.error(.recordTooLong(limit: limit), isRecoverable: true)
        case .whole(0):
            throw start.error(.json(.expectedValue))
        case .whole(let length):
            let text = window.bytes.slice(0..<length)
            defer { window.drop(length) }
            do {
                return try record(text, start.line, index)
            } catch {
                // Nothing follows a truncated record, or text that is not the beginning of a document.
                let isLast = window.isAtEnd && length == window.bytes.count
                let isText =
                    index == 0 && containers.isEmpty && text[0] != Byte.openBrace && text[0] != Byte.openBracket
                throw error.located(in: text, from: start, isRecoverable: !isLast && !isText)
            }
        }
    }

    /// Returns the record of a value, with the key of its member and with its parent, if they are wanted.
    ///
    /// `{"a": {"size": 1}}` has `{"@key":"a","size": 1}` at `*`. A value that is not an object is the record, or the member `value`
    /// beside its parent. A record that has a member with the key of parents keeps this member.
    private func record(_ text: UnsafeBufferPointer<UInt8>, _ line: Int, _ index: Int) throws(RecordFault)
        -> SourceRecord
    {
        var members: [UInt8] = []
        if let memberKey, text.first == Byte.openBrace || !parent.isEmpty {
            members += "\"@key\":".utf8
            JSONWriter.writeString(memberKey, to: &members)
        }
        if !parent.isEmpty, !JSONScanner.keys(of: text).contains(where: { $0.hasSameCodePoints(as: parentKey ?? "") }) {
            if !members.isEmpty { members.append(Byte.comma) }
            members += parent
        }
        if members.isEmpty {
            return SourceRecord(value: try decoder.decode(text), raw: Array(text), line: line, index: index)
        }
        var raw: [UInt8] = []
        JSONScanner.append(members, before: text, to: &raw)
        let value = raw.withUnsafeBufferPointer { raw in
            Result { () throws(RecordFault) in try decoder.decode(raw) }
        }
        // A fault has its place in the record alone.
        if case .failure = value { _ = try decoder.decode(text) }
        return SourceRecord(value: try value.get(), raw: raw, line: line, index: index)
    }
}

/// The search for the values at a path.
private struct PathSearch {
    /// True inside an array on the path, or in an object whose members are all wanted. There, a value that lacks the path is
    /// not an error.
    var isInArray = false
    /// True if there was a record.
    var hasRecords = false
    /// True until a value was found at the path.
    var isMissing = true
    private let path: [RecordsPath.Step]
    /// The keys of the objects that lack the key of the path.
    private var keys: [String] = []

    /// The maximum number of keys that are kept for the message.
    private static let mostKeys = 100

    init(_ path: [RecordsPath.Step]) {
        self.path = path
    }

    /// Skips the members of an object up to the value of a key; returns false at the end of the object if it lacks the key.
    mutating func find(_ key: String, _ window: ByteWindow, _ limit: Int) throws(DataError) -> Bool {
        if !isInArray { keys = [] }
        try window.expectText()
        while window.bytes[0] != Byte.closeBrace {
            let found = try window.readKey(limit)
            if found.hasSameCodePoints(as: key) {
                keys = []
                return true
            }
            if keys.count < Self.mostKeys, !keys.contains(found) { keys.append(found) }
            try window.skipValue()
            try window.expectText()
            if window.bytes[0] == Byte.closeBrace { break }
            guard window.bytes[0] == Byte.comma else { throw window.position.error(.json(.expectedComma)) }
            window.drop(1)
            try window.expectText()
        }
        return false
    }

    func failure(_ window: ByteWindow) -> DataError {
        window.position.error(.recordsPathNotFound(RecordsPath.text(of: path), keys: keys))
    }
}

extension ByteWindow {
    /// Drops white space; throws if no byte follows.
    fileprivate func expectText() throws(DataError) {
        if try !skipWhitespace() { throw position.error(.json(.unexpectedEnd)) }
    }

    /// Reads a key and its colon.
    fileprivate func readKey(_ limit: Int) throws(DataError) -> String {
        guard bytes[0] == Byte.quote else { throw position.error(.json(.expectedKey)) }
        let start = position
        var boundary = JSONBoundary()
        guard case .whole(let length) = try cut(with: &boundary, limit: limit) else {
            throw start.error(.recordTooLong(limit: limit))
        }
        let key: String
        do {
            var parser = JSONParser(bytes.slice(0..<length))
            key = parser.makeString(try parser.scanString())
        } catch {
            throw RecordFault(error).located(in: bytes, from: start)
        }
        drop(length)
        try expectText()
        guard bytes[0] == Byte.colon else { throw position.error(.json(.expectedColon)) }
        drop(1)
        try expectText()
        return key
    }

    /// Skips a value in constant memory.
    fileprivate func skipValue() throws(DataError) {
        var boundary = JSONBoundary()
        if case .whole = try cut(with: &boundary, limit: 0) {
            throw position.error(.json(.expectedValue))
        }
    }

    /// Skips the rest of an open container, with its bracket.
    fileprivate func skipRest() throws(DataError) {
        var boundary = JSONBoundary(depth: 1)
        _ = try cut(with: &boundary, limit: 0)
        if !boundary.isClosed { throw position.error(.json(.unexpectedEnd)) }
    }
}

/// Paths to the records of a JSON document: keys separated by dots. A dot in a key is escaped.
///
/// `result.items`, `v1\.0.items`, `runs.results`, `packages.*`
package enum RecordsPath {
    /// A part of a path.
    enum Step: Hashable {
        case key(String)
        /// `*`: all members of an object, all elements of an array
        case every
    }

    /// Returns the steps of a path; `\*` is a key.
    static func steps(_ path: String) -> [Step] {
        keys(path).map { $0 == "*" ? .every : .key($0 == "\\*" ? "*" : $0) }
    }

    /// Returns the path that consists of some steps.
    static func text(of steps: [Step]) -> String {
        steps.map { step in
            switch step {
            case .key("*"): "\\*"
            case .key(let key): text(of: key)
            case .every: "*"
            }
        }.joined(separator: ".")
    }

    /// Returns the keys of a path.
    package static func keys(_ path: String) -> [String] {
        var keys = [""]
        var isEscaped = false
        for scalar in path.unicodeScalars {
            if isEscaped {
                if scalar != ".", scalar != "\\" { keys[keys.count - 1].unicodeScalars.append("\\") }
                keys[keys.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "." {
                keys.append("")
            } else {
                keys[keys.count - 1].unicodeScalars.append(scalar)
            }
        }
        if isEscaped { keys[keys.count - 1].unicodeScalars.append("\\") }
        return keys
    }

    /// Returns the path that consists of some keys.
    package static func text(of keys: [String]) -> String { keys.map(text).joined(separator: ".") }

    /// Returns a key with its dots escaped.
    package static func text(of key: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in key.unicodeScalars {
            if scalar == "." || scalar == "\\" { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }

    /// Returns the keys whose values are arrays of objects, for a document that was read as a single record.
    ///
    /// `{"total": 2, "items": [{"name": "jo"}, {"name": "al"}]}` has `items`.
    package static func candidates(in members: [String: PredicateValue]) -> [String] {
        members.keys.sorted().filter { key in
            guard !key.isEmpty, case .array(let elements)? = members[key], case .dictionary? = elements.first else {
                return false
            }
            return true
        }
    }
}

/// Decodes JSON records, which tend to have the same keys in the same order.
struct JSONRecordDecoder {
    private let typedKeys: [TypedKey]
    private let objects: JSONObjectDecoder

    init(_ options: RecordOptions) {
        typedKeys = options.readings.filter { $0.value.type.converts }.flatMap { name, reading in
            Set([[name], RecordsPath.keys(name)]).map { TypedKey(path: $0, reading: reading) }
        }
        objects = JSONObjectDecoder(keys: options.keysToRead)
    }

    /// Returns the value of a record.
    func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordFault) -> PredicateValue {
        let value: PredicateValue
        do throws(JSONFault) { value = try objects.decode(bytes) } catch { throw RecordFault(error) }
        guard !typedKeys.isEmpty, case .dictionary(var members) = value else { return value }
        for key in typedKeys { try convert(&members, at: key.path[...], key, bytes) }
        return .dictionary(members)
    }

    /// Converts the value at a path to its type: strings to any type, numbers to doubles, exact decimal numbers or dates.
    private func convert(
        _ members: inout [String: PredicateValue], at rest: ArraySlice<String>, _ key: TypedKey,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RecordFault) {
        guard let name = rest.first, let value = members[name] else { return }
        members[name] = try converted(value, at: rest.dropFirst(), key, bytes)
    }

    private func converted(
        _ value: PredicateValue, at rest: ArraySlice<String>, _ key: TypedKey, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(RecordFault) -> PredicateValue {
        switch value {
        case .dictionary(var members):
            try convert(&members, at: rest, key, bytes)
            return .dictionary(members)
        case .array(let elements):
            var values: [PredicateValue] = []
            for element in elements { values.append(try converted(element, at: rest, key, bytes)) }
            return .array(values)
        case .string(var text) where rest.isEmpty:
            guard let value = text.withUTF8({ key.reading.value(of: $0, isQuoted: true) }) else {
                throw key.fault(text, bytes)
            }
            return value
        case .integer, .double, .decimal:
            guard rest.isEmpty, key.reading.convertsNumbers,
                let range = try? JSONScanner.range(of: key.path, in: bytes),
                bytes[range.lowerBound] != Byte.openBracket
            else { return value }
            guard let value = key.reading.value(ofNumber: value, bytes.slice(range)) else {
                throw key.fault(bytes.text(range), bytes)
            }
            return value
        case .null, .nullObject, .bool, .string, .date, .data, .uuid, .url, .type, .set, .orderedSet, .object,
            .expression, .predicate:
            return value
        }
    }
}

/// A key path whose values have a type.
private struct TypedKey {
    let path: [String]
    let reading: ColumnReading

    /// Returns the error for a value of another type.
    func fault(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> RecordFault {
        let name = path.joined(separator: ".")
        let code: DataError.Code =
            reading.origin == .declared
            ? .typeMismatch(column: name, type: reading.type, found: text.excerpt)
            : .undatedValue(key: name, found: text.excerpt)
        return RecordFault(code, at: bytes.firstIndex { !$0.isWhitespace } ?? 0)
    }
}

extension String {
    /// The beginning of a string, for messages.
    var excerpt: String {
        unicodeScalars.count <= 60 ? self : String(unicodeScalars.prefix(59)) + "…"
    }
}
