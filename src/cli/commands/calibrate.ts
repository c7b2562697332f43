import { clock } from '../../clock.ts'
import { leastTime } from '../../engine/comparison-run.ts'
import { type Deadline, within } from '../../engine/deadline.ts'
import { sendLoad } from '../../engine/send-load.ts'
import { type Stop, unlessStopped } from '../../engine/stop.ts'
import { summary } from '../../load/figures/summary.ts'
import { closed } from '../../load/load.ts'
import { change } from '../../report/quantity.ts'
import { calibrationOf } from '../../verdict/calibration.ts'
import type { PairConclusion } from '../../verdict/judge-pair.ts'
import type { Command } from '../command.ts'
import { exit, Failure } from '../failure.ts'
import { type PairFlags, pairFlags } from '../flags/compare-flags.ts'
import { whole } from '../flags/numbers.ts'
import {
  type CalibrationRecord,
  calibrationFile,
  keepCalibration,
  schema,
  thisHost
} from '../saved/calibration-file.ts'
import { openFile } from '../saved/out-folder.ts'
import { withWorkers } from '../senders/workforce.ts'
import type { Sides } from '../targets/arms.ts'
import type { RanOn } from '../targets/placement.ts'
import { timeGiven } from '../targets/time-given.ts'
import { calibrationText } from '../terminal/calibration-text.ts'
import { type OwnTargetFlags, ownSides, ownTargetFlags, permitted } from './alike.ts'
import { carryOut } from './comparison.ts'
import { conditionsOf } from './conditions.ts'
import { startNullPair } from './null-pair.ts'

type Options = PairFlags & { runs: number } & OwnTargetFlags

/** `plimsoll calibrate`: what this host can tell apart, from comparing alike with alike. */
export const command: Command<Options> = {
  builder: (yargs) =>
    ownTargetFlags(pairFlags(yargs))
      .default('time', '10m')
      .describe('time', 'How long all runs together may take')
      .option('runs', {
        type: 'number',
        default: 20,
        coerce: whole('runs'),
        describe: 'Comparisons, each with processes of its own; 59 without an alarm prove 5 %'
      })
      .example('$0 calibrate', '20 comparisons of 30 s, kept in the cache folder')
      .example('$0 calibrate --runs 59 --time 30m', 'enough to prove at most 5 % false alarms')
      .example(
        "$0 calibrate --a http://127.0.0.1:3000 --a-cmd 'PORT=3000 node server.js'",
        'a target of your own against itself, with starts of its own for every block'
      )
      .epilogue(
        'With --a-cmd, `plimsoll compare` shows the result beside verdicts on that target, for ' +
          '30 days; without it, it is about this host, and shown by `plimsoll doctor`.'
      ) as never,
  async handler(options) {
    insistOnTime(options)
    process.exitCode = await perform(options)
  }
}

const leastOf = ({ aCmd, warmUp }: Pick<Options, 'aCmd' | 'warmUp'>) =>
  leastTime(aCmd === undefined ? 'pair' : 'processes', warmUp)

/** What it takes besides its comparisons. */
const besidesSeconds = 4

/** Ends the command when in the time given no comparison could come to a conclusion. */
function insistOnTime({ time, runs, aCmd, warmUp }: Options): void {
  const least = runs * leastOf({ aCmd, warmUp }) + besidesSeconds
  if (time >= least) return
  throw new Failure(
    `--time ${time}s is not enough for ${runs} comparisons: give it ${least}s at least, ` +
      'or make fewer --runs'
  )
}

async function perform(options: Options): Promise<number> {
  const { json, runs, out, time } = options
  const own = await permitted(ownSides(options), options)
  const file = calibrationFile(out, options.aCmd)
  openFile(file, '--out')
  const note = (text: string) => void (json || process.stderr.write(`${text}\n`))
  const given = timeGiven(time, { note })
  const { stop, deadline } = given
  const ceiling = await measureCeiling(options, stop).catch(unlessStopped)
  const decided: { conclusion: PairConclusion; ranOn: RanOn }[] = []
  // All runs together have what is left, of which each takes its part.
  const flags = { ...options, time: deadline.leftMs() / 1_000 / runs }
  const isTime = () => !stop.requested() && deadline.leftMs() >= nearly * flags.time * 1_000
  for (let run = 1; run <= runs && isTime(); run++) {
    const given = { sides: own, deadline: within(deadline, flags.time, clock), stop }
    const found = await compareAlike({ ...flags, seed: flags.seed + run }, given)
    const { ended, conclusion, ranOn, because } = found
    const isWhole = ended === 'decided'
    if (isWhole) decided.push({ conclusion: conclusion!, ranOn })
    const told = isWhole ? `${conclusion!.verdict}, ${change(conclusion!.ratio)}` : because
    note(`  ${run} of ${runs}: ${told}`)
  }
  given.end()
  const calibration = calibrationOf(decided.map(({ conclusion }) => conclusion))
  if (calibration === undefined || ceiling === undefined) {
    if (given.isInterrupted()) return exit.interrupted
    throw new Failure(nothingFound, 2)
  }
  const under = { ranOn: decided.map(({ ranOn }) => ranOn) }
  const record: CalibrationRecord = {
    ...{ schema, at: new Date().toISOString(), host: thisHost() },
    ...calibration,
    comparisons: { ...conditionsOf(options.a ?? nobody, options, under), seconds: flags.time },
    ...(options.aCmd !== undefined && { target: options.aCmd }),
    ceiling
  }
  process.stdout.write(json ? `${JSON.stringify(record)}\n` : calibrationText(record, file))
  keepCalibration(file, record)
  return given.isInterrupted() ? exit.interrupted : 0
}

/** A server that does nothing has one answer for all. */
const nobody = 'http://127.0.0.1/'

/** A run is begun while nearly all of its time is left: the one before may end a bit late. */
const nearly = 0.8

const nothingFound = 'no comparison came to a conclusion: give them more --time, or fewer --runs'

/** One comparison of a target with itself, or of two processes that do nothing, alike and new. */
async function compareAlike(
  flags: PairFlags,
  { sides: own, ...given }: { sides?: Sides; deadline: Deadline; stop: Stop }
) {
  const pair = own === undefined ? await startNullPair() : undefined
  const sides = own ?? { a: { url: pair!.urls[0] }, b: { url: pair!.urls[1] } }
  try {
    return await withWorkers(flags, undefined, (workers) =>
      carryOut({ sides, flags, workers, ...given, onProgress() {} })
    )
  } finally {
    await pair?.stop()
  }
}

/** Connections enough to keep a thread busy, and how long it is watched. */
const busy = { connections: 50, seconds: 2 }

/** What one load thread makes of a server that does nothing. */
async function measureCeiling(
  { transport }: PairFlags,
  stop: Stop
): Promise<CalibrationRecord['ceiling']> {
  const { urls, stop: end } = await startNullPair()
  const { connections, seconds } = busy
  const destination = { source: { requests: [{ url: urls[0] }] }, transport }
  try {
    const load = closed({ connections, seconds })
    const { result } = await withWorkers({}, undefined, (workers) =>
      sendLoad({ load, seed: 1, destination, workers, stop })
    )
    const { rps, generator } = summary(result)
    return { perSecond: rps, cpuUsPerRequest: generator.cpuUsPerRequest }
  } finally {
    await end()
  }
}
