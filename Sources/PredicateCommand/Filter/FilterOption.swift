/// The options of `predicate filter`.
enum FilterOption: RecordReadingOption {
    case invert
    case count
    case first
    case quiet
    case keys
    case output
    case sort
    case countBy
    case groupBy
    case sum
    case avg
    case min
    case max
    case lineNumber
    case withFilename
    case arg
    case set
    case format
    case types
    case path
    case delimiter
    case decimal
    case dayFirst
    case monthFirst
    case skip
    case encoding
    case strict
    case table
    case entity
    case schema
    case model
    case objectIDs
    case residual
    case explainPlan
    case untrusted

    var declaration: OptionDeclaration {
        switch self {
        case .arg:
            .init(
                "arg", "a", value: .required("VALUE"),
                help: "Argument for the next specifier of FORMAT (see Values)")
        case .set: .init("set", "s", value: .required("NAME=VALUE"), help: "Value of the variable $NAME (see Values)")
        case .invert: .init("invert", "v", help: "Select the records that do not match")
        case .count: .init("count", "c", help: "Print only the number of matching records in all files")
        case .first: .init("first", value: .number("N"), help: "Stop after N matches (default: 1)")
        case .quiet: .init("quiet", "q", help: "Print nothing, stop at the first match; only set the exit status")
        case .keys:
            .init(
                "keys", "k", value: .required("KEY,..."),
                help:
                    "Print only these keys or columns; in JSON a key may be a path such as a.b; write a dot inside a key as v1\\.0"
            )
        case .output:
            .init(
                "output", "o", value: .required("FORMAT"),
                help: "Print jsonl, json, csv, tsv, table or lines (default: as in the input)")
        case .sort:
            .init(
                "sort", value: .required("KEY,-KEY"),
                help: "Sort by these keys, descending after a hyphen; --first N then prints the first N")
        case .countBy:
            .init(
                "count-by", value: .required("KEY,..."),
                help: "Count the matches for each value of KEY, the largest group first")
        case .groupBy:
            .init(
                "group-by", value: .required("KEY,..."), help: "Group the matches by KEY and print a row for each group"
            )
        case .sum: .init("sum", value: .required("KEY,..."), help: "Sum of KEY in each group, or in all matches")
        case .avg: .init("avg", value: .required("KEY,..."), help: "Average of KEY")
        case .min: .init("min", value: .required("KEY,..."), help: "Least value of KEY")
        case .max: .init("max", value: .required("KEY,..."), help: "Greatest value of KEY")
        case .lineNumber:
            .init("line-number", "n", help: "Print line numbers before records; a column with --output")
        case .withFilename:
            .init("with-filename", "H", help: "Print file names before records; a column with --output")
        case .format:
            .init(
                "format", "f", value: .required("FORMAT"),
                help: "Read json, jsonl, csv, tsv or lines (default: by file name or content)")
        case .types:
            .init(
                "types", "t", value: .required("NAME=TYPE,..."),
                help: "Types of columns, which are otherwise inferred: string, integer, double, decimal, boolean, date,"
                    + " uuid, data; int, float, text and bool are understood, too")
        case .path:
            .init(
                "path", "p", value: .required("KEY.KEY"),
                help:
                    "Path to the array of records in a JSON document: result.items; write a dot inside a key as v1\\.0")
        case .delimiter:
            .init(
                "delimiter", "d", value: .required("CHAR"),
                help: "Delimiter of CSV, also as tab, comma, semicolon or pipe (default: found in the first rows)")
        case .decimal:
            .init(
                "decimal", value: .required("CHAR"),
                help: "Decimal separator of CSV, a point or a comma (default: found in the columns)")
        case .dayFirst: .init("day-first", help: "Read 25.12.2024 and 25/12/24 as dates in CSV")
        case .monthFirst: .init("month-first", help: "Read 12/25/2024 as dates in CSV")
        case .skip: .init("skip", value: .required("N"), help: "Skip N lines before the header of CSV")
        case .encoding:
            .init(
                "encoding", value: .required("NAME"),
                help: "Encoding of the input: utf-8, utf-16, windows-1252 or latin1 (default: found in the input)")
        case .strict: .init("strict", help: "Stop at the first record that cannot be read or evaluated")
        case .table:
            .init("table", value: .required("NAME"), help: "Table or view of a SQLite file (default: the only one)")
        case .entity:
            .init(
                "entity", value: .required("NAME"), help: "Entity of --schema, or of a Core Data store, to read")
        case .schema:
            .init(
                "schema", value: .required("FILE"),
                help: "Schema of a SQLite file: JSON as 'predicate schema' prints it (default: the tables of the file)")
        case .model:
            .init(
                "model", value: .required("FILE"),
                help: "Model of a Core Data store that keeps none: .xcdatamodel(d), .mom or .momd")
        case .objectIDs:
            .init("object-ids", help: "Print the objects of a Core Data store with their URIs, x-coredata://…")
        case .residual:
            .init("residual", help: "Evaluate in memory what SQL cannot express exactly, instead of an error")
        case .explainPlan: .init("explain-plan", help: "Print SQLite's query plan instead of the rows")
        case .untrusted:
            .init(
                "untrusted",
                help: "Treat FORMAT as untrusted: reject FUNCTION, classes, free variables and costly patterns, and"
                    + " apply tight limits")
        }
    }
}
