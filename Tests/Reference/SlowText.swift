import Foundation

import PredicateText

/// The slow and obvious forms of what the room does, written without its table and its cursors.
package enum SlowText {
    /// The fold of one code point from what the standard library and Foundation know of it.
    package static func fold(_ scalar: Unicode.Scalar, _ mode: FoldMode) -> [Unicode.Scalar] {
        switch mode {
        case .none: [scalar]
        case .caseInsensitive: foldCase(scalar)
        case .diacriticInsensitive: dropMarks(scalar)
        case .caseAndDiacriticInsensitive: dropMarks(scalar).flatMap(foldCase)
        }
    }

    package static func fold(_ string: String, _ mode: FoldMode) -> [Unicode.Scalar] {
        string.unicodeScalars.flatMap { fold($0, mode) }
    }

    /// The small letters of the capitals of the small letters, but for the dotless i, which no fold touches.
    private static func foldCase(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        guard scalar != "\u{131}" else { return [scalar] }
        return small([scalar]).flatMap { $0.properties.uppercaseMapping.unicodeScalars }.flatMap { small([$0]) }
    }

    private static func small(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
    }

    private static func dropMarks(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if 0xAC00...0xD7A3 ~= scalar.value { return [scalar] }
        let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
        return parts.filter { $0.properties.generalCategory != .nonspacingMark }
    }
}

extension SlowText {
    package static func contains(_ text: [Unicode.Scalar], _ needle: [Unicode.Scalar]) -> Bool {
        guard !needle.isEmpty, needle.count <= text.count else { return false }
        return (0...(text.count - needle.count)).contains { text[$0...].starts(with: needle) }
    }

    package static func begins(_ text: [Unicode.Scalar], _ needle: [Unicode.Scalar]) -> Bool {
        !needle.isEmpty && text.starts(with: needle)
    }

    package static func ends(_ text: [Unicode.Scalar], _ needle: [Unicode.Scalar]) -> Bool {
        !needle.isEmpty && text.reversed().starts(with: needle.reversed())
    }

    package static func compare(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

extension SlowText {
    package enum Token: Equatable {
        case star
        case any
        case literal(Unicode.Scalar)
    }

    package static func tokens(_ pattern: String, _ mode: FoldMode) -> [Token] {
        var rest = Array(pattern.unicodeScalars)
        var tokens: [Token] = []
        while !rest.isEmpty {
            let first = rest.removeFirst()
            if first == "*" {
                tokens.append(.star)
            } else if first == "?" {
                tokens.append(.any)
            } else if first == "\\", !rest.isEmpty {
                tokens += fold(rest.removeFirst(), mode).map(Token.literal)
            } else {
                tokens += fold(first, mode).map(Token.literal)
            }
        }
        return tokens
    }

    package static func matches(_ text: ArraySlice<Unicode.Scalar>, _ tokens: ArraySlice<Token>) -> Bool {
        guard let token = tokens.first else { return text.isEmpty }
        let others = tokens.dropFirst()
        switch token {
        case .star: return matches(text, others) || (!text.isEmpty && matches(text.dropFirst(), tokens))
        case .any: return !text.isEmpty && matches(text.dropFirst(), others)
        case .literal(let scalar): return text.first == scalar && matches(text.dropFirst(), others)
        }
    }
}
