import PredicateText

/// The functions of MariaDB and MySQL, generated from the evaluator's fold table.
///
/// Neither server normalizes strings, so a SQL function implements the fold: it decomposes each code point, orders
/// and removes marks, folds letters, and records where characters begin. The other functions use its result. ASCII
/// strings take a faster path. A client can send each statement as plain SQL.
struct MySQLPrelude: GeneratedPrelude {
    let server: MySQLFamily.Server
    let collation: String

    func helpers(for functions: Set<SQLFunction>) -> [String] {
        (functions.contains(where: \.readsMembers) ? memberHelpers : [])
            + (functions.contains(where: \.comparesFolds) ? [pattern, near, characters] : [])
    }

    private var pattern: String {
        let members = Self.literal(MySQLFamily(server: server).regularExpressions.membersOfMarks)
        let name = SQLRegularExpressions.nameOfMarks
        return create(Self.patternName, "p \(text)", text, "RETURN REPLACE(p, '\(name)', \(members));")
    }

    /// A string in hexadecimal, whose meaning no SQL mode changes.
    static func literal(_ text: String) -> String { "_utf8mb4 x'\(Hexadecimal.text(text.utf8))'" }

    var definitions: [SQLFunction: (SQLFunction) -> String] {
        [
            .foldCase: { fold($0, .caseInsensitive) },
            .foldDiacritics: { fold($0, .diacriticInsensitive) },
            .foldCaseAndDiacritics: { fold($0, .caseAndDiacriticInsensitive) },
            .begins: {
                search($0, "RETURN \(Self.matches(at: "1"))") { "LEFT(\($0), CHAR_LENGTH(needle)) = needle" }
            },
            .ends: {
                search($0, "SET place = size - width + 1; RETURN place > 0 AND \(Self.matches(at: "place"))") {
                    "RIGHT(\($0), CHAR_LENGTH(needle)) = needle"
                }
            },
            .contains: { search($0, Self.searchLoop) { "LOCATE(needle, \($0)) > 0" } },
            .like: { _ in like },
            .uppercase: { caseMapping($0, .upper) },
            .lowercase: { caseMapping($0, .lower) },
            .date: { _ in dates },
            .jsonKind: { reading($0, Self.kind) },
            .jsonPathKind: { pathKind($0) },
            .jsonText: { reading($0, cast(.jsonToText)) },
            .jsonNumber: { reading($0, as: "DOUBLE", cast(.jsonToDouble)) },
            .jsonBoolean: { reading($0, as: "BOOLEAN", cast(.jsonToBoolean)) },
            .jsonElements: { elements($0) },
        ]
    }

    // MARK: Functions

    private func fold(_ function: SQLFunction, _ mode: FoldMode) -> String {
        create(
            function.name, "s \(text)", text,
            """
            DECLARE near \(text);
            DECLARE characters LONGBLOB;
            IF LENGTH(s) = CHAR_LENGTH(s) THEN RETURN \(mode.foldsCase ? "LOWER(s)" : "s"); END IF;
            SET near = \(Self.nearName)(s, '\(mode.letters)');
            IF near IS NOT NULL THEN RETURN near; END IF;
            SET characters = \(Self.charactersName)(s, '\(mode.letters)');
            RETURN \(Self.text(of: "LEFT(characters, LENGTH(characters) DIV 5 * 4)"));
            """)
    }

    /// A search for a folded, nonempty needle. In the body, `characters` are the folded code points, `size` is their
    /// number, `width` is the number of the needle's code points, and `flags` indicate which of them begin a
    /// character. `short` searches ASCII strings, and strings in which each code point folds to a single code point.
    private func search(_ function: SQLFunction, _ body: String, short: (String) -> String) -> String {
        let ascii = "(CASE letters WHEN 'd' THEN s ELSE LOWER(s) END) COLLATE \(collation)"
        return create(
            function.name, "s \(text), needle \(text), letters VARCHAR(2) CHARACTER SET utf8mb4", "BOOLEAN",
            """
            DECLARE pieces, flags LONGBLOB;
            DECLARE near, characters \(text);
            DECLARE size, width, place INT DEFAULT 0;
            IF s IS NULL OR needle IS NULL THEN RETURN NULL; END IF;
            IF LENGTH(needle) = 0 THEN RETURN FALSE; END IF;
            IF LENGTH(s) = CHAR_LENGTH(s) THEN RETURN \(short(ascii)); END IF;
            SET near = \(Self.nearName)(s, letters);
            IF CHAR_LENGTH(near) = CHAR_LENGTH(s) THEN RETURN \(short("near")); END IF;
            SET pieces = \(Self.charactersName)(s, letters);
            SET size = LENGTH(pieces) DIV 5, width = CHAR_LENGTH(needle);
            SET flags = SUBSTRING(pieces, 4 * size + 1);
            SET characters = \(Self.text(of: "LEFT(pieces, 4 * size)"));
            \(body);
            """)
    }

