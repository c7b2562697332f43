// How often the decision code of `compare` errs under models of noise, in virtual time: the same
// every time for the same seeds. Figures are kept in a file, a line a comparison, so that a second
// call goes on where the first ended. `node verdict-models.ts [--file F] [--count 300] [--first 0]
// [--by url] [--slower 0] [--budget 5] [--time 60] [--minutes 4] [--only luck]
// [--sd 2] [--pairs 6] [--start 3000] [--fault none|stall|tail|mode|errors|failing|memory|cpu|'both
// fail']`; with a fault, or `none`, requests are simulated one by one.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { noiseModels } from '../engine/noise-models.ts'
import { type SimulatedOutcome, share, simulated } from '../engine/simulated.ts'
import { flagsOf } from '../usage.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    file: { type: 'string' },
    count: { type: 'string', default: '300' },
    first: { type: 'string', default: '0' },
    by: { type: 'string', default: 'command' },
    slower: { type: 'string', default: '0' },
    budget: { type: 'string', default: '5' },
    time: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    sd: { type: 'string' },
    pairs: { type: 'string' },
    start: { type: 'string' },
    fault: { type: 'string' }
  }
})
const by = values.by === 'url' ? 'url' : 'command'
const [slower, budget] = [Number(values.slower) / 100, Number(values.budget) / 100]
const seconds = Number(values.time)
/**
 * Noise of a trial in percent, pairs on the same processes, and milliseconds that starting both
 * takes, where they are not as usual.
 */
const unusual = {
  ...(values.sd && { sd: Number(values.sd) / 100 }),
  ...(values.pairs && { pairs: Number(values.pairs) }),
  ...(values.start && { startMs: Number(values.start) })
}
const untilMs = performance.now() + Number(values.minutes) * 60_000

type Line = { key: string; seed: number; outcome: SimulatedOutcome }

const { file } = values
const isKept = file !== undefined && existsSync(file)
const kept: Line[] = isKept
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : []

/** The outcomes of one model: those in the file, and others for as long as there is time. */
async function outcomesOf(model: string): Promise<SimulatedOutcome[]> {
  const { fault } = values
  const key = JSON.stringify({ model, by, slower, budget, seconds, fault, ...unusual })
  const known = new Map(kept.filter((line) => line.key === key).map((line) => [line.seed, line]))
  const outcomes: SimulatedOutcome[] = []
  for (let nth = 0; nth < Number(values.count); nth++) {
    const seed = Number(values.first) + nth
    if (!known.has(seed) && performance.now() > untilMs) break
    const common = { model, by, slower, budget, seconds, seed } as const
    const given = { ...common, ...unusual, ...(fault && { fault }) }
    const outcome = known.get(seed)?.outcome ?? (await simulated(given))
    outcomes.push(outcome)
    if (file !== undefined && !known.has(seed)) {
      appendFileSync(file, `${JSON.stringify({ key, seed, outcome })}\n`)
    }
  }
  return outcomes
}

const percent = (part: number) => `${(100 * part).toFixed(1)} %`

/** Events, their share and its upper bound. */
function told(outcomes: readonly SimulatedOutcome[], ...verdicts: string[]): string {
  const { events, draws, high } = share(outcomes, ({ verdict }) => verdicts.includes(verdict))
  return `${events} of ${draws} (≤ ${percent(high)})`.padEnd(22)
}

/** Other verdicts, and what was worse beside the gate, with how often. */
function said(outcomes: readonly SimulatedOutcome[]): string {
  const each = outcomes.flatMap(({ verdict, worse }) => {
    if (worse !== undefined) return [worse]
    return ['regressed', 'improved'].includes(verdict) ? [] : [verdict]
  })
  return Object.entries(Object.groupBy(each, (one) => one))
    .map(([one, some]) => `${some!.length} ${one}`)
    .join(', ')
}

const besides = values.fault === undefined ? '' : `, requests one by one, fault ${values.fault}`
console.log(
  `by ${by}, B slower by ${percent(slower)}, budget ${percent(budget)}, ${seconds} s${besides}\n`
)
console.log(
  'model'.padEnd(36) +
    'regressed'.padEnd(22) +
    'improved'.padEnd(22) +
    'coverage'.padEnd(16) +
    'time   what else was said'
)
for (const model of Object.keys(noiseModels).filter((name) => name.includes(values.only))) {
  const outcomes = await outcomesOf(model)
  if (outcomes.length === 0) {
    console.log(`${model.padEnd(36)}no time left: call it again`)
    continue
  }
  const covered = share(outcomes, ({ isCovered }) => isCovered)
  const took = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0) / outcomes.length
  console.log(
    model.padEnd(36) + told(outcomes, 'regressed') + told(outcomes, 'improved'),
    `${(covered.events / covered.draws).toFixed(3)} (≥ ${covered.low.toFixed(3)})`.padEnd(16),
    `${took.toFixed(0)} s  `,
    said(outcomes)
  )
}
