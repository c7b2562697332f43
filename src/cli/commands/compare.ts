import { join } from 'node:path'
import type { Comparison } from '../../engine/comparison.ts'
import type { ComparisonProgress } from '../../engine/comparison-run.ts'
import { leastTime } from '../../engine/comparison-run.ts'
import type { LoadObserver } from '../../engine/load-worker.ts'
import type { Arm } from '../../engine/pairing.ts'
import type { Outcome } from '../../verdict/outcome.ts'
import type { Command } from '../command.ts'
import { exit, Failure, orFail } from '../failure.ts'
import { type PairFlags, pairFlags, trialLoad } from '../flags/compare-flags.ts'
import { type ProxyFlag, proxyFlag, proxyUrl } from '../flags/proxy-flag.ts'
import { type TagFlag, tagFlag } from '../flags/tag-flag.ts'
import { type TlsFlags, tlsFlags, tlsOf } from '../flags/tls-flags.ts'
import { type Live, uiFlag, withLive } from '../live/live.ts'
import {
  type ComparisonConditions,
  calibrationFile,
  type Known,
  knownCalibration,
  thisHost
} from '../saved/calibration-file.ts'
import { beginCommand, keepCommand } from '../saved/command-run.ts'
import { insistOnHistory, remembered } from '../saved/history-file.ts'
import { openFile, openFolder } from '../saved/out-folder.ts'
import { createPairsFile } from '../saved/pairs-file.ts'
import { placeOf } from '../saved/run-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'
import { insistOnReach } from '../senders/reachable.ts'
import {
  type OpenFleet,
  type WorkforceFlags,
  withFleet,
  withWorkers,
  workforceFlags
} from '../senders/workforce.ts'
import type { Sides } from '../targets/arms.ts'
import { authoriseUrl, insistOnCaps } from '../targets/authorised-url.ts'
import { timeGiven } from '../targets/time-given.ts'
import { calibrationLine } from '../terminal/calibration-text.ts'
import {
  type Compared,
  comparisonFacts,
  comparisonText,
  errorsFact
} from '../terminal/comparison-text.ts'
import { createComparisonView } from '../terminal/comparison-view.ts'
import { comparisonConclusion, createPairMemory } from './compare-conclusion.ts'
import { comparisonDocument } from './compare-document.ts'
import { carryOut } from './comparison.ts'
import { conditionsOf } from './conditions.ts'
import { noiseBehind } from './work-noise.ts'

type Options = PairFlags &
  TagFlag &
  TlsFlags &
  ProxyFlag &
  WorkforceFlags & {
    a: string
    b: string
    aCmd?: string
    bCmd?: string
    calibration?: string
    history?: string
    aName?: string
    bName?: string
    ui: boolean
  }

