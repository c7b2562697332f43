// What `soak` makes of servers whose memory leaks, fills, steps, swings or does nothing, in virtual
// time: the same every time for the same seeds. Sizes are in margins an hour, over what is judged.
// `node soak-models.ts [--soaks 100] [--hours 1,2,3] [--first 0] [--only leak]`
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { judgeDrift } from '../../src/verdict/judge-drift.ts'
import { flagsOf } from '../usage.ts'
import { type Habit, soaked } from '../verdict/soaking.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    soaks: { type: 'string', default: '100' },
    hours: { type: 'string', default: '1,2,3' },
    first: { type: 'string', default: '0' },
    only: { type: 'string', default: '' }
  }
})

/** Five per cent an hour of what a server holds after warm-up, about 120 MB. */
const marginMb = 6

/** What each server does in so many hours; `often` makes two margins an hour of what it judges. */
function habits(hours: number): Record<string, Habit> {
  const often = (2 / 3) * hours * 2 * marginMb
  return {
    steady: {},
    'a collector that lets 30 MB pile up': { pile: 30 },
    'leak of one margin': { leak: marginMb },
    'leak of two margins': { leak: 2 * marginMb },
    'leak of two margins under a collector': { leak: 2 * marginMb, pile: 30 },
    'leak of four margins': { leak: 4 * marginMb },
    'leak of four margins, three times the noise': { leak: 4 * marginMb, noise: 3.6 },
    'leak of four margins from two thirds on': { leak: 4 * marginMb, leakAfter: 2 / 3 },
    'leak of four margins from 0.85 on': { leak: 4 * marginMb, leakAfter: 0.85 },
    'leak of four margins from 0.9 on': { leak: 4 * marginMb, leakAfter: 0.9 },
    'cache, constant a tenth of the soak': { settle: often, constant: 0.1 },
    'cache, constant a third': { settle: often, constant: 1 / 3 },
    'cache, constant half': { settle: often, constant: 1 / 2 },
    'growth with the logarithm of time': { log: often },
    'teeth of 0.3 of the soak': { tooth: often, toothShare: 0.3 },
    'teeth of 0.55 of the soak': { tooth: often, toothShare: 0.55 },
    'teeth of 0.8 of the soak': { tooth: often, toothShare: 0.8 },
    'wave of half the soak': { wave: often / 2, toothShare: 0.5 },
    'wave of 0.8 of the soak': { wave: often / 2, toothShare: 0.8 },
    'one step': { step: often },
    'two steps': { step: often / 2, stepAfter: 0.45, steps: 2 },
    'three steps': { step: often / 3, stepAfter: 0.4, steps: 3 }
  }
}

const names = ['drift', 'stable', 'settling', 'stepped', 'cyclic', 'inconclusive'] as const
const draws = Number(values.soaks)
for (const hours of values.hours.split(',').map(Number)) {
  console.log(`\n${hours} h`.padEnd(47) + names.map((name) => name.padStart(13)).join(''))
  for (const [name, habit] of Object.entries(habits(hours))) {
    if (!name.includes(values.only)) continue
    const found = Array.from({ length: draws }, (_, nth) => {
      const seed = Number(values.first) + nth
      const terms = { budget: 0.05, budgets: { heap: 0.05 }, seed }
      return judgeDrift(soaked(hours, habit, seed), terms).verdict as string
    })
    const counts = names.map((one) => found.filter((verdict) => verdict === one).length)
    const { low, high } = clopperPearson({ events: counts[0]!, draws, confidence: 0.95 })
    const bounds = `drift ${(100 * low).toFixed(0)} … ${(100 * high).toFixed(0)} %`
    const cells = counts.map((count) => String(count).padStart(13)).join('')
    console.log(`${name.padEnd(46)}${cells}   ${bounds}`)
  }
}
