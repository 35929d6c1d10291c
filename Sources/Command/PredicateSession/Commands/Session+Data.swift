import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

// Commands about the data

extension Session {
    /// Loads a file from the command line. With a limit, the records after the first ones are read only when needed, and not
    /// kept.
    package func load(file path: String, options: RecordOptions? = nil, limit: Int? = nil) -> Reply {
        do throws(SessionError) {
            return Reply(try load(path: path, options, limit: limit))
        } catch {
            return Reply(painter.paint(error: fitted(error.text)), isError: true)
        }
    }

    /// `:load people.json`, `:load answer.json result.items`, `:load rows.jsonl born=date,photo=data`,
    /// `:load rows.csv --ragged`
    func load(_ rest: String) throws(SessionError) -> String {
        let (options, others) = try RecordOption.taking(Self.fileWords(rest))
        var (reading, words) = (options, others[...])
        guard let path = words.popFirst() else {
            throw SessionError(":load takes a file", hints: [SessionCommand.load.example])
        }
        var types: [String: ColumnType] = [:]
        if let last = words.last, let declared = try? ColumnType.types(last), !declared.isEmpty {
            types = declared
            words.removeLast()
        }
        guard words.count < 2 else {
            throw SessionError(":load takes a file, a path and types", hints: [SessionCommand.load.example])
        }
        reading.recordsPath = words.first ?? reading.recordsPath
        let named = reading.format ?? DataFormat(fileName: path)
        reading.format = reading.linePattern != nil ? .log : reading.recordsPath != nil ? .json : named
        reading.types.merge(types) { dated, _ in dated }
        return try load(path: path, reading)
    }

    /// Returns the words of a line. File names with spaces are in quotes, or have a backslash before each space.
    static func fileWords(_ rest: String) -> [String] {
        WordSplitter.words(of: rest, escapes: true).map { word in
            if case (.string, let text)? = ValueWord.typed(word) { return text }
            return WordSplitter.content(of: word, between: "\"") ?? word
        }
    }

    private func load(
        path: String, _ options: RecordOptions?, limit: Int? = nil
    ) throws(SessionError) -> String {
        let start = ContinuousClock.now
        let loaded: LoadedObjects
        var options = options ?? RecordOptions(format: DataFormat(fileName: path))
        options.zone = zone
        var holdsTables = false
        do throws(DataError) { holdsTables = try environment.open(path).isDatabase() } catch {
            throw SessionError(error, in: path)
        }
        if holdsTables { return try loadStore(path) }
        do throws(DataError) {
            let file = try environment.open(path)
            loaded = try ObjectLoader(environment: environment, name: path, limit: limit).load(file, options)
        } catch {
            environment.finishProgress()
            throw SessionError(error, in: path)
        }
        table = loaded.table
        rest = loaded.rest
        source = .file(name: path)
        columns = nil
        texts = TextReadings(header: loaded.header, loaded.options)
        records = loaded.header == nil ? (options, limit) : nil
        columnTypes = ColumnTypeFacts.all(of: loaded.header)
        days = Set(columnTypes.filter { $0.value.reading.isDay }.keys)
        loadNotes = loaded.notes
        loadProblems = problems(loaded, path)
        let summary = "\(Count.of(table.count, "object")) from \(path)\(time(since: start))"
        return ([summary] + columnNote() + fileNotes(path) + loadProblems + documentHint(path)).joined(separator: "\n")
    }

    /// Reads the file again if a predicate or an expression compares other keys with dates than those before, since the strings
    /// of such keys are read as dates.
    func readDates(of tree: TreeNode) throws(SessionError) {
        guard case .file(let path)? = source, path != "-", let records else { return }
        var options = records.options
        let former = options.datedKeys
        options.datedKeys = TextReadings.datedKeys(of: [tree], and: former)
        guard options.datedKeys != former else { return }
        let shown = columns
        _ = try load(path: path, options, limit: records.limit)
        columns = shown
    }

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

    private func problems(_ loaded: LoadedObjects, _ path: String) -> [String] {
        var lines = loaded.errors.map {
            painter.paint("\(path):\($0.line): error: \($0.message) (column \($0.column))", .bad)
        }
        if loaded.unreadable > lines.count {
            lines.append(painter.paint("\(Count.of(loaded.unreadable, "record")) could not be read", .bad))
        }
        if loaded.wasCancelled { lines.append(painter.paint("stopped: the rest of the file was not read", .notable)) }
        return lines
    }

    /// Returns a hint if the file is one document that contains an array of records.
    private func documentHint(_ path: String) -> [String] {
        guard table.count == 1, case .dictionary(let members)? = table[0].predicateValue,
            let name = RecordsPath.candidates(in: members).first
        else { return [] }
        return ["note: this is one record; :load \(path) \(RecordsPath.text(of: name)) reads the records in it"]
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
        builder.append(value) { KeyOrder.keys(ofJSON: Array(rest.utf8)) }
        table = builder.table()
        source = .object
        (texts, records, days, columns, columnTypes) = (nil, nil, [], nil, [:])
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
        return objectTable(table.spread(min(number, 1000)), first: []).joined(separator: "\n")
    }

    /// `:keys`
    func keys(_ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let statistics = statistics
        let keys = statistics.keys.filter { rest.isEmpty || $0.path.lowercased().contains(rest.lowercased()) }
        if keys.isEmpty { return rest.isEmpty ? "the objects have no keys" : "no key path contains '\(rest)'" }
        let columns = Self.columns(of: keys, types: keys.map(\.typeText))
        let note =
            statistics.sampled < statistics.count
            ? ["from a sample of \(Count.grouped(statistics.sampled)) of \(Count.of(statistics.count, "object"))"] : []
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
    func objectTable(_ indexes: [Int], first keys: [String]) -> [String] {
        let objects = indexes.map { table[$0] }
        let numbers = TextTable.Column("#", indexes.map { Count.ungrouped($0 + 1) }, alignsRight: true, isFixed: true)
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

    private func shownNames(_ objects: [KeyedValue]) -> [String] {
        var present: Set<String> = []
        for object in objects { present.formUnion(object.entries.map { Array($0.keys) } ?? []) }
        return table.columns.filter(present.contains)
    }
}

extension Count {
    /// Returns digits without separators, for numbers that users type again.
    static func ungrouped(_ number: Int) -> String { String(number) }
}
