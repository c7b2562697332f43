import { createClient } from '../../client/client.ts'
import { preflight } from '../../client/preflight.ts'
import { clock } from '../../clock.ts'
import { AllLost, type LoadObserver } from '../../engine/load-worker.ts'
import { withSender } from '../../engine/send-load.ts'
import { beginningSeconds, type SoakEnding, soak as soakTarget } from '../../engine/soak.ts'
import { type Stop, unlessStopped } from '../../engine/stop.ts'
import type { LoadResult } from '../../load/figures/result.ts'
import type { SoakRecord } from '../../report/soak-record.ts'
import { soakReachText } from '../../report/soak-text.ts'
import type { Route } from '../../route.ts'
import type { Command } from '../command.ts'
import { exit, Failure } from '../failure.ts'
import { trialLoad } from '../flags/compare-flags.ts'
import { type ProxyFlag, proxyFlag, proxyUrl } from '../flags/proxy-flag.ts'
import { type SoakFlags, soakFlags } from '../flags/soak-flags.ts'
import { type TagFlag, tagFlag } from '../flags/tag-flag.ts'
import { type TlsFlags, tlsFlags, tlsOf } from '../flags/tls-flags.ts'
import { destinationOf } from '../flags/trial-flags.ts'
import { type Live, uiFlag, withLive } from '../live/live.ts'
import { loadHeader } from '../saved/load-run.ts'
import type { SoakJournal } from '../saved/soak-journal.ts'
import {
  type OpenFleet,
  type WorkforceFlags,
  withFleet,
  withWorkers,
  workforceFlags
} from '../senders/workforce.ts'
import { type AuthorisedUrl, authoriseUrl, insistOnCaps } from '../targets/authorised-url.ts'
import { figuresFrom, insistOnMetrics, insistOnProcess } from '../targets/soak-figures.ts'
import { type TimeGiven, timeGiven } from '../targets/time-given.ts'
import { createSoakProgress } from '../terminal/soak-progress.ts'
import { type Intent, openSoak, type Soak } from './soak-begin.ts'
import { concludeSoak, reportSoak, soakExit } from './soak-report.ts'

type Options = SoakFlags &
  TagFlag &
  TlsFlags &
  ProxyFlag &
  WorkforceFlags & { url?: string; ui: boolean }

/** What it takes to begin, once nothing is left to object to. */
type Ready = {
  given: TimeGiven
  figures: ReturnType<typeof figuresFrom>
  route: Route
  /** Who sends, where that is not this process. */
  senders: OpenFleet | undefined
  observe?: LoadObserver
}

/** `plimsoll soak URL`: a long load, and whether anything drifts under it. */
export const command: Command<Options> = {
  builder: (yargs) =>
    tagFlag(
      workforceFlags(
        proxyFlag(
          tlsFlags(soakFlags(yargs.positional('url', { type: 'string', describe: 'The URL' })))
        )
      )
    )
      .option('ui', uiFlag)
      .example('$0 soak http://127.0.0.1:8080/ -r 100 -d 8h --pid 4711', 'a night at 100 a second')
      .example('$0 soak --resume latest', 'go on where a killed one ended')
      .example('$0 soak --resume latest -d 12h', 'the same for longer, when it could not tell')
      .example(
        '$0 soak http://127.0.0.1:3000/ -r 50 --metrics-url http://127.0.0.1:3000/metrics',
        'the heap, as the target tells it'
      )
      .epilogue(
        'Exit codes: 0 stable, 1 drift, 2 cannot tell, 3 the generator was at fault, ' +
          '130 interrupted: go on with --resume.'
      ) as never,
  async handler(options) {
    if (options.resume === undefined) insistOnProcess(options)
    process.exitCode = await withFleet(options, note, async (fleet, observe) => {
      const { soak, ready } = await open(options, fleet)
      return withLive(options.ui, 'soak', (live) => {
        return perform(soak, { ...options, ...ready, observe, live })
      })
    })
  }
}

/** Opens a soak once nothing is left to object to. */
async function open(
  options: Options,
  fleet: OpenFleet | undefined
): Promise<{ soak: Soak; ready: Ready }> {
  let ready: Ready | undefined
  const soak = await openSoak({ ...options, from: fleet?.agents }, async (intent) => {
    // What an earlier part of the soak followed is followed on.
    const named = { ...options, ...intent.watched }
    if (options.resume !== undefined) insistOnProcess(named)
    const { leave, page } = await insistOnLeave(intent, named)
    const { route } = leave
    const seconds = intent.seconds + beginningSeconds
    const hasWaited = fleet !== undefined
    const given = timeGiven(seconds, { note, routes: [route], hasWaited })
    const isUp = () => insistOnAnswer(intent, { ...options, ...leave }, given)
    // A page of the target's own is not there when the target is not.
    if (page?.origin === leave.origin) await isUp()
    await insistOnMetrics(intent.metrics, named, page?.route)
    if (page?.origin !== leave.origin) await isUp()
    ready = { given, route, senders: fleet, figures: figuresFrom(named, page?.route) }
    if (options.resume === undefined) note(soakReachText(intent))
  })
  return { soak, ready: ready! }
}

const note = (text: string) => void process.stderr.write(`${text}\n`)

