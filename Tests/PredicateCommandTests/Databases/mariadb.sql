CREATE TABLE person (
  id bigint unsigned AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL, age tinyint unsigned, height double,
  width float, code char(4), salary decimal(10, 2), active boolean, flags bit(3), born date, seen datetime(6),
  made timestamp(3) NULL, feeling enum('sad', 'ok', 'happy'), tastes set('a', 'b'), town text COLLATE utf8mb4_german2_ci,
  views bigint unsigned, photo blob, hash binary(16), start time, extra json, boss_id bigint unsigned,
  `odd ``name` text, `@count` int, FOREIGN KEY (boss_id) REFERENCES person (id));
CREATE TABLE phone (number varchar(20) PRIMARY KEY, owner bigint unsigned NOT NULL, spare_of bigint unsigned,
  FOREIGN KEY (owner) REFERENCES person (id), FOREIGN KEY (spare_of) REFERENCES person (id));
CREATE TABLE tag (id uuid PRIMARY KEY, word varchar(20) UNIQUE);
CREATE TABLE person_tag (person_id bigint unsigned, tag_id uuid, PRIMARY KEY (person_id, tag_id),
  FOREIGN KEY (person_id) REFERENCES person (id), FOREIGN KEY (tag_id) REFERENCES tag (id));
CREATE TABLE grade (person_id bigint unsigned, course varchar(20), points int, PRIMARY KEY (person_id, course),
  FOREIGN KEY (person_id) REFERENCES person (id));
CREATE TABLE remark (grade_person bigint unsigned, grade_course varchar(20), word varchar(20), body text,
  FOREIGN KEY (grade_person, grade_course) REFERENCES grade (person_id, course), FOREIGN KEY (word) REFERENCES tag (word));
CREATE DATABASE sales;
CREATE TABLE sales.invoice (id int PRIMARY KEY, total decimal(10, 2));
CREATE VIEW adults AS SELECT id, name, age FROM person WHERE age > 20;
INSERT INTO person (name, age, boss_id, feeling, born, salary) VALUES ('José', 52, NULL, 'happy', '1970-01-02', 10.5), ('al', 17, 1, 'sad', NULL, 3), ('bo', 40, 1, NULL, '2001-01-01', NULL);
INSERT INTO phone VALUES ('0123', 1, NULL), ('555', 2, 1);
INSERT INTO tag VALUES ('137DECC8-0000-4000-8000-0000000000FF', 'new');
INSERT INTO person_tag VALUES (1, '137DECC8-0000-4000-8000-0000000000FF');
INSERT INTO grade VALUES (1, 'art', 5), (2, 'art', 9), (2, 'law', 2);
