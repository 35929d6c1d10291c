"""Reads the predicates of the benchmark and the SQL written by hand: questions.txt describes its lines."""

ENGINES = ["sqlite", "postgresql", "mariadb", "mysql", "duckdb"]


class Question:
    def __init__(self, number, entity, format):
        self.number = number
        self.entity = entity
        self.format = format
        self.sort = []
        self.first = None
        self.slower = {}
        self.refused = {}
        self.sql = {engine: [] for engine in ENGINES}

    def by_hand(self, engine):
        """The statements of an engine."""
        return self.sql[engine]

    def add(self, line):
        head, _, rest = line.partition("=")
        words = head.split()
        if words[:1] in (["slower"], ["refused"]):
            getattr(self, words[0]).update({self.engine(word): rest.strip() for word in words[1:]})
        elif words[:1] == ["sort"]:
            self.sort = words[1:]
        elif words[:1] == ["first"]:
            self.first = int(words[1])
        else:
            for engine in words or ENGINES:
                self.sql[self.engine(engine)].append(rest.strip())

    def engine(self, word):
        if word not in ENGINES:
            raise SystemExit(f"questions.txt: there is no engine {word}")
        return word


def read(path):
    questions = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("? "):
            entity, _, format = line[2:].partition(": ")
            questions.append(Question(len(questions), entity, format))
        elif line.strip() and not line.startswith("#"):
            questions[-1].add(line)
    return questions
