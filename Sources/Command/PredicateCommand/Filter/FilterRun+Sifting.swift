import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// Sifting: lines are evaluated without being parsed completely.
extension FilterRun {
    /// The sieve for a file, and the places of the values that group or sort.
    struct Sieve {
        let lines: LineSieve
        /// The places of the keys and aggregates of groups; nil if records must be read for them.
        var groupPlaces: SlotPlaces?
        /// The place of the first sort key, if only the first matches are written.
        var sortPlace: SlotPlaces?
        /// The places of the values that must be distinct, if only one match is written for equal values.
        var distinctPlaces: SlotPlaces?
        /// The sieve for the values of matches; nil if matches are read in full.
        var matches: MatchSieve?
    }

    /// The values by which matches are sorted or compared, and computed values. With these and its bytes, a match need not be
    /// parsed.
    final class MatchSieve {
        let lines: LineSieve
        private let places: SlotPlaces
        /// The index of each value among the places, by its number.
        private let indices: [Int]
        /// The values of the current match.
        private var found = SlotValues()

        init(_ lines: LineSieve, _ places: SlotPlaces, _ values: [OutputValue]) {
            var indices = [Int](repeating: 0, count: (values.map(\.number).max() ?? -1) + 1)
            for (index, value) in values.enumerated() { indices[value.number] = index }
            (self.lines, self.places, self.indices) = (lines, places, indices)
        }

        /// Returns the current match's value with this number; nil if there is none.
        func value(_ number: Int) -> FlatValue? { number < indices.count ? found.values[indices[number]] : nil }

        /// Returns a match with its values and its bytes, which are valid until the next one; nil if it must be read in full.
        func match(of run: SiftedRun, in sifted: SiftedLines, _ reader: RecordReader) -> RecordMatch? {
            found.removeAll()
            guard let slots = lines.slots(of: run, in: sifted), places.append(slots, to: &found),
                found.values.allSatisfy(\.isWhole)
            else { return nil }
            let found = RecordMatch.Found(sieve: self, text: reader.text(of: run, in: sifted))
            return RecordMatch(source: reader.record(of: run, in: sifted), found: found)
        }
    }

    /// Returns the sieve for a file; nil if all records must be parsed.
    func sieve(for reader: RecordReader) -> Sieve? {
        guard let flat = evaluators.flat else { return nil }
        if reader.format == .lines {
            let required = settings.isInverted ? [] : RequiredLine.texts(of: predicate.node)
            return flat.paths.count == 1 ? Sieve(lines: reader.sieve(requiring: required)) : nil
        }
        guard neededKeys != nil else { return nil }
        let layout = FlatLayout(flat.paths)
        let places = places(for: arrangingValues, in: reader, layout)
        let leavesOut = !settings.query.identifyingValues.isEmpty
        guard !settings.lookups.concern(layout.paths),
            let lines = reader.sieve(layout.paths, refused: places?.spellings ?? [])
        else { return nil }
        return Sieve(
            lines: lines, groupPlaces: tally.groups == nil ? nil : places,
            sortPlace: tally.sorter == nil || leavesOut ? nil : places, distinctPlaces: leavesOut ? places : nil,
            matches: matchSieve(for: reader))
    }

    /// Returns the sieve for the values of matches; nil if matches are read in full, or if their bytes suffice.
    private func matchSieve(for reader: RecordReader) -> MatchSieve? {
        guard needsRecords, tally.groups == nil, settings.lookups.isEmpty,
            let values = settings.query.valuesOfMatches(reader.header)
        else { return nil }
        let layout = FlatLayout()
        guard let places = places(for: values, in: reader, layout),
            let lines = reader.sieve(layout.paths, isShared: false, refused: places.spellings)
        else { return nil }
        return MatchSieve(lines, places, values)
    }

    /// The values of each match that are needed to group it, or to decide whether it is left out.
    private var arrangingValues: [OutputValue] {
        if tally.groups != nil { return settings.query.arranging }
        let values = settings.query.identifyingValues
        if !values.isEmpty { return values }
        guard let sort = settings.query.sort, settings.query.page.end != nil else { return [] }
        return Array(sort.values.prefix(1))
    }

