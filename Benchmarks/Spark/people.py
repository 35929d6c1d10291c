"""People, their departments and orders, made by Spark from formulas over their numbers: the same on every machine.

Each column is an expression over `{id}`, so that the object a relationship leads to needs no join where it is written beside
another. Names are nil now and then, in letters beyond ASCII, composed and decomposed; dates have microseconds.
"""

FIRST = """John Joan Jonas Joseph Johanna Jan Jane Julia Jack Jordan Anna Hannah Daniel Frank Diana Ivan Susan Brian Nathan
Emma Peter Maria Lucas Oliver Sophie David Laura Robert Claire Victor Helen Martin""".split()
LAST = """Smith Jones Brown Taylor Wilson Evans Walker White Green Hall Wood Clarke Garcia Hansen Johansson Lang Novak Rossi
Moreau Dubois Fischer Weber Schmidt Becker Silva Costa Lopez Torres Nielsen Berg Popov Sato""".split()
ACCENTED_FIRST = ["Jos\u00e9", "Jose\u0301", "JO\u00c3O", "J\u00f6rg", "Zo\u00eb", "ZOE\u0308", "S\u00f8ren", "\u00c5sa"]
ACCENTED_LAST = ["Garc\u00eda", "Garci\u0301a", "Mu\u00f1oz", "M\u00fcller", "Stra\u00dfe", "STRASSE", "L\u00f3pez", "\u7530\u4e2d"]
DOMAINS = ["example.com", "example.org", "mail.example.net", "STAFF.EXAMPLE.ORG"]
ITEMS = "swift server sql linux c rust go web data security testing networking embedded graphics audio".split()
STATUSES = ["open", "paid", "sent", "returned"]
DEPARTMENTS = ["Sales", "Legal", "R&D", "Engineering", "Marketing", "Support", "Finance", "Operations"]
# Some 80 MB of lines.
PEOPLE_PER_FILE = 250_000


def draw(salt, bound):
    """A number below a bound that depends on the number of a row."""
    return f"pmod(xxhash64({{id}}, {salt}), {bound})"


def pick(salt, texts):
    words = ", ".join("'" + text.replace("'", "\\'") + "'" for text in texts)
    return f"element_at(array({words}), CAST({draw(salt, len(texts))} AS INT) + 1)"


ACCENTS = draw(1, 20)
NAME = f"""CASE WHEN {draw(2, 100)} = 0 THEN NULL ELSE concat(
    CASE WHEN {ACCENTS} IN (0, 2) THEN {pick(3, ACCENTED_FIRST)} ELSE {pick(4, FIRST)} END, ' ',
    CASE WHEN {ACCENTS} IN (1, 2) THEN {pick(5, ACCENTED_LAST)} ELSE {pick(6, LAST)} END) END"""

PERSON = {
    "id": "{id}",
    "name": NAME,
    "age": f"CASE WHEN {draw(7, 50)} = 0 THEN NULL ELSE {draw(8, 100)} END",
    "email": f"concat(lower({pick(4, FIRST)}), '.', {draw(9, 10_000)}, '@', {pick(10, DOMAINS)})",
    "score": f"CAST({draw(11, 100_000)} AS DOUBLE) / 1000D",
    "active": f"{draw(12, 100)} < 70",
    # Some share one moment of a leap day; the others are any microsecond of ten years.
    "created": f"""timestamp_micros(CASE WHEN {draw(13, 1000)} = 0 THEN 1709207999999000
        ELSE 1420070400000000 + {draw(14, 315_532_800_000_000)} END)""",
    "dept_id": f"CASE WHEN {draw(15, 100)} = 0 THEN NULL ELSE {draw(16, len(DEPARTMENTS))} END",
    "boss_id": f"CASE WHEN {draw(17, 20)} = 0 OR {{id}} = 0 THEN NULL ELSE {{id}} div 7 END",
}
ORDER_COUNT = f"element_at(array(0, 0, 1, 1, 2, 3), CAST({draw(18, 6)} AS INT) + 1)"
# Of the order with the number {id}, which is four times that of its person and its place among the person's orders.
ORDER = {
    "id": "{id}",
    "total": draw(20, 10_000),
    "status": f"CASE WHEN {draw(21, 100)} = 0 THEN NULL ELSE {pick(22, STATUSES)} END",
    "item": pick(23, ITEMS),
}


def at(expression, identifier):
    return expression.replace("{id}", identifier)


def columns(table, identifier):
    return ", ".join(f"{at(text, identifier)} AS {name}" for name, text in table.items())


def department(identifier):
    names = ", ".join(f"'{name}'" for name in DEPARTMENTS)
    return f"element_at(array({names}), CAST({identifier} AS INT) + 1)"


def write_tables(spark, folder, people):
    """The tables as Parquet."""
    spark.sql(f"SELECT {columns(PERSON, 'id')} FROM range({people})").write.parquet(f"{folder}/people")
    spark.sql(
        f"""SELECT {columns(ORDER, "number")}, number div 4 AS person_id FROM (
            SELECT explode(sequence(id * 4, id * 4 + {at(ORDER_COUNT, "id")} - 1)) AS number FROM range({people})
            WHERE {at(ORDER_COUNT, "id")} > 0)"""
    ).write.parquet(f"{folder}/orders")
    spark.sql(f"SELECT id, {department('id')} AS name FROM range({len(DEPARTMENTS)})").write.parquet(
        f"{folder}/departments"
    )


def write_objects(spark, folder, people):
    """A line of JSON for each person, with the objects that relationships lead to inside, in files of 250,000."""
    files = max(-(-people // PEOPLE_PER_FILE), 2)
    orders = f"""transform(CASE WHEN orders > 0 THEN sequence(id * 4, id * 4 + orders - 1) ELSE array() END,
        number -> struct({columns(ORDER, "number")}))"""
    boss = {name: PERSON[name] for name in ("name", "age", "dept_id")}
    spark.sql(
        f"""SELECT to_json(struct(id, name, age, email, score, active, created, orders,
                CASE WHEN dept_id IS NOT NULL THEN struct({department("dept_id")} AS name) END AS dept,
                CASE WHEN boss_id IS NOT NULL THEN struct(boss.name, boss.age, CASE WHEN boss.dept_id IS NOT NULL THEN
                    struct({department("boss.dept_id")} AS name) END AS dept) END AS boss),
            map('timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSX"))
        FROM (SELECT *, struct({columns(boss, "boss_id")}) AS boss FROM (
            SELECT * EXCEPT (orders), {orders} AS orders FROM (
                SELECT {columns(PERSON, "id")}, {at(ORDER_COUNT, "id")} AS orders
                FROM range(0, {people}, 1, {files}))))"""
    ).write.text(f"{folder}/objects")
