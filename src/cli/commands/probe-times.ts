import { createLineMaker } from '../../client/line.ts'
import { clock } from '../../clock.ts'
import type { Ordinary } from '../../limit/dimension.ts'
import { surveyAge, surveyRequests } from '../../limit/time/survey-use.ts'
import { surveyWait } from '../../limit/time/survey-waits.ts'
import type { Endpoint } from '../../target/target.ts'
import { Failure } from '../failure.ts'
import {
  isDuration,
  isTime,
  type LimitName,
  type ProbeFlags,
  type TimeName
} from '../flags/probe-flags.ts'
import { isTimeClear, type TimeEntry, useEntry, waitEntry } from '../terminal/time-entry.ts'

/** How long is waited, in ms, unless somebody says otherwise: what servers come with, and more. */
export const usualUpToMs = 75_000

/** How many requests one connection is asked unless somebody says otherwise. */
const usualRequests = 2_000

/** Whom to keep waiting, in which ways, and how long. */
export type TimesAsked = {
  names: readonly LimitName[]
  endpoint: Endpoint
  ordinary: Ordinary
  upTo: ProbeFlags['upTo']
  perSecond?: number
  stopped: () => boolean
  /** How much time is left for all that is looked for, in ms, and who is told what takes long. */
  leftMs: () => number
  note: (text: string) => void
}

/** Throws a Failure where a time is to be waited for that is longer than all may take. */
export function insistOnTime({ limits, upTo, time }: ProbeFlags): void {
  const longest = limits.find((name) => isDuration(name) && (upTo[name] ?? 0) >= 1_000 * time)
  if (longest === undefined) return
  throw new Failure(`--up-to ${longest} is no shorter than --time: give it more, as --time 20m`)
}

/** What part of the time that is left one connection may be asked for. */
const share = 0.6

/**
 * Looks for limits on times, all of them at once, so that they take as long as the longest; in the
 * order in which they are named, but for how many requests a connection takes: one after another
 * would hold up what is timed, and may take all the time there is.
 */
export async function* timesFound(asked: TimesAsked): AsyncGenerator<TimeEntry> {
  const names = asked.names.filter(isTime)
  const others = names.filter((name) => name !== 'requests-per-connection')
  const together = others.map((name) => timeFound(name, asked))
  for (const [index, name] of others.entries()) {
    const entry = await together[index]!
    const isAlone = others.length === 1 || asked.stopped()
    yield isAlone || !isCrowded(entry) ? entry : await foundAlone(name, entry)
  }
  if (names.includes('requests-per-connection') && !asked.stopped()) {
    yield await timeFound('requests-per-connection', asked)
  }

  /** The same once nothing else is asked, where that tells more. */
  async function foundAlone(name: TimeName, entry: TimeEntry): Promise<TimeEntry> {
    await Promise.all(together)
    if (asked.stopped()) return entry
    const alone = await timeFound(name, asked)
    return isCrowded(alone) && isTimeClear(entry) ? entry : alone
  }
}

/**
 * Whether so many connections of ours may be why: who runs short of workers closes idle ones early,
 * each at another age, as whoever looks only now and then would.
 */
function isCrowded(entry: TimeEntry): boolean {
  if (!('ways' in entry)) return false
  const isIdle = entry.limit === 'idle'
  return entry.ways.some(({ kind, lateMs }) => kind === 'unclear' || (isIdle && lateMs !== 0))
}

async function timeFound(name: TimeName, asked: TimesAsked): Promise<TimeEntry> {
  const { endpoint, ordinary, upTo, perSecond, stopped } = asked
  const maker = createLineMaker({ endpoint, clock, ...(perSecond && { perSecond }) })
  const options = { maker, ordinary, clock, stopped, upToMs: upTo[name] ?? usualUpToMs }
  if (name === 'requests-per-connection') {
    const manner = { leftMs: () => share * asked.leftMs(), onProgress: asked.note }
    return useEntry(name, await surveyRequests(options, upTo[name] ?? usualRequests, manner))
  }
  if (name === 'connection-age') return useEntry(name, await surveyAge(options))
  return waitEntry(name, await surveyWait(name, options))
}
