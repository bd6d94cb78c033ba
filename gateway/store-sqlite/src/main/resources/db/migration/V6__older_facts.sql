-- Superseded facts that stay readable in the history of their slot, compressed in groups. A row of fact whose keep is
-- negative keeps that many facts in the feed, and superseded ones here.

CREATE TABLE older_slot (
  number   INTEGER PRIMARY KEY,
  endpoint INTEGER REFERENCES endpoint, -- NULL: the slot no longer keeps older facts; its groups go step by step
  slot     TEXT    NOT NULL,
  octets   INTEGER NOT NULL DEFAULT 0,  -- of its groups
  UNIQUE (endpoint, slot)
);

CREATE TABLE older_facts (
  number        INTEGER PRIMARY KEY,
  slot          INTEGER NOT NULL,       -- number of older_slot
  last_sequence INTEGER NOT NULL,       -- of the newest fact
  last_at       INTEGER NOT NULL,       -- the latest arrival
  facts         INTEGER NOT NULL,
  content       BLOB    NOT NULL
);

CREATE INDEX older_facts_of_slot ON older_facts (slot, last_sequence, last_at);
