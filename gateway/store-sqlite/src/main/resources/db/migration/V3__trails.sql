-- Facts that are kept for ever (the audit trail) are read by their place in the feed, all of them
-- or those of one endpoint.
CREATE INDEX fact_trail ON fact (slot, position) WHERE keep = 2147483647;
CREATE INDEX fact_trail_of_one ON fact (endpoint, slot, position) WHERE keep = 2147483647;