    /// True if the needle occurs at a position and ends at the end of a character.
    private static func matches(at place: String) -> String {
        """
        SUBSTRING(characters, \(place), width) = needle AND SUBSTRING(flags, \(place), 1) = '1' \
        AND SUBSTRING(CONCAT(flags, '1'), \(place) + width, 1) = '1'
        """
    }

    private static let searchLoop = """
        SET place = LOCATE(needle, characters);
        WHILE place > 0 DO
        IF \(matches(at: "place")) THEN RETURN TRUE; END IF;
        SET place = LOCATE(needle, characters, place + 1);
        END WHILE;
        RETURN FALSE
        """

    /// `predicates2_like(s, 'j?h*n', 'cd')`: a star first matches the empty string. Each time the rest of the pattern
    /// does not match, the star takes one more character.
    private var like: String {
        let name = SQLFunction.like.name
        return create(
            name, "s \(text), pattern \(text), letters VARCHAR(2) CHARACTER SET utf8mb4", "BOOLEAN",
            """
            DECLARE pieces, flags, tokens LONGBLOB;
            DECLARE literal \(text) DEFAULT '';
            DECLARE token, part VARBINARY(4);
            DECLARE size, width, place, number, mark INT DEFAULT 0;
            DECLARE resumed, again INT DEFAULT -1;
            IF s IS NULL OR pattern IS NULL THEN RETURN NULL; END IF;
            \(Self.readTokens)
            IF LENGTH(tokens) = 0 THEN RETURN FALSE; END IF;
            IF letters = '' THEN
            SET pieces = \(Self.codePoints(of: "s")), flags = REPEAT('1', CHAR_LENGTH(s));
            ELSE
            SET pieces = \(Self.charactersName)(s, letters), flags = SUBSTRING(pieces, LENGTH(pieces) DIV 5 * 4 + 1);
            END IF;
            SET size = LENGTH(flags), width = LENGTH(tokens) DIV 4, flags = CONCAT(flags, '1');
            \(Self.fitTokens)
            """)
    }

    /// The folded code points of the pattern, with codes for wildcards.
    private static let readTokens = """
        SET tokens = '', number = 1;
        WHILE number <= CHAR_LENGTH(pattern) + 1 DO
        SET mark = ORD(CONVERT(SUBSTRING(pattern, number, 1) USING utf32));
        IF number > CHAR_LENGTH(pattern) OR mark = 42 OR mark = 63 THEN
        SET tokens = CONCAT(tokens, \(codePoints(of: foldedLiteral))), literal = '';
        IF number <= CHAR_LENGTH(pattern) THEN SET tokens = CONCAT(tokens, IF(mark = 42, \(star), \(one))); END IF;
        ELSE
        IF mark = 92 AND number < CHAR_LENGTH(pattern) THEN SET number = number + 1; END IF;
        SET literal = CONCAT(literal, SUBSTRING(pattern, number, 1));
        END IF;
        SET number = number + 1;
        END WHILE;
        """

    private static let (star, one) = ("x'FFFFFFFF'", "x'FFFFFFFE'")

    private static let foldedLiteral = """
        CASE letters WHEN 'c' THEN \(SQLFunction.foldCase.name)(literal) \
        WHEN 'd' THEN \(SQLFunction.foldDiacritics.name)(literal) \
        WHEN 'cd' THEN \(SQLFunction.foldCaseAndDiacritics.name)(literal) ELSE literal END
        """

    private static let fitTokens = """
        SET number = 0;
        fit: LOOP
        SET token = SUBSTRING(tokens, 4 * number + 1, 4);
        IF token = \(star) AND SUBSTRING(flags, place + 1, 1) = '1' THEN
        SET number = number + 1, resumed = place, again = number;
        IF number = width THEN RETURN TRUE; END IF;
        ITERATE fit;
        ELSEIF number = width THEN
        IF place = size THEN RETURN TRUE; END IF;
        ELSEIF token = \(one) THEN
        IF place < size AND SUBSTRING(flags, place + 1, 1) = '1' THEN
        SET number = number + 1, place = LOCATE('1', flags, place + 2) - 1;
        ITERATE fit;
        END IF;
        ELSEIF place < size AND SUBSTRING(pieces, 4 * place + 1, 4) = token THEN
        SET number = number + 1, place = place + 1;
        ITERATE fit;
        END IF;
        IF again < 0 OR resumed >= size THEN RETURN FALSE; END IF;
        SET resumed = LOCATE('1', flags, resumed + 2) - 1;
        SET place = resumed, number = again;
        END LOOP;
        """

