import { clock } from '../../clock.ts'
import { leastComparisonSeconds } from '../../engine/comparison.ts'
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
import {
  type CalibrationRecord,
  calibrationFile,
  keepCalibration,
  thisHost
} from '../saved/calibration-file.ts'
import { openFile } from '../saved/out-folder.ts'
import { withWorkers } from '../senders/workforce.ts'
import { timeGiven } from '../targets/time-given.ts'
import { calibrationText } from '../terminal/calibration-text.ts'
import { carryOut } from './comparison.ts'
import { startNullPair } from './null-pair.ts'

type Options = PairFlags & { runs: number }

function wholeRuns(value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  throw new Error('--runs must be a whole number from 1')
}

/** `plimsoll calibrate`: what this host can tell apart, from comparing alike with alike. */
export const command: Command<Options> = {
  builder: (yargs) =>
    pairFlags(yargs)
      .default('time', '10m')
      .describe('time', 'How long all runs together may take')
      .option('runs', {
        type: 'number',
        default: 20,
        coerce: wholeRuns,
        describe: 'Comparisons, each with processes of its own; 59 without an alarm prove 5 %'
      })
      .example('$0 calibrate', '20 comparisons of 30 s, kept in the cache folder')
      .example('$0 calibrate --runs 59 --time 30m', 'enough to prove at most 5 % false alarms')
      .epilogue('`plimsoll compare` shows the result beside its verdict, for 30 days.') as never,
  async handler(options) {
    insistOnTime(options)
    process.exitCode = await perform(options)
  }
}

/** What it takes besides its comparisons. */
const besidesSeconds = 4

/** Ends the command when in the time given no comparison could come to a conclusion. */
function insistOnTime({ time, runs }: Options): void {
  const least = runs * leastComparisonSeconds.there + besidesSeconds
  if (time >= least) return
  throw new Failure(
    `--time ${time}s is not enough for ${runs} comparisons: give it ${least}s at least, ` +
      'or make fewer --runs'
  )
}

async function perform(options: Options): Promise<number> {
  const { json, runs, out, time } = options
  const file = calibrationFile(out)
  openFile(file, '--out')
  const note = (text: string) => void (json || process.stderr.write(`${text}\n`))
  const given = timeGiven(time, { note })
  const { stop, deadline } = given
  const ceiling = await measureCeiling(options, stop).catch(unlessStopped)
  const conclusions: PairConclusion[] = []
  const flags = { ...options, time: time / runs }
  const isTime = () =>
    !stop.requested() && deadline.leftMs() >= leastComparisonSeconds.there * 1_000
  for (let run = 1; run <= runs && isTime(); run++) {
    const own = { deadline: within(deadline, flags.time, clock), stop }
    const found = await compareAlike({ ...flags, seed: flags.seed + run }, own)
    const isWhole = found.ended === 'decided'
    if (isWhole) conclusions.push(found.conclusion!)
    const told = isWhole
      ? `${found.conclusion!.verdict}, ${change(found.conclusion!.ratio)}`
      : found.because
    note(`  ${run} of ${runs}: ${told}`)
  }
  given.end()
  const calibration = calibrationOf(conclusions)
  if (calibration === undefined || ceiling === undefined) {
    if (given.isInterrupted()) return exit.interrupted
    throw new Failure(nothingFound, 2)
  }
  const record: CalibrationRecord = {
    ...{ schema: 'plimsoll-calibration/1', at: new Date().toISOString(), host: thisHost() },
    ...calibration,
    comparisons: settingsOf(flags),
    ceiling
  }
  process.stdout.write(json ? `${JSON.stringify(record)}\n` : calibrationText(record, file))
  keepCalibration(file, record)
  return given.isInterrupted() ? exit.interrupted : 0
}

const nothingFound = 'no comparison came to a conclusion: give them more --time, or fewer --runs'

const settingsOf = ({ metric, budget, time, connections }: PairFlags) => ({
  ...{ metric, budget, connections },
  seconds: time
})

/** One comparison of two processes that are alike, and new. */
async function compareAlike(flags: PairFlags, given: { deadline: Deadline; stop: Stop }) {
  const { urls, stop: end } = await startNullPair()
  const sides = { a: { url: urls[0] }, b: { url: urls[1] } }
  try {
    return await withWorkers(flags.workers, undefined, (workers) =>
      carryOut({ sides, flags, workers, ...given, onProgress() {} })
    )
  } finally {
    await end()
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
    const { result } = await withWorkers(1, undefined, (workers) =>
      sendLoad({ load, seed: 1, destination, workers, stop })
    )
    const { rps, generator } = summary(result)
    return { perSecond: rps, cpuUsPerRequest: generator.cpuUsPerRequest }
  } finally {
    await end()
  }
}
