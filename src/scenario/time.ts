import type { Client } from '../client/client.ts'
import { createLineMaker } from '../client/line.ts'
import type { Reply } from '../client/reply.ts'
import { clock } from '../clock.ts'
import { type WaitName, waitNames } from '../limit/time/course.ts'
import type { UseName } from '../limit/time/survey-use.ts'
import type { WaitOptions } from '../limit/time/survey-waits.ts'
import type { WaitReading } from '../limit/time/wait-reading.ts'
import type { Judge, Seen } from './scenario.ts'

/** After how long a connection ends that keeps the target waiting in one way. */
export type TimeWay = {
  /** The way, as `plimsoll probe` names it: `then silence`. */
  variant: string
  ms: number
  /** By how much later it may end, in ms, as the target looks only now and then. */
  lateMs?: number
  /** By how much later it may be set to end, in ms, where that was not found more exactly. */
  aboveMs?: number
}

/** A limit on times to be judged: its clause, of what it is asked, and how. */
export type TimeAsked = {
  clause: string
  /** As `plimsoll probe` names it. */
  limit: WaitName | UseName
  /** The endpoint, which the scenario needs; `as` and `with` may have changed it. */
  of: Client
  method: string
  /** Below the endpoint's URL. */
  path: string
  /** Of what ends by waiting: each way and how long it lasts. */
  ways?: readonly TimeWay[]
  /** Of the others: requests a connection takes, or how many ms old it gets. */
  value?: number
}

/** How often it is asked in one attempt: only what differs each time is another. */
const tries = 2

/** How much longer than stated is waited, as a part of it, and in ms. */
const beyond = { part: 0.5, ms: 1_000 }

/** By how much a time may be off, in ms: as exactly as times are found. */
function toleranceMs(ms: number): number {
  return Math.max(50, ms / 100)
}

/** Whether the name is one of a limit on how long a target waits. */
function isWait(name: string): name is WaitName {
  return (waitNames as readonly string[]).includes(name)
}

/**
 * Judges a limit on times: it has to be found where it is stated, to 50 ms or one in a hundred, or
 * to the request. What differs is asked again, as a busy machine may be late; says nothing
 * where it is not clear. The scenario has to run alone, and takes as long as the longest of them.
 */
export async function judgeTime(asked: TimeAsked, context: Judge): Promise<void> {
  const { clause, of: client, method, path } = asked
  let seen: Seen | string = 'nothing was asked'
  for (let nth = 0; nth < tries; nth++) {
    seen = await lookedAt(asked)
    if (typeof seen !== 'string' && seen.holds) break
  }
  const timeoutMs = 5_000 + 2 * longestMs(asked)
  const reply: Reply = await client.send({ method, path, timeoutMs })
  if (typeof seen === 'string') context.leave(clause, seen, reply)
  else context.verify(clause, seen, reply)
}

function longestMs({ limit, ways = [], value = 0 }: TimeAsked): number {
  const times = ways.map(({ ms, lateMs = 0 }) => ms + lateMs)
  return Math.max(0, ...times, limit === 'connection-age' ? value : 0)
}

/** What one look at it shows; in words where that is nothing. */
async function lookedAt(asked: TimeAsked): Promise<Seen | string> {
  const { of: client, limit, method, path, ways = [], value = 0 } = asked
  const { route, verifyTls, signal } = client.reach
  const options: WaitOptions = {
    maker: createLineMaker({ endpoint: { url: client.url, route, verifyTls }, clock }),
    ordinary: { method, path, headers: Object.entries(client.headers) },
    upToMs: (1 + beyond.part) * longestMs(asked) + beyond.ms,
    ...{ clock, stopped: () => signal?.aborted === true }
  }
  if (!isWait(limit)) return useSeen(limit, value, options)
  // Every scenario is loaded with this file, and few ask about times.
  const { surveyWait } = await import('../limit/time/survey-waits.ts')
  const found = await surveyWait(limit, options)
  if ('because' in found) return found.because
  const looks = ways.map((way) => {
    const line = found.lines.find(({ variant }) => variant === way.variant)
    return line === undefined ? `${way.variant}: was not asked` : waySeen(way, line.reading)
  })
  const unclear = looks.find((one) => typeof one === 'string')
  const clear = looks.filter((one) => typeof one !== 'string')
  if (unclear !== undefined && clear.every(({ holds }) => holds)) return unclear
  const saw = clear.map((one) => one.saw).join('; ')
  return { holds: clear.every(({ holds }) => holds), saw }
}

/** Whether one way to keep a target waiting ends when it is said to; why that is not to be told. */
export function waySeen(
  { variant, ms, aboveMs = 0 }: TimeWay,
  reading: WaitReading
): Seen | string {
  if (reading.kind === 'unclear') return `${variant}: ${reading.because}`
  const after = `${Math.round(reading.ms)} ms`
  if (reading.kind === 'unlimited')
    return { holds: false, saw: `${variant}: no end up to ${after}` }
  const { lateMs, belowMs, isWithByte } = reading
  const off = reading.ms - ms
  const tolerance = toleranceMs(ms)
  // Of one that looks only now and then what was seen to end is a bit above the limit.
  const below = lateMs > 0 || isWithByte ? Math.min(belowMs, tolerance) : 0
  const saw = `${variant}: ended after ${after}`
  if (Math.abs(off) <= tolerance + below) return { holds: true, saw }
  const isSo = off >= -tolerance - (reading.aboveMs ?? 0) && off <= tolerance + aboveMs + belowMs
  return isSo ? `${saw}, which was not seen exactly enough` : { holds: false, saw }
}

async function useSeen(limit: UseName, value: number, options: WaitOptions) {
  const { surveyAge, surveyRequests } = await import('../limit/time/survey-use.ts')
  const isAge = limit === 'connection-age'
  const most = Math.ceil((1 + beyond.part) * value) + 2
  const found = isAge ? await surveyAge(options) : await surveyRequests(options, most)
  if ('because' in found) return found.because
  const amount = isAge ? `${Math.round(found.value)} ms` : `${found.value} requests`
  if (found.kind === 'unlimited') return { holds: false, saw: `no end up to ${amount}` }
  const slack = isAge ? 3 * toleranceMs(value) + found.below : 0
  return { holds: Math.abs(found.value - value) <= slack, saw: `ended after ${amount}` }
}
