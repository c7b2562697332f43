import fs from 'node:fs'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDoor } from './door.ts'
import type { Found } from './found.ts'

// As Node has it: a thread that reads scenarios takes a later one for a scenario's own question.
const { existsSync } = fs
const endings = ['ts', 'mts', 'js', 'mjs']

/** A module of a document's own: its file, and what it exports. */
export type OwnModule = { file: string; exported: Record<string, any> }

/** The module of that name in the folder of the document that a scenario belongs to, if any. */
export async function ownModule({ id, file }: Found, name: string): Promise<OwnModule | undefined> {
  const folder = file.slice(0, -join(id).length - extname(file).length)
  const found = endings.map((end) => join(folder, `${name}.${end}`)).find((one) => existsSync(one))
  if (found === undefined) return undefined
  openDoor()
  return { file: found, exported: await import(pathToFileURL(found).href) }
}
