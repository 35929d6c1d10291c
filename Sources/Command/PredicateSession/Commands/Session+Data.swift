import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

// Commands about the data

/// An object, and the number of objects before it.
typealias PlacedObject = (position: Int, object: KeyedValue)

extension Session {
    /// Loads a file from the command line.
    package func load(file path: String, options: RecordOptions? = nil) -> Reply {
        do throws(SessionError) {
            return Reply(try load(path: path, options))
        } catch {
            return Reply(painter.paint(error: fitted(error.text)), isError: true)
        }
    }

    /// `:load people.json`, `:load answer.json --path result.items`, `:load rows.jsonl --types born=date,photo=data`
    func load(_ rest: String) throws(SessionError) -> String {
        var (reading, files) = try RecordOption.taking(Self.fileWords(rest))
        guard files.count == 1, let path = files.first else {
            throw SessionError(":load takes one file, and options", hints: [SessionCommand.load.example])
        }
        let named = reading.format ?? DataFormat(fileName: path)
        reading.format = reading.linePattern != nil ? .log : reading.recordsPath != nil ? .json : named
        return try load(path: path, reading)
    }

    /// Returns the words of a line. File names with spaces are in quotes, or have a backslash before each space.
    static func fileWords(_ rest: String) -> [String] {
        WordSplitter.words(of: rest, escapes: true).map { word in
            if case (.string, let text)? = ValueWord.typed(word) { return text }
            return WordSplitter.content(of: word, between: "\"") ?? word
        }
    }

    private func load(path: String, _ options: RecordOptions?) throws(SessionError) -> String {
        let start = ContinuousClock.now
        var options = options ?? RecordOptions(format: DataFormat(fileName: path))
        options.zone = zone
        var holdsTables = false
        do throws(DataError) { holdsTables = try environment.open(path).isDatabase() } catch {
            throw SessionError(error, in: path)
        }
        if holdsTables { return try loadStore(path) }
        let file = try RecordFile(path, options, environment, sampleLimit: settings.mostSampled)
        let sample = try file.sample()
        hold(sample.table, .file(name: path))
        (self.file, stream) = (file, sample.isWhole ? nil : file)
        use(sample)
        loadNotes = sample.notes
        loadProblems = problems(sample, path, file)
        let summary = loadSummary(file) + time(since: start)
        return ([summary] + columnNote() + fileNotes(path) + loadProblems + documentHint(path)).joined(separator: "\n")
    }

    private func loadSummary(_ file: RecordFile) -> String {
        let count = Count.of(table.count, "object")
        guard isSample else { return "\(count) from \(file.name)" }
        return "\(file.name)\(file.sizeText): keys and types of the first \(count); each question reads the whole file"
    }

    /// Makes these the objects of the session, in place of all others.
    func hold(_ objects: ObjectTable, _ source: DataSource) {
        (table, self.source) = (objects, source)
        (file, stream, header, texts, days, columns) = (nil, nil, nil, nil, [], nil)
    }

    private func use(_ sample: RecordSample) {
        (table, header, texts) = (sample.table, sample.header, sample.texts)
        days = Set((header?.facts ?? [:]).filter { $0.value.reading.isDay }.keys)
    }

    /// Learns from the file what a predicate or an expression needs: the types of its columns in the whole file, and how to
    /// read the strings that it compares with dates.
    func settle(_ tree: TreeNode) throws(SessionError) {
        guard let file else { return }
        try settle(
            keys: RecordPaths(tree, variables: context.variables).roots,
            dated: TextReadings.datedKeys(of: [tree], and: file.options.datedKeys))
        guard let header else { return }
        pendingNotes += PredicateNotes.textBesideDates(tree, header).map { "note: \(file.name): \($0)" }
    }

    /// Learns the types of columns in the whole file, and says so if they differ from those in the sample.
    func settle(keys: Set<String>?, dated: Set<String>? = nil) throws(SessionError) {
        guard let file else { return }
        let dated = dated ?? file.options.datedKeys
        guard let sample = try file.sample(settling: keys, dated: dated, former: header) else { return }
        let former = header?.facts ?? [:]
        use(sample)
        for name in header?.columns ?? [] {
            guard let facts = header?.facts[name], facts != former[name] else { continue }
            let reason = facts.reason(name) ?? "'\(name)' is \(facts.reading.type.noun)"
            pendingNotes.append("note: \(file.name): \(reason), in the whole file")
        }
    }

