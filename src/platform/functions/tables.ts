import type { FiledTable } from '../kernel/data/filed.ts'

/** The tables of accounts, their functions, what leads to these, and what they keep. */
export const functionTables = `
  CREATE TABLE account (
    id TEXT PRIMARY KEY,
    plan TEXT NOT NULL,
    subdomain TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE request_count (
    account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    scope TEXT NOT NULL,
    day TEXT NOT NULL,
    requests INTEGER NOT NULL,
    PRIMARY KEY (account, scope)
  ) STRICT;
  CREATE TABLE function (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    host TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (account, name)
  ) STRICT;
  CREATE TABLE function_route (
    zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
    pattern TEXT NOT NULL,
    host TEXT,
    host_suffix TEXT,
    path TEXT,
    path_prefix TEXT,
    function TEXT NOT NULL REFERENCES function ON DELETE CASCADE,
    fail_mode TEXT NOT NULL,
    PRIMARY KEY (zone, pattern)
  ) STRICT;
  CREATE INDEX route_by_function ON function_route (function, zone);
  CREATE TABLE function_domain (
    host TEXT PRIMARY KEY,
    zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
    function TEXT NOT NULL REFERENCES function ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX domain_by_function ON function_domain (function);
  CREATE TABLE function_trigger (
    function TEXT NOT NULL REFERENCES function ON DELETE CASCADE,
    cron TEXT NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (function, cron)
  ) STRICT;
  CREATE INDEX trigger_by_due ON function_trigger (due);
  CREATE TABLE consumer (
    queue TEXT PRIMARY KEY,
    function TEXT NOT NULL REFERENCES function ON DELETE CASCADE
  ) STRICT;
  CREATE INDEX consumer_by_function ON consumer (function);
  CREATE TABLE message (
    seq INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    body BLOB NOT NULL,
    at INTEGER NOT NULL,
    due INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX message_by_due ON message (queue, due);
  CREATE TABLE key_value (
    namespace TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    metadata TEXT NOT NULL,
    expires INTEGER,
    PRIMARY KEY (namespace, key)
  ) STRICT;
  CREATE TABLE stored_object (
    bucket TEXT NOT NULL,
    key TEXT NOT NULL,
    facts TEXT NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (bucket, key)
  ) STRICT;
  CREATE TABLE object_state (
    object TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (object, key)
  ) STRICT;
  CREATE TABLE object_alarm (
    object TEXT PRIMARY KEY,
    function TEXT NOT NULL REFERENCES function ON DELETE CASCADE,
    address TEXT NOT NULL,
    at INTEGER NOT NULL,
    due INTEGER NOT NULL,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX alarm_by_due ON object_alarm (due);`

/** The tables that belong to no row of another one: what functions keep, by names of their own. */
export const functionData = ['message', 'key_value', 'stored_object', 'object_state'] as const

/** The table of objects, whose bytes are files. */
export const objectTable: FiledTable = {
  ...{ table: 'stored_object', folder: 'objects', noun: 'object' },
  told({ bucket, key, facts }) {
    const { size, etag: md5 } = JSON.parse(facts)
    return { size, md5, words: `the object ${key} in ${bucket}` }
  }
}
