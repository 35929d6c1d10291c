import PredicateText

/// What a loop over strings asks of each of them.
///
/// A type for each question, and no closure: loops that differ in a closure alone are merged into one that calls it for
/// every string, and a call costs as much as most answers.
protocol TextQuestion {
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool
}

/// `name BEGINSWITH "jo"`
struct PrefixQuestion: TextQuestion {
    let needle: FlatNeedle

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isPrefix(of: text) }
}

/// `name ENDSWITH "jo"`
struct SuffixQuestion: TextQuestion {
    let needle: FlatNeedle

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isSuffix(of: text) }
}

/// `name CONTAINS "jo"`
struct PieceQuestion: TextQuestion {
    let needle: FlatNeedle

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isContained(in: text) }
}

/// `name == "jo"`
struct EqualQuestion: TextQuestion {
    let needle: FlatNeedle

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isEqual(to: text) }
}

/// `name LIKE "j?h*n"`
struct TokenQuestion: TextQuestion {
    let needle: FlatNeedle

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.fits(text) }
}

/// `name < "m"`
struct OrderQuestion: TextQuestion {
    let needle: FlatNeedle
    let test: TextTest

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { test.admits(needle.order(of: text)) }
}

/// `name IN {"jo", "al"}`
struct MemberQuestion: TextQuestion {
    let test: TextTest

    @inline(__always)
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { test.hasMember(text) }
}
