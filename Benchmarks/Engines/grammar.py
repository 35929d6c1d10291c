"""Draws predicates by seed, with the SQL that an engineer would write for the same rows.

A predicate joins up to three conditions, some of them negated, and may be paged. Each condition has one or more forms in SQL;
the statements of a predicate are made of them, and the fastest counts.
"""

import datetime
import random

from questions import ENGINES, Question
import shop

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
OPERATORS = list(OPPOSITE)
PLAIN_NAMES = [name for name in shop.FIRST_NAMES if name.isascii()]


class Condition:
    """A condition in the language of predicates and in SQL. A form in SQL takes the alias of the entity, and the engine."""

    def __init__(self, format, forms, negated, join=None):
        self.format = format
        self.forms = forms
        self.negated = negated
        # For a to-one relationship: the join, and the form of the condition on the joined row.
        self.join = join

    def opposite(self):
        return Condition(f"NOT ({self.format})", self.negated, self.forms)


def sign(operator):
    return {"==": "=", "!=": "<>"}.get(operator, operator)


def comparison(key, column, operator, value, sql, isOptional):
    """`age > 40`. A column that is NULL is unequal to any value, and in no order with it."""
    def form(operator, findsNull):
        plain = f"{{0}}.{column} {sign(operator)} {sql}"
        text = f"({plain} OR {{0}}.{column} IS NULL)" if findsNull and isOptional else plain
        return [lambda alias, engine: text.format(alias)]

    return Condition(
        f"{key} {operator} {value}", form(operator, operator == "!="), form(OPPOSITE[operator], operator != "!="))


def number(draw, key, column, values, isOptional=True):
    value = draw.choice(values)
    return comparison(key, column, draw.choice(OPERATORS), value, value, isOptional)


