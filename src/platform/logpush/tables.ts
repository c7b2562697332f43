/**
 * The tables of log push, for a store's schema. A job numbers its records from 1; `sealed` is the
 * last of those that are being delivered, as one batch that stays the same until it has arrived.
 * Records wait as lines ready to be sent, several to a row: those that came at the same time.
 * `logpush_told` is the last of a zone's security events that its jobs were told of.
 */
export const logpushTables = `
  CREATE TABLE logpush_job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    zone TEXT NOT NULL REFERENCES zone ON DELETE CASCADE,
    dataset TEXT NOT NULL,
    series TEXT NOT NULL,
    record TEXT NOT NULL,
    numbered INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    sealed INTEGER,
    last_complete TEXT,
    last_error TEXT,
    error_message TEXT
  ) STRICT;
  CREATE INDEX logpush_job_by_zone ON logpush_job (zone, dataset);
  CREATE TABLE logpush_spool (
    job INTEGER NOT NULL REFERENCES logpush_job ON DELETE CASCADE,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (job, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE logpush_told (
    zone TEXT PRIMARY KEY REFERENCES zone ON DELETE CASCADE,
    number INTEGER NOT NULL
  ) STRICT;`
