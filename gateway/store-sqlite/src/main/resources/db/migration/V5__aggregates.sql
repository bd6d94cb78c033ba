-- Least, mean, greatest and last number of each minute, hour and day. They stay when the signed values are gone.
-- Starts and last_at are seconds since 1970, UTC.

CREATE TABLE series (
  number   INTEGER PRIMARY KEY,
  endpoint INTEGER REFERENCES endpoint, -- NULL: the resource was removed; its aggregates go step by step
  path     TEXT    NOT NULL,            -- of the resource
  name     TEXT    NOT NULL,            -- SenML name
  unit     TEXT    NOT NULL,
  kid      TEXT    NOT NULL,            -- thumbprint of the signing key; 'recovered': not signed
  minutes  INTEGER NOT NULL DEFAULT 0,  -- how many of its aggregates have seconds = 60
  UNIQUE (endpoint, path, name, unit, kid)
);

CREATE TABLE aggregate (
  series   INTEGER NOT NULL,
  seconds  INTEGER NOT NULL,            -- 60, 3600 or 86400
  start    INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  sum      REAL    NOT NULL,
  min      REAL    NOT NULL,
  max      REAL    NOT NULL,
  last     REAL    NOT NULL,
  last_at  REAL    NOT NULL,
  PRIMARY KEY (series, seconds, start)
) WITHOUT ROWID;

-- The endpoints are divided into parts. Changes of their endpoints up to this position in the feed are in the aggregates.
CREATE TABLE aggregated (
  part     INTEGER PRIMARY KEY,
  position INTEGER NOT NULL
);
INSERT INTO aggregated VALUES
  (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0),
  (8, 0), (9, 0), (10, 0), (11, 0), (12, 0), (13, 0), (14, 0), (15, 0);
