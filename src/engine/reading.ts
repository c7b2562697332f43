import { parentPort, workerData } from 'node:worker_threads'
import type { Fault } from '../fault.ts'
import type { Inventory } from '../scenario/clause.ts'
import { door, openDoor } from '../scenario/door.ts'
import { load } from '../scenario/find.ts'
import type { Found } from '../scenario/found.ts'
import { type TargetTables, targetPartsOf } from '../scenario/target-parts.ts'
import type { Tier } from '../scenario/tier.ts'
import { confined, guard } from './confine.ts'
import { type Plan, plan } from './plan.ts'
import { loadedSources, type Sources, watchWorld } from './sources.ts'

/** What a reader is started with. */
export type ReaderData = {
  found: readonly Found[]
  inventory: Inventory
  /** Whether it is to be known what all that is read was made of. */
  isWatched: boolean
}

/**
 * A scenario as far as it is plain data: what it says of itself, what its document says of targets,
 * and the work it stands for.
 */
export type Planned = Found &
  Plan & {
    scenario: { kind: string; title: string; tier?: Tier; needs?: string[] }
    target: TargetTables
  }

/**
 * What a reader tells of each file in turn, and of what one of them left behind; in the end, of
 * which files all that was made, where it is known that nothing else had a part in it.
 */
export type Read =
  | { planned: Planned }
  | { id: string; fault: Fault }
  | { sources: Sources | undefined }

async function planOf(file: Found, inventory: Inventory): Promise<Planned> {
  const loaded = await load(file)
  const { kind, title, tier, needs } = loaded.scenario
  const { tables, disposable } = await targetPartsOf(file)
  const target = { tables: [...tables], disposable }
  return { ...file, ...plan([loaded], inventory), scenario: { kind, title, tier, needs }, target }
}

/** Loads this thread's files one after the other, so that the one that holds it up is known. */
async function readAll({ found, inventory, isWatched }: ReaderData): Promise<void> {
  const tell = (read: Read) => parentPort!.postMessage(read)
  guard(({ scenario, fault }) => tell({ id: scenario, fault }))
  if (isWatched) {
    openDoor()
    await import(door)
    watchWorld()
  }
  for (const file of found) {
    const { id } = file
    const read = await confined({ owner: id, file: file.file }, () => planOf(file, inventory))
    tell('ok' in read ? { planned: read.ok } : { id, fault: read.fault })
  }
  tell({ sources: isWatched ? loadedSources() : undefined })
}

await readAll(workerData)
