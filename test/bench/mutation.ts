// What scenarios see of faults that nobody picked by hand: operators change one place of the
// platform at a time, and a clause has to fail.
//
//   npm run bench:mutation [-- FLAGS] [SCENARIOS]
//
//   --sample N        faults to draw (400), the parts and operators taking turns
//   --seed N          by which they are drawn (1)
//   --part PART       of one part of the platform, such as waf
//   --operator NAME   of one operator, such as drop-guard
//   --line FILE:LINE  of one line, such as src/platform/waf/mapping.ts:12, or of several such
//   --tier TIER       scenarios of which tier: quick (the default), full, long
//   --budget SECONDS  most processor time of the platform that one fault may cost (12)
//   --workers N       platforms at once (as many as there are cores), and as many more while a core
//                     is idle, since what never answers keeps none busy
//   --own-tests       puts what no scenario sees to the project's tests of that file: what they
//                     cannot see either changes nothing
//   --declared        draws only what is declared to be equivalent, and asks about it all the same:
//                     what kills one shows that its declaration hides too much
//   --out FILE        where results are kept; without, in a cache, by source and scenarios
//
// What is there already is resumed, and Ctrl-C tells what is known by then. What cannot be asked
// for ends it with 64 before anything is measured, and 4 where that is no fault at all.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { openDocument } from '../../src/cli/document.ts'
import { exit, Failure } from '../../src/cli/failure.ts'
import { secondsOf, seedFlag } from '../../src/cli/flags/load-flags.ts'
import { whole } from '../../src/cli/flags/numbers.ts'
import { onInterrupt } from '../../src/cli/interrupt.ts'
import { claiming } from '../../src/engine/plan.ts'
import { createStop } from '../../src/engine/stop.ts'
import type { Unit } from '../../src/engine/unit.ts'
import { tiers } from '../../src/scenario/tier.ts'
import { flagsOf, oneOf, orRefused } from '../usage.ts'
import { machine } from './machine.ts'
import { type Bench, openBench } from './mutation/bench.ts'
import { reasonFor } from './mutation/equivalent.ts'
import { digestOf, honestRun, resultsName } from './mutation/honest-run.ts'
import { isCoreIdle } from './mutation/idle-core.ts'
import type { Result, Tried } from './mutation/outcome.ts'
import { isSeenByTests, ownTestsOf } from './mutation/own-tests.ts'
import { among, sampled } from './mutation/sample.ts'
import { allMutations, type Mutation } from './mutation/sites.ts'
import { lineOf, reportOf } from './mutation/table.ts'
import { type Stage, tryOut } from './mutation/trial.ts'

const { values, positionals: ids } = flagsOf(import.meta.url, {
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string' },
    operator: { type: 'string' },
    line: { type: 'string', multiple: true, default: [] },
    tier: { type: 'string', default: 'quick' },
    workers: { type: 'string', default: `${cpus().length}` },
    budget: { type: 'string', default: '12' },
    'own-tests': { type: 'boolean', default: false },
    declared: { type: 'boolean', default: false },
    out: { type: 'string' }
  }
})
// Threads that are ended and begun again look here for what was made of their code.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
const root = resolve(import.meta.dirname, '../..')
const note = (text: string) => void process.stderr.write(`${text}\n`)
const asked = await orRefused(() => ({
  size: whole('sample')(Number(values.sample)),
  seed: seedFlag.coerce(Number(values.seed)),
  workers: whole('workers')(Number(values.workers)),
  budgetMs: 1_000 * secondsOf('budget')(values.budget),
  tier: oneOf(tiers, { flag: 'tier', asked: values.tier })
}))
const { size, seed, workers, budgetMs, tier } = asked
const document = await orRefused(() => openDocument({ ids, tier }))
// Loads are about speed, and what is only observed cannot fail.
const isJudging = ({ clauses, observes = [], kind }: Unit) =>
  (kind === 'check' || kind === 'limit') && clauses.some((one) => !observes.includes(one))
const units = claiming(document.plan.units, [...document.inventory.keys()]).filter(isJudging)

