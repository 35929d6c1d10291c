CREATE EXTENSION citext;
CREATE SCHEMA sales;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN email AS citext CHECK (VALUE ~ '@');
CREATE DOMAIN work_email AS email;
CREATE COLLATION german (provider = icu, locale = 'de', deterministic = false);
CREATE TABLE person (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name varchar(40) NOT NULL, age smallint, height double precision,
  width real, code char(4), salary numeric(10, 2), active boolean, born date, seen timestamptz(3), made timestamp,
  mail work_email, nick citext, feeling mood, town text COLLATE german, key uuid, photo bytea, tags text[],
  extra jsonb, pause interval, boss_id bigint REFERENCES person, "odd ""name" text, "@count" integer,
  twice integer GENERATED ALWAYS AS (age * 2) STORED);
CREATE TABLE phone (number text PRIMARY KEY, owner bigint NOT NULL REFERENCES person (id), spare_of bigint REFERENCES person);
CREATE TABLE tag (id uuid PRIMARY KEY, word text UNIQUE);
CREATE TABLE person_tag (person_id bigint REFERENCES person, tag_id uuid REFERENCES tag, PRIMARY KEY (person_id, tag_id));
CREATE TABLE grade (person_id bigint REFERENCES person, course text, points integer, PRIMARY KEY (person_id, course));
CREATE TABLE remark (grade_person bigint, grade_course text, word text REFERENCES tag (word), body text,
  FOREIGN KEY (grade_person, grade_course) REFERENCES grade);
CREATE VIEW adults AS SELECT id, name, age FROM person WHERE age > 20;
CREATE TABLE event (id int, at timestamptz, kind text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE event_2024 PARTITION OF event FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE sales.invoice (id integer PRIMARY KEY, person_id bigint REFERENCES person);
INSERT INTO person (name, age, boss_id, feeling, mail, born, salary) VALUES ('José', 52, NULL, 'happy', 'Ann@x.com', '1970-01-02', 10.5), ('al', 17, 1, 'sad', NULL, NULL, 3), ('bo', 40, 1, NULL, NULL, '2001-01-01', NULL);
INSERT INTO phone VALUES ('0123', 1, NULL), ('555', 2, 1);
INSERT INTO tag VALUES ('137DECC8-0000-4000-8000-0000000000FF', 'new');
INSERT INTO person_tag VALUES (1, '137DECC8-0000-4000-8000-0000000000FF');
INSERT INTO grade VALUES (1, 'art', 5), (2, 'art', 9), (2, 'law', 2);
