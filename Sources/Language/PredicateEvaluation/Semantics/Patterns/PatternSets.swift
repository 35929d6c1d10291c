import Foundation
import PredicateSyntax
import PredicateText
import Synchronization

/// The sets of code points that parts of a regular expression match: `[a-z]`, `\d`, `\p{Lu}`.
///
/// Common sets are read here. All others are the code points that ICU finds, so that their meaning is ICU's.
struct PatternSets {
    private let tree: PatternTree
    /// False for untrusted patterns, since each set takes ICU some thousandths of a second.
    private let asksICU: Bool

    init(_ tree: PatternTree, asksICU: Bool) {
        (self.tree, self.asksICU) = (tree, asksICU)
    }

    /// Returns the code points of `\d`, `\h`, `\p{Lu}`; nil for an escape that is not a class.
    func set(_ escape: PatternEscape, ignoringCase: Bool) -> CodePointSet? {
        switch escape.letter {
        case "d": .digits
        case "D": CodePointSet.digits.inverted
        case "s": .spaces
        case "S": CodePointSet.spaces.inverted
        case "w": .words
        case "W": CodePointSet.words.inverted
        case "v": CodePointSet.line.inverted
        case "V": .line
        case "h", "H": set(escape.range, ignoringCase: false)
        case "p", "P": escape.argument == nil ? nil : set(escape.range, ignoringCase: ignoringCase)
        default: nil
        }
    }

    /// Returns the code points that ICU finds for a part of the pattern.
    private func set(_ range: Range<Int>, ignoringCase: Bool) -> CodePointSet? {
        asksICU ? ICUSets.set(of: tree.text(range), ignoringCase: ignoringCase) : nil
    }

    /// Returns the code points of `[a-z]`; nil for an unclosed set, and for one of unusual code points.
    func set(_ set: PatternSet, ignoringCase: Bool) -> CodePointSet? {
        guard set.isClosed else { return nil }
        if let members = members(set), !ignoringCase || members.allSatisfy({ $0.upperBound < 0x80 }) {
            let closed = ignoringCase ? LetterFolds.closure(ofASCII: members) : CodePointSet(members)
            return set.isInverted ? closed.inverted : closed
        }
        return Self.isKnown(set) ? self.set(set.range, ignoringCase: ignoringCase) : nil
    }

    /// Returns the members of a set of letters, digits, common marks, ranges of letters, and classes; nil for others.
    private func members(_ set: PatternSet) -> [ClosedRange<UInt32>]? {
        var ranges: [ClosedRange<UInt32>] = []
        for (index, member) in set.members.enumerated() {
            switch member {
            case .character(let character):
                let isLast = index > 0 && index == set.members.count - 1
                guard Self.isPlain(character) || isLast && character.scalar == "-" else { return nil }
                ranges.append(character.scalar.value...character.scalar.value)
            case .range(let low, let high):
                guard let high, Self.isLetter(low), Self.isLetter(high), low.scalar <= high.scalar else { return nil }
                ranges.append(low.scalar.value...high.scalar.value)
            case .escape(let escape):
                guard ["d", "s", "w"].contains(escape.letter), let set = self.set(escape, ignoringCase: false) else {
                    return nil
                }
                ranges += set.ranges
            case .set, .operator: return nil
            }
        }
        return ranges
    }

    private static func isPlain(_ character: PatternCharacter) -> Bool {
        switch character.spelling {
        case .plain: isLetter(character) || "._@,;/%+ ".unicodeScalars.contains(character.scalar)
        case .escaped: character.scalar.isASCII
        case .code, .quoted: false
        }
    }

    private static func isLetter(_ character: PatternCharacter) -> Bool {
        character.spelling == .plain && (Self.letters.contains(character.scalar) || character.scalar.value >= 0xC0)
    }

    private static let letters = CodePointSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])

    /// True if ``ICUSets`` holds every code point that a set names, not only a sample that stands for it.
    private static func isKnown(_ set: PatternSet) -> Bool {
        set.members.allSatisfy { member in
            switch member {
            case .character(let character): ICUSets.isSingle(character.scalar)
            case .range(let low, let high):
                ICUSets.isSingle(low.scalar) && high.map { ICUSets.isSingle($0.scalar) } ?? true
            case .escape, .operator: true
            case .set(let inner): isKnown(inner)
            }
        }
    }
}

