import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Fault, messageOf } from '../fault.ts'
import type { Inventory } from '../scenario/clause.ts'
import type { Found } from '../scenario/found.ts'
import type { Planned, Read, ReaderData } from './reading.ts'
import type { Sources } from './sources.ts'

export type { Planned } from './reading.ts'

/**
 * The scenarios of a document as plain data, and what is wrong with those that do not load;
 * `sources` are the files it was all made of, where that was watched and nothing else had a part.
 */
export type ReadDocument = { planned: Planned[]; faults: Fault[]; sources?: Sources }

const file = new URL(`./reading-thread${extname(import.meta.url)}`, import.meta.url)

/** Longest time one scenario may take to load. */
const usualPatienceMs = 30_000

/**
 * Loads scenarios in a thread of its own and plans them: their code could otherwise end this
 * process, hold it up for ever, or leave something behind in it. One that holds the thread up
 * stands for a unit of which only that is known; those after it load in another thread.
 */
export async function readScenarios(
  found: readonly Found[],
  inventory: Inventory,
  options: { patienceMs?: number; isWatched?: boolean; isWhole?: boolean } = {}
): Promise<ReadDocument> {
  const { patienceMs = usualPatienceMs, isWatched = false, isWhole = false } = options
  const { late, ...read } = await readInOneThread(
    { found, inventory, isWatched, isWhole },
    patienceMs
  )
  if (late === undefined) return read
  const message = `did not load within ${patienceMs / 1_000} s`
  const own = unknown(late, { name: '', message, file: late.file })
  const rest = found.slice(found.indexOf(late) + 1)
  const others =
    rest.length > 0
      ? await readScenarios(rest, inventory, { ...options, isWhole: false })
      : undefined
  return {
    planned: [...read.planned, own, ...(others?.planned ?? [])],
    faults: [...read.faults, ...(others?.faults ?? [])]
  }
}

/** What stands for a scenario of which nothing is known but what is wrong with it. */
function unknown({ id, file }: Found, fault: Fault): Planned {
  const said = { kind: 'check', title: fault.message, tier: 'quick', needs: [] } as const
  const unit = { ...said, scenario: id, file, key: '', clauses: [], needs: [], alone: [], fault }
  const scenario = { ...said, needs: [] }
  return { id, file, scenario, target: { tables: [] }, units: [unit], problems: [] }
}

const tooLate = 'nothing more was told in time'

async function readInOneThread(
  workerData: ReaderData,
  patienceMs: number
): Promise<ReadDocument & { late?: Found }> {
  const planned: Planned[] = []
  const faults: Fault[] = []
  const told = new Set<string>()
  let sources: Sources | undefined
  let own: string | undefined
  const thread = new Worker(file, { workerData })
  const ended = Promise.withResolvers<string | undefined>()
  const onLate = () => ended.resolve(tooLate)
  let timer = setTimeout(onLate, patienceMs)
  thread.on('message', (read: Read) => {
    clearTimeout(timer)
    timer = setTimeout(onLate, patienceMs)
    if ('sources' in read) {
      sources = read.sources
      return ended.resolve(undefined)
    }
    own = 'own' in read ? read.own : undefined
    if ('own' in read) return void (read.fault && faults.push(read.fault))
    if ('planned' in read) planned.push(read.planned)
    else faults.push(read.fault)
    told.add('planned' in read ? read.planned.id : read.id)
  })
  thread.on('error', (cause) => ended.resolve(messageOf(cause)))
  thread.on('exit', () => ended.resolve('its thread fell'))
  const because = await ended.promise
  clearTimeout(timer)
  await thread.terminate()
  if (own !== undefined) {
    const message = because === tooLate ? `did not load within ${patienceMs / 1_000} s` : because
    if (message !== undefined) faults.push({ name: '', message, file: own })
    return { planned, faults }
  }
  // They are loaded one after the other: what ended the thread is the first that is not told of.
  const guilty = workerData.found.find(({ id }) => !told.has(id))
  if (because === tooLate) return { planned, faults, late: guilty }
  if (because !== undefined && guilty)
    faults.push({ name: '', message: because, file: guilty.file })
  return { planned, faults, sources }
}
