import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inspect, types } from 'node:util'
import * as v from 'valibot'

/** What the code of others threw, as plain data that crosses threads and is kept in a file. */
export const faultSchema = v.looseObject({
  /** The error's own name, such as `TypeError`; '' for what is no error. */
  name: v.string(),
  /** At most 2,000 characters. */
  message: v.string(),
  /** Where it was thrown, as far as anything tells; line and column count from 1. */
  file: v.optional(v.string()),
  line: v.optional(v.number()),
  column: v.optional(v.number()),
  /** The line, its neighbours, and a caret below the column. */
  frame: v.optional(v.string())
})

/** What the code of others threw; see `faultSchema`. */
export type Fault = {
  name: string
  message: string
  file?: string
  line?: number
  column?: number
  frame?: string
}

/** Longest message that is kept, and longest stack that is looked at. */
const longest = { message: 2_000, stack: 100_000 }

/** Larger files are not read for the sake of three lines. */
const mostBytes = 2_000_000

/** Columns of a line that are shown. */
const width = 92

const home = new URL('.', import.meta.url).href

/** A property that is a text; undefined where it is not, or where looking at it throws. */
function read(thrown: object, name: string): string | undefined {
  try {
    const value: unknown = thrown[name as keyof object]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function shown(thrown: unknown): string {
  try {
    return inspect(thrown, { depth: 1, customInspect: false, maxStringLength: 200 })
  } catch {
    return 'what cannot be looked at'
  }
}

function cut(text: string): string {
  const { message: most } = longest
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}

/** What was thrown, in words; nothing of it is run that could throw again unseen. */
function named(thrown: unknown): Pick<Fault, 'name' | 'message'> {
  // Proxies come first: there is no question that one of them cannot answer by throwing.
  if (types.isProxy(thrown)) return { name: '', message: 'threw a proxy' }
  if (typeof thrown !== 'object' || thrown === null) {
    return { name: '', message: cut(`threw ${shown(thrown)}`) }
  }
  const message = read(thrown, 'message')
  if (message !== undefined) {
    return { name: cut(read(thrown, 'name') ?? 'Error'), message: cut(message) }
  }
  if (types.isNativeError(thrown)) return { name: 'Error', message: 'its message cannot be read' }
  return { name: '', message: cut(`threw ${shown(thrown)}`) }
}

/** What was thrown, as a short text. */
export function messageOf(thrown: unknown): string {
  return named(thrown).message
}

type Place = { file: string; line: number; column: number }

/** The place a line of a stack names, unless it is of Node's, of Plimsoll's own or of a package. */
function placeIn(row: string): Place | undefined {
  const found = /(?:^|[\s(])((?:file:\/\/)?\/.*?):(\d+)(?::(\d+))?\)?$/.exec(row.trimEnd())
  if (!found) return
  const [, where, line, column = 1] = found
  const url = URL.parse(where!, 'file:///')
  if (url?.protocol !== 'file:' || url.href.startsWith(home)) return
  if (url.pathname.includes('/node_modules/')) return
  try {
    return { file: fileURLToPath(url), line: Number(line), column: Number(column) }
  } catch {
    return undefined
  }
}

function placeOf(thrown: unknown): Place | undefined {
  if (types.isProxy(thrown) || typeof thrown !== 'object' || thrown === null) return
  const stack = read(thrown, 'stack') ?? ''
  // The message comes first in it, however long that is, and the calls at the end.
  const rows = stack.slice(-longest.stack).split('\n')
  // A syntax error names its line in front of everything else, and its column by a caret.
  const first = placeIn(rows[0]!)
  if (first) return { ...first, column: Math.max(1, (rows[2] ?? '').indexOf('^') + 1) }
  for (const row of rows) {
    const place = /^\s+at /.test(row) ? placeIn(row) : undefined
    if (place) return place
  }
}

/** The line at a place with its neighbours, and a caret; undefined where it cannot be read. */
function frameOf({ file, line, column }: Place): string | undefined {
  try {
    const about = statSync(file)
    if (!about.isFile() || about.size > mostBytes) return
    const lines = readFileSync(file, 'utf8').split(/\r?\n/)
    if (line < 1 || line > lines.length) return
    // Of a very long line the part around the column is shown.
    const from = column > width ? column - Math.ceil(width / 2) : 0
    const digits = `${line + 1}`.length
    const gutter = (mark: string, number: string) => `${mark} ${number.padStart(digits)} | `
    const rows = [line - 1, line, line + 1].flatMap((number) => {
      const text = lines[number - 1]
      if (text === undefined) return []
      const mark = number === line ? '>' : ' '
      const row = `${gutter(mark, `${number}`)}${text.slice(from, from + width)}`
      if (number !== line) return [row]
      const indent = text.slice(from, column - 1).replaceAll(/[^\t]/g, ' ')
      return [row, `${gutter(' ', '')}${indent}^`]
    })
    return rows.map((row) => row.trimEnd()).join('\n')
  } catch {
    return undefined
  }
}

/**
 * What was thrown as plain data. Whatever it is, a proxy or an error with traps in it, this does
 * not throw; `file` is where it came from, for what does not tell by itself.
 */
export function faultOf(thrown: unknown, file?: string): Fault {
  if (isFaulty(thrown)) return thrown.fault
  const what = named(thrown)
  const place = placeOf(thrown)
  if (place === undefined) return { ...what, ...(file !== undefined && { file }) }
  const frame = frameOf(place)
  return { ...what, ...place, ...(frame !== undefined && { frame }) }
}

/** A fault on one line: `/limits/url.ts:7:11: TypeError: …`. */
export function faultText({ name, message, file, line, column }: Fault): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  return [place, name, message].filter((part) => part !== '').join(': ')
}

/** An error of ours that stands for what the code of others threw, here or in another thread. */
export class Faulty extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(faultText(fault))
    this.fault = fault
  }
}

function isFaulty(thrown: unknown): thrown is Faulty {
  try {
    return thrown instanceof Faulty
  } catch {
    return false
  }
}
