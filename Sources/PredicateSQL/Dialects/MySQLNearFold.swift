import PredicateText

/// The fold of a text that has no marks of its own, for MariaDB and MySQL: each code point is looked up once. [NSP-379]
extension MySQLPrelude {
    static let nearName = "predicates\(Folding.version)_near"

    /// `predicates2_near(s, 'cd')`: the folded text, or NULL where a code point folds together with its neighbours.
    ///
    /// The tables are literals and no variables, which would be filled for each call.
    var near: String {
        create(
            Self.nearName, "s \(text), letters VARCHAR(2) CHARACTER SET utf8mb4", text,
            """
            DECLARE source, run, result LONGTEXT CHARACTER SET utf32 COLLATE utf32_bin DEFAULT '';
            DECLARE piece, folded VARCHAR(4) CHARACTER SET utf32;
            DECLARE place, stop, size, code, record, mode INT DEFAULT 0;
            IF s IS NULL THEN RETURN NULL; END IF;
            SET source = CONVERT(s USING utf32), size = CHAR_LENGTH(s), mode = FIELD(letters, \(Self.modes));
            WHILE place < size DO
            SET run = '', stop = LEAST(place + 1024, size);
            WHILE place < stop DO
            SET place = place + 1, code = ORD(SUBSTRING(source, place, 1));
            IF code < 65 OR code BETWEEN 91 AND 127 THEN
            SET run = CONCAT(run, SUBSTRING(source, place, 1));
            ELSE
            \(Self.foldPiece)
            SET run = CONCAT(run, piece);
            END IF;
            END WHILE;
            SET result = CONCAT(result, run);
            END WHILE;
            IF LOCATE(CHAR(\(MySQLFoldTable.far) USING utf32), result) > 0 THEN RETURN NULL; END IF;
            RETURN CONVERT(result USING utf8mb4);
            """)
    }

    /// Puts what the code point `code` becomes into `piece`.
    private static let foldPiece: String = {
        let table = MySQLFoldTable.whole
        return """
            SET piece = SUBSTRING(source, place, 1);
            IF code BETWEEN 44032 AND 55203 THEN
            SET piece = \(syllable);
            ELSEIF code < \(Folding.entryLimit) THEN
            SET record = ORD(SUBSTRING(_ucs2 x'\(table.records)', \
            128 * ORD(SUBSTRING(_ucs2 x'\(table.blocks)', code DIV 128 + 1, 1)) + code % 128 + 1, 1));
            IF record > 0 THEN
            SET folded = TRIM(TRAILING _utf32 x'00000000' FROM \
            SUBSTRING(_utf32 x'\(table.folds)', 12 * record + 4 * mode - 3, 4));
            IF LENGTH(folded) > 0 THEN SET piece = folded; END IF;
            END IF;
            END IF;
            """
    }()

    private static let modes = FoldMode.near.map { "'\($0.letters)'" }.joined(separator: ", ")

    /// The conjoining letters of a syllable of Hangul.
    private static let syllable = """
        CONCAT(CHAR(4352 + (code - 44032) DIV 588 USING utf32), CHAR(4449 + (code - 44032) % 588 DIV 28 USING utf32), \
        IF((code - 44032) % 28 = 0, '', CHAR(4519 + (code - 44032) % 28 USING utf32)))
        """
}

extension FoldMode {
    /// The folds in the order of their columns in ``MySQLFoldTable/folds``.
    static let near: [FoldMode] = [.caseInsensitive, .diacriticInsensitive, .caseAndDiacriticInsensitive]
}
