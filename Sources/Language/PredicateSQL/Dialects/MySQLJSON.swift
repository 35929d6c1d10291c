/// The functions of MariaDB and MySQL that read members of JSON objects.
///
/// If several members have one name, the last one counts, as in MySQL. MariaDB finds the first, and no name with escapes. So a
/// name is looked up only if the text shows that this makes no difference; otherwise each member is read.
extension MySQLPrelude {
    var memberHelpers: [String] { [member, value] }

    private static let memberName = "predicates_json_member"
    private static let valueName = "predicates_json_value"

    /// `predicates_json_member(object, 'name')`
    private var member: String {
        let found = "JSON_EXTRACT(v, CONCAT('$.', name))"
        let escaped =
            switch server {
            case .mySQL: ""
            case .mariaDB:
                """
                IF LOCATE('"', k) > 0 OR LOCATE(\(Self.literal("\\")), CONCAT(JSON_KEYS(v), k)) > 0
                OR LENGTH(v) - LENGTH(REPLACE(v, name, '')) > LENGTH(name) THEN
                SET v = JSON_COMPACT(v);
                WHILE v <> '{}' DO
                \(Self.takeMember)
                IF JSON_UNQUOTE(name) = k THEN SET found = item; END IF;
                END WHILE;
                RETURN found;
                END IF;
                """
            }
        return create(
            Self.memberName, "v \(text), k \(text)", text,
            """
            DECLARE name \(text) DEFAULT JSON_QUOTE(k);
            DECLARE item, found \(text);
            IF JSON_TYPE(v) <> 'OBJECT' THEN RETURN NULL; END IF;
            \(escaped)
            RETURN \(found);
            """)
    }

    /// Takes the first member from an object `v` that is written without blanks.
    private static let takeMember = """
        SET name = REGEXP_SUBSTR(v, \(literal(#""(?:[^"\\]++|\\.)*+""#)));
        SET item = JSON_COMPACT(JSON_EXTRACT(JSON_EXTRACT(v, '$.*'), '$[0]'));
        SET v = SUBSTRING(v, CHAR_LENGTH(name) + CHAR_LENGTH(item) + 3);
        SET v = CONCAT('{', TRIM(LEADING ',' FROM v));
        """

    /// `predicates_json_value(payload, '{"user","id"}')`: the member at the end of a path, as JSON
    private var value: String {
        create(
            Self.valueName, "v \(text), k \(text)", text,
            """
            IF NOT JSON_VALID(v) THEN RETURN NULL; END IF;
            \(Self.readKeys)
            WHILE JSON_LENGTH(k) > 0 DO
            SET v = \(Self.memberName)(v, \(Self.firstKey));
            SET k = JSON_REMOVE(k, '$[0]');
            END WHILE;
            RETURN v;
            """)
    }

    private static let readKeys = "SET k = CONCAT('[', SUBSTRING(k, 2, CHAR_LENGTH(k) - 2), ']');"
    private static let firstKey = "JSON_UNQUOTE(JSON_EXTRACT(k, '$[0]'))"

    /// Returns the function that converts the member `v` at the end of a path.
    func reading(_ function: SQLFunction, as type: String? = nil, _ conversion: String) -> String {
        create(
            function.name, "v \(text), k \(text)", type ?? text,
            """
            SET v = \(Self.valueName)(v, k);
            RETURN \(conversion);
            """)
    }

    func cast(_ cast: SQLPiece.Cast) -> String {
        Self.cast("v", cast, server == .mariaDB ? MariaDBDialect() : MySQLDialect())
    }

    static let kind = """
        CASE WHEN JSON_TYPE(v) IN ('OBJECT', 'ARRAY', 'STRING', 'BOOLEAN') THEN LOWER(JSON_TYPE(v)) \
        WHEN JSON_TYPE(v) <> 'NULL' THEN 'number' END
        """

    /// A key applied to an array applies to each element; a key applied to a string or a number is an error.
    func pathKind(_ function: SQLFunction) -> String {
        create(
            function.name, "v \(text), k \(text)", text,
            """
            DECLARE list, found, item \(text);
            DECLARE number INT DEFAULT 0;
            DECLARE passed BOOLEAN DEFAULT FALSE;
            IF NOT JSON_VALID(v) THEN RETURN NULL; END IF;
            IF JSON_TYPE(v) <> 'OBJECT' THEN RETURN NULL; END IF;
            SET list = CONCAT('[', v, ']');
            \(Self.readKeys)
            WHILE JSON_LENGTH(k) > 0 DO
            SET found = '[]', number = 0;
            WHILE number < JSON_LENGTH(list) DO
            SET item = JSON_EXTRACT(list, CONCAT('$[', number, ']')), number = number + 1;
            IF JSON_TYPE(item) = 'ARRAY' THEN
            SET passed = TRUE, list = JSON_MERGE_PRESERVE(list, item);
            ELSEIF JSON_TYPE(item) = 'OBJECT' THEN
            SET item = \(Self.memberName)(item, \(Self.firstKey));
            IF item IS NOT NULL THEN SET found = JSON_MERGE_PRESERVE(found, CONCAT('[', item, ']')); END IF;
            ELSEIF JSON_TYPE(item) <> 'NULL' THEN
            RETURN 'error';
            END IF;
            END WHILE;
            SET list = found, k = JSON_REMOVE(k, '$[0]');
            END WHILE;
            SET v = JSON_EXTRACT(list, '$[0]');
            RETURN CASE WHEN passed THEN 'array' ELSE \(Self.kind) END;
            """)
    }

    /// An array, or the values of an object. MariaDB sets each value under a name without escapes, so that the last one stays.
    func elements(_ function: SQLFunction) -> String {
        guard server == .mariaDB else {
            let values = "COALESCE(JSON_EXTRACT(v, '$.*'), '[]')"
            return reading(function, "CASE JSON_TYPE(v) WHEN 'ARRAY' THEN v WHEN 'OBJECT' THEN \(values) END")
        }
        return create(
            function.name, "v \(text), k \(text)", text,
            """
            DECLARE name, item \(text);
            DECLARE found \(text) DEFAULT '{}';
            SET v = JSON_COMPACT(\(Self.valueName)(v, k));
            IF JSON_TYPE(v) <> 'OBJECT' THEN RETURN CASE JSON_TYPE(v) WHEN 'ARRAY' THEN v END; END IF;
            WHILE v <> '{}' DO
            \(Self.takeMember)
            SET found = JSON_SET(found, CONCAT('$.k', HEX(JSON_UNQUOTE(name))), JSON_COMPACT(item));
            END WHILE;
            RETURN CASE WHEN v IS NOT NULL THEN COALESCE(JSON_EXTRACT(found, '$.*'), '[]') END;
            """)
    }
}
