import PredicateData

/// The format of `--output`.
enum OutputFormat: String, CaseIterable {
    case jsonl, json, csv, tsv, table, lines

    /// The format of records in JSON; nil for rows of cells.
    var json: DataFormat? {
        switch self {
        case .jsonl: .jsonLines
        case .json: .json
        case .csv, .tsv, .table, .lines: nil
        }
    }

    /// The dialect of rows of cells; nil for other formats.
    var dialect: DelimitedDialect? {
        switch self {
        case .csv: .csv
        case .tsv: .tsv
        case .jsonl, .json, .table, .lines: nil
        }
    }
}
