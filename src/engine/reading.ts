import { parentPort, workerData } from 'node:worker_threads'
import type { Fault } from '../fault.ts'
import { canariesOf } from '../scenario/canary.ts'
import type { Inventory } from '../scenario/clause.ts'
import { door, openDoor } from '../scenario/door.ts'
import { endpointPartsOf } from '../scenario/endpoints.ts'
import { load } from '../scenario/find.ts'
import type { Found } from '../scenario/found.ts'
import { nearest, orNearest } from '../scenario/nearest.ts'
import { ownFile } from '../scenario/own-module.ts'
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
  /** Whether these are all scenarios of their document. */
  isWhole: boolean
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
 * which files all that was made, where it is known that nothing else had a part in it. `own` is a
 * module of the document's own, told of when it is begun, and again with what is wrong with it.
 */
export type Read =
  | { planned: Planned }
  | { id: string; fault: Fault }
  | { own: string; fault?: Fault }
  | { sources: Sources | undefined }

async function planOf(file: Found, inventory: Inventory): Promise<Planned> {
  const loaded = await load(file)
  const { kind, title, tier, needs } = loaded.scenario
  const { tables, disposable } = await targetPartsOf(file)
  const target = { tables: [...tables], disposable }
  return { ...file, ...plan([loaded], inventory), scenario: { kind, title, tier, needs }, target }
}

/** The modules of a document's own, and what says of each whether it is right. */
const ownModules = { _target: targetPartsOf, _endpoints: endpointPartsOf, _canaries: canariesOf }

/** Loads the document's own modules, each of which all scenarios need; false where one is wrong. */
async function readOwn(found: Found, tell: (read: Read) => void): Promise<boolean> {
  for (const [name, partsOf] of Object.entries(ownModules)) {
    const own = ownFile(found, name)
    if (own === undefined) continue
    // Told before it is loaded: it may hold the thread up.
    tell({ own })
    const read = await confined({ owner: own, file: own }, async () => void (await partsOf(found)))
    if ('ok' in read) continue
    tell({ own, fault: read.fault })
    return false
  }
  return true
}

/**
 * Names of endpoints, in a module of the document's own, that no scenario needs and that are like
 * one that some do: a canary of that name would watch over nothing, without a word.
 */
async function misspelt(found: Found, needs: ReadonlySet<string>): Promise<Fault[]> {
  const named = { _endpoints: await endpointPartsOf(found), _canaries: await canariesOf(found) }
  return Object.entries(named).flatMap(([module, parts]) => {
    const meant = [...needs].filter((name) => !(name in parts))
    const wrong = Object.keys(parts).find(
      (name) => !needs.has(name) && nearest(name, meant).length > 0
    )
    if (wrong === undefined) return []
    const message = `no scenario needs an endpoint "${wrong}"${orNearest(wrong, meant)}`
    return [{ name: '', message, file: ownFile(found, module)! }]
  })
}

/** Loads this thread's files one after the other, so that the one that holds it up is known. */
async function readAll({ found, inventory, isWatched, isWhole }: ReaderData): Promise<void> {
  const tell = (read: Read) => parentPort!.postMessage(read)
  guard(({ scenario, fault }) => tell({ id: scenario, fault }))
  if (isWatched) {
    openDoor()
    await import(door)
    watchWorld()
  }
  const needs = new Set<string>()
  const isRight = found[0] === undefined || (await readOwn(found[0], tell))
  for (const file of isRight ? found : []) {
    const { id } = file
    const read = await confined({ owner: id, file: file.file }, () => planOf(file, inventory))
    tell('ok' in read ? { planned: read.ok } : { id, fault: read.fault })
    for (const name of 'ok' in read ? (read.ok.scenario.needs ?? []) : []) needs.add(name)
  }
  // What some scenarios do not need others may.
  if (isRight && isWhole && found[0]) {
    for (const fault of await misspelt(found[0], needs)) tell({ id: fault.file!, fault })
  }
  tell({ sources: isWatched && isRight ? loadedSources() : undefined })
}

await readAll(workerData)
