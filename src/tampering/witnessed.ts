import type { KeptAnswer } from './answer.ts'
import type { Passed } from './request-watch.ts'

/** A request that went by, and what the target answered. */
export type Witnessed = {
  endpoint: string
  asked: Passed
  answer: KeptAnswer
  /** The last request before it that may have changed something; undefined where there is none. */
  after?: Omit<Witnessed, 'after'>
  /** Whether exactly this was asked before, of the same host. */
  again?: boolean
  /** How many other things the same was asked about before this one. */
  nth?: number
}

/** Headers that are about the way and not about the question. */
const idle = ['host', 'content-length', 'connection', 'keep-alive', 'accept-encoding', 'date']

/** The headers that are about the question. */
export function telling(headers: Passed['headers']): [name: string, value: string][] {
  return Object.entries(headers).filter(([name]) => !idle.includes(name))
}

/** Longer texts are told apart by their length: what they hold is filling. */
const longestText = 2_000

/** A text without what is another one each time: ids, as long numbers, ports of our own servers. */
export function settled(text: string): string {
  if (text.length > longestText) return `${text.length} characters`
  const own = /((?:127\.0\.0\.1|localhost|\[::1\])(?::|%3A))\d+/gi
  return text.replace(own, '$1*').replace(/[\da-f]{8}[\da-f-]*|\d{6,}/gi, '*')
}

/** A path in which names of things stand as one: what has a digit in it and is no version. */
function placeOf(path: string): string {
  return settled(path.replace(/\?.*$/s, '')).replace(/\/(?!v\d+(?:\/|$))[^/]*\d[^/]*/g, '/*')
}

/** Which requests are of one method, to one endpoint. */
export function wayOf({ endpoint, asked: { method } }: Witnessed): string {
  return `${endpoint} ${method}`
}

/** Whether a request may change something. */
export function isWriting({ asked: { method } }: Witnessed): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** Which requests are alike: of one method, on one kind of thing. */
export function kindOf({ endpoint, asked: { method, path } }: Witnessed): string {
  return `${endpoint} ${method} ${placeOf(path)}`
}

/** Which requests ask the same question, but for ids that chance makes. */
export function questionOf(seen: Witnessed): string {
  const { path, headers, body, headBytes, bodyBytes } = seen.asked
  const told = telling(headers).map(([name, value]) => `${name}: ${settled(value)}`)
  const sizes = [headBytes, bodyBytes].map((bytes) => (bytes > longestText ? bytes : ''))
  const query = settled(path.replace(/^[^?]*/, ''))
  const filling = path.length > longestText ? path.length : ''
  return [kindOf(seen), query, filling, ...told.sort(), settled(body), ...sizes].join('\n')
}

/** Which ask the same question after the same change, be it of the same thing or of another. */
export function momentOf(seen: Witnessed): string {
  const { after } = seen
  if (after === undefined) return questionOf(seen)
  return [questionOf(seen), `after ${questionOf(after)}`, isOfSame(seen) ? 'of it' : ''].join('\n')
}

/** Whether a request is about what was changed last before it, by an id that both name. */
export function isOfSame({ asked, after }: Witnessed): boolean {
  const ids = (path: string): string[] => path.match(/[\da-f]{8}[\da-f-]*/gi) ?? []
  const own = ids(asked.path)
  return after !== undefined && ids(after.asked.path).some((id) => own.includes(id))
}

/** Which ask the same question at the same moment, for the first time or once more. */
export function turnOf(seen: Witnessed): string {
  return `${momentOf(seen)}\n${seen.again ? 'again' : ''}`
}
