import { messageOf } from '../fault.ts'
import { documentedText, type Inventory } from '../scenario/clause.ts'
import { type Change, openProxy, type TamperingProxy, type Traffic } from '../tampering/proxy.ts'
import type { Tampering } from '../tampering/tampering.ts'
import type { Target } from '../target/target.ts'
import { judge } from '../verdict/judge.ts'
import type { Outcome } from '../verdict/outcome.ts'
import { contradicting, type Evidence } from '../verdict/verdict.ts'
import { type Finding, nothing } from './finding.ts'
import type { Pool } from './pool.ts'
import type { Stop } from './stop.ts'
import type { Unit } from './unit.ts'

/** What a bench is made of. */
export type BenchParts = {
  unit: Unit
  inventory: Inventory
  target: Target
  pool: Pool
  seed: number
  stop: Stop
}

/** How long a unit may take beside what it takes untampered, which is counted several times. */
const patience = { ms: 20_000, times: 5 }

/** What a clause came to, tampered with or not, and what that rests on. */
export type TamperedFinding = { outcome: Outcome; because: string; evidence: Evidence }

/** One look at a target, by clause. */
export type TamperedLook = Map<string, TamperedFinding>

/** What is concluded of a clause, by its name. */
function judged({ clause, evidence }: Finding, inventory: Inventory): [string, TamperedFinding] {
  const entry = inventory.get(clause)!
  const claim = { clause, documented: documentedText(entry), derived: entry.derived }
  return [clause, { ...judge(evidence, claim), evidence }]
}

/** A unit before proxies that tamper with what its target answers. */
export type Bench = Awaited<ReturnType<typeof openBench>>

/** Puts a unit before proxies of its own. */
export async function openBench({ unit, inventory, target, pool, seed, stop }: BenchParts) {
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
  const ask = async (endpoints: Target['endpoints'], isAlone: boolean): Promise<TamperedLook> => {
    const late = new AbortController()
    const isEndless = limitMs === Infinity
    const timer = isEndless ? undefined : setTimeout(() => late.abort(), limitMs)
    try {
      const told = { ...target, endpoints }
      const task = { unit, target: told, seed, stop: stop.buffer, isAlone }
      return new Map((await pool.work(task, late.signal)).map((one) => judged(one, inventory)))
    } catch (cause) {
      const found = nothing(unit, 'error', messageOf(cause))
      return new Map(found.map((one) => judged(one, inventory)))
    } finally {
      clearTimeout(timer)
    }
  }
  const look = async (change?: Change, isAlone = false): Promise<TamperedLook> => {
    for (const [, proxy] of proxies) proxy.tamper(change)
    const own = proxies.map(([name, { endpoint }]) => [name, endpoint])
    const began = performance.now()
    const seen = await ask({ ...target.endpoints, ...Object.fromEntries(own) }, isAlone)
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
    /** What they come to with answers changed, and whether any were; `isAlone` without canaries. */
    async tampered({ change }: Tampering, { isAlone = false } = {}) {
      let isMet = false
      const found = await look((seen) => {
        const changed = change(seen)
        isMet ||= changed !== undefined
        return changed
      }, isAlone)
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
