import { securityEventTables } from './security-event.ts'

/**
 * One step of the schema: what brings a store of the version before to this one. Versions are
 * numbered through all parts, and each number is given out once, so that a folder tells by a single
 * number which steps it has been through.
 */
export type Migration = { version: number; sql: string }

/** The first version was written before there were parts, and several of them have tables in it. */
const shared = 1

/** The kernel's own tables; `zone.settings` is whatever parts keep with a zone, as JSON. */
export const kernelMigrations: readonly Migration[] = [
  {
    version: 1,
    sql: `
      CREATE TABLE clock (one INTEGER PRIMARY KEY CHECK (one = 1), ahead INTEGER NOT NULL) STRICT;
      CREATE TABLE credential (name TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;
      CREATE TABLE zone (
        id TEXT PRIMARY KEY,
        account TEXT NOT NULL,
        plan TEXT NOT NULL,
        host TEXT NOT NULL UNIQUE,
        settings TEXT NOT NULL
      ) STRICT;`
  },
  { version: 2, sql: 'ALTER TABLE zone ADD COLUMN origin TEXT;' },
  { version: 6, sql: securityEventTables },
  {
    version: 11,
    // The mark of the data folder, which is in a file beside the database too.
    sql: `
      CREATE TABLE folder (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        identity TEXT NOT NULL,
        generation INTEGER NOT NULL
      ) STRICT;`
  }
]

/** The names of its columns whose text is JSON; `record` is what any part may call one. */
export const kernelJsonColumns = ['settings', 'record']

/** The steps of a schema in order: the n-th brings a store to version n + 1. */
export function schemaOf(migrations: readonly Migration[]): string[] {
  const byVersion = Map.groupBy(migrations, ({ version }) => version)
  return Array.from({ length: byVersion.size }, (_, index) => {
    const steps = byVersion.get(index + 1)
    if (steps === undefined) throw new Error(`no part has version ${index + 1} of the schema`)
    if (steps.length > 1 && index + 1 > shared)
      throw new Error(`version ${index + 1} of the schema is given out twice: take the next number`)
    return steps.map(({ sql }) => sql).join('\n')
  })
}
