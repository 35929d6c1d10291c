extension LintEdit {
    /// The edits of several fixes in the order of the source; a fix that touches what another one changes is left out.
    static func merged(_ fixes: [LintFix]) -> [LintEdit] {
        var result: [LintEdit] = []
        for fix in fixes where !fix.edits.contains(where: { edit in result.contains { $0.conflicts(with: edit) } }) {
            result += fix.edits
        }
        return result.enumerated().sorted {
            ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
                < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
        }.map(\.element)
    }

    private func conflicts(with other: LintEdit) -> Bool {
        if range.isEmpty || other.range.isEmpty {
            // Two insertions at one place follow each other.
            return !(range.isEmpty && other.range.isEmpty)
                && range.lowerBound < other.range.upperBound && other.range.lowerBound < range.upperBound
        }
        return range.overlaps(other.range)
    }

    /// The source after edits, which are in its order and do not overlap.
    package static func apply(_ edits: [LintEdit], to source: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(source.count + 64)
        var offset = 0
        for edit in edits where edit.range.lowerBound >= offset && edit.range.upperBound <= source.count {
            result += source[offset..<edit.range.lowerBound]
            result += Array(edit.replacement.utf8)
            offset = edit.range.upperBound
        }
        return result + source[offset...]
    }
}
