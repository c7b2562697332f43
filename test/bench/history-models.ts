// How often `history` shows a shift that is not there, and finds one that is, under models of
// noise: every entry is what the whole procedure of `compare` comes to in virtual time, the same
// for the same seeds. Comparisons of alike builds are made once, and drawn from for each history;
// with `--pool 0` each history has comparisons of its own, so that histories are independent, and
// what each shows is kept in a file, where a second call goes on.
// `node history-models.ts [--histories 500] [--builds 50] [--pool 600] [--first 0] [--by url]
// [--design baseline] [--step 0] [--times 1] [--only luck] [--time 60] [--file F] [--minutes 60]`
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { entryOf } from '../../src/cli/saved/history-file.ts'
import { random } from '../../src/random.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { type HistoryEntry, historyOf } from '../../src/verdict/history.ts'
import { noiseModels } from '../engine/noise-models.ts'
import { simulatedComparison } from '../engine/simulated.ts'
import { flagsOf } from '../usage.ts'

const { values } = flagsOf(import.meta.url, {
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
    time: { type: 'string', default: '60' },
    file: { type: 'string' },
    minutes: { type: 'string', default: '60' }
  }
})
const by = values.by === 'url' ? 'url' : 'command'
const untilMs = performance.now() + Number(values.minutes) * 60_000
const [builds, first] = [Number(values.builds), Number(values.first)]
/** The build in the middle is slower than those before it by so much. */
const step = { at: builds >> 1, size: Math.log1p(Number(values.step) / 100) }
const names = { a: 'a', b: 'b', metric: 'p50' as const, at: '2026-11-23T00:00:00.000Z' }

/** What a comparison of alike builds comes to; nothing where it adds no entry. */
async function entryOfSeed(model: string, seed: number): Promise<HistoryEntry | undefined> {
  const given = { model, by, slower: 0, budget: 0.05, seconds: Number(values.time) } as const
  const { comparison } = await simulatedComparison({ ...given, seed })
  return entryOf(comparison, names)
}

/** The entries of comparisons by seeds from that one on: of so many seeds, up to `most`. */
async function entriesFrom(
  model: string,
  { from, seeds, most = seeds }: { from: number; seeds: number; most?: number }
): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = []
  for (let nth = 0; nth < seeds && entries.length < most; nth++) {
    const entry = await entryOfSeed(model, from + nth)
    if (entry) entries.push(entry)
  }
  return entries
}

/** So many builds, of which each is compared with the one before, or the first, so many times. */
function historyFrom(draw: () => HistoryEntry, seed: number): HistoryEntry[] {
  const next = random(seed, 'ways')
  const times = Number(values.times)
  return Array.from({ length: builds * times }, (_, nth): HistoryEntry => {
    const place = Math.floor(nth / times)
    const drawn = draw()
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

/** What one history shows, and how many of its comparisons' intervals hold the truth. */
type Shown = { isWrong: boolean; isFound: boolean; covered: number; entries: number }

const coveredIn = (entries: readonly HistoryEntry[]) =>
  entries.filter(({ metrics }) => {
    const [least, highest] = metrics.p50!.interval
    return least <= 1 && highest >= 1
  }).length

function shownBy(history: readonly HistoryEntry[]): Pick<Shown, 'isWrong' | 'isFound'> {
  const { shifts } = historyOf(history, 'p50')
  const right = ({ from, to }: { from: string; to: string }) =>
    step.size > 0 && Number(from.slice(1)) <= step.at + 1 && Number(to.slice(1)) >= step.at - 1
  return { isWrong: shifts.some((shift) => !right(shift)), isFound: shifts.some(right) }
}

const none = { covered: 0, entries: 0 }

/** Histories that draw from one pool of comparisons. */
async function ofOnePool(model: string): Promise<Shown[]> {
  const pool = await entriesFrom(model, { from: first, seeds: Number(values.pool) })
  const covered = { covered: coveredIn(pool), entries: pool.length }
  return Array.from({ length: Number(values.histories) }, (_, nth) => {
    const next = random(first + nth, 'history')
    const draw = () => pool[Math.floor(next() * pool.length)]!
    return { ...shownBy(historyFrom(draw, first + nth)), ...(nth === 0 ? covered : none) }
  })
}

/** A line of the file. */
type Line = Shown & { key: string; seed: number }

const { file } = values
const kept: Line[] =
  file !== undefined && existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : []

/** Histories of comparisons that no other has: those in the file, others while there is time. */
async function ofTheirOwn(model: string): Promise<Shown[]> {
  const { design, step, times, time } = values
  const key = JSON.stringify({ model, by, builds, design, step, times, time })
  const known = new Map(kept.filter((line) => line.key === key).map((line) => [line.seed, line]))
  const most = builds * Number(times)
  // What comes to nothing adds no entry, and is made again.
  const seeds = 4 * most
  const shown: Shown[] = []
  for (let nth = 0; nth < Number(values.histories); nth++) {
    const seed = first + nth * seeds
    const before = known.get(seed)
    if (before === undefined && performance.now() > untilMs) break
    if (before !== undefined) {
      shown.push(before)
      continue
    }
    const entries = await entriesFrom(model, { from: seed, seeds, most })
    let at = 0
    const draw = () => entries[at++]!
    if (entries.length < most) continue
    const own = { covered: coveredIn(entries), entries: entries.length }
    const one = { ...shownBy(historyFrom(draw, seed)), ...own }
    shown.push(one)
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ key, seed, ...one })}\n`)
  }
  return shown
}

console.log(`${builds} builds, ${values.design}, by ${by}, ${values.time} s each\n`)
console.log(`${'model'.padEnd(36)}a false shift${''.padEnd(19)}the step${''.padEnd(14)}intervals`)
for (const model of Object.keys(noiseModels).filter((name) => name.includes(values.only))) {
  const shown = Number(values.pool) > 0 ? await ofOnePool(model) : await ofTheirOwn(model)
  const draws = shown.length
  if (draws === 0) {
    console.log(`${model.padEnd(36)}no time left: call it again`)
    continue
  }
  const wrong = shown.filter(({ isWrong }) => isWrong).length
  const found = shown.filter(({ isFound }) => isFound).length
  const { low, high } = clopperPearson({ events: wrong, draws, confidence: 0.95 })
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  const sum = (of: 'covered' | 'entries') => shown.reduce((total, one) => total + one[of], 0)
  console.log(
    model.padEnd(36) +
      `${wrong} of ${draws} (${percent(low)} … ${percent(high)})`.padEnd(32) +
      `${found} of ${draws}`.padEnd(22) +
      `hold the truth in ${sum('covered')} of ${sum('entries')}`
  )
}
