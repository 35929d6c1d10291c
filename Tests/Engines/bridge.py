"""Puts statements to a database engine: one request per line of standard input, one answer per line of standard output.

    bridge.py ENGINE ADDRESS [KEPT]    postgresql, mariadb, mysql: the folder of the socket; duckdb, spark: a folder for
                                       files; KEPT is the folder of a database that outlives the run

Requests and answers are JSON. A value is null or [TYPE, VALUE], with the parameter types of SQLFragment: integer and
boolean as they are, double as hexadecimal text, decimal, uuid, json and text as text, blob as base 64, timestamp as text
or as microseconds since 2001. An error is a list of two texts, its class and its message. The text of a statement reaches the server as it is, and values as parameters of the server.

    {"do": "run", "statements": [TEXT, …]}                   {} or {"error": […]}: all, or an error
    {"do": "load", "drop": [NAME…], "tables": [{"name", "create", "insert", "columns": [[NAME, TYPE]…], "rows": […]}]}
    {"do": "ask", "statements": [{"text", "values"}, …]}     {"answers": [{"rows", "count"} or {"error": […]}, …]}
    {"do": "change", "statements": [{"change", "then"}, …]}  each changes rows and then selects some; undone before the next
    {"do": "time", "statement": {"text", "values"}}          {"seconds", "value"} or {"error": […]}: of its first row
    {"do": "copy", "table", "columns": [NAME…], "file"}      {}: the rows of a CSV file, in which nothing is NULL

A statement that fails does not disturb the others of its request.
"""

import base64
import datetime
import decimal
import io
import json
import sys
import time
import uuid

EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def decoded(value):
    """A value of a request as one of Python's."""
    if value is None:
        return None
    kind, content = value
    if kind == "double":
        return float.fromhex(content)
    if kind == "decimal":
        return decimal.Decimal(content)
    if kind == "blob":
        return base64.b64decode(content)
    if kind == "uuid":
        return uuid.UUID(content)
    if kind == "timestamp" and isinstance(content, int):
        return EPOCH + datetime.timedelta(microseconds=content)
    return content


def encoded(value):
    """A value of a row for an answer."""
    if value is None:
        return None
    if isinstance(value, bool):
        return ["boolean", value]
    if isinstance(value, int):
        return ["integer", value]
    if isinstance(value, float):
        return ["double", value.hex()]
    if isinstance(value, (bytes, bytearray)):
        return ["blob", base64.b64encode(value).decode()]
    return ["text", str(value)]


class Engine:
    """What every engine can do by `execute`; an engine overrides what it does in another way."""

    def failure(self, error):
        """The class of an error, by which a harness tells those that values may lead to, and its message."""
        return [type(error).__name__, str(error)]

    def run(self, text):
        self.execute(text, [])

    def load(self, drop, tables):
        for name in drop:
            self.execute(f"DROP TABLE IF EXISTS {name}", [])
        for table in tables:
            self.execute(table["create"], [])
            self.insert(table)

    def insert(self, table):
        for row in table["rows"]:
            self.execute(table["insert"], [decoded(value) for value in row])

    def ask(self, statements):
        return [self.attempt(statement) for statement in statements]

    def attempt(self, statement):
        try:
            rows, count = self.execute(statement["text"], [decoded(value) for value in statement["values"]])
        except Exception as error:
            self.recover()
            return {"error": self.failure(error)}
        return {"rows": [[encoded(value) for value in row] for row in rows], "count": count}

    def time(self, statement):
        values = [decoded(value) for value in statement["values"]]
        start = time.perf_counter()
        try:
            rows, _ = self.execute(statement["text"], values)
        except Exception as error:
            self.recover()
            return {"error": self.failure(error)}
        return {"seconds": time.perf_counter() - start, "value": rows[0][0] if rows else None}

    def change(self, pairs):
        return [self.changed(pair["change"], pair["then"]) for pair in pairs]

    def changed(self, statement, then):
        self.begin()
        try:
            answer = self.attempt(statement)
            if "error" in answer:
                return answer
            rest = self.attempt(then)
            return rest if "error" in rest else {**answer, "then": rest["rows"]}
        finally:
            self.rollback()

    def begin(self):
        self.execute("BEGIN", [])

    def rollback(self):
        self.execute("ROLLBACK", [])

    def recover(self):
        pass