// MARK: - ICU's sets

/// Finds the code points of a set by letting ICU match an expression against all code points.
enum ICUSets {
    /// The code points that continue a character, which `\b` skips.
    static let extenders = set(of: "[\\p{Grapheme_Extend}\\p{Cf}]", ignoringCase: false) ?? CodePointSet([])

    private static let known = Mutex<[[UInt8]: CodePointSet]>([:])
    private static let mostKnown = 256
    private static let all = AllCodePoints()

    /// Returns the code points that an expression for one character matches: `[[:alpha:]&&[^x]]`. Nil if it is
    /// invalid. The first call takes some hundredths of a second, and each new set some thousandths.
    static func set(of expression: String, ignoringCase: Bool) -> CodePointSet? {
        let key = [ignoringCase ? 1 : 0] + Array(expression.utf8)
        if let set = known.withLock({ $0[key] }) { return set }
        let options: NSRegularExpression.Options = ignoringCase ? .caseInsensitive : []
        guard let matcher = try? NSRegularExpression(pattern: "(?:" + expression + ")+", options: options) else {
            return nil
        }
        let set = all.set(of: matcher)
        known.withLock { known in
            if known.count >= mostKnown { known.removeAll() }
            known[key] = set
        }
        return set
    }

    /// True for a code point that is matched by itself, false for one in a range that a sample stands for.
    static func isSingle(_ scalar: Unicode.Scalar) -> Bool { AllCodePoints.isSingle(scalar.value) }
}

/// A string of all code points. A range of unassigned or private code points has one sample, since their properties
/// are the same.
private struct AllCodePoints: Sendable {
    private struct Segment {
        let range: ClosedRange<UInt32>
        let isSample: Bool
        /// The code units of the segment in the string, and the number of code units per code point.
        let units: Range<Int>
        let width: Int

        /// Returns the code points of these units.
        func codePoints(_ found: Range<Int>) -> ClosedRange<UInt32>? {
            let part = found.clamped(to: units)
            guard !part.isEmpty, !isSample else { return part.isEmpty ? nil : range }
            let first = UInt32((part.lowerBound - units.lowerBound) / width)
            return range.lowerBound + first...range.lowerBound + first + UInt32(part.count / width) - 1
        }
    }

    private var segments: [Segment] = []
    private var text = ""

    private static let last: UInt32 = 0x323FF
    private static let tags: ClosedRange<UInt32> = 0xE0000...0xE0FFF

    static func isSingle(_ value: UInt32) -> Bool { value <= last || tags.contains(value) }

    init() {
        add(0...0xD7FF)
        add(0xE000...0xFFFF)
        add(0x10000...Self.last)
        addPlane(from: Self.last + 1)
        for plane in UInt32(4)...16 {
            if plane == 14 { add(Self.tags) }
            addPlane(from: plane == 14 ? Self.tags.upperBound + 1 : plane << 16)
        }
    }

    /// Adds samples of the rest of a plane and of its last two code points, which are not characters.
    private mutating func addPlane(from first: UInt32) {
        add(first...(first | 0xFFFF) - 2, isSample: true)
        add((first | 0xFFFF) - 1...first | 0xFFFF, isSample: true)
    }

    private mutating func add(_ range: ClosedRange<UInt32>, isSample: Bool = false) {
        let scalars = (isSample ? range.lowerBound...range.lowerBound : range).compactMap(Unicode.Scalar.init)
        let (start, width) = (segments.last?.units.upperBound ?? 0, range.lowerBound < 0x10000 ? 1 : 2)
        segments.append(
            Segment(range: range, isSample: isSample, units: start..<start + scalars.count * width, width: width))
        text.unicodeScalars.append(contentsOf: scalars)
    }

    func set(of matcher: NSRegularExpression) -> CodePointSet {
        var ranges: [ClosedRange<UInt32>] = []
        let whole = NSRange(location: 0, length: segments.last?.units.upperBound ?? 0)
        matcher.enumerateMatches(in: text, range: whole) { match, _, _ in
            guard let found = match?.range else { return }
            ranges += segments.compactMap { $0.codePoints(found.location..<found.location + found.length) }
        }
        return CodePointSet(ranges)
    }
}
