import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let filter = Subcommand(
        "filter", "Print the records that match a predicate",
        usage: ["predicate filter [OPTION...] [FORMAT] [FILE...]", "predicate FORMAT [FILE...]"],
        operands: [.predicate, .files],
        options: [
            [
                FilterOption.invert, FilterOption.count, FilterOption.filesWithMatches, FilterOption.first,
                FilterOption.quiet, FilterOption.keys,
                FilterOption.output, FilterOption.sort, FilterOption.countBy, FilterOption.groupBy, FilterOption.sum,
                FilterOption.avg, FilterOption.min, FilterOption.max, FilterOption.median, FilterOption.having,
                FilterOption.distinct, FilterOption.distinctOn, FilterOption.each, FilterOption.last,
                FilterOption.offset, FilterOption.digits, FilterOption.ignoreCase, FilterOption.numeric,
                FilterOption.lineNumber, FilterOption.withFilename, .argument, .variable,
                .columnValues, FilterOption.lookup, .zone,
            ],
            OptionGroup.records,
            [FilterOption.strict], OptionGroup.rows, [.color, .untrusted],
        ],
        help: [
            .paragraph(
                "Print the records that match the predicate FORMAT, exactly as they are in the input; without a FORMAT"
                    + " all records. Reads JSON, JSON Lines, CSV and TSV with a header, logs of web servers, logfmt,"
                    + " paragraphs of fields (deb822), property lists, lines of text (-f lines, where SELF is the line) and"
                    + " SQLite files, also compressed with gzip, Zstandard or zip. Without a FILE, or for '-', reads standard"
                    + " input; a directory means all data files in it. The format is detected. A key that a record does not"
                    + " have is nil. Records for which the predicate fails are reported and not printed."),
            .paragraph(
                "A CSV column has the type of all its values, or is a column of strings if they differ. For a pipe, the"
                    + " first 1 MiB decides, and a later value of another type is an error, which --types avoids. If --types"
                    + " names every column that is used, rows are filtered as they arrive. The keys of a log are host, ident,"
                    + " user, time, request, method, path, protocol, status, bytes, referer, agent and extra. A row that"
                    + " cannot be read is reported with the option that reads it."),
            .paragraph(
                "SQL selects, sorts and groups the rows of a SQLite file, which must be the only FILE. They are printed as"
                    + " JSON Lines, in the order in which SQLite finds them, or with --first, --last or --offset in the order"
                    + " of the primary key. A part of the predicate that SQL cannot express is evaluated in memory, with a"
                    + " note. Rows that cause an error in SQL do not match; --invert selects them."),
            .paragraph(
                "A KEY is a column, a key path or an expression, with a name after AS if it needs one: 'price * quantity"
                    + " AS total'. A column with such a name comes first. An expression of nil is nil; one that fails for"
                    + " a record is nil, too, and is reported."),
            .paragraph(
                "--count-by, --group-by, --sum, --avg, --min, --max and --median print groups instead of records, with"
                    + " columns for the keys, 'count', 'sum_KEY' and so on in the order of the options; --having, --sort"
                    + " and --first then apply to the groups. Aggregates ignore nil, and are nil without values."
                    + " Sorting holds up to 1 GiB of matches in memory, and more of them in a temporary file; medians,"
                    + " --distinct, --distinct-on, tables, and CSV from JSON without --keys hold the output in memory."),
            .options, .values,
            .exitStatus([
                ("0", "a record matched"),
                ("1", "no record matched"),
                (
                    "2",
                    "an error, even if only some records could not be read or evaluated, unless --quiet found a match"
                ),
            ]),
            .examples([
                "predicate filter 'age >= 21 AND name BEGINSWITH[cd] \"jo\"' people.jsonl",
                "predicate filter 'price > 100' --sort -price --first 9 orders.csv.gz",
                "predicate filter 'paid == YES' --group-by city --sum price orders.csv",
                "predicate filter -k 'name, price * 2 AS double' --sort -double orders.csv",
                "predicate filter --count-by city people.csv",
                "predicate filter --path result.items 'tags.@count > 2' answer.json",
                "predicate filter 'status >= 500' --count-by path access.log",
                "predicate filter --values IDS=orders.csv:user 'id IN $IDS' users.csv",
                "predicate filter 'ANY phone.number LIKE \"0*\"' library.sqlite --table person",
                "predicate filter -f lines -nH 'SELF MATCHES \".*(error|fatal).*\"' log/*.txt",
                "curl -s https://example.org/log | predicate filter -q 'level == \"error\"'",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in
        let settings = try FilterSettings(reader)
        let predicate = try settings.predicateOptions.predicate()
        if let file = try settings.storeFile() { return try StoreFilter(file, predicate, settings, console).run() }
        return try FilterRun(settings, predicate, console).run()
    }
}

extension OptionGroup {
    /// The options for the rows of a SQLite file.
    static let rows: [CommandOption] = [
        .table, FilterOption.entity, FilterOption.schema, .model, .allowMissingFiles, FilterOption.objectIDs,
        FilterOption.decode, FilterOption.residual, FilterOption.explainPlan,
    ]
}

/// The options of `predicate filter` that no other subcommand has.
enum FilterOption {
    static let invert = CommandOption("invert", "v", help: "Select the records that do not match")
    static let count = CommandOption(
        "count", "c",
        help: "Print only the number of matching records in all files; with -H in each file; with --distinct the number"
            + " of different records, or of different rows of --keys; with --distinct-on KEY that of different values")
    static let filesWithMatches = CommandOption(
        "files-with-matches", "l", help: "Print only the names of the files with a match")
    static let first = CommandOption("first", nil, .number("N"), help: "Stop after N matches (default: 1)")
    static let quiet = CommandOption(
        "quiet", "q", help: "Print nothing, stop at the first match; only set the exit status")
    static let keys = CommandOption(
        "keys", "k", value: "KEY,...", .keys,
        help: "Print only these keys, columns or expressions, each as KEY AS NAME if it needs a name; in JSON a key may"
            + " be a path such as a.b; write a dot inside a key as v1\\.0")
    static let output = CommandOption(
        "output", "o", value: "FORMAT", .values(of: OutputFormat.self),
        help: "Print jsonl, json, csv, tsv, table or lines (default: as in the input)")
    static let sort = CommandOption(
        "sort", value: "KEY,-KEY", .keys,
        help: "Sort by these keys, descending after a hyphen; --first N then prints the first N")
    static let countBy = CommandOption(
        "count-by", value: "KEY,...", .keys,
        help: "Count the matches for each value of KEY, the largest group first; on a terminal, with bars")
    static let groupBy = CommandOption(
        "group-by", value: "KEY,...", .keys, help: "Group the matches by KEY and print a row for each group")
    static let sum = CommandOption("sum", value: "KEY,...", .keys, help: "Sum of KEY in each group, or in all matches")
    static let avg = CommandOption("avg", value: "KEY,...", .keys, help: "Average of KEY")
    static let min = CommandOption("min", value: "KEY,...", .keys, help: "Minimum of KEY")
    static let max = CommandOption("max", value: "KEY,...", .keys, help: "Maximum of KEY")
    static let median = CommandOption("median", value: "KEY,...", .keys, help: "Median of KEY")
    static let having = CommandOption(
        "having", value: "FORMAT", help: "Print only groups for which this predicate holds: 'count > 2'")
    static let distinct = CommandOption("distinct", help: "Print equal records or rows once")
    static let distinctOn = CommandOption(
        "distinct-on", value: "KEY,...", .keys,
        help: "Print only the first match for each value of KEY, in the order of --sort: '--distinct-on user --sort"
            + " -time' prints the last of each user")
    static let each = CommandOption(
        "each", value: "N", help: "With --distinct-on: print the first N matches for each value, not only one")
    static let last = CommandOption("last", nil, .number("N"), help: "Print only the last N matches (default: 1)")
    static let offset = CommandOption("offset", value: "N", help: "Leave out the first N matches")
    static let digits = CommandOption(
        "digits", value: "N", help: "Print computed numbers with N digits after the decimal point")
    static let ignoreCase = CommandOption("ignore-case", help: "Sort strings without regard to case")
    static let numeric = CommandOption(
        "numeric", help: "Sort strings by the numbers in them: a9 comes before a10")
    static let lineNumber = CommandOption(
        "line-number", "n", help: "Print line numbers before records; a column with --output")
    static let withFilename = CommandOption(
        "with-filename", "H", help: "Print file names before records; a column with --output")
    static let strict = CommandOption("strict", help: "Stop at the first record that cannot be read or evaluated")
    static let entity = CommandOption(
        "entity", value: "NAME", help: "Entity of --schema, or of a Core Data store, to read")
    static let schema = CommandOption(
        "schema", value: "FILE", .files,
        help: "Schema of a SQLite file: JSON as 'predicate schema' prints it (default: the tables of the file)")
    static let lookup = CommandOption(
        "lookup", value: "KEY=FILE:ID",
        help: "Replace KEY of each record by the record of FILE whose ID it is, so that user.name is a key with"
            + " --lookup user=users.csv:id; nil if there is none. With a name after AS the key stays, and there may be"
            + " expressions and several keys: 'origin, hour AS weather=weather.csv:origin,hour'. A table is FILE:TABLE.ID."
            + " FILE is held in memory, a million records at most")
    static let objectIDs = CommandOption(
        "object-ids", help: "Print the objects of a Core Data store with their URIs, x-coredata://…")
    static let decode = CommandOption(
        "decode",
        help:
            "Print data of a SQLite file that is JSON, a property list or a keyed archive, also compressed, as JSON; in a Core"
            + " Data store predicates see what it contains")
    static let residual = CommandOption(
        "residual", help: "Evaluate in memory also what is an error for every row, and print no note about it")
    static let explainPlan = CommandOption("explain-plan", help: "Print SQLite's query plan instead of the rows")
}
