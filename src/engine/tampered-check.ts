import type { Exchange } from '../client/reply.ts'
import { messageOf } from '../fault.ts'
import { documentedText, type Inventory } from '../scenario/clause.ts'
import { tamperings } from '../tampering/catalogue.ts'
import { type Change, openProxy, type TamperingProxy, type Traffic } from '../tampering/proxy.ts'
import type { Tampering } from '../tampering/tampering.ts'
import type { Witnessed } from '../tampering/witnessed.ts'
import type { Target } from '../target/target.ts'
import { judge } from '../verdict/judge.ts'
import type { Outcome } from '../verdict/outcome.ts'
import { contradicting, type Evidence } from '../verdict/verdict.ts'
import { type Finding, nothing } from './finding.ts'
import type { Pool } from './pool.ts'
import type { Stop } from './stop.ts'
import type { Unit } from './unit.ts'

/**
 * What a check makes of answers that were tampered with.
 *
 * - `seen`: one tampering at least turned its verdict to a fail, and without it it passes again
 * - `doubted`: under some it did not pass, and under none it failed
 * - `blind`: it passed under all that were tried
 * - `left`: nothing can be said, `because` it did not pass untampered, or rests on no answer
 */
export type TamperedCheck = {
  scenario: string
  clause: string
  state: 'seen' | 'doubted' | 'blind' | 'left'
  /** How many tamperings were tried, of so many that its evidence shows. */
  tried: number
  of: number
  /** Those of them, in words, under which it passed. */
  green: string[]
  because: string
}

/** What it takes to look at a unit's checks. */
export type TamperedCheckParts = {
  unit: Unit
  inventory: Inventory
  target: Target
  pool: Pool
  seed: number
  stop: Stop
  /** Tamperings tried for one clause at most. */
  most: number
  /** Whether to go on with those that have fallen, to know under which they stay green. */
  every: boolean
}

/** How long a unit may take beside what it takes untampered, which is counted several times. */
const patience = { ms: 20_000, times: 5 }

/** Tamperings that meet no answer any more do not count, up to so many times those that do. */
const vain = 3

/** One look at a target: the outcome of each clause, and what it rests on. */
type Look = Map<string, { outcome: Outcome; because: string; evidence: Evidence }>

/** What is known of a clause so far. */
type Standing = {
  list: Tampering[]
  fell?: string
  doubt?: string
  /** How its scenario broke down over an answer, which says nothing of the clause. */
  stumble?: string
  green: string[]
}

/** Tampers with the answers that a unit's verdicts rest on, until each of them has fallen. */
export async function tamperedChecks(parts: TamperedCheckParts): Promise<TamperedCheck[]> {
  const { unit, stop, most, every } = parts
  await using bench = await openBench(parts)
  const honest = await bench.look()
  const all = bench.take()
  const left: TamperedCheck[] = []
  const open = new Map<string, Standing>()
  const check = (
    clause: string,
    rest: Omit<TamperedCheck, 'scenario' | 'clause'>
  ): TamperedCheck => {
    return { scenario: unit.scenario, clause, ...rest }
  }
  const leave = (clause: string, because: string) =>
    left.push(check(clause, { state: 'left', tried: 0, of: 0, green: [], because }))
  for (const [clause, { outcome, because, evidence }] of honest) {
    const shown = shownIn(evidence, all)
    const list = outcome === 'pass' ? tamperings({ clause, shown, all }) : []
    if (list.length > 0) open.set(clause, { list, green: [] })
    else leave(clause, outcome === 'pass' ? 'it rests on no answer' : `${outcome}: ${because}`)
  }

  /** Which tamperings were tried, and whether they met any answer. */
  const done = new Map<string, boolean>()
  const tryOut = async (tampering: Tampering) => {
    const { look, isMet } = await bench.tampered(tampering)
    done.set(tampering.key, isMet)
    if (!isMet) return
    for (const [clause, { outcome, because }] of look) {
      const own = open.get(clause)
      if (own === undefined) continue
      if (contradicting.includes(outcome)) own.fell ??= tampering.words
      else if (outcome === 'error') own.stumble ??= `${outcome}, ${because}`
      else if (outcome !== 'pass') own.doubt ??= `${outcome}, ${because}`
      else if (own.list.some(({ key }) => key === tampering.key)) own.green.push(tampering.words)
    }
  }
  for (const own of open.values()) {
    const fresh = own.list.filter(({ key }) => !done.has(key))
    for (const [begun, tampering] of fresh.entries()) {
      const met = fresh.slice(0, begun).filter(({ key }) => done.get(key)).length
      const isEnough = met >= most || begun >= vain * most
      if ((own.fell !== undefined && !every) || isEnough || stop.requested()) break
      await tryOut(tampering)
    }
  }
  const isFallen = [...open.values()].some(({ fell }) => fell !== undefined)
  // A check may have fallen over what an earlier tampering left behind in the target.
  const after = isFallen && !stop.requested() ? await bench.look() : honest
  const found = [...open].flatMap(([clause, { list, fell, green, ...own }]) => {
    const tried = list.filter(({ key }) => done.get(key)).length
    if (fell === undefined && stop.requested()) return []
    if (fell !== undefined && after.get(clause)?.outcome !== 'pass') {
      leave(clause, 'it no longer passes untampered: what was done before stays')
      return []
    }
    const doubt = own.doubt ?? (green.length > 0 ? undefined : own.stumble)
    const state = fell !== undefined ? 'seen' : doubt !== undefined ? 'doubted' : 'blind'
    const because = fell ?? (doubt ? `it never failed; at first it was ${doubt}` : 'it passed')
    return [check(clause, { state, tried, of: list.length, green, because })]
  })
  return [...found, ...left]
}

