/// A unified diff, as written by `diff -u`.
///
/// The edits determine which lines may change, so the time is linear in the file. Adjacent changed lines are compared with
/// their new text by the standard library's shortest difference. More than `mostCompared` lines are shown as replaced, except
/// for equal lines at the beginning and end.
///
/// A diff is text, so it cannot contain a line that is not UTF-8: such a line ends the context, and a change of it is left out.
enum LineDiff {
    private static let context = 3
    private static let mostCompared = 1000

    /// Returns an empty string if nothing changes. `edits` turn the old file into the new one. As in Git's patches, an absolute
    /// path loses its leading slash.
    static func text(path: String, old: [UInt8], edits: [LintEdit]) -> String {
        let lines = split(old[...])
        let name = path.drop { $0 == "/" }
        var text = ""
        var shift = 0
        for hunk in hunks(changes(of: edits, in: old, lines), lines) { text += Self.text(of: hunk, lines, &shift) }
        return text.isEmpty ? "" : "--- a/\(name)\n+++ b/\(name)\n" + text
    }

    /// A line with its line feed, which the last line may lack.
    private typealias Line = ArraySlice<UInt8>

    /// Consecutive lines that are replaced by others.
    private struct Change {
        var removed: Range<Int>
        var added: [Line]
    }

    private static func split(_ bytes: ArraySlice<UInt8>) -> [Line] {
        var lines: [Line] = []
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
            lines.append(bytes[start..<end])
            start = end
        }
        return lines
    }

    private static func isText(_ line: Line) -> Bool { String(validating: line, as: UTF8.self) != nil }

    // MARK: Changes

    private static func changes(of edits: [LintEdit], in old: [UInt8], _ lines: [Line]) -> [Change] {
        blocks(edits, lines).flatMap { block in
            let before = lines[block.lines]
            guard let start = before.first?.startIndex, let end = before.last?.endIndex else { return [Change]() }
            let moved = block.edits.map {
                LintEdit(
                    range: $0.range.lowerBound - start..<$0.range.upperBound - start, replacement: $0.replacement)
            }
            let after = split(LintEdit.apply(moved, to: Array(old[start..<end]))[...])
            let changes = difference(Array(before), after, at: block.lines.lowerBound)
            return changes.allSatisfy { (lines[$0.removed] + $0.added).allSatisfy(isText) } ? changes : []
        }
    }

    /// The adjacent lines that edits touch, with these edits.
    private static func blocks(_ edits: [LintEdit], _ lines: [Line]) -> [(lines: Range<Int>, edits: [LintEdit])] {
        var blocks: [(lines: Range<Int>, edits: [LintEdit])] = []
        for edit in edits where !lines.isEmpty {
            let first = index(of: edit.range.lowerBound, lines)
            let end = index(of: edit.range.upperBound, lines) + 1
            if let last = blocks.last, first <= last.lines.upperBound {
                blocks[blocks.count - 1].lines = last.lines.lowerBound..<max(end, last.lines.upperBound)
                blocks[blocks.count - 1].edits.append(edit)
            } else {
                blocks.append((first..<end, [edit]))
            }
        }
        return blocks
    }

    /// The index of the line that contains an offset.
    private static func index(of offset: Int, _ lines: [Line]) -> Int {
        max(lines.firstIndex(from: offset + 1, \.startIndex) - 1, 0)
    }

    /// The shortest changes that turn some lines into others; `start` is the index of the first line in the file.
    private static func difference(_ old: [Line], _ new: [Line], at start: Int) -> [Change] {
        guard old.count + new.count <= mostCompared else { return [replacement(old, new, at: start)] }
        let difference = new.difference(from: old)
        let removed = Set(difference.removals.map(offset))
        let inserted = Set(difference.insertions.map(offset))
        var changes: [Change] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            let (first, firstNew) = (before, after)
            while removed.contains(before) { before += 1 }
            while inserted.contains(after) { after += 1 }
            if before == first, after == firstNew {
                (before, after) = (before + 1, after + 1)
            } else {
                changes.append(Change(removed: start + first..<start + before, added: Array(new[firstNew..<after])))
            }
        }
        return changes
    }

    private static func offset(_ change: CollectionDifference<Line>.Change) -> Int {
        switch change {
        case .remove(let offset, _, _), .insert(let offset, _, _): offset
        }
    }

    /// One change, which excludes equal lines at the beginning and end.
    private static func replacement(_ old: [Line], _ new: [Line], at start: Int) -> Change {
        let first = zip(old, new).prefix { $0 == $1 }.count
        let last = zip(old[first...].reversed(), new[first...].reversed()).prefix { $0 == $1 }.count
        return Change(
            removed: start + first..<start + old.count - last, added: Array(new[first..<new.count - last]))
    }

    // MARK: Hunks

    /// Groups of changes with few lines between them, all of which are text.
    private static func hunks(_ changes: [Change], _ lines: [Line]) -> [[Change]] {
        var hunks: [[Change]] = []
        for change in changes {
            if let last = hunks.last?.last?.removed.upperBound, change.removed.lowerBound - last <= 2 * context,
                lines[last..<change.removed.lowerBound].allSatisfy(isText)
            {
                hunks[hunks.count - 1].append(change)
            } else {
                hunks.append([change])
            }
        }
        return hunks
    }

    private static func text(of hunk: [Change], _ lines: [Line], _ shift: inout Int) -> String {
        let (first, last) = (hunk[0].removed.lowerBound, hunk[hunk.count - 1].removed.upperBound)
        let start = first - lines[..<first].suffix(context).reversed().prefix(while: isText).count
        let end = last + lines[last...].prefix(context).prefix(while: isText).count
        var (body, added, next) = ("", 0, start)
        for change in hunk {
            body += text(lines[next..<change.removed.lowerBound], " ") + text(lines[change.removed], "-")
            body += text(change.added[...], "+")
            added += change.added.count - change.removed.count
            next = change.removed.upperBound
        }
        body += text(lines[next..<end], " ")
        let head = "@@ -\(place(start, end - start)) +\(place(start + shift, end - start + added)) @@\n"
        shift += added
        return head + body
    }

    /// `3,7`: the number of the first line and the count; an empty range has the number of the line before it.
    private static func place(_ start: Int, _ count: Int) -> String { "\(count == 0 ? start : start + 1),\(count)" }

    private static func text(_ lines: ArraySlice<Line>, _ mark: String) -> String {
        lines.map { line in
            let text = mark + String(decoding: line, as: UTF8.self)
            return line.last == UInt8(ascii: "\n") ? text : text + "\n\\ No newline at end of file\n"
        }.joined()
    }
}
