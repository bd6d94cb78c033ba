-- Files of the data folder that the database needs: keys and counters that cannot be made again without harm. The
-- gateway starts only when each of them is there.
CREATE TABLE companion (
  name TEXT PRIMARY KEY                 -- of the file
) WITHOUT ROWID;

-- Every gateway has an identity key before its first fact.
INSERT INTO companion SELECT 'identity.jwk' WHERE EXISTS (SELECT 1 FROM fact);
