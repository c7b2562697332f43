import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { newId } from '../id.ts'
import { contentFindings } from './content.ts'
import { Damage, inUse } from './damage.ts'
import { isUnreadable, migrate, openDatabase, transaction } from './database.ts'
import { digestOf } from './digest.ts'
import { lostFiles, lostFindings } from './filed.ts'
import { databaseFile, inspect, logFile } from './inspect.ts'
import type { Layout } from './layout.ts'
import { readMark, writeFirstMark, writeMark } from './mark.ts'
import { ownFindings, ownIn } from './own.ts'
import { repair } from './repair.ts'
import { stamp, stampOf } from './stamp.ts'

/** An open database, and how it is begun and closed. */
export type Opened = {
  database: DatabaseSync
  /** Begins to be in use; `first` fills a folder in which there was nothing, all of it or none. */
  begin: (first: () => void) => void
  close: () => void
  /** Closes it as if it had not been opened. */
  leave: () => void
  /** What a repair could not keep, one sentence each. */
  losses: readonly string[]
}

/**
 * Opens the database of a data folder. A folder in which there is nothing of a platform is a new
 * one. In any other everything must be there, or it is a `Damage`, and unless it was to be repaired
 * nothing in it was changed.
 */
export function openFolder(
  folder: string,
  { isRepaired = false, ...layout }: Layout & { isRepaired?: boolean }
): Opened {
  const { schema, filed } = layout
  mkdirSync(folder, { recursive: true })
  const losses = isRepaired ? repair(folder, layout) : []
  const found = inspect(folder, layout)
  if (found.findings.length > 0) throw new Damage(folder, found.findings)
  const identity = found.mark?.identity ?? newId()
  if (found.isEmpty) announce(folder, identity)
  const database = owned(folder)
  try {
    const own = ownIn(database)
    // A log that is there is not in the digest of what was closed: somebody may have put it back.
    const isKnown = found.mark?.state === 'closed' && !found.hasLog
    const findings = [
      ...ownFindings(found, own),
      ...(isKnown || own === 'new' ? [] : contentFindings(database, layout.jsonColumns))
    ]
    // What cannot be read cannot be asked for its files.
    if (findings.length === 0)
      findings.push(...lostFindings(lostFiles(database, filed, { folder }), folder))
    if (findings.length > 0) throw new Damage(folder, findings)
    if (own === 'earlier') writeMark(folder, { identity, generation: 0, state: 'adopting' })
    migrate(database, schema)
    return {
      ...{ database, losses, leave: () => leave(folder, database) },
      ...lifeOf({ folder, database, identity, isNew: own === 'new' })
    }
  } catch (error) {
    leave(folder, database)
    throw isUnreadable(error) ? new Damage(folder, [`${databaseFile}: ${error.message}`]) : error
  }
}

/** A mark before anything else is there, so that what was only begun is not taken for damaged. */
function announce(folder: string, identity: string) {
  try {
    writeFirstMark(folder, { identity, generation: 0, state: 'making' })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? inUse(folder) : error
  }
}

function owned(folder: string): DatabaseSync {
  try {
    return openDatabase(join(folder, databaseFile))
  } catch (error) {
    if (/locked/.test(String(error))) throw inUse(folder)
    settle(folder)
    throw isUnreadable(error) ? new Damage(folder, [`${databaseFile}: ${error.message}`]) : error
  }
}

function lifeOf({
  folder,
  database,
  identity,
  isNew
}: {
  folder: string
  database: DatabaseSync
  identity: string
  isNew: boolean
}): Pick<Opened, 'begin' | 'close'> {
  // The database says it first: a folder that is killed between has a mark that is behind.
  const counted = () => {
    const sql = `INSERT INTO folder (one, identity, generation) VALUES (1, ?, 1)
      ON CONFLICT DO UPDATE SET identity = excluded.identity, generation = generation + 1
      RETURNING generation`
    const { generation } = database.prepare(sql).get(identity) as { generation: number }
    stamp(database, stampOf({ identity, generation }))
    return generation
  }
  return {
    begin(first) {
      const generation = transaction(database, () => {
        if (isNew) first()
        return counted()
      })
      writeMark(folder, { identity, generation, state: 'open' })
    },
    close() {
      const generation = transaction(database, counted)
      writeMark(folder, { identity, generation, state: 'closing' })
      database.close()
      const digest = digestOf(join(folder, databaseFile))
      writeMark(folder, { identity, generation, state: 'closed', digest })
    }
  }
}

function leave(folder: string, database: DatabaseSync) {
  database.close()
  settle(folder)
}

/** Makes the mark say how a database was left that nobody has used: with all of its log in it. */
function settle(folder: string) {
  const mark = readMark(folder)
  if (mark === undefined || mark === 'unreadable') return
  const isDone = !existsSync(join(folder, logFile))
  if (mark.state === 'open' && isDone) writeMark(folder, { ...mark, state: 'closing' })
  const digest = () => digestOf(join(folder, databaseFile))
  if (mark.state === 'closed') writeMark(folder, { ...mark, digest: digest() })
}
