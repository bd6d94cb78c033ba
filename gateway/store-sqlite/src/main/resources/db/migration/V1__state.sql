-- State of all endpoints: one row for each endpoint, one row for each fact that is still kept.
-- A change (a batch that landed) is the facts that share a position. Times are microseconds since
-- 1970, UTC. Look at it with: sqlite3 -readonly vigil.db 'SELECT * FROM feed'

CREATE TABLE endpoint (
  number  INTEGER PRIMARY KEY,          -- counts endpoints; never used again
  id      TEXT    NOT NULL,             -- the number in base 36, as in /ms/{id}
  d       TEXT    NOT NULL,             -- domain (sector); empty when there is none
  ep      TEXT    NOT NULL,
  high    INTEGER NOT NULL,             -- H, the highest sequence number that landed; 0 before the first
  version INTEGER NOT NULL,             -- batches that landed
  UNIQUE (d, ep)
);

CREATE TABLE fact (
  position INTEGER NOT NULL,            -- place of its change in the feed
  ord      INTEGER NOT NULL,            -- place within its change
  endpoint INTEGER NOT NULL REFERENCES endpoint,
  slot     TEXT    NOT NULL,            -- empty: the change brought no fact
  nth      INTEGER NOT NULL,            -- counts the facts of this slot, so that the oldest go first
  keep     INTEGER NOT NULL,            -- how many of this slot stay
  sequence INTEGER NOT NULL,            -- of the change; 0 when it had none
  high     INTEGER NOT NULL,            -- the endpoint's H and version once the change had landed
  version  INTEGER NOT NULL,
  at       INTEGER NOT NULL,            -- when the request came
  body     BLOB    NOT NULL,            -- empty: the slot is empty from here on
  PRIMARY KEY (position, ord)
) WITHOUT ROWID;

CREATE UNIQUE INDEX fact_slot ON fact (endpoint, slot, nth);

-- For people: the changes and the facts in words.
CREATE VIEW change AS
  SELECT position, id, d, ep, fact.sequence, fact.high, fact.version,
         strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000000.0, 'unixepoch') AS at,
         group_concat(slot, ' ') AS slots
  FROM fact JOIN endpoint ON endpoint.number = fact.endpoint
  GROUP BY position;

CREATE VIEW feed AS
  SELECT position, id, d, ep, slot, sequence,
         strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000000.0, 'unixepoch') AS at,
         length(body) AS octets, CAST(body AS TEXT) AS text
  FROM fact JOIN endpoint ON endpoint.number = fact.endpoint
  WHERE slot <> ''
  ORDER BY position, ord;
