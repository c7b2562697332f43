import { median } from '../../statistics/quantile.ts'
import type { Pair } from '../../verdict/trial.ts'
import { pinnableProcessors, takeTurns } from './processors.ts'
import type { SpawnedServer } from './spawned-server.ts'

/**
 * Where both servers of a start ran: on one processor, on any, or elsewhere than on the one that
 * they were given; and why not on one, where that was not asked for.
 */
export type RanOn = { placed: 'one' | 'all' | 'own'; because?: string }

/** Has both servers of a start run on one processor, or lets them run where they like. */
export type Placement = {
  /** Nothing of ours runs: where the next start is to run. */
  choose(): Promise<void>
  /** Both are up. */
  begin(servers: readonly SpawnedServer[]): void
  /** A pair of trials that was asked of them. */
  see(pair: Pair): void
  /** The first ones are warm. */
  settle(): void
  /** They are about to be ended. */
  end(): void
  ranOn(): RanOn
}

/** Who uses more processors at once than that, while asked, is another program on one. */
const mostAtOnce = 1.3

/** So many last pairs tell how many are used: those before are compiled and collected meanwhile. */
const lastPairs = 8

/**
 * Processors that an arm used at once while it was asked, as the median of pairs. What it was ready
 * to use is no measure: threads that compile and collect wait for longest on a busy machine.
 */
const atOnce = (pairs: readonly Pair[], arm: 'a' | 'b') =>
  median(pairs.map((pair) => ((pair[arm].cpuUsPerRequest ?? 0) * pair[arm].perSecond) / 1e6))

/** Servers that run where they like. */
export const anywhere = (because?: string): Placement => ({
  async choose() {},
  begin() {},
  see() {},
  settle() {},
  end() {},
  ranOn: () => ({ placed: 'all', ...(because !== undefined && { because }) })
})

/**
 * Servers of which both of a start have one processor, another one for each start. Two copies of a
 * server on a core each differ by as much as these cores do, which share theirs with who knows
 * whom: by 3 to 22 % in two seconds on the host that this was measured on, and by 0.3 to 3 % on
 * one. The first start has all until it is warm: where it uses several at once, so has every other
 * one, unless they are to be pinned whatever they use.
 */
export function onOneProcessor({ isForced }: { isForced: boolean }): Placement {
  const processors = pinnableProcessors()
  if (processors.length === 0) return anywhere('any, as there is no taskset to have them share one')
  const next = takeTurns(processors)
  const first: Pair[] = []
  let servers: readonly SpawnedServer[] = []
  let processor = processors[0]!
  let found: RanOn | undefined
  const pin = () => {
    if (found?.placed === 'one') for (const server of servers) server.pin(processor)
  }
  return {
    async choose() {
      processor = await next()
    },
    begin(started) {
      servers = started
      pin()
    },
    see(pair) {
      if (found === undefined) first.push(pair)
    },
    settle() {
      const used = (['a', 'b'] as const).map((arm) => atOnce(first.slice(-lastPairs), arm))
      const [a, b] = used.map((count) => count.toFixed(1))
      const isOne = isForced || Math.max(...used) <= mostAtOnce
      const several = `any, as A uses ${a} of them at once and B ${b}`
      found = isOne ? { placed: 'one' } : { placed: 'all', because: several }
      pin()
    },
    end() {
      if (found?.placed !== 'one' || servers.every((server) => server.isOn(processor))) return
      const elsewhere = 'they were given one for both, and run, or are served from, elsewhere'
      found = { placed: 'own', because: elsewhere }
    },
    ranOn: () => found ?? { placed: 'all' }
  }
}