class PostgreSQL(Engine):
    def __init__(self, address, kept=None):
        import psycopg
        from psycopg.types.numeric import Int8

        self.int8 = Int8
        self.connection = psycopg.connect(
            host=address, user="postgres", dbname="postgres", autocommit=True, cursor_factory=psycopg.RawCursor
        )
        self.connection.prepare_threshold = None

    def execute(self, text, values):
        values = [self.int8(value) if type(value) is int else value for value in values]
        cursor = self.connection.execute(text.encode(), values, binary=False)
        return (cursor.fetchall() if cursor.description else []), cursor.rowcount

    def copy(self, table, columns, file):
        with self.connection.cursor().copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN (FORMAT csv)") as copy:
            with open(file, "rb") as rows:
                while block := rows.read(1 << 20):
                    copy.write(block)

    def failure(self, error):
        return [getattr(error, "sqlstate", None) or type(error).__name__, str(error)]


class MySQL(Engine):
    """MariaDB too, by the commands of the protocol for prepared statements, which a cursor would rewrite the text for."""

    def __init__(self, address, kept=None):
        import mysql.connector
        from mysql.connector.constants import ClientFlag

        # Without the attributes of queries, which only MySQL's own server reads; an update counts the rows it finds.
        self.connection = mysql.connector.connect(
            unix_socket=f"{address}/socket", user="root", use_pure=True, autocommit=True, charset="utf8mb4",
            client_flags=[-ClientFlag.CLIENT_QUERY_ATTRIBUTES, ClientFlag.FOUND_ROWS],
        )
        self.connection.cmd_query("CREATE DATABASE IF NOT EXISTS predicates CHARACTER SET utf8mb4")
        self.connection.cmd_init_db("predicates")

    def parameter(self, value):
        if isinstance(value, bytes):
            # As BLOB: the driver sends bytes as a string in the character set of the connection, and no stream of none.
            return io.BytesIO(value) if value else value
        if isinstance(value, uuid.UUID):
            return io.BytesIO(value.bytes)
        if isinstance(value, datetime.datetime):
            return value.replace(tzinfo=None)
        return value

    def execute(self, text, values):
        prepared = self.connection.cmd_stmt_prepare(text.encode())
        number = prepared["statement_id"]
        try:
            result = self.connection.cmd_stmt_execute(
                number, [self.parameter(value) for value in values], prepared["parameters"]
            )
            if not isinstance(result, tuple):
                return [], result.get("affected_rows", -1)
            _, columns, _ = result
            self.connection.unread_result = True
            # Row by row: the driver does not see an error that comes after a row, and waits for more.
            rows, end = [], None
            while end is None:
                more, end = self.connection.get_rows(1, binary=True, columns=columns, prep_stmt=None)
                rows += more
            return [[self.value(value) for value in row] for row in rows], len(rows)
        finally:
            self.connection.cmd_stmt_close(number)

    def run(self, text):
        """As text: MySQL prepares no statement that creates a function. Some statements return rows."""
        self.connection.cmd_query(text.encode())
        self.recover()

    def copy(self, table, columns, file):
        """Read by the server, whose account must be able to open the file."""
        into = [f"@{name}" for name in columns]
        setting = [f"{name} = NULLIF(@{name}, '')" for name in columns]
        self.run(
            f"LOAD DATA INFILE '{file}' INTO TABLE {table} CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' "
            f"OPTIONALLY ENCLOSED BY '\"' ({', '.join(into)}) SET {', '.join(setting)}"
        )

    def value(self, value):
        return bytes(value).decode() if isinstance(value, (bytes, bytearray)) else value

    def begin(self):
        self.connection.cmd_query("BEGIN")

    def rollback(self):
        self.connection.cmd_query("ROLLBACK")

    def recover(self):
        while self.connection.unread_result:
            self.connection.get_rows()

    def failure(self, error):
        return [str(getattr(error, "errno", None) or type(error).__name__), str(error)]


class DuckDB(Engine):
    def __init__(self, address, kept=None):
        import duckdb

        self.connection = duckdb.connect(f"{kept}/database" if kept else ":memory:", config={"threads": 1})

    def execute(self, text, values):
        result = self.connection.execute(text, values)
        rows = result.fetchall() if result.description else []
        # A change without RETURNING returns its count as a row.
        if text.startswith(("UPDATE", "DELETE")) and [column[0] for column in result.description] == ["Count"]:
            return [], rows[0][0]
        return rows, len(rows)

    def copy(self, table, columns, file):
        self.execute(f"COPY {table} ({', '.join(columns)}) FROM '{file}' (FORMAT csv, HEADER false, NULLSTR '')", [])

    def failure(self, error):
        """A cast to fewer bits is a conversion, an operation past them is not."""
        is_of_range = "out of range" in str(error)
        return ["OutOfRangeException" if is_of_range else type(error).__name__, str(error)]