    /// All objects of the session.
    var objects: ObjectSource { ObjectSource(table, stream, environment) }

    /// Passes over all objects, and notes the records that cannot be read.
    func run(_ pass: ObjectPass, task: String = "evaluating") throws(SessionError) {
        try objects.run(pass, task: task)
        guard !settings.namesOptions, isSample, let file, file.unreadable > 0, let error = file.firstError else {
            return
        }
        pendingNotes.append(
            "\(Count.of(file.unreadable, "record")) could not be read; the first is"
                + " \(file.name):\(error.line): \(error.message) (column \(error.column))")
    }

    /// Returns the readable objects at these positions, in this order. The types of columns in `keys` are those of the whole
    /// file.
    func objects(
        at positions: some Collection<Int>, typed keys: Set<String>? = []
    ) throws(SessionError) -> [PlacedObject] {
        guard let stream else {
            return positions.compactMap { position in table.object(at: position).map { (position, $0) } }
        }
        if positions.isEmpty { return [] }
        let found = try stream.objects(at: Set(positions), typed: keys)
        return positions.compactMap { position in found[position].map { (position, $0) } }
    }

    /// The number of objects; nil if the file has not been read to its end.
    var objectCount: Int? { isSample ? stream?.count : table.count }

    /// The number of the last object; nil if it is not known.
    var lastNumber: Int? { isSample ? stream?.lastNumber : table.lastPosition + 1 }

    /// Returns the notes from the last load that concern the whole file.
    private func fileNotes(_ path: String) -> [String] {
        loadNotes.filter { $0.column == nil }.map { painter.paint(fitted("note: \(path): \($0.message)"), .notable) }
    }

    /// Returns the notes from the last load that concern the file, or columns that occur in a format.
    package func notes(about format: String) -> [String] {
        guard case .file(let name)? = source else { return [] }
        let words = FormatPredicate.specifiers(in: format).map(\.kind.placeholder)
        let keys = (try? Query(format, words: words, in: zone)).map(rootKeys) ?? []
        return loadNotes.filter { $0.column.map(keys.contains) ?? true }.map { "note: \(name): \($0.message)" }
    }

    func columnNote() -> [String] {
        guard !table.columns.isEmpty else { return [] }
        return ["keys: \(table.columns.joined(separator: ", "))".cut(toColumns: settings.width)]
    }

    private func problems(_ loaded: RecordSample, _ path: String, _ file: RecordFile) -> [String] {
        var lines = loaded.errors.map {
            painter.paint("\(path):\($0.line): error: \($0.message) (column \($0.column))", .bad)
        }
        if loaded.unreadable > lines.count {
            lines.append(painter.paint("\(Count.of(loaded.unreadable, "record")) could not be read", .bad))
        }
        if file.wasCancelled { lines.append(painter.paint("stopped: the rest of the file was not read", .notable)) }
        return lines
    }

    /// Returns a hint if the file is one document that contains an array of records.
    private func documentHint(_ path: String) -> [String] {
        guard table.count == 1, !isSample, case .dictionary(let members)? = table[0].predicateValue,
            let name = RecordsPath.candidates(in: members).first
        else { return [] }
        return ["note: this is one record; :load \(path) --path \(RecordsPath.text(of: name)) reads the records in it"]
    }

    /// `:object {"name": "Jo"}`
    func takeObject(_ rest: String) throws(SessionError) -> String {
        guard !rest.isEmpty else { throw SessionError(":object takes JSON", hints: [SessionCommand.object.example]) }
        try requireNoRow(rest)
        let value: PredicateValue
        do throws(JSONError) {
            value = try JSONReader.parse(rest)
        } catch {
            throw SessionError("\(error.message) (column \(error.column))", hints: [SessionCommand.object.example])
        }
        var builder = ObjectTableBuilder()
        builder.append(value) { Array(rest.utf8).withUnsafeBufferPointer(JSONScanner.keys) }
        hold(builder.table(), .object)
        return (["1 object"] + columnNote()).joined(separator: "\n")
    }

