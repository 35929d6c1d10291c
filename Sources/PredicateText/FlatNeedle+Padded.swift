/// Texts that have readable bytes behind them, such as those that lie one behind the other: no branch goes by their
/// length.
extension FlatNeedle {
    /// `name CONTAINS[cd] "oh"`, of a text behind which sixteen bytes may be read.
    @inlinable
    @inline(__always)
    package func isContained(inPadded text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0, text.count <= 16, count > 0, count <= 8 else {
            return bytes.isContained(in: text)
        }
        let short = ShortText(padded: start, text.count)
        if (short.low | short.high) & words.table != 0 { return bytes.isContained(folding: text) }
        let places = text.count &- count &+ 1
        return places > 0 && isContained(in: short, places)
    }

    /// `name BEGINSWITH[cd] "jo"`, of a text behind which eight bytes may be read.
    @inlinable
    @inline(__always)
    package func isPrefix(ofPadded text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0, count > 0, count <= 8 else {
            return bytes.isPrefix(of: text)
        }
        let word = Word(at: start) & .first(min(text.count, 8))
        if word & words.table & words.head.mask != 0 { return bytes.isPrefix(of: text) }
        return words.head.fits(word) && text.count >= count
    }
}

extension ShortText {
    /// The same of 1 to 16 bytes with others behind them, which are masked away.
    @inlinable
    @inline(__always)
    init(padded start: UnsafePointer<UInt8>, _ count: Int) {
        low = Word(at: start) & .first(min(count, 8))
        high = (count > 8 ? ~0 : 0) & Word(at: start + 8) & .first(max(count &- 8, 1))
    }
}
