/// The options of `predicate filter`.
enum FilterOption: RecordReadingOption {
    case arg
    case set
    case invert
    case count
    case first
    case quiet
    case keys
    case output
    case format
    case types
    case path
    case strict
    case table
    case entity
    case schema
    case residual
    case explainPlan
    case untrusted

    var declaration: OptionDeclaration {
        switch self {
        case .arg:
            .init(
                "arg", "a", value: .required("VALUE"),
                help: "The argument for the next specifier of FORMAT (see Values)")
        case .set:
            .init("set", "s", value: .required("NAME=VALUE"), help: "The value of the variable $NAME (see Values)")
        case .invert: .init("invert", "v", help: "Select the records for which the predicate does not hold")
        case .count: .init("count", "c", help: "Write how many records match, over all files, instead of the records")
        case .first:
            .init("first", value: .number("N"), help: "Stop after N matches; without a number after the first one")
        case .quiet: .init("quiet", "q", help: "Write nothing and stop at the first match: only the exit status counts")
        case .keys:
            .init(
                "keys", "k", value: .required("KEY,..."),
                help: "Write only these keys or columns; in JSON a key may be a path, a.b, and 'v1\\.0' is one key")
        case .output:
            .init(
                "output", "o", value: .required("FORMAT"),
                help: "Write json or jsonl instead of the format of the input")
        case .format:
            .init(
                "format", "f", value: .required("FORMAT"),
                help: "Read json, jsonl, csv or tsv, whatever the file is called and looks like")
        case .types:
            .init(
                "types", "t", value: .required("NAME=TYPE,..."),
                help: "What columns hold: string, integer, double, decimal, boolean, date, uuid, data")
        case .path:
            .init(
                "path", "p", value: .required("KEY.KEY"),
                help: "Where in a JSON document the array of records is: result.items; 'v1\\.0' is one key")
        case .strict: .init("strict", help: "Stop at the first record that cannot be read or evaluated")
        case .table: .init("table", value: .required("NAME"), help: "The table of a SQLite file; the only one without")
        case .entity: .init("entity", value: .required("NAME"), help: "The entity of --schema whose rows are read")
        case .schema:
            .init(
                "schema", value: .required("FILE"),
                help: "What a SQLite file holds: JSON, as 'predicate schema' writes it; without, the file is asked")
        case .residual:
            .init("residual", help: "Ask in memory what SQL cannot say exactly; without, that is an error")
        case .explainPlan: .init("explain-plan", help: "Write how SQLite would go about it, instead of the rows")
        case .untrusted:
            .init(
                "untrusted",
                help: "FORMAT is a stranger's: refuse FUNCTION, classes, free variables, costly patterns and more work"
                    + " than tight limits allow, with status 2")
        }
    }
}