    /// Throws if the number after `:object` probably means the object with that number, because the loaded objects would be
    /// lost.
    private func requireNoRow(_ rest: String) throws(SessionError) {
        guard let number = Int(rest), (1...max(1, table.count)).contains(number), table.count > 1 else { return }
        throw SessionError(
            ":object takes JSON, in place of the \(Count.of(table.count, "object"))",
            hints: [":show \(number) shows object \(number)"])
    }

    /// `:sample 3`
    func sample(_ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let number = rest.isEmpty ? 5 : Int(rest) ?? 0
        guard number > 0 else { throw SessionError(":sample takes a number above 0, found '\(rest)'") }
        let rows: [PlacedObject] = table.spread(min(number, 1000)).map { (table.position(of: $0), table[$0]) }
        let note = isSample ? [painter.paint("of the first \(Count.of(table.count, "object"))", .faint)] : []
        return (objectTable(rows, first: []) + note).joined(separator: "\n")
    }

    /// `:keys`
    func keys(_ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let statistics = statistics
        let keys = statistics.keys.filter { rest.isEmpty || $0.path.lowercased().contains(rest.lowercased()) }
        if keys.isEmpty { return rest.isEmpty ? "the objects have no keys" : "no key path contains '\(rest)'" }
        let columns = Self.columns(of: keys, types: keys.map(\.typeText))
        let part =
            isSample
            ? "the first \(Count.of(table.count, "object"))"
            : "a sample of \(Count.grouped(statistics.sampled)) of \(Count.of(statistics.count, "object"))"
        let note = statistics.sampled < statistics.count ? ["from \(part)"] : []
        return (TextTable(columns, width: settings.width).lines(painter) + note).joined(separator: "\n")
    }
}

extension KeyFacts {
    /// `string`, `array of number`, `number or string`
    var typeText: String {
        let names = sortedKinds.map { kind in
            guard kind == .array, let element = elementKinds.max(by: { $0.value < $1.value })?.key else {
                return kind.rawValue
            }
            return "array of \(element.rawValue)"
        }
        let type = names.isEmpty ? "nil" : names.joined(separator: " or ")
        return isToMany ? "many: \(type)" : type
    }
}

// MARK: - Tables of objects

extension Session {
    /// Returns objects as a table with a column for their number and one for each key. If there is no room for all columns,
    /// `keys` come first.
    func objectTable(_ rows: [PlacedObject], first keys: [String]) -> [String] {
        let objects = rows.map(\.object)
        let numbers = numberColumn(rows.map(\.position))
        let names = shownNames(objects)
        guard !names.isEmpty else {
            let values = TextTable.Column("SELF", objects.map { ValueText.cell($0, in: zone).cut(toColumns: 200) })
            return TextTable([numbers, values], width: settings.width).lines(painter)
        }
        let columns = names.map { name in tableColumn(name, objects.map { $0.entries?[name] ?? .null }) }
        if TextTable.fits([numbers] + columns, width: settings.width) || keys.isEmpty {
            return TextTable([numbers] + columns, width: settings.width).lines(painter)
        }
        let leading = keys.compactMap { key in columns.first { $0.heading == key } }
        let others = columns.filter { !keys.contains($0.heading) }
        return TextTable([numbers] + leading + others, width: settings.width).lines(painter)
    }

    func numberColumn(_ positions: [Int]) -> TextTable.Column {
        TextTable.Column("#", positions.map { Count.ungrouped($0 + 1) }, alignsRight: true, isFixed: true)
    }

    /// Returns the keys of objects in the order of the data. Keys that only later objects of a file have come last.
    func shownNames(_ objects: [KeyedValue]) -> [String] {
        var present: Set<String> = []
        for object in objects { present.formUnion(object.entries.map { Array($0.keys) } ?? []) }
        return table.columns.filter(present.contains) + present.subtracting(table.columns).sorted()
    }
}

extension Count {
    /// Returns digits without separators, for numbers that users type again.
    static func ungrouped(_ number: Int) -> String { String(number) }
}
