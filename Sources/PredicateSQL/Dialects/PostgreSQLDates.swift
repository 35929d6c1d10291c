/// The function by which PostgreSQL reads dates that are kept as texts of ISO 8601.
///
/// It reads what the evaluator reads. A text in no such form, or of a day that is none, is NULL.
enum PostgreSQLDates {
    static var function: String {
        """
        CREATE OR REPLACE FUNCTION \(SQLFunction.date.name)(s text) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS \
        $predicates$\(body)$predicates$
        """
    }

    /// Seconds since 2001 as an integer; a fraction of up to six digits is added as microseconds, a longer one as a double.
    private static let body = """
        DECLARE p text[] := regexp_match(s, '^\(DateTexts.form)$'); digits text; y int; seconds numeric; \
        BEGIN \
        IF p IS NULL THEN RETURN NULL; END IF; \
        y := p[1]::int; \
        IF p[2]::int NOT BETWEEN 1 AND 12 OR p[3]::int < 1 OR p[3]::int > \(DateTexts.days(inMonth: "p[2]::int", of: "y")) \
        THEN RETURN NULL; END IF; \
        seconds := (make_date(y + 400, p[2]::int, p[3]::int) - date '2401-01-01')::numeric * 86400 \
        + coalesce(p[4]::int, 0) * 3600 + coalesce(p[5]::int, 0) * 60 + coalesce(p[6]::int, 0) \
        - (coalesce(p[9]::int, 0) * 3600 + coalesce(p[10]::int, 0) * 60) * CASE p[8] WHEN '-' THEN -1 ELSE 1 END; \
        digits := rtrim(left(coalesce(p[7], ''), 15), '0'); \
        IF length(digits) <= 6 THEN \
        RETURN (seconds * 1000000 + rpad(digits, 6, '0')::int)::float8 / 1000000; END IF; \
        RETURN seconds::float8 + digits::float8 / ('1' || repeat('0', length(digits)))::float8; \
        END
        """
}
