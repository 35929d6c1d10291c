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
                help: "The argument for the next specifier of FORMAT (see Values)")
        case .set:
            .init("set", "s", value: .required("NAME=VALUE"), help: "The value of the variable $NAME (see Values)")
        case .invert: .init("invert", "v", help: "Select the records that do not match")
        case .count: .init("count", "c", help: "Write the number of matches in all files, instead of the records")
        case .first:
            .init("first", value: .number("N"), help: "Stop after N matches, by default after one")
        case .quiet: .init("quiet", "q", help: "Write nothing and stop at the first match; only set the exit status")
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
                help: "Read json, jsonl, csv or tsv, instead of detecting the format")
        case .types:
            .init(
                "types", "t", value: .required("NAME=TYPE,..."),
                help: "The types of columns: string, integer, double, decimal, boolean, date, uuid, data")
        case .path:
            .init(
                "path", "p", value: .required("KEY.KEY"),
                help: "The path to the array of records in a JSON document: result.items; 'v1\\.0' is one key")
        case .strict: .init("strict", help: "Stop at the first record that cannot be read or evaluated")
        case .table:
            .init("table", value: .required("NAME"), help: "The table of a SQLite file; by default the only one")
        case .entity:
            .init(
                "entity", value: .required("NAME"),
                help: "The entity of --schema, or of a Core Data store, whose rows are read")
        case .schema:
            .init(
                "schema", value: .required("FILE"),
                help: "The schema of a SQLite file: JSON as 'predicate schema' writes it; by default read from the file"
            )
        case .model:
            .init(
                "model", value: .required("FILE"),
                help: "The model of a Core Data store that keeps none: .xcdatamodel(d), .mom or .momd")
        case .objectIDs:
            .init("object-ids", help: "Write the objects of a Core Data store with their URIs, x-coredata://…")
        case .residual:
            .init("residual", help: "Evaluate in memory what SQL cannot express exactly, instead of an error")
        case .explainPlan: .init("explain-plan", help: "Write SQLite's query plan, instead of the rows")
        case .untrusted:
            .init(
                "untrusted",
                help: "FORMAT is untrusted: reject FUNCTION, classes, free variables, costly patterns, and more work"
                    + " than tight limits allow, with status 2")
        }
    }
}
