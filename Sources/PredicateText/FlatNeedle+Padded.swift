/// Comparisons with texts that are padded by readable bytes, such as texts stored one after the other: no branch depends
/// on their length.
extension FlatNeedle {
    /// `name CONTAINS[cd] "oh"`, of a text with sixteen bytes of padding.
    @inlinable
    @inline(__always)
    package func isContained(inPadded text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0, text.count <= 16, count > 0, count <= 8 else {
            return bytes.isContained(in: text)
        }
        let short = ShortText(padded: start, text.count)
        if (short.low | short.high) & words.table != 0 { return bytes.isContained(folding: text) }
        let starts = text.count &- count &+ 1
        return starts > 0 && isContained(in: short, starts)
    }

    /// `name BEGINSWITH[cd] "jo"`, of a text with eight bytes of padding.
    @inlinable
    @inline(__always)
    package func isPrefix(ofPadded text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0, count > 0, count <= words.reach else {
            return bytes.isPrefix(of: text)
        }
        let word = Word(at: start) & .first(min(text.count, 8))
        if word & words.tableOfStart != 0 { return bytes.isPrefix(of: text) }
        return words.head.fits(word) && text.count >= count
    }
}

extension ShortText {
    /// A text of 1 to 16 bytes with padding, which is masked away.
    @inlinable
    @inline(__always)
    init(padded start: UnsafePointer<UInt8>, _ count: Int) {
        low = Word(at: start) & .first(min(count, 8))
        high = (count > 8 ? ~0 : 0) & Word(at: start + 8) & .first(max(count &- 8, 1))
    }
}
