import type { DatabaseSync } from 'node:sqlite'
import { tablesOf } from './content.ts'
import { databaseFile, type Inspected } from './inspect.ts'
import { markFile } from './mark.ts'

/** Whose a database is, and how often it was begun and ended. */
export type Own = { identity: string; generation: number }

/** What a database says of its folder: `earlier` is one from before it did. */
export function ownIn(database: DatabaseSync): Own | 'new' | 'earlier' {
  const tables = tablesOf(database)
  if (!tables.includes('zone')) return 'new'
  const sql = 'SELECT identity, generation FROM folder'
  const row = tables.includes('folder') && (database.prepare(sql).get() as Own | undefined)
  if (row) return row
  return database.prepare('SELECT id FROM zone').get() === undefined ? 'new' : 'earlier'
}

/** What is wrong between the mark of a folder and its database, one sentence each. */
export function ownFindings({ mark, isEmpty }: Inspected, own: ReturnType<typeof ownIn>): string[] {
  const mayBeNew = isEmpty || mark?.state === 'making'
  if (own === 'new') return mayBeNew ? [] : [`there is nothing in ${databaseFile}`]
  if (own === 'earlier') {
    const isExpected = mark === undefined || mark.state === 'adopting'
    return isExpected
      ? []
      : [`${databaseFile} is from before ${markFile} and not what belongs to it`]
  }
  if (mark === undefined) return [`${markFile} is missing`]
  if (mark.identity !== own.identity) return [`${databaseFile} belongs to another data folder`]
  if (mark.generation <= own.generation) return []
  return [
    `${databaseFile} is an earlier one: it was begun ${own.generation} times, and ` +
      `the folder ${mark.generation} times`
  ]
}