class Spark(Engine):
    """Tables are temporary views, and a request is one job as long as no statement of it fails."""

    def __init__(self, address, kept=None):
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.ansi.enabled": "true",
            "spark.sql.session.timeZone": "UTC",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.warehouse.dir": f"{address}/warehouse",
            "spark.local.dir": address,
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        builder = SparkSession.builder.master("local[2]").appName("predicates")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")

    def execute(self, text, values):
        rows = [list(row) for row in self.frame(text, values).collect()]
        return rows, len(rows)

    def frame(self, text, values):
        return self.session.sql(text, args=values) if values else self.session.sql(text)

    def load(self, drop, tables):
        from pyspark.sql.types import StructField, StructType

        for name in drop:
            self.session.sql(f"DROP VIEW IF EXISTS {name}")
        for table in tables:
            fields = [StructField(name, self.type(kind)) for name, kind in table["columns"]]
            kinds = [kind for _, kind in table["columns"]]
            rows = [[self.stored(decoded(value), kind) for value, kind in zip(row, kinds)] for row in table["rows"]]
            frame = self.session.createDataFrame(rows, StructType(fields)).coalesce(1)
            frame.createOrReplaceTempView(table["name"])

    def stored(self, value, kind):
        """A value of a row of a view: an array comes as JSON, a day as a moment."""
        if value is not None and kind.startswith("array<"):
            return json.loads(value)
        return value.date() if value is not None and kind == "date" else value

    def type(self, kind):
        """The type of a parameter, or one that is named as Spark names it: `array<string>`"""
        from pyspark.sql import types

        named = {
            "integer": types.LongType(),
            "double": types.DoubleType(),
            "boolean": types.BooleanType(),
            "text": types.StringType(),
            "uuid": types.StringType(),
            "json": types.StringType(),
            "blob": types.BinaryType(),
            "decimal": types.DecimalType(38, 18),
            "timestamp": types.TimestampType(),
        }
        return named[kind] if kind in named else types._parse_datatype_string(kind)

    def ask(self, statements):
        """All keys as texts in one job; each statement by itself where the job fails."""
        frames, answers = [], [None] * len(statements)
        for number, statement in enumerate(statements):
            try:
                frame = self.frame(statement["text"], [decoded(value) for value in statement["values"]])
                frames.append((number, frame))
            except Exception as error:
                answers[number] = {"error": self.failure(error)}
        for number, result in self.collected(frames):
            answers[number] = result
        return answers

    def collected(self, frames):
        if not frames:
            return []
        try:
            return self.together(frames)
        except Exception as error:
            if len(frames) == 1:
                return [(frames[0][0], {"error": self.failure(error)})]
            half = len(frames) // 2
            return self.collected(frames[:half]) + self.collected(frames[half:])

    def together(self, frames):
        from pyspark.sql import functions

        tagged = [
            frame.toDF("key").select(functions.lit(number).alias("number"), functions.col("key").cast("string"))
            for number, frame in frames
        ]
        whole = tagged[0]
        for other in tagged[1:]:
            whole = whole.unionAll(other)
        rows = {number: [] for number, _ in frames}
        types = {number: frame.dtypes[0][1] for number, frame in frames}
        for number, key in whole.collect():
            rows[number].append([self.key(key, types[number])])
        return [(number, {"rows": keys, "count": len(keys)}) for number, keys in rows.items()]

    def key(self, text, kind):
        """A key that has been a text, by the type that it had."""
        if kind == "bigint":
            return ["integer", int(text)]
        return ["boolean", text == "true"] if kind == "boolean" else ["text", text]

    def failure(self, error):
        get = getattr(error, "getCondition", None) or getattr(error, "getErrorClass", None)
        return [(get and get()) or type(error).__name__, str(error)]


ENGINES = {"postgresql": PostgreSQL, "mariadb": MySQL, "mysql": MySQL, "duckdb": DuckDB, "spark": Spark}


def answer(engine, request):
    match request["do"]:
        case "run":
            for statement in request["statements"]:
                engine.run(statement)
            return {}
        case "load":
            engine.load(request["drop"], request["tables"])
            return {}
        case "ask":
            return {"answers": engine.ask(request["statements"])}
        case "change":
            return {"answers": engine.change(request["statements"])}
        case "time":
            return engine.time(request["statement"])
        case "copy":
            engine.copy(request["table"], request["columns"], request["file"])
            return {}


def main():
    # What an engine prints must not get among the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    engine = ENGINES[sys.argv[1]](*sys.argv[2:])
    for line in sys.stdin:
        try:
            result = answer(engine, json.loads(line))
        except Exception as error:
            engine.recover()
            result = {"error": engine.failure(error)}
        print(json.dumps(result), file=answers, flush=True)


if __name__ == "__main__":
    main()
