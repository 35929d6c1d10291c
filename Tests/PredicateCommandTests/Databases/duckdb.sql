CREATE SCHEMA sales;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE person (
  id BIGINT PRIMARY KEY, name VARCHAR NOT NULL, age UTINYINT, height DOUBLE, width FLOAT, salary DECIMAL(10, 2),
  active BOOLEAN, born DATE, seen TIMESTAMPTZ, made TIMESTAMP_MS, exact TIMESTAMP_NS, feeling mood, key UUID, photo BLOB,
  tags VARCHAR[], address STRUCT(street VARCHAR), big HUGEINT, pause INTERVAL, boss_id BIGINT REFERENCES person (id),
  "odd ""name" VARCHAR, "@count" INTEGER);
CREATE TABLE phone (number VARCHAR PRIMARY KEY, owner BIGINT NOT NULL REFERENCES person (id), spare_of BIGINT REFERENCES Person (id));
CREATE TABLE tag (id UUID PRIMARY KEY, word VARCHAR UNIQUE);
CREATE TABLE person_tag (person_id BIGINT REFERENCES person (id), tag_id UUID REFERENCES tag (id), PRIMARY KEY (person_id, tag_id));
CREATE TABLE grade (person_id BIGINT REFERENCES person (id), course VARCHAR, points INTEGER, PRIMARY KEY (person_id, course));
CREATE TABLE remark (grade_person BIGINT, grade_course VARCHAR, word VARCHAR REFERENCES tag (word), body VARCHAR,
  FOREIGN KEY (grade_person, grade_course) REFERENCES grade (person_id, course));
CREATE VIEW adults AS SELECT id, name, age FROM person WHERE age > 20;
CREATE TABLE sales.invoice (id INTEGER PRIMARY KEY);
INSERT INTO person (id, name, age, boss_id, feeling, born, salary) VALUES (1, 'José', 52, NULL, 'happy', '1970-01-02', 10.5); INSERT INTO person (id, name, age, boss_id, feeling, born, salary) VALUES (2, 'al', 17, 1, 'sad', NULL, 3), (3, 'bo', 40, 1, NULL, '2001-01-01', NULL);
INSERT INTO phone VALUES ('0123', 1, NULL); INSERT INTO phone VALUES ('555', 2, 1);
INSERT INTO tag VALUES ('137DECC8-0000-4000-8000-0000000000FF', 'new');
INSERT INTO person_tag VALUES (1, '137DECC8-0000-4000-8000-0000000000FF');
INSERT INTO grade VALUES (1, 'art', 5), (2, 'art', 9), (2, 'law', 2);