/** `plimsoll compare`: whether B is slower than A, from short trials of both in the same time. */
export const command: Command<Options> = {
  builder: (yargs) =>
    tagFlag(workforceFlags(proxyFlag(tlsFlags(pairFlags(yargs)))))
      .option('a', { type: 'string', demandOption: true, describe: 'URL of the old one' })
      .option('b', { type: 'string', demandOption: true, describe: 'URL of the new one' })
      .option('a-cmd', {
        type: 'string',
        describe: 'Command that serves it, started for every block'
      })
      .option('b-cmd', { type: 'string', describe: 'The same for B' })
      .option('calibration', {
        type: 'string',
        defaultDescription: 'in the cache folder',
        describe: 'What `plimsoll calibrate --a-cmd` found out about A, where that is started'
      })
      .option('history', {
        type: 'string',
        describe: 'File to which the ratio is added, for `plimsoll history`; it decides nothing'
      })
      .option('a-name', { type: 'string', describe: 'Name of the old build, for the history' })
      .option('b-name', { type: 'string', describe: 'The same for B' })
      .option('ui', uiFlag)
      .example('$0 compare --a http://127.0.0.1:3000/ --b http://127.0.0.1:3001/', 'two servers')
      .example(
        "$0 compare --a http://127.0.0.1:3000 --a-cmd 'PORT=3000 node old.js' \\\n" +
          "  --b http://127.0.0.1:3001 --b-cmd 'PORT=3001 node new.js'",
        'two builds, each started anew for every block'
      )
      .example('$0 compare --a … --b … --fleet redis://10.0.0.5', 'sent from other machines')
      .example('$0 compare --a … --b … --open', 'at a rate that both hold, which is found first')
      .example('$0 compare --a … --b … --metric p99 --budget 10 --time 5m', 'the tail, within 10 %')
      .example('$0 compare --a … --b … --metric p50,p99=15', 'both, the tail within 15 %')
      .epilogue(
        'By URL it compares these two processes, in 20 s at least; two starts of one build may ' +
          'differ by more than its interval says. With --a-cmd and --b-cmd it compares builds, ' +
          'where they are asked one request at a time both on one processor (Linux). ' +
          'Exit codes: 0 not worse, 1 regressed, 2 cannot tell, 3 the generator was at fault.'
      ) as never,
  async handler(options) {
    const named = sidesOf(options)
    insistOnTime(named, options)
    insistOnNames(options)
    insistOnOneModel(options)
    insistOnProcesses(named, options)
    const tls = tlsOf([options.a, options.b], options)
    const through = proxyUrl(options)
    const load = await orFail(() => trialLoad(options)(1))
    if (options.out !== undefined) openFolder(options.out)
    if (options.history !== undefined) {
      const { history } = options
      openFile(history, '--history')
      await orFail(() => insistOnHistory(history))
    }
    const permitted = async (side: Sides[Arm]) => {
      const asked = { ...options, seconds: options.time, tls, through }
      const leave = await authoriseUrl(side.url, asked)
      insistOnCaps(load, leave)
      return { ...side, route: leave.route }
    }
    const sides = { a: await permitted(named.a), b: await permitted(named.b) }
    const note = (text: string) => void process.stderr.write(`${text}\n`)
    process.exitCode = await withFleet(options, note, (fleet, observe) => {
      insistOnReach(sides, fleet?.agents ?? [])
      return withLive(options.ui, 'compare', (live) =>
        perform(sides, { ...options, observe }, { fleet, live })
      )
    })
  }
}

function sidesOf({ a, b, aCmd, bCmd }: Options): Sides {
  const sides = { a: { url: a, command: aCmd }, b: { url: b, command: bCmd } }
  for (const url of [a, b]) if (!URL.canParse(url)) throw new Failure(`"${url}" is not a URL`)
  const isShared = new URL(a).host === new URL(b).host
  if (isShared && (aCmd ?? bCmd) !== undefined) {
    throw new Failure('A and B are both up at the same time: give them ports of their own')
  }
  return sides
}

/** Ends the command when in the time given not even the fewest pairs could be taken. */
function insistOnTime(sides: Sides, { time, warmUp }: Options): void {
  const isStarted = (sides.a.command ?? sides.b.command) !== undefined
  const least = leastTime(isStarted ? 'processes' : 'pair', warmUp)
  const given = [`--time ${time}s`, warmUp && `a --warm-up of ${warmUp}s`].filter(Boolean)
  if (time < least) {
    throw new Failure(`${given.join(' with ')} tells nothing: give it ${least}s at least`)
  }
}

/** A history is a chain of builds: it needs to know which ones. */
function insistOnNames({ history, aName, bName }: Options): void {
  if (history === undefined) return
  if (aName === undefined || bName === undefined) {
    throw new Failure('--history needs the names of both builds: give --a-name and --b-name')
  }
  if (aName !== bName) return
  throw new Failure(`--a-name and --b-name are both "${aName}": a history is of different builds`)
}

/** What is asked decides how much comes back, or the other way round: not both. */
function insistOnOneModel({ open, rate, metric }: Options): void {
  if (open && rate !== undefined) throw new Failure('--open finds a rate: leave out --rate')
  const isOfPace = metric.some((gate) => gate.metric === 'throughput')
  if (!isOfPace || (!open && rate === undefined)) return
  throw new Failure('--metric throughput takes a closed load: leave out --open and --rate')
}

/** Processor time and memory are those of processes that Plimsoll starts. */
function insistOnProcesses({ a, b }: Sides, { metric, pin }: Options): void {
  const areOurs = a.command !== undefined && b.command !== undefined
  if (pin && !areOurs)
    throw new Failure('--pin needs --a-cmd and --b-cmd: only what Plimsoll starts is pinned')
  const own = metric.find((gate) => gate.metric === 'cpu' || gate.metric === 'rss')
  if (own === undefined || areOurs) return
  throw new Failure(`--metric ${own.metric} needs --a-cmd and --b-cmd: whose process would it be?`)
}

