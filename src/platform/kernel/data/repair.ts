import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { newId } from '../id.ts'
import { copyAside, move } from './aside.ts'
import { contentFindings } from './content.ts'
import { Damage, inUse } from './damage.ts'
import { openDatabase } from './database.ts'
import { type FiledTable, lostFiles, namelessFiles, toldOf } from './filed.ts'
import { databaseFile, type Inspected, inspect, logFile } from './inspect.ts'
import type { Layout } from './layout.ts'
import { writeMark } from './mark.ts'
import { ownFindings, ownIn } from './own.ts'
import { salvage } from './salvage.ts'
import { stamp } from './stamp.ts'

/**
 * Makes of a damaged data folder one that can be opened, and tells what was wrong and what could
 * not be kept, one sentence each; nothing where nothing was wrong. What was there before is copied
 * into a folder within first. Throws a `Damage` where nothing can be kept.
 */
export function repair(folder: string, layout: Layout): string[] {
  const found = inspect(folder, layout)
  if (found.isEmpty) return []
  if (!found.hasDatabase) throw new Damage(folder, found.findings, { isBeyondRepair: true })
  const place = copyAside(folder)
  const database = opened(folder, place)
  try {
    const told = mended(folder, { place, database, found, layout })
    if (told.length > 0) return [...told, `what was there before is in ${place}`]
    rmSync(place, { recursive: true })
    return []
  } catch (error) {
    if (database.isOpen) database.close()
    // What the log had that the database could not take is in the copy alone.
    if (!existsSync(join(place, logFile))) rmSync(place, { recursive: true })
    const findings = [...found.findings, `${databaseFile}: ${(error as Error).message}`]
    throw new Damage(folder, findings, { isBeyondRepair: true })
  }
}

type Case = { layout: Layout; place: string; database: DatabaseSync; found: Inspected }

/** Repairs what can be opened, closes it, and tells what was wrong and what is lost. */
function mended(folder: string, { place, database, found, layout }: Case): string[] {
  const own = ownIn(database)
  if (own === 'new') throw new Error('there is nothing in it')
  const told = [...found.findings, ...ownFindings(found, own)]
  const broken = contentFindings(database, layout.jsonColumns)
  if (broken.length > 0) told.push(...broken, ...salvaged(folder, database, layout))
  const whole = database.isOpen ? database : openDatabase(join(folder, databaseFile))
  told.push(...withoutLostFiles(whole, layout.filed, { folder, place }))
  // What is together from now on is what was found here.
  if (told.length > 0) stamp(whole, 'none')
  whole.close()
  const state = own === 'earlier' ? 'adopting' : 'closing'
  const { identity, generation } =
    own === 'earlier' ? { identity: found.mark?.identity ?? newId(), generation: 0 } : own
  if (told.length > 0) writeMark(folder, { identity, generation, state })
  return told
}

function opened(folder: string, place: string): DatabaseSync {
  try {
    return openDatabase(join(folder, databaseFile))
  } catch (error) {
    rmSync(place, { recursive: true })
    if (/locked/.test(String(error))) throw inUse(folder)
    const finding = `${databaseFile}: ${(error as Error).message}`
    throw new Damage(folder, [finding], { isBeyondRepair: true })
  }
}

/** Puts a fresh database with all that can be read in the place of a damaged one. */
function salvaged(folder: string, damaged: DatabaseSync, layout: Layout): string[] {
  const file = join(folder, databaseFile)
  const fresh = `${file}.repaired`
  rmSync(fresh, { force: true })
  const told = salvage(damaged, fresh, layout)
  damaged.close()
  rmSync(join(folder, logFile), { force: true })
  renameSync(fresh, file)
  return told
}

/** Takes out the rows whose files are lost, and sets aside the files that no row names. */
function withoutLostFiles(
  database: DatabaseSync,
  filed: readonly FiledTable[],
  { folder, place }: { folder: string; place: string }
): string[] {
  const lost = lostFiles(database, filed, { folder, withDigests: true })
  for (const { of, file } of lost) {
    database.prepare(`DELETE FROM ${of.table} WHERE file = ?`).run(file)
    move(folder, place, join(of.folder, file))
  }
  const nameless = filed.flatMap((of) => {
    const names = namelessFiles(database, of, folder)
    for (const name of names) move(folder, place, join(of.folder, name))
    if (names.length === 0) return []
    return [`${of.folder}/ has ${names.length} files that are the bytes of no ${of.noun}`]
  })
  return [...lost.map(toldOf), ...nameless]
}
