// How often `history` shows a shift that is not there, and finds one that is, under models of
// noise: every entry is what the whole procedure of `compare` comes to in virtual time, the same
// for the same seeds. Comparisons of alike builds are made once, and drawn from for each history.
// `node history-models.ts [--histories 500] [--builds 50] [--pool 600] [--first 0] [--by url]
// [--design baseline] [--step 0] [--times 1] [--only luck] [--time 60]`
import { parseArgs } from 'node:util'
import { entryOf } from '../../src/cli/saved/history-file.ts'
import { random } from '../../src/random.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { type HistoryEntry, historyOf } from '../../src/verdict/history.ts'
import { noiseModels } from '../engine/noise-models.ts'
import { simulatedComparison } from '../engine/simulated.ts'

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '500' },
    builds: { type: 'string', default: '50' },
    pool: { type: 'string', default: '600' },
    first: { type: 'string', default: '0' },
    by: { type: 'string', default: 'command' },
    design: { type: 'string', default: 'chain' },
    step: { type: 'string', default: '0' },
    times: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    time: { type: 'string', default: '60' }
  }
})
const by = values.by === 'url' ? 'url' : 'command'
const [builds, first] = [Number(values.builds), Number(values.first)]
/** The build in the middle is slower than those before it by so much. */
const step = { at: builds >> 1, size: Math.log1p(Number(values.step) / 100) }
const names = { a: 'a', b: 'b', metric: 'p50' as const, at: '2026-11-23T00:00:00.000Z' }

/** What comparisons of alike builds come to; those that come to nothing add no entry. */
async function poolOf(model: string): Promise<HistoryEntry[]> {
  const pool: HistoryEntry[] = []
  for (let nth = 0; nth < Number(values.pool); nth++) {
    const given = { model, by, slower: 0, budget: 0.05, seconds: Number(values.time) } as const
    const { comparison } = await simulatedComparison({ ...given, seed: first + nth })
    const entry = entryOf(comparison, names)
    if (entry) pool.push(entry)
  }
  return pool
}

/** So many builds, of which each is compared with the one before, or the first, so many times. */
function historyFrom(pool: readonly HistoryEntry[], seed: number): HistoryEntry[] {
  const next = random(seed, 'history')
  const times = Number(values.times)
  return Array.from({ length: builds * times }, (_, nth): HistoryEntry => {
    const place = Math.floor(nth / times)
    const drawn = pool[Math.floor(next() * pool.length)]!
    const isChain = values.design === 'chain'
    const isSlower = isChain ? place + 1 === step.at : place + 1 >= step.at
    const found = drawn.metrics.p50!
    // Alike builds may as well be named the other way round; a pool that leans to one side would
    // make a creep that is there.
    const way = next() < 0.5 ? 1 : -1
    const factor = isSlower ? Math.exp(step.size) : 1
    const ends = found.interval.map((end) => end ** way * factor).sort((one, other) => one - other)
    const p50 = { ratio: found.ratio ** way * factor, interval: ends as [number, number] }
    const pair = { a: isChain ? `b${place}` : 'b0', b: `b${place + 1}` }
    return { ...drawn, ...pair, metrics: { p50 } }
  })
}

console.log(`${builds} builds, ${values.design}, by ${by}, ${values.time} s each\n`)
console.log(`${'model'.padEnd(36)}a false shift${''.padEnd(19)}the step${''.padEnd(14)}intervals`)
for (const model of Object.keys(noiseModels).filter((name) => name.includes(values.only))) {
  const pool = await poolOf(model)
  const events = { wrong: 0, found: 0 }
  const draws = Number(values.histories)
  for (let nth = 0; nth < draws; nth++) {
    const { shifts } = historyOf(historyFrom(pool, first + nth), 'p50')
    const right = ({ from, to }: { from: string; to: string }) =>
      step.size > 0 && Number(from.slice(1)) <= step.at + 1 && Number(to.slice(1)) >= step.at - 1
    if (shifts.some((shift) => !right(shift))) events.wrong++
    if (shifts.some(right)) events.found++
  }
  const { low, high } = clopperPearson({ events: events.wrong, draws, confidence: 0.95 })
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const covered = pool.filter(({ metrics }) => {
    const [least, highest] = metrics.p50!.interval
    return least <= 1 && highest >= 1
  })
  console.log(
    model.padEnd(36) +
      `${events.wrong} of ${draws} (${percent(low)} … ${percent(high)})`.padEnd(32) +
      `${events.found} of ${draws}`.padEnd(22) +
      `hold the truth in ${covered.length} of ${pool.length}`
  )
}
