import PredicateSyntax

/// Finds values in a JSON document without building them.
///
/// `{"n": 1.10}`: the value of `n` is at bytes 6..<10.
package enum JSONScanner {
    /// Returns the range of the value at a key path, nil if there is none: `["address", "city"]`. The last of
    /// duplicate keys counts. Throws a ``JSONError`` if the document is invalid.
    package static func range(
        of path: [String], in bytes: UnsafeBufferPointer<UInt8>
    ) throws(JSONError) -> Range<Int>? {
        do {
            var range = 0..<bytes.count
            for key in path {
                var parser = JSONParser(bytes.slice(0..<range.upperBound))
                parser.index = range.lowerBound
                guard let next = try parser.memberRange(key) else { return nil }
                range = next
            }
            return range
        } catch {
            throw error.located(in: bytes)
        }
    }

    /// Appends the value at a key path, copied from the document, or `null` if there is no value. An array on the path gives an
    /// array with one value for each element. Returns false if no value was found, and nil if the only arrays are empty.
    ///
    /// `{"labels": [{"name": "bug"}, {}]}` has `["bug",null]` at `labels.name`.
    package static func append(
        _ path: [String], in bytes: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]
    ) throws(JSONError) -> Bool? {
        do {
            return try JSONParser.append(path[...], in: bytes, 0..<bytes.count, to: &result)
        } catch {
            throw error.located(in: bytes)
        }
    }

    /// Appends an object with additional members before its own. A value that is not an object becomes the member `value`.
    package static func append(_ members: [UInt8], before json: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        let start = json.firstIndex { !$0.isWhitespace } ?? json.count
        let isObject = start < json.count && json[start] == Byte.openBrace
        let isEmpty = isObject && json[(start + 1)...].first { !$0.isWhitespace } == Byte.closeBrace
        bytes.append(Byte.openBrace)
        bytes += members
        if !members.isEmpty, !isEmpty { bytes.append(Byte.comma) }
        if isObject { return bytes.append(contentsOf: json[(start + 1)...]) }
        bytes.append(contentsOf: "\"value\":".utf8)
        bytes.append(contentsOf: json)
        bytes.append(Byte.closeBrace)
    }

    /// Returns the keys of an object, in order; none for other values and invalid JSON.
    package static func keys(of bytes: UnsafeBufferPointer<UInt8>) -> [String] {
        var (parser, keys): (JSONParser, [String]) = (JSONParser(bytes), [])
        let isObject = try? parser.forEachMember { key, _ in keys.append(JSONParser(bytes).makeString(key)) }
        return isObject == true ? keys : []
    }

    /// Returns the keys of an object and the JSON of their values, in order; nil for other values.
    package static func members(of bytes: [UInt8]) -> [(key: String, text: [UInt8])]? {
        bytes.withUnsafeBufferPointer { buffer in
            var (parser, members): (JSONParser, [(key: String, text: [UInt8])]) = (JSONParser(buffer), [])
            let isObject = try? parser.forEachMember { key, value in
                members.append((JSONParser(buffer).makeString(key), Array(buffer[value])))
            }
            return isObject == true ? members : nil
        }
    }
}

extension JSONScanner {
    /// Returns JSON without white space between tokens.
    package static func compact(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        forEachByte(of: json) { byte, _ in result.append(byte) }
        return result
    }

    /// Returns JSON with each member and element on a line of its own, indented by two spaces for each level.
    package static func indented(_ json: [UInt8], level: Int = 0) -> [UInt8] {
        var result: [UInt8] = []
        var level = level
        func breakLine() {
            result.append(Byte.lineFeed)
            for _ in 0..<level { result += [Byte.space, Byte.space] }
        }
        var isOpened = false
        forEachByte(of: json) { byte, isInString in
            let isClosing = !isInString && (byte == Byte.closeBrace || byte == Byte.closeBracket)
            if isClosing { level -= 1 }
            if isOpened != isClosing { breakLine() }
            isOpened = !isInString && (byte == Byte.openBrace || byte == Byte.openBracket)
            if isOpened { level += 1 }
            result.append(byte)
            if isInString { return }
            if byte == Byte.comma { breakLine() }
            if byte == Byte.colon { result.append(Byte.space) }
        }
        return result
    }

    /// Calls a function for each byte except white space between tokens, and tells it whether the byte is in a string.
    private static func forEachByte(of json: [UInt8], _ body: (_ byte: UInt8, _ isInString: Bool) -> Void) {
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                body(byte, true)
                isInString = isEscaped || byte != Byte.quote
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte > Byte.space {
                isInString = byte == Byte.quote
                body(byte, isInString)
            }
        }
    }
}

extension JSONParser {
    fileprivate static func append(
        _ path: ArraySlice<String>, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to result: inout [UInt8]
    ) throws(JSONFault) -> Bool? {
        guard let key = path.first else {
            result.append(contentsOf: bytes[range])
            return true
        }
        var parser = JSONParser(bytes.slice(0..<range.upperBound))
        parser.index = range.lowerBound
        if let elements = try parser.elementRanges() {
            var isFound: Bool?
            result.append(Byte.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { result.append(Byte.comma) }
                let isHere = try append(path, in: bytes, element, to: &result)
                isFound = isFound.map { isHere == true || $0 } ?? isHere
            }
            result.append(Byte.closeBracket)
            return isFound
        }
        if let member = try parser.memberRange(key) {
            return try append(path.dropFirst(), in: bytes, member, to: &result)
        }
        result.append(contentsOf: "null".utf8)
        return false
    }

    /// Returns the ranges of the elements of the array at the cursor; nil for other values.
    private mutating func elementRanges() throws(JSONFault) -> [Range<Int>]? {
        skipWhitespace()
        guard index < bytes.count, bytes[index] == Byte.openBracket else { return nil }
        guard try openContainer(closing: Byte.closeBracket, depth: 1) else { return [] }
        var ranges: [Range<Int>] = []
        repeat {
            let start = index
            try skipValue(depth: 1)
            ranges.append(start..<index)
        } while try continueContainer(closing: Byte.closeBracket)
        return ranges
    }

    /// Passes the keys of the object at the cursor to a closure, with the ranges of their values. Returns false for other values.
    fileprivate mutating func forEachMember(_ body: (StringSpan, Range<Int>) -> Void) throws(JSONFault) -> Bool {
        skipWhitespace()
        guard index < bytes.count, bytes[index] == Byte.openBrace else { return false }
        guard try openContainer(closing: Byte.closeBrace, depth: 1) else { return true }
        repeat {
            let key = try scanKey()
            let start = index
            try skipValue(depth: 1)
            body(key, start..<index)
        } while try continueContainer(closing: Byte.closeBrace)
        return true
    }

    /// Returns the range of a key's value in the object at the cursor; nil for other values and missing keys.
    fileprivate mutating func memberRange(_ key: String) throws(JSONFault) -> Range<Int>? {
        let text = self
        var found: Range<Int>?
        _ = try forEachMember { span, value in if text.isString(span, key) { found = value } }
        return found
    }
}
