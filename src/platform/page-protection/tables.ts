import type { Migration } from '../kernel/schema.ts'
import { revisionTable } from './policy/policy.ts'

/**
 * The tables of page protection. Records are kept as JSON in the API's own field names; only what
 * is searched for has a column of its own. Indexes for lists end in the row's `seq`, the order in
 * which they show it.
 */
export const pageProtectionMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE detection (
        seq INTEGER PRIMARY KEY,
        zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        host TEXT NOT NULL,
        status TEXT NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (zone, kind, id)
      ) STRICT;
      CREATE INDEX detection_by_status ON detection (zone, kind, status);
      CREATE INDEX detection_by_host ON detection (zone, kind, host, status);
      CREATE TABLE policy (
        seq INTEGER PRIMARY KEY,
        zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
        id TEXT NOT NULL,
        record TEXT NOT NULL,
        UNIQUE (zone, id)
      ) STRICT;`
  },
  {
    version: 3,
    sql: `
      ALTER TABLE detection ADD COLUMN reports INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX script_by_url ON detection (json_extract(record, '$.url')) WHERE kind = 'script';
      CREATE TABLE threat (
        scope TEXT NOT NULL,
        name TEXT NOT NULL,
        categories TEXT NOT NULL,
        PRIMARY KEY (scope, name)
      ) STRICT;
      CREATE TABLE violation (
        zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
        policy TEXT NOT NULL,
        blocked TEXT NOT NULL,
        directive TEXT NOT NULL,
        disposition TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (zone, policy, blocked, directive, disposition)
      ) STRICT;`
  },
  {
    version: 4,
    // For several values no other index has the order. How many detections there are is counted as
    // they come and go, since lists tell it on every page.
    sql: `
      CREATE INDEX detection_in_order ON detection (zone, kind, seq, status, host);
      CREATE TABLE detection_count (
        zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
        kind TEXT NOT NULL,
        host TEXT NOT NULL,
        status TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (zone, kind, host, status)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO detection_count
        SELECT zone, kind, host, status, count(*) FROM detection GROUP BY zone, kind, host, status;
      CREATE TRIGGER detection_added AFTER INSERT ON detection BEGIN
        INSERT INTO detection_count VALUES (new.zone, new.kind, new.host, new.status, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER detection_changed AFTER UPDATE OF status ON detection
        WHEN old.status <> new.status BEGIN
        UPDATE detection_count SET count = count - 1
          WHERE (zone, kind, host, status) = (old.zone, old.kind, old.host, old.status);
        INSERT INTO detection_count VALUES (new.zone, new.kind, new.host, new.status, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER detection_gone AFTER DELETE ON detection BEGIN
        UPDATE detection_count SET count = count - 1
          WHERE (zone, kind, host, status) = (old.zone, old.kind, old.host, old.status);
      END;`
  },
  {
    version: 5,
    // Counted by block of a thousand rows, so that a page far inside a list is found without going
    // through all that come before it.
    sql: `
      DROP TRIGGER detection_added;
      DROP TRIGGER detection_changed;
      DROP TRIGGER detection_gone;
      DROP TABLE detection_count;
      CREATE TABLE detection_count (
        zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
        kind TEXT NOT NULL,
        block INTEGER NOT NULL,
        host TEXT NOT NULL,
        status TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (zone, kind, block, host, status)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO detection_count
        SELECT zone, kind, seq / 1000 AS block, host, status, count(*) FROM detection
        GROUP BY zone, kind, block, host, status;
      CREATE TRIGGER detection_added AFTER INSERT ON detection BEGIN
        INSERT INTO detection_count
          VALUES (new.zone, new.kind, new.seq / 1000, new.host, new.status, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER detection_changed AFTER UPDATE OF status ON detection
        WHEN old.status <> new.status BEGIN
        UPDATE detection_count SET count = count - 1
          WHERE (zone, kind, block, host, status)
            = (old.zone, old.kind, old.seq / 1000, old.host, old.status);
        INSERT INTO detection_count
          VALUES (new.zone, new.kind, new.seq / 1000, new.host, new.status, 1)
          ON CONFLICT DO UPDATE SET count = count + 1;
      END;
      CREATE TRIGGER detection_gone AFTER DELETE ON detection BEGIN
        UPDATE detection_count SET count = count - 1
          WHERE (zone, kind, block, host, status)
            = (old.zone, old.kind, old.seq / 1000, old.host, old.status);
      END;`
  },
  { version: 12, sql: revisionTable }
]