/** Adds a comparison to the history that was asked for, or says why it is not in there. */
function remember(comparison: Comparison, { history, aName, bName, metric }: Options): void {
  if (history === undefined) return
  const names = { a: aName!, b: bName!, metric: metric[0].metric, at: new Date().toISOString() }
  const because = remembered(history, comparison, names)
  if (because === undefined) return
  process.stderr.write(`Nothing was added to ${history}: ${because}.\n`)
}

async function perform(
  sides: Sides,
  flags: Options & { observe?: LoadObserver },
  { fleet, live }: { fleet: OpenFleet | undefined; live: Live }
): Promise<number> {
  const { json, out } = flags
  const view = createComparisonView({ stream: process.stderr, silent: json, page: live })
  const given = timeGiven(flags.time, {
    note: view.note,
    routes: [sides.a.route, sides.b.route],
    hasWaited: fleet !== undefined
  })
  const { deadline, stop } = given
  view.begin(deadline)
  const pairs = createPairsFile(out)
  const run = beginCommand(flags.b, { ...flags, out, agents: fleet?.agents })
  live.tell(run.header)
  const memory = createPairMemory()
  const onProgress = (progress: ComparisonProgress) => {
    pairs.keep(progress)
    memory.see(progress)
    view.onProgress(progress)
  }
  const comparing = withWorkers(flags, fleet, (workers) =>
    carryOut({ sides, flags, workers, deadline, stop, onProgress })
  )
  const comparison = await comparing.finally(() => {
    view.end()
    given.end()
  })
  const { workNoise, machine } = noiseBehind(comparison, deadline)
  const { ranOn } = comparison
  const conditions = conditionsOf(flags.a, flags, { ranOn: [ranOn], agents: fleet?.agents.length })
  const known = knownOf(flags, conditions)
  const compared = comparedOf(flags)
  const found = comparisonDocument(comparison, known, flags)
  const document = { compared, placed: ranOn.placed, ...found, workNoise, agents: fleet?.agents }
  const said = { compared, ranOn, calibration: calibrationLine(known), machine }
  const text = comparisonText(comparison, said)
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}${placeOf(out)}`)
  pairs.close()
  remember(comparison, flags)
  if (out !== undefined) {
    writeWhole(join(out, 'comparison.json'), `${JSON.stringify(document, null, 2)}\n`)
  }
  const code = given.isInterrupted() ? exit.interrupted : exitOf(comparison)
  const outcome = outcomes[exitOf(comparison)] ?? 'error'
  const concluded = comparisonConclusion(comparison, {
    ...flags,
    gates: flags.metric,
    memory,
    outcome,
    facts: [...errorsFact(comparison), ...comparisonFacts(comparison, said)]
  })
  await keepCommand(run, [concluded], code)
  await live.end(out)
  return code
}

/** What the two sides are: builds, where Plimsoll starts them, or what is there already. */
function comparedOf({ aCmd, bCmd }: Options): Compared {
  if (aCmd !== undefined && bCmd !== undefined) return 'builds'
  if (aCmd === undefined && bCmd === undefined) return 'processes'
  return aCmd === undefined ? 'process and build' : 'build and process'
}

/** What is known of errors on this target: what a server that does nothing shows is not that. */
function knownOf({ aCmd, calibration }: Options, conditions: ComparisonConditions): Known {
  if (aCmd === undefined) return { because: 'none by URL: give --a-cmd and --b-cmd' }
  const file = calibration ?? calibrationFile(undefined, aCmd)
  const here = { host: thisHost(), nowMs: Date.now() }
  return knownCalibration(file, { ...here, target: aCmd, conditions })
}

/** What a report says where a comparison ends with so much. */
const outcomes: Record<number, Outcome> = { 0: 'pass', 1: 'fail', 2: 'inconclusive' }

function exitOf({ ended, conclusion }: Comparison): number {
  if (ended === 'invalid') return exit.fault
  if (conclusion?.verdict === 'regressed') return 1
  return conclusion === undefined || conclusion.verdict === 'inconclusive' ? 2 : 0
}
