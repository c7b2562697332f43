import type { Reply } from '../client/reply.ts'
import { type DocumentedAnswer, headersOf } from './documented-answer.ts'
import type { ShapeSchema } from './formats.ts'
import type { Seen } from './scenario.ts'
import type { FormatsHeld } from './shape.ts'

/** A header of an answer, and what is said of it. */
export type HeaderFinding = { name: string } & Seen

/** The values that the text of a header may mean: itself, a number, a truth, lists of such. */
function readings(text: string): unknown[] {
  const single = readingsOfOne(text)
  const items = text.split(',').map((one) => one.trim())
  const lists = [items, items.map((one) => readingsOfOne(one).at(-1))]
  return [...single, ...lists, ...(/^\s*[[{]/.test(text) ? inJson(text) : [])]
}

function readingsOfOne(text: string): unknown[] {
  if (/^(true|false)$/i.test(text)) return [text, text.toLowerCase() === 'true']
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? [text, Number(text)] : [text]
}

function inJson(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** A moment as HTTP writes it, which no format of JSON Schema is. */
const isDate = (text: string) =>
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)

/**
 * The headers that came of those with a shape, and whether some value that the text of each may
 * mean has it.
 */
export async function headerFindings(
  answer: DocumentedAnswer,
  reply: Reply,
  { defs, formats }: { defs: Record<string, unknown> | undefined; formats: FormatsHeld }
): Promise<HeaderFinding[]> {
  const found: HeaderFinding[] = []
  for (const [name, shape] of Object.entries(headersOf(answer))) {
    const text = reply.headers[name]
    // Cookies come one by one, and are no list.
    if (text === undefined || shape === true || name === 'set-cookie') continue
    const one = await finding(text, shape, { defs, formats })
    if (one !== undefined) found.push({ name, ...one })
  }
  return found
}

async function finding(
  text: string,
  shape: ShapeSchema,
  { defs, formats }: { defs: Record<string, unknown> | undefined; formats: FormatsHeld }
): Promise<Seen | undefined> {
  const { shapeFinding } = await import('./shape.ts')
  const all = readings(text).map((value) => shapeFinding(value, shape, defs, formats))
  if (all.includes(undefined)) return
  const isRight = all.some((one) => one!.holds) || (formats !== 'none' && isDate(text))
  const told = `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
  if (isRight) return { holds: true, saw: told }
  // What a number is at odds with says more than that a text is none.
  const [why] = all[1] && readingsOfOne(text).length > 1 ? [all[1]] : all
  return { holds: false, saw: `${told}: ${why!.saw}` }
}