    // MARK: Characters

    private static let charactersName = helperName("characters")

    /// `predicates2_characters(s, 'cd')`: the folded code points in UTF-32, followed by one digit for each: 1 if a
    /// character begins there, else 0.
    private var characters: String {
        create(
            Self.charactersName, "s \(text), letters VARCHAR(2) CHARACTER SET utf8mb4", "LONGBLOB",
            """
            DECLARE folds BOOLEAN DEFAULT letters IN ('c', 'cd');
            DECLARE drops BOOLEAN DEFAULT letters IN ('d', 'cd');
            DECLARE source LONGBLOB DEFAULT \(Self.codePoints(of: "s"));
            DECLARE size INT DEFAULT CHAR_LENGTH(s);
            DECLARE place, number, code, record, kind, held_at INT DEFAULT 0;
            DECLARE base, combining, class_before INT DEFAULT 0;
            DECLARE composed INT;
            DECLARE alone, kept, begins BOOLEAN DEFAULT FALSE;
            DECLARE parts, part, piece, parts_folded VARBINARY(16);
            DECLARE held, held_records, piece_run, flag_run, pieces, flags LONGBLOB DEFAULT '';
            \(Self.tables)
            IF s IS NULL THEN RETURN NULL; END IF;
            IF 16 * size > @@max_allowed_packet THEN
            SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'A text is too long to be folded: raise max_allowed_packet';
            END IF;
            WHILE place <= size DO
            \(Self.decompose)
            SET number = 0;
            REPEAT
            \(Self.hold)
            UNTIL 4 * number >= LENGTH(parts) END REPEAT;
            SET place = place + 1;
            END WHILE;
            RETURN CONCAT(pieces, piece_run, flags, flag_run);
            """)
    }

    private static let tables: String = {
        let table = MySQLFoldTable.whole
        return """
            DECLARE blocks LONGTEXT CHARACTER SET ucs2 DEFAULT _ucs2 x'\(table.blocks)';
            DECLARE records LONGTEXT CHARACTER SET ucs2 DEFAULT _ucs2 x'\(table.records)';
            DECLARE kinds LONGTEXT CHARACTER SET ucs2 DEFAULT _ucs2 x'\(table.kinds)';
            DECLARE decompositions LONGBLOB DEFAULT x'\(table.decompositions)';
            DECLARE case_folds LONGBLOB DEFAULT x'\(table.caseFolds)';
            DECLARE compositions LONGBLOB DEFAULT x'\(table.compositions)';
            """
    }()

    /// The decomposition of the next code point. At the end it is empty, which flushes the held code points.
    private static let decompose = """
        SET parts = SUBSTRING(source, 4 * place + 1, 4), code = \(number(of: "parts"));
        IF code >= 128 THEN
        IF code BETWEEN 44032 AND 55203 THEN
        SET code = code - 44032;
        SET parts = CONCAT(\(bytes(of: "4352 + code DIV 588")), \(bytes(of: "4449 + code % 588 DIV 28")), \
        IF(code % 28 = 0, '', \(bytes(of: "4519 + code % 28"))));
        ELSE
        \(findRecord)
        SET piece = TRIM(TRAILING x'00000000' FROM SUBSTRING(decompositions, 16 * record + 1, 16));
        IF LENGTH(piece) > 0 THEN SET parts = piece; END IF;
        END IF;
        END IF;
        """

    /// Adds a code point to the held ones, with marks in canonical order. A code point that begins a character and is
    /// not a mark first writes out the held code points.
    private static let hold = """
        SET part = SUBSTRING(parts, 4 * number + 1, 4), number = number + 1;
        SET code = \(number(of: "part"));
        \(findRecord)
        SET kind = ORD(SUBSTRING(kinds, record + 1, 1));
        IF kind & 1 = 0 AND kind < 4 THEN
        \(letGo)
        SET held = part, held_records = \(bytes(of: "record"));
        ELSE
        SET held_at = LENGTH(held);
        IF kind >= 4 THEN
        WHILE held_at > 0 AND \(kind(of: number(of: "SUBSTRING(held_records, held_at - 3, 4)"))) >> 2 > kind >> 2 DO
        SET held_at = held_at - 4;
        END WHILE;
        END IF;
        SET held = CONCAT(LEFT(held, held_at), part, SUBSTRING(held, held_at + 1));
        SET held_records = CONCAT(LEFT(held_records, held_at), \(bytes(of: "record")), \
        SUBSTRING(held_records, held_at + 1));
        END IF;
        """

