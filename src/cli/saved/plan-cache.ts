import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { type Planned, type ReadDocument, readScenarios } from '../../engine/reader.ts'
import type { Sources } from '../../engine/sources.ts'
import { fileDigest } from '../../file-digest.ts'
import type { Inventory } from '../../scenario/clause.ts'
import type { Found } from '../../scenario/found.ts'
import { writeWhole } from './whole-file.ts'

/** All that a plan depends on but the files that were loaded for it. */
type Origin = { node: string; folder: string; inventory: string }

/** What the scenarios of a folder say of themselves, and all that this depends on. */
type Kept = { origin: Origin; sources: Sources; planned: Planned[] }

/** So many plans are kept; then the one that was made longest ago is forgotten. */
const most = 16

/** The folder of the cache, and the file in it for one document. */
function placeFor(document: string): { folder: string; file: string } {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(home, 'plimsoll')
  return { folder, file: join(folder, `plan-${hash('sha256', document)}`) }
}

function forgetOldest(folder: string): void {
  const plans = readdirSync(folder)
    .filter((name) => name.startsWith('plan-'))
    .map((name) => ({ file: join(folder, name), madeMs: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.madeMs - one.madeMs)
  for (const { file } of plans.slice(most)) rmSync(file, { force: true })
}

/** What was kept, where every file it was made of holds what it held then. */
function keptOf(file: string, origin: Origin): Planned[] {
  try {
    const kept: Kept = deserialize(Buffer.from(readFileSync(file, 'latin1'), 'base64'))
    const isSame =
      JSON.stringify(kept.origin) === JSON.stringify(origin) &&
      Object.entries(kept.sources).every(([path, digest]) => fileDigest(path) === digest)
    return isSame ? kept.planned : []
  } catch {
    return []
  }
}

/**
 * Reads scenarios as `readScenarios` does, or has what an earlier process read of them all, where
 * that was made of nothing but files which hold the same. What cannot be kept is read each time.
 */
export function createPlanCache(folder: string, whole: readonly Found[]) {
  const place = placeFor(folder)
  return async (found: readonly Found[], inventory: Inventory): Promise<ReadDocument> => {
    const clauses = hash('sha256', JSON.stringify([...inventory]))
    const origin = { node: process.version, folder, inventory: clauses }
    const kept = new Map(keptOf(place.file, origin).map((one) => [one.id, one]))
    const planned = found.flatMap(({ id }) => kept.get(id) ?? [])
    if (planned.length === found.length) return { planned, faults: [] }
    const read = await readScenarios(found, inventory, {
      isWatched: true,
      isWhole: found.length === whole.length
    })
    if (read.sources && read.planned.length === whole.length) {
      keep({ origin, sources: read.sources, planned: read.planned })
    }
    return read
  }

  function keep(kept: Kept): void {
    try {
      mkdirSync(place.folder, { recursive: true, mode: 0o700 })
      // A plan has numbers that JSON has not: what goes on for ever is done Infinity times.
      writeWhole(place.file, serialize(kept).toString('base64'))
      forgetOldest(place.folder)
    } catch {
      // It is read anew then, each time.
    }
  }
}
