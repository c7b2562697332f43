import type { LoadWorkers } from '../../engine/load-worker.ts'
import { type Sent, sendLoad } from '../../engine/send-load.ts'
import { createStop, type Stop, unlessStopped } from '../../engine/stop.ts'
import { summary } from '../../load/figures/summary.ts'
import type { Window } from '../../load/health/live-counters.ts'
import { durationMs, type Load } from '../../load/load.ts'
import { isSocket, originOf, requestBytes } from '../../load/requests/request.ts'
import { answerWarnings } from '../../report/answer-warnings.ts'
import { loadTable, objectiveLines } from '../../report/load-table.ts'
import type { Header } from '../../report/record.ts'
import { standstillWarning } from '../../report/standstill-warning.ts'
import { type Objectives, objectivesText } from '../../verdict/judge-load.ts'
import { type WarmUp, warmUpOf } from '../../verdict/warm-up.ts'
import type { Command } from '../command.ts'
import { exit, Failure, orFail } from '../failure.ts'
import { type Format, reporterFlag, usualFormats } from '../flags/formats.ts'
import { spoken } from '../flags/grpc-flags.ts'
import { type LoadFlags, loadFlags, loadOf, secondsOf, seedFlag } from '../flags/load-flags.ts'
import { insistOnSockets } from '../flags/message-flags.ts'
import { type ObjectiveFlags, objectiveFlags, objectivesOf } from '../flags/objective-flags.ts'
import { type ProxyFlag, proxyFlag, proxyUrl } from '../flags/proxy-flag.ts'
import { type TagFlag, tagFlag } from '../flags/tag-flag.ts'
import { type TlsFlags, tlsFlags, tlsOf } from '../flags/tls-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import { type Live, uiFlag, withLive } from '../live/live.ts'
import { footerOf } from '../saved/footer.ts'
import { createJournal, type Journal } from '../saved/journal.ts'
import { keepLoad, loadHeader, loadVerdict } from '../saved/load-run.ts'
import { createWindowSeries, type WindowSeries, windowRecord } from '../saved/load-windows.ts'
import { openFolder } from '../saved/out-folder.ts'
import { placeOf } from '../saved/run-folder.ts'
import { toldCommand } from '../saved/told-command.ts'
import {
  type WorkforceFlags,
  withFleet,
  withWorkers,
  workforceFlags
} from '../senders/workforce.ts'
import { timeIsUp, watchAuthorisedTime } from '../targets/authorised-time.ts'
import { type AuthorisedUrl, insistOnCaps } from '../targets/authorised-url.ts'
import { createLoadProgress } from '../terminal/load-progress.ts'
import { createProgress } from '../terminal/progress.ts'
import { leavesFor, type Requests, requestsOf, type SentFlags, sentFlags } from './load-requests.ts'

type Options = LoadFlags &
  SentFlags &
  TlsFlags &
  ProxyFlag &
  ObjectiveFlags &
  TagFlag &
  WorkforceFlags & {
    warmUp?: number
    seed: number
    authorisation: string
    json: boolean
    out?: string
    reporter: Format[]
    ui: boolean
  }