/** Those that went by of the answers that evidence names; all of them where it names none. */
function shownIn(evidence: Evidence, all: readonly Witnessed[]): readonly Witnessed[] {
  if (evidence.kind !== 'observations') return all
  const exchanges = evidence.attempts.flat().flatMap((one) => one.exchanges)
  const near = all.filter((seen) => exchanges.some((one) => isThat(one, seen)))
  // Many requests to one path are told apart by how much they sent, where that went by whole, and
  // by what came back: what a verdict rests on comes last, since the last is tampered with first.
  const told = (isLike: typeof isThat) => (seen: Witnessed) =>
    exchanges.some((one) => isThat(one, seen) && isLike(one, seen))
  const some = near.filter(told(isAsLong))
  const shown = some.length > 0 ? some : near
  const [exact, others] = [shown.filter(told(isSame)), shown.filter((one) => !told(isSame)(one))]
  return shown.length > 0 ? [...others, ...exact] : all
}

function isAsLong({ request }: Exchange, { asked }: Witnessed): boolean {
  return request.bodyBytes === asked.bodyBytes
}

function isSame({ excerpt }: Exchange, { answer }: Witnessed): boolean {
  return answer.text?.startsWith(excerpt) ?? false
}

function isThat({ request, status }: Exchange, { asked, answer }: Witnessed): boolean {
  const place = request.url.replace(/^https?:\/\/[^/]*/, '')
  const isCut = / \(\d+\)$/.test(place)
  const isPlace = isCut ? asked.path.startsWith(place.split('… (')[0]!) : asked.path === place
  return isPlace && request.method === asked.method && status === answer.status
}

/** A unit before proxies of its own. */
async function openBench({ unit, inventory, target, pool, seed, stop }: TamperedCheckParts) {
  const names = unit.needs.filter((name) => name in target.endpoints)
  const open = () => {
    const traffic: Traffic = {}
    return Promise.all(
      names.map(async (name): Promise<[string, TamperingProxy]> => {
        return [name, await openProxy(name, { endpoint: target.endpoints[name]!, traffic })]
      })
    )
  }
  let proxies = await open()
  let limitMs = Infinity
  const close = () => Promise.all(proxies.map(([, proxy]) => proxy.close()))
  const judged = ({ clause, evidence }: Finding) => {
    const entry = inventory.get(clause)!
    const claim = { clause, documented: documentedText(entry), derived: entry.derived }
    return [clause, { ...judge(evidence, claim), evidence }] as const
  }
  const ask = async (endpoints: Target['endpoints']): Promise<Look> => {
    const late = new AbortController()
    const isEndless = limitMs === Infinity
    const timer = isEndless ? undefined : setTimeout(() => late.abort(), limitMs)
    try {
      const task = { unit, target: { ...target, endpoints }, seed, stop: stop.buffer }
      return new Map((await pool.work(task, late.signal)).map(judged))
    } catch (cause) {
      const found = nothing(unit, 'error', messageOf(cause))
      return new Map(found.map(judged))
    } finally {
      clearTimeout(timer)
    }
  }
  const look = async (change?: Change): Promise<Look> => {
    for (const [, proxy] of proxies) proxy.tamper(change)
    const own = proxies.map(([name, { endpoint }]) => [name, endpoint])
    const began = performance.now()
    const seen = await ask({ ...target.endpoints, ...Object.fromEntries(own) })
    if (limitMs === Infinity) limitMs = patience.ms + patience.times * (performance.now() - began)
    return seen
  }
  const renew = async () => {
    await close()
    proxies = await open()
  }
  const take = () => proxies.flatMap(([, proxy]) => proxy.take())
  return {
    /** What the unit's clauses come to, untampered. */
    async look() {
      await renew()
      return look()
    },
    /** What went by since it was last taken. */
    take,
    /** What they come to with answers changed, and whether any were. */
    async tampered({ change }: Tampering): Promise<{ look: Look; isMet: boolean }> {
      let isMet = false
      const found = await look((seen) => {
        const changed = change(seen)
        isMet ||= changed !== undefined
        return changed
      })
      take()
      // Who has been lied to by an address may not believe it any more, and has to meet another.
      if ([...found.values()].some(({ outcome }) => !isPlain(outcome))) await renew()
      return { look: found, isMet }
    },
    [Symbol.asyncDispose]: async () => void (await close())
  }
}

function isPlain(outcome: Outcome): boolean {
  return ['pass', 'observed', ...contradicting].includes(outcome)
}
