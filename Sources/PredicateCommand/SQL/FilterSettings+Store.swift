import PredicateData

extension FilterSettings {
    /// Returns the SQLite file to read; nil if the files are records.
    ///
    /// Throws if there are other files beside it, and for options that do not apply.
    func storeFile() throws(CommandFailure) -> String? {
        guard let file = files.first(where: SQLiteFile.isOne) else {
            if let option = storeOption { throw noStore(option) }
            return nil
        }
        guard files.count == 1 else {
            throw .message(
                "\(file): a SQLite file cannot be combined with other files",
                hints: ["run the command once for each of them"])
        }
        try records.checkAbsence()
        if place.showsLine { throw .message("--line-number does not apply to a SQLite file, whose rows have no lines") }
        if place.showsFile { throw .message("--with-filename does not apply to a SQLite file") }
        return file
    }

    /// The first given option that needs a SQLite file.
    private var storeOption: String? {
        let options = [
            ("--table", rows.table != nil), ("--entity", rows.entity != nil), ("--schema", rows.schema != nil),
            ("--model", rows.model != nil), ("--object-ids", writesObjectIDs),
            ("--residual", allowsResidual), ("--explain-plan", explainsPlan),
        ]
        return options.first(where: \.1)?.0
    }

    private func noStore(_ option: String) -> CommandFailure {
        let file = files.first ?? "-"
        if file == "-" { return .usage(UsageError("\(option) needs a SQLite file", in: .filter)) }
        do throws(DataError) {
            _ = try FileSource(path: file)
        } catch {
            return .message(error.message)
        }
        let hint = "a SQLite file begins with the words 'SQLite format 3'"
        return .message("\(option) needs a SQLite file, and '\(file)' is not one", hints: [hint])
    }
}
