extension SQLEngine {
    /// The query of the database's catalog, whose result describes the tables as a JSON document, so that no driver is needed;
    /// nil for a database without such a query. The result is one row with one column, a ``DatabaseDocument``.
    ///
    /// `SELECT json_build_object('database', 'postgresql', 'columns', …, 'foreignKeys', …) …`
    package var catalogQuery: String? {
        switch self {
        case .postgresql: Self.postgresqlQuery
        case .mariadb: "SET STATEMENT group_concat_max_len = 4294967295 FOR " + Self.mysqlQuery(naming: "mariadb")
        case .mysql: Self.mysqlQuery(naming: "mysql")
        case .duckdb: Self.duckdbQuery
        case .sqlite, .spark: nil
        }
    }

    /// The tables and views, except tables of extensions, with their schemas unless the search path finds them. A domain is
    /// resolved to its base type.
    private static let postgresqlQuery = """
        WITH RECURSIVE base(oid, type) AS (
          SELECT oid, oid FROM pg_catalog.pg_type WHERE typtype <> 'd'
          UNION ALL
          SELECT t.oid, base.type FROM pg_catalog.pg_type t JOIN base ON t.typtype = 'd' AND t.typbasetype = base.oid),
        relation AS (
          SELECT c.oid, CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind, c.relname AS name,
            CASE WHEN NOT pg_table_is_visible(c.oid) THEN n.nspname END AS schema,
            CASE WHEN c.reltuples > 0 THEN c.reltuples::int8 END AS rows, n.nspname AS space
          FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
            AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
            AND NOT EXISTS (
              SELECT 1 FROM pg_catalog.pg_depend d
              WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
        SELECT json_build_object(
          'database', 'postgresql',
          'columns', (
            SELECT coalesce(json_agg(json_build_object(
              'table', r.name, 'schema', r.schema, 'kind', r.kind, 'name', a.attname, 'position', a.attnum,
              'type', CASE WHEN t.typtype = 'e' THEN 'enum' WHEN n.nspname = 'pg_catalog' THEN t.typname::text
                WHEN t.typname = 'citext' THEN 'citext' ELSE format_type(t.oid, NULL) END,
              'native', CASE WHEN (t.typtype = 'e' OR t.typname = 'citext') AND pg_type_is_visible(t.oid)
                OR t.oid = 'date'::regtype THEN t.typname WHEN t.typname = 'bpchar' OR t.oid = a.atttypid
                  AND t.typname IN ('int2', 'int4', 'numeric') THEN format_type(a.atttypid, a.atttypmod) END,
              'labels', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e
                WHERE e.enumtypid = t.oid),
              'declared', format_type(a.atttypid, a.atttypmod),
              'nullable', CASE WHEN a.attnotnull THEN 'NO' ELSE 'YES' END,
              'collation', CASE WHEN l.collname <> 'default' THEN l.collname END,
              'keyPosition', array_position(k.conkey, a.attnum), 'rowCount', r.rows,
              'valueCount', (CASE WHEN s.n_distinct < 0 THEN -s.n_distinct * r.rows ELSE nullif(s.n_distinct, 0) END)::int8,
              'least', e.least, 'greatest', e.greatest)), '[]')
            FROM relation r JOIN pg_catalog.pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN base b ON b.oid = a.atttypid JOIN pg_catalog.pg_type t ON t.oid = b.type
              JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
              LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
              LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = r.oid AND k.contype = 'p'
              LEFT JOIN pg_catalog.pg_stats s ON s.schemaname = r.space AND s.tablename = r.name
                AND s.attname = a.attname AND NOT s.inherited
              CROSS JOIN LATERAL (
                SELECT min(position) AS least, max(position) AS greatest FROM (
                  SELECT CASE WHEN n.nspname <> 'pg_catalog' THEN NULL
                    WHEN t.typname IN ('int2', 'int4', 'int8', 'float4', 'float8') THEN value::float8
                    WHEN t.typname = 'numeric' THEN
                      CASE WHEN value::numeric BETWEEN -1e300 AND 1e300 THEN round(value::numeric, 100)::float8 END
                    WHEN t.typname IN ('date', 'timestamp', 'timestamptz')
                      AND value ~ '^[0-9]{4}-[0-9]{2}-' AND value !~ 'BC'
                    THEN extract(epoch FROM value::timestamptz)::float8 - 978307200 END AS position
                  FROM unnest(s.most_common_vals::text::text[] || s.histogram_bounds::text::text[]) AS value) v
                WHERE position BETWEEN -1e300 AND 1e300) e),
          'foreignKeys', (
            SELECT coalesce(json_agg(json_build_object(
              'table', r.name, 'schema', r.schema, 'constraint', f.conname, 'position', u.position, 'column', a.attname,
              'target', coalesce(o.name, f.confrelid::regclass::text), 'targetSchema', o.schema,
              'targetColumn', s.attname)), '[]')
            FROM relation r JOIN pg_catalog.pg_constraint f ON f.conrelid = r.oid AND f.contype = 'f'
              LEFT JOIN relation o ON o.oid = f.confrelid
              CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY AS u(source, target, position)
              JOIN pg_catalog.pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = u.source
              JOIN pg_catalog.pg_attribute s ON s.attrelid = f.confrelid AND s.attnum = u.target))
        """