/** `plimsoll load URL`: one load on one URL, and whether it keeps to objectives. */
export const command: Command<Options> = {
  builder: (yargs) =>
    tagFlag(workforceFlags(objectiveFlags(proxyFlag(tlsFlags(sentFlags(loadFlags(yargs)))))))
      .option('warm-up', {
        type: 'string',
        coerce: secondsOf('warm-up'),
        describe: 'How long to load it before measuring begins: 5s'
      })
      .option('precise', {
        type: 'boolean',
        describe: 'With --rate: spend a core on letting each go within microseconds of its moment'
      })
      .option('seed', seedFlag)
      .option('authorisation', {
        type: 'string',
        default: 'plimsoll.authorisation.json',
        describe: 'File that names the targets beyond loopback which you may test'
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .option('ui', uiFlag)
      .option('out', { type: 'string', describe: 'Folder for the run’s folder, with its report' })
      .option('reporter', {
        ...reporterFlag,
        // Whoever names formats without a folder is told so: the default is taken later.
        default: [],
        describe: `With --out: ${reporterFlag.describe} (default: the first four)`
      })
      .example('$0 load http://127.0.0.1:8080/', '50 connections, as fast as it answers, for 10 s')
      .example('$0 load http://127.0.0.1:8080/ -r 2000 -d 1m', '2,000 a second, come what may')
      .example(
        '$0 load http://127.0.0.1:8080/ -r 500 --p95 20 --errors 1 --out reports',
        'a gate: exit 1 when 5 in 100 take longer than 20 ms, or more than 1 % fail'
      )
      .example('$0 load http://127.0.0.1:8080/orders -m POST -b \'{"n":1}\'', 'a POST')
      .example('$0 load http://127.0.0.1:8080/orders -m POST -b @order.json', 'from a file')
      .example("$0 load --curl 'curl -d n=1 http://127.0.0.1:8080/'", 'what curl would send')
      .example(
        '$0 load http://127.0.0.1:8080/chat --events --until "[DONE]" --tokens',
        'an event stream: its first event, the gaps, tokens a second'
      )
      .example(
        `$0 load ws://127.0.0.1:8080/ --message '{"op":"ping"}' -r 500`,
        'messages over WebSockets, each answered by the next'
      )
      .example(
        `$0 load grpc://127.0.0.1:50051/demo.Greeter/Hello --message '{"name":"x"}' -r 500`,
        'calls of gRPC, by server reflection or --proto FILE'
      )
      .example('$0 load --har shop.har --har-host shop.test', 'what a browser recorded, in turn')
      .example(
        '$0 load http://10.0.0.9/ -r 50000 --fleet redis://10.0.0.5 --agents 3',
        'from three machines, each running `plimsoll agent`'
      )
      .epilogue(
        'Exit codes: 0 measured, and every objective met, 1 an objective is missed, 2 it cannot ' +
          'be told (nothing answered, too few requests), 3 the generator was at fault.'
      ) as never,
  async handler(given) {
    const options = spoken(given)
    const { out, reporter, insecure, traces: traced } = options
    const sent = await requestsOf(options)
    const { requests } = sent
    await orFail(() => requests.forEach(requestBytes))
    const urls = [...new Set(requests.map(originOf))]
    const tls = tlsOf(urls, options)
    const through = proxyUrl(options)
    if (requests.some(isSocket)) insistOnSockets(options)
    const isShared = options.transport !== 'http2' && options.pipelining > 1
    if (requests.some(({ events }) => events) && isShared)
      throw new Failure('--events takes a connection for each stream: leave out --pipelining')
    // For how long a stream is listened to is no time that it keeps anybody waiting.
    const listening = Math.max(0, ...requests.map(({ events }) => events?.seconds ?? 0))
    const timeout = options.timeout + listening
    const asked = await orFail(() => loadOf({ ...options, timeout }, options.warmUp))
    if (options.transport === 'autocannon') {
      // A tenth of a second to load, which whoever sends by another has no use for.
      const { feasible } = await import('../../load/transports/autocannon.ts')
      await orFail(() => feasible(asked, { request: requests, verifyTls: !insecure, traced }))
    }
    if (out === undefined && reporter.length > 0)
      throw new Failure('--reporter needs a folder to write to: give --out')
    const seconds = durationMs(asked.phases) / 1_000
    const leaves = await leavesFor(urls, { ...options, seconds, tls, through })
    for (const leave of leaves) insistOnCaps(asked, leave)
    if (out !== undefined) openFolder(out)
    const reached = { ...whereOf(leaves, options), timeoutMs: asked.timeoutMs }
    const completed = await sent.complete?.(reached)
    const whole = { ...sent, requests: completed === undefined ? requests : [completed] }
    const objectives = objectivesOf(options, asked)
    process.exitCode = await withLive(options.ui, 'load', (live) =>
      perform(options, { load: asked, ...whole, leaves, objectives, live })
    )
  }
}

/** Where connections lead, by leave. */
function whereOf(leaves: readonly AuthorisedUrl[], { insecure }: Pick<Options, 'insecure'>) {
  const routes = Object.fromEntries(leaves.map(({ origin, route }) => [origin, route]))
  return { routes, verifyTls: !insecure }
}

/** What is to be sent, by whose leave, and what it must achieve. */
type Asked = Requests & {
  load: Load
  leaves: AuthorisedUrl[]
  objectives: Objectives
}

async function perform(options: Options, asked: Asked & { live: Live }): Promise<number> {
  const { json } = options
  const { live } = asked
  const stop = createStop()
  const told = { stream: process.stderr, silent: json, page: live }
  const { show, note, end } = createProgress(told)
  const lineOf = createLoadProgress(asked.load)
  const interrupt = onInterrupt(stop, () => note('Stopping; Ctrl-C again ends at once.'))
  const leave = watchAuthorisedTime(
    asked.leaves.map(({ route }) => route),
    stop
  )
  try {
    return await withFleet(options, note, async (fleet, observe) => {
      const { agents } = fleet ?? {}
      const keeping = begin(options, { url: asked.name, agents, stop })
      live.tell(keeping.header)
      const measured = await withWorkers({ ...options, observe }, fleet, (workers) =>
        measure(options, { ...asked, workers, stop }, (window) => {
          show(lineOf(window))
          live.tell(windowRecord(asked.name, window))
        })
      )
      end()
      const complete = !interrupt.happened()
      const code = await conclude(options, { ...asked, ...measured, ...keeping, complete })
      await live.end(keeping.journal?.folder)
      if (!leave.hasEnded() || !complete) return code
      note(timeIsUp)
      return code === 1 ? code : Math.max(2, code)
    })
  } catch (cause) {
    // Before its connections were there, there is nothing to be told of it.
    unlessStopped(cause)
    return exit.interrupted
  } finally {
    leave.off()
    interrupt.off()
  }
}

/** Begins what is kept of a load: its header, in a journal where there is to be one. */
function begin(
  { out, seed, tag: tags }: Options,
  { url, agents, stop }: { url: string; agents: Header['agents']; stop: Stop }
): { header: Header; journal?: Journal } {
  const command = toldCommand(process.argv.slice(2))
  const header = loadHeader({ url, seed, command, agents, tags })
  if (out === undefined) return { header }
  const journal = createJournal(out, header.startedAt, stop.request)
  journal.write(header)
  return { header, journal }
}

/** What was sent, with a beginning that was slower than the rest, and for how long. */
type Measured = { sent: Sent; warmUp?: WarmUp; ms: number; series: WindowSeries }

/** Sends a load and sums up what came of it. */
async function measure(
  options: Options,
  parts: Asked & { workers: LoadWorkers; stop: Stop },
  onWindow: (window: Window) => void
): Promise<Measured> {
  const { transport, seed, insecure } = options
  const { load, requests, leaves, workers, stop, objectives } = parts
  const where = whereOf(leaves, { insecure })
  const medians = createMedians(options)
  const series = createWindowSeries(durationMs(load.phases))
  const began = performance.now()
  const sent = await sendLoad({
    ...{ load, seed, workers, stop, objectives },
    destination: { source: { requests }, transport, ...where },
    onWindow(window) {
      medians.add(window)
      series.add(window)
      onWindow(window)
    }
  })
  const warmUp = sent.result.health.valid ? warmUpOf(medians.all) : undefined
  return { sent, warmUp, ms: Math.round(performance.now() - began), series }
}

/** Judges a load, prints it and writes what is kept of it; its exit code. */
async function conclude(
  { json, reporter }: Options,
  parts: Measured & {
    name: string
    remarks: readonly string[]
    load: Load
    objectives: Objectives
    header: Header
    journal?: Journal
    complete: boolean
  }
): Promise<number> {
  const { name, load, objectives, sent, warmUp, ms, series, header, journal, complete } = parts
  const verdict = loadVerdict(name, objectives, sent)
  const { outcome, because } = verdict
  const still = standstillWarning(sent.result)
  const measured = { ...summary(sent.result), warmUp, still }
  const remarks = [...parts.remarks, ...answerWarnings(measured)]
  const judged = {
    ...measured,
    ...{ remarks, objectives, outcome, because, agents: header.agents, tags: header.tags }
  }
  const wanted = reporter.length > 0 ? reporter : usualFormats
  const text = (folder?: string) =>
    json
      ? `${JSON.stringify({ ...judged, folder })}\n`
      : `${loadTable(judged)}\n${objectiveLines(verdict, objectivesText(objectives))}` +
        placeOf(folder, wanted)
  if (journal === undefined) {
    process.stdout.write(text())
    return footerOf({ header, verdicts: [verdict], complete, ms }).exit
  }
  keepLoad(journal, { header, verdict, load, sent, series, complete, ms })
  // What renders reports is only loaded where there is to be one.
  const { concludeJournal } = await import('./run-conclusion.ts')
  return concludeJournal(journal, wanted, (_, folder) => text(folder))
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
