"""The rows of the benchmark, the same in every run, their tables on each engine, and the schema of the tables.

Of a million orders each belongs to one of a million users, which belong to 200 departments.
"""

import csv
import datetime
import json
import pathlib
import random

FIRST_NAMES = "Jo Ann Zoë José Müller Max Eva Tom Lea Kim Ben Ida Åsa Leo Amy Sam Liv Noa Per Uma".split()
DOMAINS = ["example.com", "example.org", "mail.example.net"]
CITIES = ["Berlin", "Paris", "Zürich", "Malmö", "Lyon", "Graz", "Oslo", "Bern"]
STATUSES = ["open"] * 2 + ["paid"] * 5 + ["sent"] * 12 + ["lost"]
DEPTS = 200
START = datetime.datetime(2016, 1, 1)
SECONDS = 9 * 365 * 86400

# Columns with their kinds; an index on each column that is marked, and NULL where there is a question mark.
TABLES = {
    "depts": {"id": "key", "name": "string", "city": "string", "budget": "decimal?"},
    "users": {
        "id": "key", "name": "string index", "email": "string index", "age": "integer? index",
        "created": "date index", "balance": "decimal? index", "score": "double", "active": "boolean",
        "dept_id": "integer? index",
    },
    "orders": {
        "id": "key", "user_id": "integer index", "total": "decimal? index", "qty": "integer", "status": "string",
        "placed": "date index",
    },
}

RELATIONSHIPS = {
    "depts": {"users": {"to": "users", "toMany": True, "inverseColumn": "dept_id"}},
    "users": {
        "dept": {"to": "depts", "column": "dept_id"},
        "orders": {"to": "orders", "toMany": True, "inverseColumn": "user_id"},
    },
    "orders": {"user": {"to": "users", "column": "user_id"}},
}

# The types of columns by kind, as people declare them.
TYPES = {
    "sqlite": {
        "key": "INTEGER PRIMARY KEY", "integer": "INTEGER", "string": "TEXT", "decimal": "REAL", "double": "REAL",
        "boolean": "BOOLEAN", "date": "DATETIME",
    },
    "postgresql": {
        "key": "integer PRIMARY KEY", "integer": "integer", "string": "text", "decimal": "numeric(12,2)",
        "double": "double precision", "boolean": "boolean", "date": "timestamp",
    },
    "mariadb": {
        "key": "int PRIMARY KEY", "integer": "int", "string": "varchar(100)", "decimal": "decimal(12,2)",
        "double": "double", "boolean": "tinyint(1)", "date": "datetime(6)",
    },
    "duckdb": {
        "key": "INTEGER PRIMARY KEY", "integer": "INTEGER", "string": "VARCHAR", "decimal": "DECIMAL(12,2)",
        "double": "DOUBLE", "boolean": "BOOLEAN", "date": "TIMESTAMP",
    },
}
TYPES["mysql"] = TYPES["mariadb"]

# Further indexes that the documentation of an engine recommends, and those of the statements written by hand.
INDEXES = {
    "postgresql": [
        'CREATE INDEX ON users (name COLLATE "C")',
        "CREATE INDEX ON users (lower(name) text_pattern_ops)",
    ],
    "sqlite": ["CREATE INDEX users_name_nocase ON users (name COLLATE NOCASE)"],
}
FOLD_INDEXES = {
    "postgresql": [
        "CREATE INDEX ON users ({c}(name) text_pattern_ops)", "CREATE INDEX ON users ({cd}(name) text_pattern_ops)",
    ],
}
ANALYZE = {
    "sqlite": ["ANALYZE"],
    "postgresql": ["ANALYZE depts", "ANALYZE users", "ANALYZE orders"],
    "mariadb": ["ANALYZE TABLE depts, users, orders"],
    "mysql": ["ANALYZE TABLE depts, users, orders"],
    "duckdb": ["ANALYZE"],
}


def kind(column):
    return column.split()[0].rstrip("?")


def creations(engine):
    """The statements that create the tables."""
    statements = []
    for table, columns in TABLES.items():
        parts = []
        for name, column in columns.items():
            words = TYPES[engine][kind(column)]
            parts.append(f"{name} {words}" + ("" if "?" in column or kind(column) == "key" else " NOT NULL"))
        statements.append(f"CREATE TABLE {table} ({', '.join(parts)})")
    return statements


