/// A pattern for paths: `Pods/`, `*.generated.swift`, `Sources/**/Legacy*.m`.
///
/// `*` stands for characters other than `/`, `**` for any, `?` for one. A pattern without `/` inside is compared with each
/// component, one with it with the whole path; one that ends with `/` means a directory with all that it holds.
package struct PathPattern: Hashable, Sendable {
    private let pattern: [UInt8]
    private let isName: Bool

    package init(_ text: String) {
        var pattern = Array(text.utf8)
        while pattern.starts(with: "./".utf8) { pattern.removeFirst(2) }
        while pattern.last == UInt8(ascii: "/") { pattern.removeLast() }
        self.pattern = pattern
        isName = !pattern.contains(UInt8(ascii: "/"))
    }

    /// True for a path, and for one below a directory that matches.
    package func matches(_ path: String) -> Bool {
        let components = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        if isName { return components.contains { Self.matches($0[...], pattern[...]) } }
        return components.indices.contains { end in
            let prefix = Array(components[...end].joined(separator: CollectionOfOne(UInt8(ascii: "/"))))
            return Self.matches(prefix[...], pattern[...])
        }
    }

    /// Compares with backtracking to the last star of each kind only, so that the time is at most quadratic.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        let (text, pattern) = (Array(text), Array(pattern))
        var reachable = [Bool](repeating: false, count: text.count + 1)
        reachable[0] = true
        var index = 0
        while index < pattern.count {
            let isStar = pattern[index] == UInt8(ascii: "*")
            let isDouble = isStar && index + 1 < pattern.count && pattern[index + 1] == UInt8(ascii: "*")
            if isStar {
                // After `**/` the slash may be missing.
                let mayVanish = isDouble && index + 2 < pattern.count && pattern[index + 2] == UInt8(ascii: "/")
                let before = reachable
                for offset in text.indices where reachable[offset] && (isDouble || text[offset] != UInt8(ascii: "/")) {
                    reachable[offset + 1] = true
                }
                index += isDouble ? 2 : 1
                if mayVanish {
                    var next = [Bool](repeating: false, count: text.count + 1)
                    for offset in text.indices where reachable[offset] && text[offset] == UInt8(ascii: "/") {
                        next[offset + 1] = true
                    }
                    for offset in before.indices where before[offset] { next[offset] = true }
                    reachable = next
                    index += 1
                }
                continue
            }
            var next = [Bool](repeating: false, count: text.count + 1)
            for offset in text.indices where reachable[offset] && accepts(text[offset], pattern[index]) {
                next[offset + 1] = true
            }
            reachable = next
            index += 1
        }
        return reachable[text.count]
    }

    private static func accepts(_ byte: UInt8, _ pattern: UInt8) -> Bool {
        pattern == UInt8(ascii: "?") ? byte != UInt8(ascii: "/") : byte == pattern
    }
}
