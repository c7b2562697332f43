import fs from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Faulty, faultOf } from '../fault.ts'
import { openDoor } from './door.ts'
import type { Found } from './found.ts'

// As Node has it: a thread that reads scenarios takes a later one for a scenario's own question.
const { existsSync } = fs
const endings = ['ts', 'mts', 'js', 'mjs']

/** A module of a document's own: its file, and what it exports. */
export type OwnModule = { file: string; exported: Record<string, any> }

/** The file of that module in the folder of the document that a scenario belongs to, if any. */
export function ownFile({ id, file }: Found, name: string): string | undefined {
  const folder = file.slice(0, -join(id).length - extname(file).length)
  return endings.map((end) => join(folder, `${name}.${end}`)).find((one) => existsSync(one))
}

/** The module of that name of a scenario's document, if any; a `Faulty` where it does not load. */
export async function ownModule(found: Found, name: string): Promise<OwnModule | undefined> {
  const file = ownFile(found, name)
  if (file === undefined) return undefined
  openDoor()
  try {
    return { file, exported: await import(pathToFileURL(file).href) }
  } catch (cause) {
    throw new Faulty(faultOf(cause, file))
  }
}

/** Throws what is wrong with such a module as a fault of that file, and of no scenario. */
export function blame({ file }: OwnModule, message: string): never {
  throw new Faulty({ name: '', message, file })
}
