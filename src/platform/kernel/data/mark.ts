import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const schema = v.object({
  identity: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  generation: v.pipe(v.number(), v.integer(), v.minValue(0)),
  state: v.picklist(['making', 'adopting', 'open', 'closing', 'closed']),
  digest: v.optional(v.string())
})

/**
 * What a data folder says of itself beside its database: whose it is, how often it was begun, and
 * how it was left. `making` and `adopting`, of a folder from before there were marks: nothing was
 * acknowledged yet. `open`: in use, or killed, and the log belongs to the database. `closing`: the
 * log may be in the database already. `closed`: it is, and the database has this SHA-256.
 */
export type Mark = v.InferOutput<typeof schema>

/** The name of the file that holds the mark. */
export const markFile = 'identity.json'

/** The mark of a folder; undefined where there is none, and 'unreadable' where it is no mark. */
export function readMark(folder: string): Mark | 'unreadable' | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, markFile), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return v.parse(schema, JSON.parse(text))
  } catch {
    return 'unreadable'
  }
}

/** Replaces the mark of a folder, whole or not at all. */
export function writeMark(folder: string, mark: Mark) {
  renameSync(written(folder, mark), join(folder, markFile))
}

/** Gives a folder its first mark, whole or not at all; throws when it has one by now. */
export function writeFirstMark(folder: string, mark: Mark) {
  const part = written(folder, mark)
  linkSync(part, join(folder, markFile))
  rmSync(part)
}

/** Writes a mark beside its place, and returns where. */
function written(folder: string, mark: Mark): string {
  const part = join(folder, `${markFile}.${process.pid}.part`)
  const file = openSync(part, 'w')
  try {
    writeFileSync(file, `${JSON.stringify(mark)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return part
}
