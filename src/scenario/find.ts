import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDoor } from './door.ts'
import type { Scenario } from './scenario.ts'

/** A scenario's file: `id` is its path below the scenarios folder without the ending. */
export type Found = { id: string; file: string }

/** A found file together with what it exports. */
export type Loaded = Found & { scenario: Scenario }

const kinds: readonly Scenario['kind'][] = ['limit', 'check', 'load', 'capacity', 'soak']

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

/** Imports a scenario; throws an Error that names the file when there is none to import. */
export async function load({ id, file }: Found): Promise<Loaded> {
  openDoor()
  const module = await import(pathToFileURL(file).href).catch((cause: unknown) => {
    throw new Error(`${file} does not load: ${reason(cause)}`)
  })
  const scenario = module.default as Scenario | undefined
  if (!scenario || !kinds.includes(scenario.kind)) {
    throw new Error(
      `${file} exports no scenario: write \`export default limit({ … })\`, or check, load, …`
    )
  }
  return { id, file, scenario }
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return `${cause.name}: ${cause.message.trim()}`
}
