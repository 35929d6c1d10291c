/// Which of the objects that match are wanted: so many, from there on.
struct Page {
    let limit: Int?
    let offset: Int

    /// Throws `negative`.
    init(_ request: FetchRequest) throws(StoreError) {
        if let limit = request.limit, limit < 0 { throw StoreError(.negative("a limit", limit)) }
        if let offset = request.offset, offset < 0 { throw StoreError(.negative("an offset", offset)) }
        limit = request.limit
        offset = request.offset ?? 0
    }

    /// Whether all objects are wanted.
    var isWhole: Bool { limit == nil && offset == 0 }

    /// How many of so many objects are in it.
    func count(of total: Int) -> Int {
        let rest = max(0, total - offset)
        return limit.map { min($0, rest) } ?? rest
    }
}
