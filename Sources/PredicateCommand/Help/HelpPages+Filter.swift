/// The page about `predicate filter`.
extension HelpPages {
    static var filter: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate filter [OPTION...] FORMAT [FILE...]"],
            purpose: "Print the records that match the predicate FORMAT, exactly as they are in the input. Reads JSON"
                + " (an array, or a sequence of values), JSON Lines, CSV and TSV with a header, and lines of text (-f"
                + " lines, where SELF is the line), also compressed with gzip or Zstandard. Without a FILE, or for '-',"
                + " reads standard input; a directory stands for all data files in it. The format is taken from the"
                + " file name, or else found in the first lines. A key that a record does not have is nil. Records for"
                + " which the predicate is an error are reported and not printed.")
        page.add(
            paragraph: "A column of CSV has one type: integer, double, boolean or date if all its values are, otherwise"
                + " string, as for 01234. Types are inferred from the whole column, or on a pipe from the first 1 MiB;"
                + " a later value of another type is then an error, and --types decides. If --format says csv"
                + " and --types names every column that is used, rows are filtered as they arrive. Delimiter, encoding and decimal comma are found in the file; 12% is"
                + " 0.12; empty cells are nil, and so is NA unless the column is unquoted text. A string that is an ISO"
                + " 8601 date is a date where it is compared with a date column.")
        page.add(
            paragraph:
                "One FILE may be a SQLite file. SQL selects the rows of a table, which are printed as JSON Lines,"
                + " dates in ISO 8601 and data in base 64, in the order in which SQLite finds them, or with --first in"
                + " that of the primary key. Rows that cause an error count as not matching; --invert selects"
                + " them.")
        page.add(
            paragraph: "--count-by, --group-by, --sum, --avg, --min and --max print groups instead of records: a column"
                + " for each key, 'count', and sum_KEY and so on; --sort and --first then apply to these. Sorting,"
                + " tables, and CSV made of JSON without --keys hold the output in memory.")
        page.add("Options", rows: rows(FilterOption.self))
        page.add("Values", rows: values)
        page.add("Exit status", rows: filterStatus)
        page.add(
            "Examples",
            lines: [
                "predicate filter 'age >= 21 AND name BEGINSWITH[cd] \"jo\"' people.jsonl",
                "predicate filter 'age >= %@' --arg 21 -k name,age people.csv",
                "predicate filter 'price > 100' --sort -price --first 9 orders.csv.gz",
                "predicate filter 'paid == YES' --group-by city --sum price orders.csv",
                "predicate filter --path result.items 'tags.@count > 2' answer.json",
                "predicate filter 'ANY phone.number LIKE \"0*\"' library.sqlite --table person",
                "predicate filter -f lines -nH 'SELF MATCHES \".*(error|fatal).*\"' log/*.txt",
                "curl -s https://example.org/log | predicate filter -q 'level == \"error\"'",
            ])
        return page
    }

    private static let filterStatus = [
        ("0", "a record matched"),
        ("1", "no record matched"),
        ("2", "an error, even if only some records could not be read or evaluated, unless --quiet found a match"),
    ]
}
