import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Fault, messageOf } from '../fault.ts'
import type { Inventory } from '../scenario/clause.ts'
import type { Found } from '../scenario/found.ts'
import type { Planned, Read, ReaderData } from './reading.ts'

export type { Planned } from './reading.ts'

/** The scenarios of a document as plain data, and what is wrong with those that do not load. */
export type ReadDocument = { planned: Planned[]; faults: Fault[] }

const file = new URL(`./reading${extname(import.meta.url)}`, import.meta.url)

/** Longest time one scenario may take to load. */
const usualPatienceMs = 30_000

/**
 * Loads scenarios in a thread of its own and plans them: their code could otherwise end this
 * process, hold it up for ever, or leave something behind in it.
 */
export async function readScenarios(
  found: readonly Found[],
  inventory: Inventory,
  patienceMs = usualPatienceMs
): Promise<ReadDocument> {
  const planned: Planned[] = []
  const faults: Fault[] = []
  const told = new Set<string>()
  const thread = new Worker(file, { workerData: { found, inventory } satisfies ReaderData })
  const ended = Promise.withResolvers<string | undefined>()
  const late = () => ended.resolve(`did not load within ${patienceMs / 1_000} s`)
  let timer = setTimeout(late, patienceMs)
  thread.on('message', (read: Read) => {
    clearTimeout(timer)
    timer = setTimeout(late, patienceMs)
    if ('planned' in read) planned.push(read.planned)
    else faults.push(read.fault)
    told.add('planned' in read ? read.planned.id : read.id)
    if (told.size === found.length) ended.resolve(undefined)
  })
  thread.on('error', (cause) => ended.resolve(messageOf(cause)))
  thread.on('exit', () => ended.resolve('its thread fell'))
  const because = await ended.promise
  clearTimeout(timer)
  await thread.terminate()
  // They are loaded one after the other: what ended the thread is the first that is not told of.
  const guilty = found.find(({ id }) => !told.has(id))
  if (because !== undefined && guilty)
    faults.push({ name: '', message: because, file: guilty.file })
  return { planned, faults }
}
