/// Options of `predicate filter` that cannot be combined, because the output of one has no place for the other.
///
/// `--count --keys name`, `--quiet --sort age`
enum OutputConflicts {
    private typealias Option = FilterOption

    /// Throws if two options are given and one would be ignored.
    static func check(_ reader: ArgumentReader, hasGroups: Bool) throws(CommandFailure) {
        for (option, others, hint) in exclusions(reader) where reader.has(option) {
            guard let other = others.first(where: reader.has) else { continue }
            throw reader.failure("--\(other.name) cannot be combined with --\(option.name)", hints: [hint])
        }
        guard hasGroups else { return }
        if let option = [Option.distinct, Option.distinctOn].first(where: reader.has) {
            throw reader.failure(
                "--\(option.name) cannot be combined with groups", hints: ["the rows of groups are always distinct"])
        }
        guard let other = [Option.lineNumber, Option.withFilename].first(where: reader.has) else { return }
        throw reader.failure("--\(other.name) is for records and cannot be combined with groups")
    }

    private static func exclusions(_ reader: ArgumentReader) -> [(CommandOption, [CommandOption], String)] {
        let columns = reader.has(Option.distinct) ? [] : [Option.keys]
        let leavesOut = reader.has(Option.distinct) || reader.has(Option.distinctOn)
        let files = leavesOut ? [Option.withFilename] : []
        return [
            (Option.distinctOn, [Option.distinct], "--distinct-on KEY prints one match for each value of KEY"),
            (
                Option.quiet, [Option.filesWithMatches, Option.count, Option.first, Option.withFilename] + page + rows,
                "--quiet prints nothing and stops at the first match"
            ),
            (
                Option.filesWithMatches, [Option.count, Option.first, Option.withFilename] + page + rows,
                "--files-with-matches prints only the names of files"
            ),
            (
                Option.count,
                page.filter { ![Option.distinct.name, Option.distinctOn.name].contains($0.name) } + columns + files
                    + rows.filter { $0.name != Option.keys.name },
                "--count prints only a number; --distinct --keys KEY counts different rows"
            ),
            (Option.explainPlan, [Option.count, Option.quiet, Option.output], "--explain-plan prints only the plan"),
        ]
    }

    /// The options that choose some of the rows.
    private static let page = [Option.distinct, Option.distinctOn, Option.last, Option.offset, Option.having]

    /// The options that choose what is written for each match.
    private static let rows =
        [
            Option.keys, Option.output, Option.sort, Option.countBy, Option.groupBy, Option.digits, Option.lineNumber,
        ] + Grouping.options.map(\.option)
}