def indexes(engine):
    """The statements that create indexes after the rows are there."""
    plain = [
        f"CREATE INDEX {table}_{name} ON {table} ({name})"
        for table, columns in TABLES.items() for name, column in columns.items() if "index" in column
    ]
    return plain + INDEXES.get(engine, [])


def schema(engine, count):
    """The schema, as `predicate schema` reads it from the engine, which has analyzed the tables."""
    affinities = {"integer": "integer", "string": "text", "decimal": "real", "double": "real", "boolean": "numeric",
                  "date": "numeric"}
    entities = {}
    for table, columns in TABLES.items():
        attributes = {}
        for name, column in columns.items():
            if kind(column) == "key":
                continue
            attribute = {"type": kind(column), "nullable": "?" in column}
            if kind(column) == "date":
                attribute["storage"] = "iso8601" if engine == "sqlite" else "timestamp"
            if engine == "sqlite":
                attribute["type"] = "double" if kind(column) == "decimal" else kind(column)
                attribute["affinity"] = affinities[kind(column)]
            elif kind(column) in ("integer", "decimal"):
                attribute["nativeType"] = TYPES[engine][kind(column)]
            elif engine == "postgresql" and name == "name" and table == "users":
                attribute["indexedFolds"] = ["c", "cd"]
            attributes[name] = {**attribute, **statistics(engine, table, name, column, count)}
        entities[table] = {"table": table, "primaryKey": "id", "attributes": attributes,
                           "relationships": RELATIONSHIPS[table], "rowCount": rows(table, count)}
    return json.dumps({"entities": entities})


def rows(table, count):
    return DEPTS if table == "depts" else count


# The different values of columns, and the bounds of numbers and of dates in seconds since 2001.
DIFFERENT = {"age": 65, "dept_id": DEPTS, "status": 4, "qty": 20, "city": len(CITIES)}
FIRST = (START - datetime.datetime(2001, 1, 1)).total_seconds()
BOUNDS = {
    "age": (16, 80), "dept_id": (1, DEPTS), "qty": (1, 20), "total": (0, 10000), "balance": (0, 10000),
    "budget": (0, 100000), "score": (0, 100), "created": (FIRST, FIRST + SECONDS), "placed": (FIRST, FIRST + SECONDS),
}


def statistics(engine, table, name, column, count):
    """What the statistics of the engine tell about a column: nothing on DuckDB, no bounds on MariaDB and MySQL, and
    indexed columns only on all but PostgreSQL."""
    found = {}
    if engine == "duckdb" or engine != "postgresql" and "index" not in column:
        return found
    found["valueCount"] = 2 if kind(column) == "boolean" else DIFFERENT.get(name, rows(table, count))
    if name in BOUNDS and engine in ("sqlite", "postgresql"):
        found["least"], found["greatest"] = BOUNDS[name]
    return found


def moment(random):
    return (START + datetime.timedelta(seconds=random.randrange(SECONDS))).isoformat(sep=" ")


def money(random, most):
    return f"{random.randrange(1, most * 100) / 100:.2f}"


def sometimes(random, share, value):
    return "" if random.random() < share else value


def depts(random, count):
    for number in range(1, DEPTS + 1):
        yield [number, f"Dept {number}", CITIES[number % len(CITIES)], sometimes(random, 0.05, money(random, 100000))]


def users(random, count):
    for number in range(1, count + 1):
        name = f"{random.choice(FIRST_NAMES)}{number * 7919 % 1000003}"
        yield [
            number, name, f"user{number * 7907 % 1000003}@{random.choice(DOMAINS)}",
            sometimes(random, 0.02, random.randint(16, 80)), moment(random),
            sometimes(random, 0.03, money(random, 10000)), random.random() * 100, int(random.random() < 0.7),
            sometimes(random, 0.01, random.randint(1, DEPTS)),
        ]


def orders(random, count):
    for number in range(1, count + 1):
        yield [
            number, random.randint(1, count), sometimes(random, 0.01, money(random, 10000)), random.randint(1, 20),
            random.choice(STATUSES), moment(random),
        ]


def write(folder, count):
    """Writes the rows as CSV files, unless they are there."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for table, make in [("depts", depts), ("users", users), ("orders", orders)]:
        path = folder / f"{table}.csv"
        if path.exists():
            continue
        part = path.with_suffix(".part")
        with open(part, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(make(random.Random(table), count))
        part.rename(path)
    return {table: folder / f"{table}.csv" for table in TABLES}
