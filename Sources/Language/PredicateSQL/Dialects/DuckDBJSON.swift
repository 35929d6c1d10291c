/// The macros of DuckDB that read members of JSON objects.
///
/// If several members have one name, the last one counts, but DuckDB finds the first. If no name of a path can occur twice,
/// which the text shows, the path is looked up at once, otherwise object by object.
enum DuckDBJSON {
    static let helpers = [
        DuckDBPrelude.macro("\(keysName)(keys)", "CAST('[' || keys[2:-2] || ']' AS VARCHAR[])"),
        DuckDBPrelude.macro(
            "\(memberName)(v, k)",
            """
            CAST(list_last(list_filter(list_zip(json_keys(v), json_extract(v, '$.*')), lambda p: p[1] = k))[2] AS VARCHAR)
            """),
        DuckDBPrelude.macro("\(valueName)(v, keys)", "CASE WHEN json_valid(v) THEN \(found) END"),
    ]

    private static let keysName = "predicates_json_keys"
    private static let memberName = "predicates_json_member"
    private static let valueName = "predicates_json_value"

    /// The member at the end of a path. Without escapes, a name is written in one way only.
    private static let found = """
        CASE WHEN keys = '{}' THEN CAST(v AS VARCHAR) \
        WHEN NOT contains(CAST(v AS VARCHAR), '\\') AND len(regexp_extract_all(CAST(v AS VARCHAR), '"(?:' \
        || array_to_string([regexp_escape(k) FOR k IN \(keysName)(keys)], '|') || ')"')) <= len(\(keysName)(keys)) \
        THEN CAST(json_extract(v, array_to_string(\
        ['/' || replace(replace(k, '~', '~0'), '/', '~1') FOR k IN \(keysName)(keys)], '')) AS VARCHAR) \
        ELSE list_reduce(\(keysName)(keys), \
        lambda x, k: CASE json_type(x) WHEN 'OBJECT' THEN \(memberName)(x, k) END, CAST(v AS VARCHAR)) END
        """

    /// Returns a macro whose body reads a member `x`.
    static func macro(_ function: SQLFunction, _ body: String) -> String {
        DuckDBPrelude.macro(
            "\(function.name)(v, keys)", "list_transform([\(valueName)(v, keys)], lambda x: \(body))[1]")
    }

    static let kind = """
        CASE json_type(x) WHEN 'NULL' THEN NULL WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' \
        WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' ELSE CASE WHEN x IS NOT NULL THEN 'number' END END
        """

    /// An array, or the values of an object.
    static let elements = """
        CASE json_type(x) WHEN 'ARRAY' THEN x WHEN 'OBJECT' THEN '[' || COALESCE(array_to_string(\
        [\(memberName)(x, k) FOR k IN list_distinct(json_keys(x))], ','), '') || ']' END
        """

    /// A key applied to an array applies to each element; a key applied to a string or a number is an error.
    static let pathKind = DuckDBPrelude.macro(
        "\(SQLFunction.jsonPathKind.name)(v, keys)",
        """
        (WITH RECURSIVE steps(x, k) AS (SELECT CASE WHEN json_valid(v) THEN CASE json_type(v) WHEN 'OBJECT' \
        THEN CAST(v AS VARCHAR) END END, \(keysName)(keys) UNION ALL \
        SELECT unnest(CASE json_type(x) WHEN 'OBJECT' THEN [\(memberName)(x, k[1])] \
        ELSE CAST(json_extract(x, '$[*]') AS VARCHAR[]) END), CASE json_type(x) WHEN 'OBJECT' THEN k[2:] ELSE k END \
        FROM steps WHERE len(k) > 0 AND json_type(x) IN ('OBJECT', 'ARRAY')) \
        SELECT CASE WHEN bool_or(len(k) > 0 AND json_type(x) NOT IN ('OBJECT', 'ARRAY', 'NULL')) THEN 'error' \
        WHEN bool_or(json_type(x) = 'ARRAY') THEN 'array' ELSE max(CASE WHEN len(k) = 0 THEN \(kind) END) END FROM steps)
        """)
}
