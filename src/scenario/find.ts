import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Fault, Faulty, faultOf, faultText } from '../fault.ts'
import { openDoor } from './door.ts'
import type { Found } from './found.ts'
import type { Scenario } from './scenario.ts'
import { scenarioSchemas } from './schema.ts'
import { validate } from './validate.ts'

/** A found file together with what it exports. */
export type Loaded = Found & { scenario: Scenario }

const kinds = Object.keys(scenarioSchemas) as Scenario['kind'][]

const ending = /(?<!\.d)\.(ts|mts|js|mjs)$/

/** Whether a name belongs to the scenarios' own parts: `_shared.ts`, `.cache`, `node_modules`. */
function isPrivate(name: string): boolean {
  return /^[._]/.test(name) || name === 'node_modules'
}

/** Every scenario file below a folder, ordered by id; names that begin with `_` or `.` are not. */
export function find(folder: string): Found[] {
  if (!existsSync(folder)) throw new Error(`there is no scenarios folder at ${folder}`)
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name) && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(folder, file).split(sep).some(isPrivate))
    .map((file) => ({ id: relative(folder, file).split(sep).join('/').replace(ending, ''), file }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Imports a scenario; throws a `Faulty` that says what is wrong with the file, and where. */
export async function load({ id, file }: Found): Promise<Loaded> {
  openDoor()
  try {
    const { default: scenario } = await import(pathToFileURL(file).href)
    const kind = kinds.find((name) => name === scenario?.kind)
    if (kind) return { id, file, scenario: validate(kind, scenarioSchemas[kind], scenario) }
  } catch (cause) {
    throw new Faulty(unloadable(faultOf(cause, file), file))
  }
  const message =
    'exports no scenario: write `export default limit({ … })`, or check, load, capacity, soak'
  throw new Faulty({ name: '', message, file })
}

/** What kept a scenario from loading, which may be thrown in another file than its own. */
function unloadable({ frame, ...fault }: Fault, file: string): Fault {
  const { name, message } = fault
  const isOwn = fault.file === file
  const told = isOwn ? faultText({ name, message }) : faultText(fault)
  const place = isOwn ? fault : { file }
  return { ...place, name: '', message: `does not load: ${told}`, ...(frame && { frame }) }
}