/** Ends the command where not all may be sent that would be, to the target and its page. */
async function insistOnLeave({ url, seconds, load }: Intent, options: Options) {
  const { metricsUrl } = options
  const pages = metricsUrl === undefined ? [] : [metricsUrl]
  const [tls, through] = [tlsOf([url, ...pages], options), proxyUrl(options)]
  const asked = { ...options, seconds, tls, through }
  const leave = await authoriseUrl(url, asked)
  insistOnCaps(load, leave)
  const page = metricsUrl === undefined ? undefined : await authoriseUrl(metricsUrl, asked)
  return { leave, page }
}

/** Ends the command when nobody answers: an hour of that would be an hour lost. */
async function insistOnAnswer(
  { url, transport }: Pick<Intent, 'url' | 'transport'>,
  { insecure, origin, route }: Options & AuthorisedUrl,
  { stop, isInterrupted }: TimeGiven
): Promise<void> {
  const endpoint = { url: origin, verifyTls: !insecure, route }
  const client = createClient({ endpoint, signal: stop.signal })
  const found = await preflight(client)
  await client.close()
  if (isInterrupted()) throw new Failure('interrupted before it began', exit.interrupted)
  if (found.up || (transport === 'http2' && found.isHttp2)) return
  // What was still being waited for when the time was over was not given up.
  if (stop.requested()) throw new Failure(`${url} was not seen to work in the time there was`, 2)
  throw new Failure(`${url} does not answer: ${found.because}`, 2)
}

async function perform(soak: Soak, options: Options & Ready & { live: Live }): Promise<number> {
  const { given, json, live } = options
  const { url } = soak.header
  const journal = stopping(soak.journal, given.stop)
  const view = createSoakProgress({ ...soak, url, json, page: live })
  live.tell(loadHeader({ url, seed: soak.header.terms.seed, command: ['soak', url] }))
  const ended = await carryOut({ ...soak, journal }, options, view.onStretch)
  view.end()
  given.end()
  const conclusion = await concludeSoak(journal.folder)
  const isCut = ended === 'interrupted' && given.isInterrupted()
  const judged = ended === 'lost' ? exit.fault : soakExit(conclusion)
  const code = isCut ? exit.interrupted : judged
  const { verdict, because } = conclusion
  journal.write({ t: 'verdict', at: new Date().toISOString(), verdict, because, exit: code })
  journal.close()
  await reportSoak(journal.folder, options).catch((cause) => {
    throw journal.failure() ?? cause
  })
  const failure = journal.failure()
  if (failure) throw failure
  await live.end(journal.folder)
  return code
}

/** Says once that a part is sent no more: whoever waits for the end of a day should know. */
function createLossNote() {
  let isTold = false
  return (lost: LoadResult['lost']) => {
    if (lost === undefined || isTold) return
    isTold = true
    note(`a worker was lost: ${lost[0]}; from here on nothing counts: end it, and --resume it`)
  }
}

/** The figures, or nothing once everything is to stop: a page may take its time. */
function figuresUntil({ signal }: Stop, figures: Ready['figures']): Ready['figures'] {
  const over = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined))
  })
  return () => Promise.race([figures(), over])
}

/** A journal that, where the disk takes no more, ends the soak rather than the command. */
function stopping(journal: SoakJournal, stop: Stop) {
  let failure: Failure | undefined
  return {
    ...journal,
    failure: () => failure,
    write(record: SoakRecord) {
      try {
        if (failure === undefined) journal.write(record)
      } catch (cause) {
        failure = cause as Failure
        stop.request()
      }
    }
  }
}

async function carryOut(
  { journal, header, request, fromSeconds, seconds }: Soak,
  options: Options & Ready,
  onStretch: ReturnType<typeof createSoakProgress>['onStretch']
): Promise<SoakEnding | 'lost'> {
  const { given, route, senders, observe } = options
  const { stop, deadline } = given
  const { connections, pipelining, timeoutMs, workers, rate } = header.load
  const { stretchSeconds, terms } = header
  const flags = { connections, pipelining, rate, timeout: timeoutMs / 1_000 }
  const to = destinationOf(
    header.url,
    { ...options, ...flags, transport: header.load.engine },
    route
  )
  const destination = { ...to, source: { requests: [request] } }
  const tellLost = createLossNote()
  try {
    return await withWorkers({ workers, observe }, senders, (workers) =>
      withSender({ workers, stop }, [destination], (sender) =>
        soakTarget({
          ...{ fromSeconds, seconds, deadline, stretchSeconds, seed: terms.seed, clock },
          trial: (load, seed) => sender.trial(0, { load, seed }),
          loadFor: trialLoad(flags),
          figures: figuresUntil(stop, options.figures),
          stopped: stop.requested,
          keep(stretch, { health, lost }) {
            tellLost(lost)
            const at = new Date().toISOString()
            journal.write({ t: 'stretch', at, ...stretch, reasons: health.reasons })
            onStretch(stretch)
          }
        })
      )
    )
  } catch (cause) {
    if (cause instanceof AllLost) {
      note(`a worker was lost: ${cause.message}; nobody is left to send: go on with --resume`)
      return 'lost'
    }
    unlessStopped(cause)
    return given.isInterrupted() ? 'interrupted' : 'whole'
  }
}