    /// The tables and views of the current database, and those of others that the account can read.
    private static func mysqlQuery(naming name: String) -> String {
        """
        SELECT CONCAT('{"database": "\(name)", "columns": ', COALESCE((
          SELECT JSON_ARRAYAGG(JSON_OBJECT(
            'table', c.TABLE_NAME, 'schema', \(elsewhere("c.TABLE_SCHEMA")), 'kind', IF(t.TABLE_TYPE = 'VIEW', 'view', 'table'), 'name', c.COLUMN_NAME,
            'position', c.ORDINAL_POSITION, 'type', c.DATA_TYPE, 'declared', c.COLUMN_TYPE,
            'native', CASE WHEN c.DATA_TYPE IN ('enum', 'date') THEN c.DATA_TYPE
              WHEN c.DATA_TYPE IN ('tinyint', 'smallint', 'mediumint', 'int', 'decimal')
              AND c.COLUMN_TYPE <> 'tinyint(1)' THEN c.COLUMN_TYPE END,
            'nullable', c.IS_NULLABLE, 'collation', c.COLLATION_NAME, 'keyPosition', k.ORDINAL_POSITION,
            'rowCount', NULLIF(t.TABLE_ROWS, 0), 'valueCount', s.CARDINALITY))
          FROM information_schema.COLUMNS c
            JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
            LEFT JOIN information_schema.KEY_COLUMN_USAGE k ON k.TABLE_SCHEMA = c.TABLE_SCHEMA
              AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
            LEFT JOIN (
              SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, MAX(CARDINALITY) AS CARDINALITY
              FROM information_schema.STATISTICS WHERE SEQ_IN_INDEX = 1 GROUP BY 1, 2, 3) s
              ON s.TABLE_SCHEMA = c.TABLE_SCHEMA AND s.TABLE_NAME = c.TABLE_NAME AND s.COLUMN_NAME = c.COLUMN_NAME
          WHERE \(isUsers("c.TABLE_SCHEMA")) AND t.TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')), '[]'),
        ', "foreignKeys": ', COALESCE((
          SELECT JSON_ARRAYAGG(JSON_OBJECT(
            'table', k.TABLE_NAME, 'schema', \(elsewhere("k.TABLE_SCHEMA")), 'constraint', k.CONSTRAINT_NAME,
            'position', k.ORDINAL_POSITION, 'column', k.COLUMN_NAME, 'target', k.REFERENCED_TABLE_NAME,
            'targetSchema', \(elsewhere("k.REFERENCED_TABLE_SCHEMA")), 'targetColumn', k.REFERENCED_COLUMN_NAME))
          FROM information_schema.KEY_COLUMN_USAGE k
          WHERE \(isUsers("k.TABLE_SCHEMA")) AND k.REFERENCED_TABLE_NAME IS NOT NULL), '[]'), '}')
        """
    }

    private static func elsewhere(_ schema: String) -> String { "IF(\(schema) <=> DATABASE(), NULL, \(schema))" }

    private static func isUsers(_ schema: String) -> String {
        "\(schema) NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')"
    }

    /// The tables and views of all schemas of the current database, and of the schema `main` of attached databases: the name of
    /// a table has at most two parts.
    private static let duckdbQuery = """
        WITH space AS (
          SELECT DISTINCT database_name, schema_name,
            CASE WHEN database_name <> current_database() THEN database_name
              WHEN schema_name <> current_schema() THEN schema_name END AS name
          FROM duckdb_schemas()
          WHERE database_name NOT IN ('system', 'temp') AND schema_name NOT IN ('information_schema', 'pg_catalog')
            AND (database_name = current_database() OR schema_name = 'main')),
        relation AS (
          SELECT database_name, schema_name, table_name AS name, 'table' AS kind, nullif(estimated_size, 0) AS rows
          FROM duckdb_tables() WHERE NOT internal
          UNION ALL
          SELECT database_name, schema_name, view_name, 'view', NULL FROM duckdb_views() WHERE NOT internal),
        keys AS (
          SELECT database_name, schema_name, table_name, constraint_column_names AS names FROM duckdb_constraints()
          WHERE constraint_type = 'PRIMARY KEY')
        SELECT to_json({
          'database': 'duckdb',
          'columns': (
            SELECT coalesce(list({
              'table': c.table_name, 'schema': s.name, 'kind': r.kind, 'name': c.column_name, 'position': c.column_index,
              'type': c.data_type, 'declared': c.data_type,
              'native': CASE WHEN c.data_type = 'DATE' THEN 'date' WHEN c.data_type LIKE 'DECIMAL(%)' OR c.data_type IN (
                'TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER') THEN c.data_type END,
              'nullable': CASE WHEN c.is_nullable THEN 'YES' ELSE 'NO' END, 'collation': NULL,
              'keyPosition': nullif(coalesce(list_position(k.names, c.column_name), 0), 0), 'rowCount': r.rows}), [])
            FROM duckdb_columns() c JOIN space s USING (database_name, schema_name)
              JOIN relation r ON r.name = c.table_name AND r.database_name = c.database_name
                AND r.schema_name = c.schema_name
              LEFT JOIN keys k ON k.table_name = c.table_name AND k.database_name = c.database_name
                AND k.schema_name = c.schema_name),
          'foreignKeys': (
            SELECT coalesce(list({
              'table': f.table_name, 'schema': s.name, 'constraint': f.constraint_name, 'position': u.position,
              'column': f.constraint_column_names[u.position], 'target': f.referenced_table, 'targetSchema': s.name,
              'targetColumn': f.referenced_column_names[u.position]}), [])
            FROM duckdb_constraints() f JOIN space s USING (database_name, schema_name) CROSS JOIN LATERAL (
              SELECT unnest(range(1, len(f.constraint_column_names) + 1)) AS position) u
            WHERE f.constraint_type = 'FOREIGN KEY')})
        """
}
