import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type FoundLine, type FoundRate, foundFiles } from '../../import/found.ts'
import type { FoundTime } from '../../import/found-times.ts'
import { variableOf } from '../../import/project.ts'
import type { ProbeFlags } from '../flags/probe-flags.ts'
import { writeWhole } from '../saved/whole-file.ts'
import type { Entry, RateEntry } from '../terminal/probe-entry.ts'

const written: readonly string[] = ['url', 'header', 'headers', 'header-count', 'body']

/** Limiters that accept so many at once and refuse the next. */
const limiters = ['fixed-window', 'sliding-log', 'sliding-counter', 'token-bucket'] as const

/** The line of a size that can be asked about again; none where it was not found. */
function lineOf(entry: Entry): FoundLine[] {
  if (!('variants' in entry) || !written.includes(entry.limit)) return []
  const { kind, accepted, usual, status, unit } = entry
  if (kind !== 'found' || accepted === null || usual >= 400) return []
  return [{ limit: entry.limit as FoundLine['limit'], unit, accepted, usual, status }]
}

function rateOf(entry: RateEntry): FoundRate | undefined {
  const { burst, perSecond, windowMs, status } = entry
  const algorithm = limiters.find((one) => one === entry.algorithm)
  // What counts refusals as well does not as one of its kind does, and is not judged as such.
  if (!algorithm || entry.countsRefused || status === null || isSoft(entry)) return
  if (burst === null || perSecond === null) return
  const filledMs = windowMs ?? (1_000 * burst) / perSecond
  // Who closes the connection has said nothing.
  return { algorithm, burst, perSecond, windowMs: filledMs, status: status === 0 ? null : status }
}

/** Whether it refuses under a status that is no refusal. */
function isSoft({ status }: RateEntry): boolean {
  return status !== null && status > 0 && status < 400
}

/** Why a limit on the rate that was found is not written, in words; '' where it is, or is none. */
function whyUnwritten(entry: RateEntry): string {
  const { algorithm, burst, perSecond } = entry
  if (['none', 'unclear'].includes(algorithm)) return ''
  if (rateOf(entry) ?? queueOf(entry)) return ''
  const why = () => {
    if (isSoft(entry)) return `it refuses by ${entry.status}, as it accepts, which no status tells`
    if (entry.countsRefused) return 'what it refuses counts as well'
    const isKnown = burst !== null && perSecond !== null
    const isSize = limiters.some((one) => one === algorithm) || algorithm === 'leaky-queue'
    if (isSize && !isKnown) return 'how many it takes at once is not known'
    return `no scenario is made of a ${algorithm.replace('-', ' ')}`
  }
  return `not written: rate, since ${why()}`
}

function queueOf({ algorithm, burst, queue, perSecond, status }: RateEntry) {
  if (algorithm !== 'leaky-queue' || burst === null || queue === null || perSecond === null) return
  return { burst, queue, perSecond, status: status || null }
}

/** The limit on times that can be asked about again; none where nothing ended. */
function timeOf(entry: Entry): FoundTime[] {
  if ('use' in entry) {
    const { limit, use, value, because } = entry
    return use === 'found' ? [{ limit, value, said: because }] : []
  }
  if (!('ways' in entry) || entry.limit === 'socket-idle') return []
  const ways = entry.ways.flatMap(({ variant, kind, ms, lateMs, aboveMs = 0 }) => {
    return kind === 'found' && ms !== null ? [{ variant, ms, lateMs: lateMs ?? 0, aboveMs }] : []
  })
  const { limit, because: said } = entry
  if (ways.length === 0) return []
  // An ordinary request is answered, but where it is that which takes too long.
  const status = entry.ways.find(({ kind }) => kind === 'found')!.status
  return [{ limit, ways, said, ...(limit === 'response-time' && { status }) }]
}

/**
 * Writes what was found into the folder that `--write` names, as clauses and scenarios that
 * `plimsoll run` verifies from then on; returns what was written in words, '' for nothing.
 */
export function writeFound(
  entries: readonly Entry[],
  { url, method, header, usual, write }: ProbeFlags & { usual: number }
): string {
  if (write === undefined) return ''
  const { origin, pathname, search } = new URL(url)
  const names = header.map((text) => text.slice(0, text.indexOf(':')).trim().toLowerCase())
  const rate = entries.flatMap((entry) => ('algorithm' in entry ? (rateOf(entry) ?? []) : []))[0]
  const queue = entries.flatMap((entry) => ('algorithm' in entry ? (queueOf(entry) ?? []) : []))[0]
  const lines = entries.flatMap(lineOf)
  const times = entries.flatMap(timeOf)
  const isNothing = lines.length + times.length === 0 && rate === undefined && queue === undefined
  const unwritten = entries.flatMap((entry) => {
    return 'algorithm' in entry ? whyUnwritten(entry) || [] : []
  })
  if (isNothing) return unwritten[0] ?? 'Nothing was found to be written.'
  const files = foundFiles({
    ...{ url: origin, method, path: `${pathname}${search}`, usual, lines, times },
    headers: Object.fromEntries(names.map((name) => [name, variableOf(name)])),
    ...(rate && { rate }),
    ...(queue && { queue })
  })
  mkdirSync(write, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeWhole(join(write, name), text)
  const command = `plimsoll run --scenarios ${write} --target ${join(write, 'target.json')}`
  const all = [`written: ${Object.keys(files).join(', ')}; ${command}`, ...unwritten]
  return all.join('; ')
}
