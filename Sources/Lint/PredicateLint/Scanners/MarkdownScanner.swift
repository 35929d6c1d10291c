/// Finds the code blocks in Markdown, by language.
///
///     ```swift
///     NSPredicate(format: "age > %d", 21)
///     ```
enum MarkdownScanner {
    /// For each language, the source with blanks in place of everything outside its code blocks, so that offsets do not change.
    static func sources(in source: [UInt8]) -> [(kind: SourceKind, source: [UInt8])] {
        let blocks = source.withUnsafeBufferPointer { Self.blocks(in: Bytes($0)) }
        return SourceKind.allCases.compactMap { kind in
            let own = blocks.filter { $0.kind == kind }.map(\.range)
            guard !own.isEmpty else { return nil }
            var masked = source.map { $0.isNewline ? $0 : UInt8(ascii: " ") }
            for range in own { masked.replaceSubrange(range, with: source[range]) }
            return (kind, masked)
        }
    }

    private static func blocks(in bytes: Bytes) -> [(kind: SourceKind, range: Range<Int>)] {
        var found: [(kind: SourceKind, range: Range<Int>)] = []
        var line = 0
        while line < bytes.count {
            let lineEnd = bytes.lineEnd(from: line)
            let mark = bytes.spaceOnLineEnd(from: line, to: lineEnd)
            // Backquotes at the beginning of a line that contains further ones are code within a paragraph.
            if let fence = fence(at: mark, bytes),
                fence.byte == UInt8(ascii: "~") || !bytes.text(mark + fence.count..<lineEnd).contains("`")
            {
                let start = min(lineEnd + 1, bytes.count)
                let close = self.close(of: fence, from: start, bytes)
                if let kind = kind(named: bytes.text(mark + fence.count..<lineEnd)), start < close.lowerBound {
                    found.append((kind, start..<close.lowerBound))
                }
                line = close.upperBound
            } else {
                line = lineEnd + 1
            }
        }
        return found
    }

    private struct Fence {
        var byte: UInt8
        var count: Int
    }

    /// Three or more backquotes or tildes at the beginning of a line.
    private static func fence(at start: Int, _ bytes: Bytes) -> Fence? {
        let byte = bytes[start]
        guard byte == UInt8(ascii: "`") || byte == UInt8(ascii: "~") else { return nil }
        var end = start
        while bytes[end] == byte { end += 1 }
        return end - start >= 3 ? Fence(byte: byte, count: end - start) : nil
    }

    /// The line that closes a block; the end of the source if there is none.
    private static func close(of fence: Fence, from start: Int, _ bytes: Bytes) -> Range<Int> {
        var line = start
        while line < bytes.count {
            let lineEnd = bytes.lineEnd(from: line)
            let mark = bytes.spaceOnLineEnd(from: line, to: lineEnd)
            if let end = self.fence(at: mark, bytes), end.byte == fence.byte, end.count >= fence.count,
                bytes.spaceOnLineEnd(from: mark + end.count, to: lineEnd) == lineEnd
            {
                return line..<lineEnd + 1
            }
            line = lineEnd + 1
        }
        return bytes.count..<bytes.count
    }

    private static func kind(named info: String) -> SourceKind? {
        let name = info.drop(while: \.isWhitespace).prefix { $0.isLetter || $0 == "-" || $0 == "+" || $0 == "#" }
        switch name.lowercased() {
        case "swift": return .swift
        case "objc", "objective-c", "objectivec", "obj-c": return .objectiveC
        case "sh", "bash", "zsh", "shell", "console", "python", "py", "yaml", "yml", "ruby": return .script
        case "xml", "plist": return .propertyList
        case "java", "kotlin", "javascript", "js", "typescript", "ts", "csharp", "c#": return .program
        default: return nil
        }
    }
}

extension Bytes {
    /// The first offset on a line that is not blank.
    fileprivate func spaceOnLineEnd(from start: Int, to end: Int) -> Int { min(blankEnd(from: start), end) }
}