const isDoubted = (mutation: Mutation) => !values.declared || reasonFor(mutation) !== undefined
const every = allMutations(root)
const all = await orRefused(() => {
  if (units.length === 0)
    throw new Failure('no scenario that was chosen judges anything', exit.nothingChecked)
  const found = among(every, values).filter(isDoubted)
  if (found.length === 0) throw new Failure('there is no such fault', exit.nothingChecked)
  return found
})
const chosen = sampled(all, { size, seed })
note(`${chosen.length} of ${all.length} faults`)

const digest = digestOf(root)
const kept = join(root, 'node_modules/.cache/plimsoll-mutation')
const { declared } = values
const out = resolve(values.out ?? join(kept, resultsName({ digest, tier, declared, ids })))
for (const folder of [kept, dirname(out)]) mkdirSync(folder, { recursive: true })
const lines = existsSync(out) ? readFileSync(out, 'utf8').split('\n').filter(Boolean) : []
const before = new Map(lines.map((line) => JSON.parse(line) as Tried).map((one) => [one.id, one]))
const unseen: Result[] = ['survived', 'uncovered', 'stopped']
const isLeft = ({ id }: Mutation) => {
  const known = before.get(id)
  return !known || (values['own-tests'] && unseen.includes(known.result) && !known.isSeenByTests)
}
const left = chosen.filter(isLeft)
const tried = chosen.filter((one) => !isLeft(one)).map(({ id }) => before.get(id)!)

/** What becomes of a fault, by the scenarios and then, where it is asked for, by our own tests. */
async function find(mutation: Mutation, stage: Stage): Promise<Tried> {
  const found = before.get(mutation.id) ?? (await tryOut(mutation, stage))
  if (!values['own-tests'] || !unseen.includes(found.result) || stop.requested()) return found
  stage.slot.put(mutation)
  const tests = ownTestsOf(mutation.file, root)
  if (await isSeenByTests(tests, stage.slot.folder)) return { ...found, isSeenByTests: true }
  const because = `${tests.length} files of our own tests see no difference`
  return { ...found, result: 'equivalent', because }
}

const stop = createStop()
const interrupt = onInterrupt(stop, () => note('Stopping.'))
const benches = Array.from({ length: workers }, () => openBench(root))
const began = performance.now()
try {
  const honest = await honestRun({
    file: join(kept, `${digest}.json`),
    ...{ document, units, benches, stop, note }
  })
  const common = { document, units, honest, root, stop, budgetMs, isDoubting: values.declared }
  const isOver = () => left.length === 0 || stop.requested()
  const tryNext = async (bench: Bench) => {
    const mutation = left.shift()
    const one = mutation && (await find(mutation, { ...common, ...bench }))
    if (!one || stop.requested()) return
    appendFileSync(out, `${JSON.stringify(one)}\n`)
    tried.push(one)
    note(`${`${tried.length}`.padStart(4)} ${lineOf(one)}  ${one.ms} ms`)
  }
  const always = benches.map(async (bench) => {
    while (!isOver()) await tryNext(bench)
  })
  // A platform that never answers keeps no core busy: another one is tried meanwhile.
  const meanwhile = benches.map(async () => {
    if (!(await isCoreIdle(isOver))) return
    const bench = openBench(root)
    benches.push(bench)
    do await tryNext(bench)
    while (await isCoreIdle(isOver))
  })
  await Promise.all([...always, ...meanwhile])
} finally {
  interrupt.off()
  for (const bench of benches) await bench.close()
}
const spent = tried.filter(({ id }) => !before.has(id))
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
const { user, system } = process.cpuUsage()
const platforms = spent.reduce((sum, { processorMs = 0 }) => sum + processorMs / 1_000, 0)
const cost = `${minutes} min, ${spent.length} faults tried now: ${platforms.toFixed(0)} CPU-s`
const asking = ((user + system) / 1e6).toFixed(0)
console.log(`${machine()}, ${cost} of platforms, ${asking} of who asks them`)
console.log(`\n${reportOf(tried, { seed })}`)
process.exitCode = stop.requested() ? 130 : 0
