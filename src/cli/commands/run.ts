import { hideBin } from 'yargs/helpers'
import { createPool } from '../../engine/pool.ts'
import { type RunEvent, run as runUnits } from '../../engine/run.ts'
import { createStop, type Stop } from '../../engine/stop.ts'
import { dayOf, type Header } from '../../report/record.ts'
import { shares } from '../../scenario/quotation.ts'
import { givingUp } from '../../target/disposable.ts'
import { expected } from '../../verdict/expectation.ts'
import type { Command } from '../command.ts'
import { type Document, openDocument } from '../document.ts'
import { exit, orFail } from '../failure.ts'
import { demandFile, type ExpectationFlags, expectationFlags } from '../flags/expectation-flags.ts'
import { type Format, reporterFlag } from '../flags/formats.ts'
import { insecureFlag } from '../flags/load-flags.ts'
import { percentage } from '../flags/numbers.ts'
import { noProxyFlag } from '../flags/proxy-flag.ts'
import { type RunFlags, runFlags } from '../flags/run-flags.ts'
import { type TagFlag, tagFlag } from '../flags/tag-flag.ts'
import { type TlsFlags, tlsFlags, tlsWords } from '../flags/tls-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import { folderHere, insistOnScenarios } from '../inventory.ts'
import { type Live, shownJournal, uiFlag, withLive } from '../live/live.ts'
import { contentsOf } from '../saved/contents.ts'
import { type Held, openWhole, readExpectations } from '../saved/expectation-file.ts'
import { footerOf } from '../saved/footer.ts'
import { createJournal, type Journal } from '../saved/journal.ts'
import { unitRecords } from '../saved/load-records.ts'
import { hostOf, tagsOf } from '../saved/load-run.ts'
import { createRunSeries } from '../saved/load-windows.ts'
import { openFolder } from '../saved/out-folder.ts'
import { keepable, probeRecord } from '../saved/run-records.ts'
import { toldCommand } from '../saved/told-command.ts'
import {
  type OpenFleet,
  type WorkforceFlags,
  withFleet,
  workforceFlags
} from '../senders/workforce.ts'
import { timeIsUp, watchAuthorisedTime } from '../targets/authorised-time.ts'
import type { Launched } from '../targets/embedded.ts'
import { launchTarget, openTarget } from '../targets/target.ts'
import { blank, createRunProgress, type RunProgress } from '../terminal/run-progress.ts'
import { version } from '../version.ts'
import { concludeRun } from './run-conclusion.ts'
import { watchRun } from './run-watch.ts'

type Options = RunFlags &
  TagFlag &
  TlsFlags &
  ExpectationFlags &
  WorkforceFlags & {
    reporter: Format[]
    requireCoverage?: number
    allowIrreversible: string[]
    insecure: boolean
    watch: boolean
    ui: boolean
  }

/**
 * What a run is about: what to ask, whom, what its verdicts are held against, and who sends its
 * loads where that is not this process, who hears of them, and where it is shown.
 */
type Task = Heard & { document: Document; held?: Held; senders?: OpenFleet; live: Live }
type Heard = Pick<Parameters<typeof runUnits>[0], 'observe' | 'target'>

/** `plimsoll run`: checks a document's clauses against a target. */
export const command: Command<Options> = {
  builder: (yargs) =>
    noProxyFlag(tagFlag(workforceFlags(tlsFlags(expectationFlags(runFlags(yargs))))), 'run')
      .option('reporter', reporterFlag)
      .option('require-coverage', {
        type: 'number',
        coerce: percentage('require-coverage'),
        describe: 'Exit 4 when less than this percentage of the clauses is judged or observed'
      })
      .option('allow-irreversible', {
        type: 'string',
        default: [],
        requiresArg: true,
        coerce: (names: string | string[]) => [names].flat(),
        describe: 'What of the target may be used up, by its name there; can be given several times'
      })
      .option('insecure', insecureFlag)
      .option('ui', uiFlag)
      .option('watch', {
        type: 'boolean',
        default: false,
        describe:
          'Run again what a change in the folder of scenarios may have changed, until Ctrl-C'
      })
      .example('$0 run', 'everything quick, against the embedded platform')
      .example('$0 run edge/request-body-size', 'one scenario')
      .example('$0 run --target staging.json --reporter junit,sarif', 'another target, for CI')
      .example('$0 run --scenarios ./limits --target http://127.0.0.1:3000', 'your own document')
      .example('$0 run orders --watch', 'while you write: asks again what you changed')
      .example('$0 run --target staging --expect staging.expect.json', 'red for what is new only')
      .example(
        '$0 run load --tier full --target staging --fleet redis://10.0.0.5',
        'loads from all agents'
      )
      .epilogue(
        'Ctrl-C once saves what was measured, within seconds; twice ends at once.'
      ) as never,
  async handler(options) {
    const { ids = [], scenarios, tier } = options
    // Ours may be asked of any target that is named, as of a proxy.
    if (options.target === undefined) insistOnScenarios(scenarios)
    if (options.watch) return watchRun(hideBin(process.argv), { ids, scenarios })
    let launched = undefined as Launched | undefined
    const onChosen = (folder: string) => {
      launched = launchTarget(options.target, folder)
    }
    try {
      const document = await openDocument({ scenarios, ids, tier, onChosen })
      const held = await expectationsFor(options)
      openFolder(options.out)
      const note = (text: string) => void process.stderr.write(`${text}\n`)
      // Its own threads are for asking, with agents or without.
      const flags = { ...options, workers: undefined }
      process.exitCode = await withFleet(flags, note, async (senders, observe) => {
        const { target, stop } = await openTarget(options, document, launched)
        try {
          const disposable = { names: options.allowIrreversible, table: document.target.disposable }
          const given = await orFail(() => givingUp(target, disposable))
          return await withLive(options.ui, 'run', (live) =>
            perform({ document, target: given, held, senders, observe, live }, options)
          )
        } finally {
          await stop()
        }
      })
    } finally {
      await launched?.stop()
    }
  }
}

