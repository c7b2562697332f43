import { keptRequest } from '../time/course.ts'
import type { ClaimFinding } from './row.ts'
import type { ServiceAsked } from './service-claims.ts'

const field = 'Keep-Alive: timeout'

/** For how long a connection is left alone at most, in ms, and how much sooner it is used again. */
const mostIdleMs = 120_000
const soonerMs = 250

/** How long an answer is waited for, in ms, and after how long it is looked up whether to stop. */
const patienceMs = 10_000
const lookUpMs = 250

/** What `Keep-Alive` says of how long a connection stays, in ms, and for how many requests. */
export function keptBy(told = ''): { timeoutMs?: number; max?: number } {
  const [, seconds] = /\btimeout=(\d+)/.exec(told) ?? []
  const [, max] = /\bmax=(\d+)/.exec(told) ?? []
  return {
    ...(seconds !== undefined && { timeoutMs: 1_000 * Number(seconds) }),
    ...(max !== undefined && { max: Number(max) })
  }
}

/**
 * Whether `Keep-Alive: timeout` is true: a connection is used again shortly before it is over,
 * where there is time to wait for that. Undefined where nothing is said of it.
 */
export async function keptTime(asked: ServiceAsked): Promise<ClaimFinding | undefined> {
  const { maker, ordinary, clock, stopped, leftMs } = asked
  const line = await maker.open()
  if (typeof line === 'string') return
  try {
    const question = keptRequest(ordinary, maker.address)
    const answered = async (count: number) => {
      const until = clock.now() + patienceMs
      const isHere = () => line.answers[count - 1]?.endedAt !== undefined
      while (!isHere() && !line.ending && clock.now() < until && !stopped()) {
        await line.heard(lookUpMs)
      }
      return line.answers[count - 1]
    }
    line.say(question)
    const first = await answered(1)
    const { timeoutMs } = keptBy(first?.headers['keep-alive'])
    if (first?.endedAt === undefined || timeoutMs === undefined) return
    const claim = `timeout=${timeoutMs / 1_000}`
    const unsaid = (why: string): ClaimFinding => {
      return { field, verdict: 'unsaid', because: `${claim}; ${why}` }
    }
    if (timeoutMs <= soonerMs) return unsaid('too short to be waited for')
    if (timeoutMs > mostIdleMs) return unsaid(`not waited for (${idleFlags(timeoutMs)})`)
    const dueAt = first.endedAt + timeoutMs - soonerMs
    const left = leftMs()
    const missing = dueAt - clock.now() - left
    if (missing >= 0) {
      const [few, more] = [left, missing + 1_000].map((ms) => `${Math.ceil(ms / 1_000)} s`)
      const because = `${few} were left to wait for that, and ${more} more are needed (--time)`
      return { ...unsaid(because), isTimeUp: true }
    }
    while (!line.ending && clock.now() < dueAt && !stopped()) {
      await line.heard(Math.min(lookUpMs, dueAt - clock.now()))
    }
    const told = (at: number) => `${((at - first.endedAt!) / 1_000).toFixed(2)} s`
    if (line.ending) {
      return { field, verdict: 'false', because: `${claim}; closed after ${told(line.ending.at)}` }
    }
    if (stopped()) return unsaid('stopped on the way')
    const at = line.say(question)
    const second = await answered(2)
    if (!second?.endedAt && stopped()) return unsaid('stopped on the way')
    const verdict = second?.endedAt ? 'true' : 'false'
    const how = second?.endedAt ? 'answered' : 'no answer'
    return { field, verdict, because: `${claim}; ${how} when used again after ${told(at)}` }
  } finally {
    line.close()
  }
}

/** What finds such a time out. */
function idleFlags(timeoutMs: number): string {
  return `--limits idle --up-to idle=${timeoutMs / 1_000 + 30}s`
}