    /// Writes the held code points, character by character.
    private static let letGo = """
        SET held_at = 0;
        WHILE 4 * held_at < LENGTH(held) DO
        SET piece = SUBSTRING(held, 4 * held_at + 1, 4);
        SET record = \(number(of: "SUBSTRING(held_records, 4 * held_at + 1, 4)"));
        SET combining = \(kind(of: "record")), held_at = held_at + 1, kept = TRUE;
        IF combining & 1 = 0 OR LENGTH(flag_run) + LENGTH(flags) = 0 THEN
        SET base = \(number(of: "piece")), alone = combining & 2, class_before = 0, begins = TRUE;
        ELSE
        SET begins = FALSE;
        IF drops AND NOT alone THEN
        \(dropMark)
        END IF;
        END IF;
        IF kept THEN
        \(keep)
        END IF;
        END WHILE;
        SET code = \(number(of: "part"));
        \(findRecord)
        """

    /// Decides if a mark is kept under `[d]`: after a letter beyond Cyrillic, a mark is kept if it composes with the
    /// letter.
    private static let dropMark = """
        SET composed = NULL;
        IF base >= 1296 AND (combining < 4 OR class_before < combining >> 2) THEN
        \(compose)
        END IF;
        SET class_before = combining >> 2, kept = composed IS NOT NULL OR combining & 2 = 0, base = COALESCE(composed, base);
        """

    private static let compose = """
        SET code = \(number(of: "piece"));
        IF base BETWEEN 4352 AND 4370 AND code BETWEEN 4449 AND 4469 THEN
        SET composed = 44032 + ((base - 4352) * 21 + code - 4449) * 28;
        ELSEIF base BETWEEN 44032 AND 55203 AND (base - 44032) % 28 = 0 AND code BETWEEN 4520 AND 4546 THEN
        SET composed = base + code - 4519;
        ELSE
        SET record = LOCATE(CONCAT(\(bytes(of: "base")), piece), compositions);
        WHILE record % 12 <> 1 AND record > 0 DO
        SET record = LOCATE(CONCAT(\(bytes(of: "base")), piece), compositions, record + 1);
        END WHILE;
        IF record > 0 THEN SET composed = \(number(of: "SUBSTRING(compositions, record + 8, 4)")); END IF;
        SET record = \(number(of: "SUBSTRING(held_records, 4 * held_at - 3, 4)"));
        END IF;
        """

    /// Appends the code point, or the letters that it folds to. The result is collected in chunks of about 4,096
    /// bytes.
    private static let keep = """
        IF folds AND combining & 2 = 0 THEN
        SET parts_folded = TRIM(TRAILING x'00000000' FROM SUBSTRING(case_folds, 12 * record + 1, 12));
        IF LENGTH(parts_folded) > 0 THEN SET piece = parts_folded; END IF;
        END IF;
        SET piece_run = CONCAT(piece_run, piece);
        SET flag_run = CONCAT(flag_run, IF(begins, '1', '0'), REPEAT('0', LENGTH(piece) DIV 4 - 1));
        IF LENGTH(piece_run) > 4096 THEN
        SET pieces = CONCAT(pieces, piece_run), flags = CONCAT(flags, flag_run), piece_run = '', flag_run = '';
        END IF;
        """

    private static let findRecord = """
        SET record = CASE WHEN code < \(Folding.entryLimit) THEN ORD(SUBSTRING(records, \
        128 * ORD(SUBSTRING(blocks, code DIV 128 + 1, 1)) + code % 128 + 1, 1)) ELSE 0 END;
        """

    private static func kind(of record: String) -> String { "ORD(SUBSTRING(kinds, \(record) + 1, 1))" }

    // MARK: Text

    var text: String { "LONGTEXT CHARACTER SET utf8mb4 COLLATE \(collation)" }

    static func codePoints(of text: String) -> String { "CAST(CONVERT(\(text) USING utf32) AS BINARY)" }

    static func text(of codePoints: String) -> String {
        "CONVERT(CONVERT(\(codePoints) USING utf32) USING utf8mb4)"
    }

    /// Converts four bytes to a number; 0 for an empty string.
    static func number(of bytes: String) -> String { "CONV(HEX(\(bytes)), 16, 10)" }

    /// Converts a number to four bytes.
    static func bytes(of number: String) -> String { "UNHEX(LPAD(HEX(\(number)), 8, '0'))" }

    /// Creates a function unless it exists. Replacing it would wait for every statement that uses it.
    func create(_ name: String, _ parameters: String, _ type: String, _ body: String) -> String {
        """
        CREATE FUNCTION IF NOT EXISTS \(name)(\(parameters)) RETURNS \(type) DETERMINISTIC NO SQL SQL SECURITY INVOKER
        BEGIN
        \(body)
        END
        """
    }
}