/** What was named with --expect, which is found to be right before anything is sent. */
async function expectationsFor(options: Options): Promise<Held | undefined> {
  const { expect, scenarios } = options
  if (expect !== undefined) {
    return readExpectations(expect, options, contentsOf(await openWhole(scenarios)))
  }
  demandFile(options)
  return undefined
}

async function perform(task: Task, options: Options): Promise<number> {
  const header = headerOf(task, options)
  const stop = createStop()
  const { live } = task
  const progress = options.json ? blank : progressFor(task, options)
  const interrupt = onInterrupt(stop, () => progress.note('Stopping; Ctrl-C again ends at once.'))
  const kept = createJournal(options.out, header.startedAt, stop.request)
  const journal = shownJournal(kept, live)
  journal.write(header)
  const { inventory, plan } = task.held?.contents ?? contentsOf(task.document)
  for (const record of [...inventory, ...plan]) journal.write(record)
  const began = performance.now()
  await check({ task, header, options, stop, progress, journal })
  interrupt.off()
  progress.end()
  const footer = footerOf({
    ...{ header, held: task.held },
    ...{ verdicts: journal.read().verdicts, plan },
    requireCoverage: options.requireCoverage,
    complete: !interrupt.happened() && journal.failure() === undefined,
    ms: Math.round(performance.now() - began)
  })
  journal.write(journal.failure() ? { ...footer, exit: exit.fault } : footer)
  const code = concludeRun(journal, options)
  await live.end(journal.folder)
  return code
}

function progressFor({ document, live }: Task, { quiet }: Options): RunProgress {
  const { units } = document.plan
  return createRunProgress({
    ...{ units, stream: process.stdout, errors: process.stderr, page: live },
    ...{ quiet, colour: coloured() }
  })
}

function coloured(): boolean {
  return process.stdout.hasColors?.() ?? false
}

async function check(parts: {
  task: Task
  header: Header
  options: Options
  stop: Stop
  progress: RunProgress
  journal: Journal
}): Promise<void> {
  const { task, header, options, stop, progress, journal } = parts
  const { document, target, held, senders, observe, live } = task
  const day = dayOf(header)
  const seq = new Map<string, number>()
  const series = createRunSeries()
  const pool = createPool({
    workers: options.workers,
    units: task.document.plan.units.length,
    onQuestion(question) {
      const { scenario, clause } = question
      const count = (seq.get(`${scenario} ${clause}`) ?? 0) + 1
      seq.set(`${scenario} ${clause}`, count)
      journal.write(probeRecord(question, count))
      progress.asked(question)
    }
  })
  const routes = Object.values(target.endpoints).map(({ route }) => route)
  const leave = watchAuthorisedTime(routes, stop)
  const { inventory, plan } = document
  await runUnits({
    units: plan.units,
    inventory,
    target,
    pool,
    ...{ senders, observe, stop },
    seed: options.seed,
    tier: options.tier,
    onProgress
  })
  leave.off()
  if (leave.isUp()) progress.note(timeIsUp)
  await pool.close()

  function onProgress(told: RunEvent): void {
    if (told.kind === 'started') {
      progress.started(told.unit)
    } else if (told.kind === 'window') {
      live.tell(series.add(told.unit, told.window))
    } else if (told.kind === 'loaded') {
      for (const record of series.records(told.unit)) journal.write(record)
      for (const record of unitRecords(told.unit, told.result)) journal.write(record)
    } else if (told.kind === 'measured') {
      const { scenario } = told.unit
      for (const metric of told.metrics) journal.write({ t: 'metric', scenario, ...metric })
    } else {
      const { unit, verdicts } = told
      const final = held ? verdicts.map((one) => expected(one, held.expectations, day)) : verdicts
      const kept = final.map(keepable)
      for (const verdict of kept) journal.write({ t: 'verdict', ...verdict })
      progress.judged(unit, kept)
    }
  }
}

function headerOf({ document, target, held, senders }: Task, options: Options): Header {
  const { inventory, sha256, source, loaded } = document
  const endpoints = Object.entries(target.endpoints).map(([name, { url }]) => [name, url])
  return {
    t: 'header',
    ...{ schema: 'plimsoll/1', tool: `plimsoll@${version}`, seed: options.seed },
    startedAt: new Date().toISOString(),
    target: { name: target.name, endpoints: Object.fromEntries(endpoints) },
    document: {
      sha256,
      clauses: inventory.size,
      open: shares(inventory).open,
      folder: folderHere(document.folder),
      source
    },
    host: hostOf(),
    scenarios: loaded.map(({ id }) => id),
    flags: repeatFlags(options),
    advice: options.advice,
    expectations: held?.source,
    agents: senders?.agents,
    ...tagsOf(options.tag)
  }
}

/** The flags without which a part of this run would not be the same part. */
function repeatFlags(options: Options): string[] {
  const { target, scenarios, tier, expect, advice, insecure } = options
  const given = {
    ...{ '--target': target, '--scenarios': scenarios, '--expect': expect, '--advice': advice }
  }
  const named = Object.entries(given).flatMap(([flag, value]) => (value ? [flag, value] : []))
  const proof = [...tlsWords(options), ...(insecure ? ['--insecure'] : [])]
  const agents = options.agents === undefined ? [] : ['--agents', `${options.agents}`]
  const fleet = options.fleet === undefined ? [] : ['--fleet', options.fleet, ...agents]
  return [...named, ...proof, ...toldCommand(fleet), ...(tier === 'quick' ? [] : ['--tier', tier])]
}