def date(draw, key, column):
    value = (shop.START + datetime.timedelta(days=draw.randrange(shop.SECONDS // 86400))).date().isoformat()
    return comparison(
        key, column, draw.choice(["<", ">="]), f'CAST("{value}", "NSDate")', f"'{value}'", isOptional=False)


def word(draw, key, column, values):
    value = draw.choice(values)
    return comparison(key, column, draw.choice(["==", "!="]), f'"{value}"', f"'{value}'", isOptional=False)


def between(draw, key, column):
    low = draw.randint(16, 80)
    high = low + draw.randrange(20)
    return Condition(
        f"{key} BETWEEN {{{low}, {high}}}", [lambda alias, engine: f"{alias}.{column} BETWEEN {low} AND {high}"],
        [lambda alias, engine: f"({alias}.{column} < {low} OR {alias}.{column} > {high} OR {alias}.{column} IS NULL)"])


def members(draw, key, column, values, quote):
    some = draw.sample(values, draw.randint(2, 4))
    texts = ", ".join(f"{quote}{value}{quote}" for value in some)
    listed = ", ".join(f"'{value}'" if quote else str(value) for value in some)
    isOptional = not quote
    return Condition(
        f"{key} IN {{{texts}}}", [lambda alias, engine: f"{alias}.{column} IN ({listed})"],
        [lambda alias, engine: f"({alias}.{column} NOT IN ({listed})"
         + (f" OR {alias}.{column} IS NULL)" if isOptional else ")")])


def beginning(draw, key, column):
    text = draw.choice(PLAIN_NAMES) + "".join(draw.choice("0123456789") for _ in range(draw.randint(0, 4)))

    def form(isNegated):
        word = "NOT " if isNegated else ""
        return lambda alias, engine: (
            f"{alias}.{column} {word}GLOB '{text}*'" if engine == "sqlite" else f"{alias}.{column} {word}LIKE '{text}%'")

    return Condition(f'{key} BEGINSWITH "{text}"', [form(False)], [form(True)])


def active(draw):
    isActive = draw.random() < 0.5

    def form(isActive):
        return lambda alias, engine: (
            ("" if isActive else "NOT ") + f"{alias}.active" if engine in ("postgresql", "duckdb")
            else f"{alias}.active = {int(isActive)}")

    return Condition(f"active == {'YES' if isActive else 'NO'}", [form(isActive)], [form(not isActive)])


def related(condition, path, table, column):
    """`dept.city == "Oslo"`: a condition on the object at the end of a to-one relationship. `condition` has the key with the
    path; where it holds for NULL, it also holds for no object."""
    alias = table[0] + "2"

    def inside(form):
        return lambda own, engine: f"{own}.{column} IN (SELECT {alias}.id FROM {table} {alias} WHERE {form(alias, engine)})"

    def exists(form):
        return lambda own, engine: (
            f"EXISTS (SELECT 1 FROM {table} {alias} WHERE {alias}.id = {own}.{column} AND {form(alias, engine)})")

    def both(forms):
        return [make(form) for make in (inside, exists) for form in forms]

    def outside(forms):
        return [lambda own, engine, form=form: f"({own}.{column} IS NULL OR NOT {form(own, engine)})"
                for form in both(forms)]

    if "!=" in condition.format:
        return Condition(condition.format, outside(condition.negated), both(condition.negated))
    join = (lambda own: f" JOIN {table} {alias} ON {alias}.id = {own}.{column}",
            lambda own, engine: condition.forms[0](alias, engine))
    return Condition(condition.format, both(condition.forms), outside(condition.forms), join)


def elements(draw):
    """`ANY orders.total > 9999`, `SUBQUERY(orders, $o, $o.total > 9999 AND $o.qty == 2).@count > 0`"""
    isLong = draw.random() < 0.4
    parts = [order(draw, "$o." if isLong else "orders.") for _ in range(2 if isLong else 1)]
    least = draw.choice([1, 1, 2, 3]) if isLong else 1

    def chosen(engine):
        return " AND ".join(part.forms[0]("o", engine) for part in parts)

    def inside(word):
        having = f" GROUP BY o.user_id HAVING COUNT(*) >= {least}" if least > 1 else ""
        return lambda own, engine: (
            f"{own}.id {word}IN (SELECT o.user_id FROM orders o WHERE {chosen(engine)}{having})")

    def exists(word):
        if least == 1:
            return lambda own, engine: (
                f"{word}EXISTS (SELECT 1 FROM orders o WHERE o.user_id = {own}.id AND {chosen(engine)})")
        sign = "<" if word else ">="
        return lambda own, engine: (
            f"(SELECT COUNT(*) FROM orders o WHERE o.user_id = {own}.id AND {chosen(engine)}) {sign} {least}")

    joined = " AND ".join(part.format for part in parts)
    format = f"SUBQUERY(orders, $o, {joined}).@count >= {least}" if isLong else f"ANY {joined}"
    return Condition(format, [inside(""), exists("")], [inside("NOT "), exists("NOT ")])


def aggregate(draw):
    """`orders.@count > 2`, `orders.@max.qty == 20`"""
    function, column, values = draw.choice([
        ("count", "*", range(1, 6)), ("sum", "qty", range(10, 80)), ("max", "qty", range(1, 21)),
        ("min", "qty", range(1, 21)),
    ])
    operator, value = draw.choice([">", ">="]), draw.choice(values)
    key = "orders.@count" if function == "count" else f"orders.@{function}.{column}"

    def inside(word):
        return lambda own, engine: (
            f"{own}.id {word}IN (SELECT o.user_id FROM orders o GROUP BY o.user_id"
            f" HAVING {function.upper()}({column}) {operator} {value})")

    def correlated(operator):
        return lambda own, engine: (
            f"COALESCE((SELECT {function.upper()}({column}) FROM orders o WHERE o.user_id = {own}.id), 0)"
            f" {operator} {value}")

    return Condition(
        f"{key} {operator} {value}", [inside(""), correlated(operator)],
        [inside("NOT "), correlated(OPPOSITE[operator])])


def order(draw, path=""):
    """A condition on the columns of an order. In `ANY orders.total != 5`, an order without a total has no value."""
    return draw.choice([
        lambda: number(
            draw, path + "total", "total", [5, 50, 500, 5000, 9900, 9990], isOptional=not path.startswith("orders")),
        lambda: number(draw, path + "qty", "qty", range(1, 21), isOptional=False),
        lambda: word(draw, path + "status", "status", ["open", "paid", "sent", "lost"]),
        lambda: members(draw, path + "status", "status", ["open", "paid", "sent", "lost"], '"'),
        lambda: date(draw, path + "placed", "placed"),
    ])()


def dept(draw, path=""):
    return draw.choice([
        lambda: word(draw, path + "city", "city", [city for city in shop.CITIES if city.isascii()]),
        lambda: word(draw, path + "name", "name", [f"Dept {number}" for number in range(1, shop.DEPTS + 1)]),
    ])()


def user(draw, path=""):
    """A condition on the columns of a user."""
    return draw.choice([
        lambda: number(draw, path + "age", "age", range(16, 81)),
        lambda: between(draw, path + "age", "age"),
        lambda: members(draw, path + "age", "age", range(16, 81), ""),
        lambda: date(draw, path + "created", "created"),
        lambda: number(draw, path + "balance", "balance", [5, 50, 500, 5000, 9900, 9990]),
        lambda: beginning(draw, path + "name", "name"),
    ])()


def condition(draw, entity):
    if entity == "users":
        choices = [
            lambda: user(draw), lambda: user(draw), lambda: active(draw),
            lambda: related(dept(draw, "dept."), "dept", "depts", "dept_id"), lambda: elements(draw),
            lambda: elements(draw), lambda: aggregate(draw),
        ]
    else:
        choices = [
            lambda: order(draw), lambda: order(draw),
            lambda: related(user(draw, "user."), "user", "users", "user_id"),
        ]
    found = draw.choice(choices)()
    return found.opposite() if draw.random() < 0.15 else found


def statements(entity, parts, word, page, engine):
    """The statements of some conditions that AND or OR joins: for each number of a form, one that uses that form of each
    condition, as far as it has one; one with the union of the rows of each condition, and one that joins related objects."""
    alias = entity[0]
    texts = []
    for number in range(max(len(part.forms) for part in parts)):
        found = [part.forms[min(number, len(part.forms) - 1)](alias, engine) for part in parts]
        texts.append(f"SELECT {alias}.id FROM {entity} {alias} WHERE {f' {word} '.join(found)}{page}")
        if word == "OR" and len(found) > 1 and not page:
            texts.append(" UNION ".join(f"SELECT {alias}.id FROM {entity} {alias} WHERE {text}" for text in found))
    joined = [part for part in parts if part.join]
    if joined and (word == "AND" or len(parts) == 1):
        joins = "".join(dict.fromkeys(part.join[0](alias) for part in joined))
        found = " AND ".join((part.join[1] if part.join else part.forms[0])(alias, engine) for part in parts)
        texts.append(f"SELECT {alias}.id FROM {entity} {alias}{joins} WHERE {found}{page}")
    return list(dict.fromkeys(texts))


def questions(count, seed):
    """Draws questions, whose numbers go on after those of questions.txt."""
    draw = random.Random(seed)
    for place in range(count):
        entity = draw.choice(["users", "users", "orders"])
        parts = [condition(draw, entity) for _ in range(draw.choice([1, 1, 2, 2, 2, 3]))]
        word = draw.choice(["AND", "AND", "OR"])
        question = Question(place, entity, f" {word} ".join(part.format for part in parts))
        page = ""
        if draw.random() < 0.15:
            question.first = draw.choice([20, 50])
            date, alias = ("created" if entity == "users" else "placed"), entity[0]
            question.sort = draw.choice([[], ["-" + date]])
            page = f" ORDER BY {alias}.{date} DESC, {alias}.id" if question.sort else f" ORDER BY {alias}.id"
            page += f" LIMIT {question.first}"
        if question.first and "orders" in question.format:
            question.slower["sqlite"] = "all orders are read once: a search for each user would read all users where few match"
        if '"NSDate"' in question.format or any("created" in key or "placed" in key for key in question.sort):
            question.slower["sqlite"] = "texts of different forms may be the same date, so every text is parsed"
        for engine in ENGINES:
            question.sql[engine] = statements(entity, parts, word, page, engine)
        yield question
