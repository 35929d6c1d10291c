/// The function by which MariaDB and MySQL read dates that are kept as texts.
extension MySQLPrelude {
    /// `predicates_date(s)`
    var dates: String {
        create(
            SQLFunction.date.name, "s \(text)", "DOUBLE",
            """
            DECLARE rest, digits \(text) DEFAULT '';
            DECLARE y, m, d, days, seconds, east BIGINT DEFAULT 0;
            IF s IS NULL OR s NOT REGEXP \(Self.literal("^\(DateTexts.form)\\z", collation)) THEN RETURN NULL; END IF;
            SET y = LEFT(s, 4), m = SUBSTRING(s, 6, 2), d = SUBSTRING(s, 9, 2);
            IF m NOT BETWEEN 1 AND 12 OR d < 1 OR d > \(DateTexts.days(inMonth: "m", of: "y")) THEN RETURN NULL; END IF;
            SET days = \(DateTexts.daysSince2001(year: "y", month: "m", day: "d", divide: "DIV")), seconds = days * 86400;
            IF CHAR_LENGTH(s) > 10 THEN
            SET seconds = seconds + SUBSTRING(s, 12, 2) * 3600 + SUBSTRING(s, 15, 2) * 60, rest = SUBSTRING(s, 17);
            END IF;
            IF LEFT(rest, 1) = ':' THEN SET seconds = seconds + SUBSTRING(rest, 2, 2), rest = SUBSTRING(rest, 4); END IF;
            IF LEFT(rest, 1) = '.' THEN
            SET digits = SUBSTRING(REGEXP_SUBSTR(rest, '^[.][0-9]+'), 2), rest = SUBSTRING(rest, CHAR_LENGTH(digits) + 2);
            SET digits = TRIM(TRAILING '0' FROM LEFT(digits, 15));
            END IF;
            IF CHAR_LENGTH(rest) > 1 THEN
            SET east = SUBSTRING(rest, 2, 2) * 3600 + IF(CHAR_LENGTH(rest) > 3, RIGHT(rest, 2), 0) * 60;
            SET seconds = seconds - IF(LEFT(rest, 1) = '-', -east, east);
            END IF;
            IF CHAR_LENGTH(digits) <= 6 THEN
            RETURN CAST(seconds * 1000000 + CAST(RPAD(digits, 6, '0') AS SIGNED) AS DOUBLE) / 1e6;
            END IF;
            RETURN CAST(seconds AS DOUBLE) + CAST(digits AS DOUBLE) / CAST(RPAD('1', CHAR_LENGTH(digits) + 1, '0') AS DOUBLE);
            """)
    }
}
