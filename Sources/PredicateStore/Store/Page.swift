import PredicateSyntax

/// The page of a request: an optional limit, and the number of matching objects to skip.
struct Page {
    let limit: Int?
    let offset: Int

    /// Throws `negativeLimit` or `negativeOffset`.
    init(_ request: FetchRequest) throws(StoreError) {
        if let limit = request.limit, limit < 0 { throw StoreError(.negativeLimit(limit)) }
        if let offset = request.offset, offset < 0 { throw StoreError(.negativeOffset(offset)) }
        limit = request.limit
        offset = request.offset ?? 0
    }

    /// True if the page has neither a limit nor an offset.
    var isWhole: Bool { limit == nil && offset == 0 }

    /// The number of rows on this page, of `total`.
    func count(of total: Int) -> Int {
        let rest = max(0, total - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
