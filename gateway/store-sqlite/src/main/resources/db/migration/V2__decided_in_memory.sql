-- What decides is in the store's memory, folded up from the facts at the start. So a landed batch
-- only appends rows; superseded ones go later, many at a time. An endpoint's H and version stand in
-- its newest row, which stays.

DROP INDEX fact_slot;
ALTER TABLE fact DROP COLUMN nth;
ALTER TABLE endpoint DROP COLUMN high;
ALTER TABLE endpoint DROP COLUMN version;

-- For people: where each endpoint stands.
CREATE VIEW standing AS
  SELECT id, d, ep, high, version, max(position) AS position
  FROM endpoint JOIN fact ON endpoint.number = fact.endpoint
  GROUP BY number;
