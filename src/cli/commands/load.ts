import type { LoadWorkers } from '../../engine/load-worker.ts'
import { sendLoad } from '../../engine/send-load.ts'
import { createStop, type Stop } from '../../engine/stop.ts'
import { type LoadSummary, summary } from '../../load/figures/summary.ts'
import type { Window } from '../../load/health/live-counters.ts'
import { durationMs, type Load } from '../../load/load.ts'
import type { Request } from '../../load/requests/request.ts'
import { feasible } from '../../load/transports/autocannon.ts'
import { answerWarnings } from '../../report/answer-warnings.ts'
import { loadLine, loadTable } from '../../report/load-table.ts'
import { type WarmUp, warmUpOf } from '../../verdict/warm-up.ts'
import type { Command } from '../command.ts'
import { exit, orFail } from '../failure.ts'
import { type LoadFlags, loadFlags, loadOf, requestOf, seconds } from '../flags/load-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import {
  type WorkforceFlags,
  withFleet,
  withWorkers,
  workforceFlags
} from '../senders/workforce.ts'
import { timeIsUp, watchAuthorisedTime } from '../targets/authorised-time.ts'
import { type AuthorisedUrl, authoriseUrl, insistOnCaps } from '../targets/authorised-url.ts'
import { createProgress } from '../terminal/progress.ts'

type Options = LoadFlags &
  WorkforceFlags & {
    url: string
    warmUp?: number
    seed: number
    authorisation: string
    json: boolean
  }

/** `plimsoll load URL`: one load on one URL. */
export const command: Command<Options> = {
  builder: (yargs) =>
    workforceFlags(
      loadFlags(
        yargs.positional('url', { type: 'string', demandOption: true, describe: 'The URL' })
      )
    )
      .option('warm-up', {
        type: 'string',
        coerce: seconds,
        describe: 'How long to load it before measuring begins: 5s'
      })
      .option('seed', { type: 'number', default: 1, describe: 'Seed of all chance' })
      .option('authorisation', {
        type: 'string',
        default: 'plimsoll.authorisation.json',
        describe: 'File that names the targets beyond loopback which you may test'
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .example('$0 load http://127.0.0.1:8080/', '50 connections, as fast as it answers, for 10 s')
      .example('$0 load http://127.0.0.1:8080/ -r 2000 -d 1m', '2,000 a second, come what may')
      .example('$0 load http://127.0.0.1:8080/orders -m POST -b \'{"n":1}\'', 'a POST')
      .example(
        '$0 load http://10.0.0.9/ -r 50000 --fleet redis://10.0.0.5 --agents 3',
        'from three machines, each running `plimsoll agent`'
      ) as never,
  async handler(options) {
    const request = requestOf(options.url, options)
    const asked = await orFail(() => loadOf(options, options.warmUp))
    if (options.transport === 'autocannon')
      await orFail(() => feasible(asked, { request, verifyTls: !options.insecure }))
    const seconds = durationMs(asked.phases) / 1_000
    const leave = await authoriseUrl(options.url, { ...options, seconds })
    insistOnCaps(asked, leave)
    process.exitCode = await perform(options, { load: asked, requests: [request], leave })
  }
}

/** What is to be sent, and by whose leave. */
type Asked = { load: Load; requests: Request[]; leave: AuthorisedUrl }

async function perform(options: Options, asked: Asked): Promise<number> {
  const { json } = options
  const stop = createStop()
  const { show, note, end } = createProgress({ stream: process.stderr, silent: json })
  const interrupt = onInterrupt(stop, () => note('Stopping; Ctrl-C again ends at once.'))
  const leave = watchAuthorisedTime([asked.leave.route], stop)
  try {
    return await withFleet(options, note, async (fleet) => {
      const measured = await withWorkers(options.workers, fleet, (workers) =>
        measure(options, { ...asked, workers, stop }, (window) => show(loadLine(window)))
      )
      const result = { ...measured, remarks: answerWarnings(measured), agents: fleet?.agents }
      end()
      process.stdout.write(json ? `${JSON.stringify(result)}\n` : `${loadTable(result)}\n`)
      if (interrupt.happened()) return exit.interrupted
      if (!leave.hasEnded()) return exitOf(result)
      note(timeIsUp)
      return Math.max(2, exitOf(result))
    })
  } finally {
    leave.off()
    interrupt.off()
  }
}

/** Sends a load and sums up what came of it, with a beginning that was slower than the rest. */
async function measure(
  options: Options,
  parts: Asked & { workers: LoadWorkers; stop: Stop },
  onWindow: (window: Window) => void
): Promise<LoadSummary & { warmUp?: WarmUp }> {
  const { transport, seed, insecure } = options
  const { load, requests, leave, workers, stop } = parts
  const where = { routes: { [leave.origin]: leave.route }, verifyTls: !insecure }
  const medians = createMedians(options)
  const { result } = await sendLoad({
    ...{ load, seed, workers, stop },
    destination: { source: { requests }, transport, ...where },
    onWindow(window) {
      medians.add(window)
      onWindow(window)
    }
  })
  const measured = summary(result)
  return { ...measured, warmUp: measured.generator.valid ? warmUpOf(medians.all) : undefined }
}

/**
 * A run without one answer measured nothing; one the generator spoilt, or lost a part of, nothing
 * of the target.
 */
function exitOf({ generator, statuses }: LoadSummary): number {
  if (!generator.valid) return exit.fault
  return Object.keys(statuses).length === 0 ? 2 : 0
}

/** Keeps the median of each window that is measured. */
function createMedians({ warmUp = 0 }: Pick<Options, 'warmUp'>) {
  const all: { toMs: number; p50Us: number | null }[] = []
  return {
    all,
    add({ fromMs, toMs, percentileUs }: Window) {
      if (fromMs >= warmUp * 1_000) all.push({ toMs, p50Us: percentileUs(50) })
    }
  }
}