    /// Returns the places of values, and adds their paths to a layout; nil if a value has no place.
    private func places(
        for values: [OutputValue], in reader: RecordReader, _ layout: FlatLayout
    ) -> SlotPlaces? {
        var places = SlotPlaces()
        let columns = reader.header?.columns
        for value in values {
            if let columns, let column = value.column(in: columns) {
                places.add([columns[column]], spelling: nil, in: layout)
            } else if columns == nil, let path = value.slotPath {
                places.add(path, spelling: path == [value.text] ? nil : value.text, in: layout)
            } else if let (evaluator, known) = value.computed(inColumns: columns != nil) {
                places.add(evaluator, known: known, spelling: columns == nil ? value.text : nil, in: layout)
            } else {
                return nil
            }
        }
        return places
    }

    /// A Boolean value that indicates whether the values or positions of matching records are needed, not only their
    /// bytes.
    private var needsRecords: Bool {
        tally.groups != nil || tally.sorter != nil || settings.place.isShown
            || tally.output != nil && settings.query.needsEachRow
    }

    /// Sifts the records in the read buffer and returns their number.
    func sift(
        _ reader: RecordReader, with sieve: Sieve, _ file: String
    ) throws(CommandFailure) -> Int {
        guard !tally.isDone, let test = matchTest(sieve) else { return 0 }
        let needsRecords = needsRecords
        let (groups, writesLines) = (tally.groups, tally.output?.writesLines ?? true)
        let joinsMatches = settings.query.stoppingLimit == nil && writesLines && !needsRecords
        let sifted = reader.sift(with: sieve.lines, joiningMatches: joinsMatches, test)
        let grouped = groups?.siftedCount ?? 0
        tally.matched += grouped
        tally.problems.pass(.condition, sifted.knownCount)
        tally.problems.pass(.values, grouped)
        var count = sifted.knownCount
        for run in sifted.kept where !tally.isDone {
            groups?.addSifted(before: run.place.keptBefore, inSecondHalf: run.place.half == .second)
            if run.isMatch { tally.problems.pass(.condition, run.count) }
            if run.isMatch, !needsRecords {
                tally.matched += run.count
                let text = reader.text(of: run, in: sifted)
                if writesLines {
                    try tally.output?.write(lines: text, count: run.count)
                } else {
                    try tally.write(RecordMatch(sifted: text))
                }
            } else if run.isMatch, let match = sieve.matches?.match(of: run, in: sifted, reader) {
                try take(match, file)
            } else if let record = try read(run, in: sifted, reader, file) {
                guard !run.isMatch else {
                    try take(record, file)
                    continue
                }
                count += 1
                keyNotes.see(record, in: reader)
                try judge(record, file)
            }
        }
        groups?.finishSifting()
        reader.drop(sifted)
        return count
    }

    /// Returns the test for the slots of a line: true if it is kept as a match, nil if it must be read in full. Some matches
    /// are not kept: one that is grouped by its slots, one that sorts after all of the first matches, and one whose values
    /// occurred before.
    private func matchTest(_ sieve: Sieve) -> LineTest? {
        guard let flat = evaluators.flat else { return nil }
        let isInverted = settings.isInverted
        if let groups = tally.groups, let places = sieve.groupPlaces {
            // Each half of the lines has its own pending records.
            nonisolated(unsafe) let collector = groups
            return { slots, place in
                guard let holds = flat.holds(slots) else { return nil }
                if holds == isInverted { return false }
                let isSecond = place.half == .second
                return collector.add(slots, at: places, isSecondHalf: isSecond, after: place.keptBefore) ? false : nil
            }
        }
        if let places = sieve.sortPlace, let last = tally.sorter?.lastPrefix,
            let order = settings.query.sort?.orders.first
        {
            return { slots, _ in
                guard let holds = flat.holds(slots) else { return nil }
                if holds == isInverted { return false }
                return !places.follow(slots, last, order)
            }
        }
        if let places = sieve.distinctPlaces {
            // Nothing is added while lines are sifted, and each half has its own key.
            nonisolated(unsafe) let (tally, keys) = (tally, (SlotKey(), SlotKey()))
            return { slots, place in
                guard let holds = flat.holds(slots) else { return nil }
                if holds == isInverted { return false }
                let key = place.half == .first ? keys.0 : keys.1
                return key.read(slots, at: places) ? !tally.isLeftOut(key.key) : nil
            }
        }
        return { slots, _ in flat.holds(slots).map { $0 != isInverted } }
    }

    private func read(
        _ run: SiftedRun, in sifted: SiftedLines, _ reader: RecordReader, _ file: String
    ) throws(CommandFailure) -> SourceRecord? {
        do throws(DataError) {
            return try reader.read(run, in: sifted).map(settings.lookups.resolved)
        } catch {
            try tally.problems.note(error, in: file)
            return nil
        }
    }
}
