import { join } from 'node:path'
import { clock } from '../../clock.ts'
import {
  type CapacityOutcome,
  leastCapacitySeconds,
  searchCapacity,
  shortCapacitySeconds
} from '../../engine/capacity-search.ts'
import type { LoadObserver } from '../../engine/load-worker.ts'
import { withSender } from '../../engine/send-load.ts'
import { unlessStopped } from '../../engine/stop.ts'
import type { Route } from '../../route.ts'
import { judgeCapacity } from '../../verdict/judge-capacity.ts'
import type { Conclusion, Outcome } from '../../verdict/outcome.ts'
import type { Objective } from '../../verdict/rate-trial.ts'
import type { Command } from '../command.ts'
import { exit, Failure } from '../failure.ts'
import { aboveZero, most, percentage } from '../flags/numbers.ts'
import { insistOnBreakable } from '../flags/objective-flags.ts'
import { type ProxyFlag, proxyFlag, proxyUrl } from '../flags/proxy-flag.ts'
import { type TagFlag, tagFlag } from '../flags/tag-flag.ts'
import { type TlsFlags, tlsFlags, tlsOf } from '../flags/tls-flags.ts'
import { destinationOf, type TrialFlags, trialFlags } from '../flags/trial-flags.ts'
import { type Live, uiFlag, withLive } from '../live/live.ts'
import { beginCommand, type CommandConclusion, keepCommand } from '../saved/command-run.ts'
import { openFolder } from '../saved/out-folder.ts'
import { placeOf } from '../saved/run-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'
import {
  type OpenFleet,
  type WorkforceFlags,
  withFleet,
  withWorkers,
  workforceFlags
} from '../senders/workforce.ts'
import { authoriseUrl } from '../targets/authorised-url.ts'
import { type TimeGiven, timeGiven } from '../targets/time-given.ts'
import { type CapacityProgress, createCapacityProgress } from '../terminal/capacity-progress.ts'
import {
  capacityFacts,
  capacityText,
  capacityVerdict,
  rateText
} from '../terminal/capacity-text.ts'

type Options = TrialFlags &
  TagFlag &
  TlsFlags &
  ProxyFlag &
  WorkforceFlags & {
    url: string
    p99: number
    errors: number
    redirects: number
    atLeast?: number
    ui: boolean
  }

/** No generator on one machine sends more than this. */
const highestRate = 1_000_000

/** `plimsoll capacity URL`: the highest rate that holds an objective. */
export const command: Command<Options> = {
  builder: (yargs) =>
    tagFlag(
      workforceFlags(
        proxyFlag(
          tlsFlags(
            trialFlags(
              yargs.positional('url', { type: 'string', demandOption: true, describe: 'The URL' }),
              { time: '2m' }
            )
          )
        )
      )
    )
      .option('p99', {
        type: 'number',
        default: 100,
        coerce: aboveZero('p99', most.latencyMs),
        describe: 'Milliseconds that 99 in 100 requests must stay within'
      })
      .option('errors', {
        type: 'number',
        default: 0.1,
        coerce: percentage('errors'),
        describe: 'Percentage of requests that may fail'
      })
      .option('redirects', {
        type: 'number',
        default: 10,
        coerce: percentage('redirects'),
        describe: 'Percentage of answers that may lead elsewhere; of more nothing is told'
      })
      .option('at-least', {
        type: 'number',
        requiresArg: true,
        coerce: aboveZero('at-least', highestRate),
        describe: 'Requests a second that must be held; it then decides the exit code'
      })
      .option('ui', uiFlag)
      .describe('rate', 'Requests a second to begin with (default: what one connection could make)')
      .example('$0 capacity http://127.0.0.1:8080/', 'p99 within 100 ms, one error in a thousand')
      .example('$0 capacity http://127.0.0.1:8080/ --p99 20 --time 5m', 'stricter, and surer')
      .example('$0 capacity http://127.0.0.1:8080/ --at-least 500', 'a gate: does it hold 500?')
      .epilogue(
        'Exit codes: 0 found and confirmed, 1 not even the lowest rate holds, 2 cannot tell, ' +
          '3 the generator gave out first. With --at-least: 0 it is held, 1 surely less is, ' +
          '2 cannot tell, 3 the generator gave out below it.'
      ) as never,
  async handler(options) {
    insistOnTime(options)
    insistOnBreakable({ p99Ms: options.p99 }, { timeoutMs: options.timeout * 1_000 })
    const { url, time: seconds } = options
    const [tls, through] = [tlsOf([url], options), proxyUrl(options)]
    const { route, caps } = await authoriseUrl(url, { ...options, seconds, tls, through })
    if (options.out !== undefined) openFolder(options.out)
    const highest = Math.min(highestRate, caps?.requestsPerSecond ?? Infinity)
    const note = (text: string) => void process.stderr.write(`${text}\n`)
    process.exitCode = await withFleet(options, note, (fleet, observe) =>
      withLive(options.ui, 'capacity', (live) =>
        perform(options, { highest, route, fleet, observe, live })
      )
    )
  }
}

/** How much may be sent, where that leads, who sends where that is not this process, who hears. */
type Allowed = {
  highest: number
  route: Route
  fleet: OpenFleet | undefined
  observe: LoadObserver | undefined
  live: Live
}

async function perform(options: Options, allowed: Allowed): Promise<number> {
  const { json, out, p99, errors, redirects } = options
  const ratios = { errorRatio: errors / 100, redirectRatio: redirects / 100 }
  const objective: Objective = { p99Us: p99 * 1_000, ...ratios }
  const note = (text: string) => void (json || view.note(text))
  const { fleet, route, live } = allowed
  const hasWaited = fleet !== undefined
  const given = timeGiven(options.time, { note, routes: [route], hasWaited })
  const told = { stream: process.stderr, deadline: given.deadline, silent: json, page: live }
  const view = createCapacityProgress(told)
  if (options.time < shortCapacitySeconds) note(shortText(options.time))
  const run = beginCommand(options.url, { ...options, out, agents: fleet?.agents })
  live.tell(run.header)
  const outcome = await search({ options, objective, ...allowed, given, view })
  view.end()
  given.end()
  const document = { ...documentOf(outcome, options), agents: fleet?.agents }
  const judged = judgedBy(outcome, options)
  const text = `${capacityText(outcome, objective, judged)}${placeOf(out)}`
  const code = given.isInterrupted() ? exit.interrupted : exitOf(outcome, judged)
  await keepCommand(run, [concluded(outcome, options)], code)
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : text)
  if (out !== undefined) {
    writeWhole(join(out, 'capacity.json'), `${JSON.stringify(document, null, 2)}\n`)
  }
  await live.end(out)
  return code
}

/** Ends the command when the time given is too short for anything. */
function insistOnTime({ time }: Options): void {
  if (time >= leastCapacitySeconds) return
  throw new Failure(`--time ${time}s tells nothing: give it ${leastCapacitySeconds}s at least`)
}

const shortText = (seconds: number) =>
  `${seconds} s are short: the bounds rarely meet, and are rarely confirmed, in less than ` +
  `${shortCapacitySeconds} s.`

async function search(
  parts: Allowed & {
    options: Options
    objective: Objective
    given: TimeGiven
    view: CapacityProgress
  }
): Promise<CapacityOutcome> {
  const { options, objective, highest, route, fleet, observe, given, view } = parts
  const { stop, deadline } = given
  const { url, workers, connections, pipelining, timeout, seed } = options
  const shape = { connections, pipelining, timeoutMs: timeout * 1_000 }
  try {
    return await withWorkers({ workers, observe }, fleet, (workers) =>
      withSender({ workers, stop }, [destinationOf(url, options, route)], (sender) =>
        searchCapacity({
          ...{ shape, objective, highest, deadline, seed, clock },
          trial: (load) => sender.trial(0, { load, seed }),
          start: options.rate,
          stopped: stop.requested,
          onTask: view.onTask,
          onTrial: view.onTrial
        })
      )
    )
  } catch (cause) {
    unlessStopped(cause)
    const because = 'no connection was made in the time there was'
    return { ended: given.isInterrupted() ? 'interrupted' : 'blocked', because }
  }
}

/** What the rate demanded comes to; undefined where none is, or the search did not end. */
function judgedBy(
  outcome: CapacityOutcome,
  { atLeast, p99, errors }: Options
): Conclusion | undefined {
  if (atLeast === undefined || outcome.ended !== 'searched') return undefined
  const demand = { perSecond: atLeast, p99Ms: p99, errorRatio: errors / 100 }
  return judgeCapacity(demand, outcome.capacity)
}

/** What a report says where a search ends with so much, and the exit code of each. */
const codes: Partial<Record<Outcome, number>> = { observed: 0, pass: 0, fail: 1, inconclusive: 2 }

function exitOf(outcome: CapacityOutcome, judged?: Conclusion): number {
  if (outcome.ended === 'lost') return exit.fault
  if (outcome.ended !== 'searched') return 2
  if (judged !== undefined) return codes[judged.outcome] ?? exit.fault
  const { ended, confirmed, unsteady, undecided } = outcome.capacity
  if (ended === 'generator') return exit.fault
  if (ended === 'lowest') return 1
  const isOpen = [unsteady, undecided].some((doubt) => doubt !== undefined)
  return confirmed === undefined || ended === 'time' || isOpen ? 2 : 0
}

/**
 * What the search came to, for a report: a rate that was confirmed is seen, unless one is demanded.
 */
function concluded(outcome: CapacityOutcome, options: Options): CommandConclusion {
  const { url, p99, errors, atLeast: perSecond } = options
  const { capacity, baseline } = outcome
  const worth = { 0: 'observed', 1: 'fail', 2: 'inconclusive' } as const
  const code = exitOf(outcome) as keyof typeof worth
  const isEarly = outcome.ended !== 'searched'
  const came = outcome.ended === 'blocked' ? 'blocked' : (worth[code] ?? 'error')
  const told = isEarly ? `${outcome.ended}: ${outcome.because}` : capacityVerdict(outcome.capacity)
  // What follows the first colon may have colons of its own, as an address has.
  const [, observed = told, because = told] = /^(.*?): (.*)$/s.exec(told) ?? []
  const rate = perSecond === undefined ? '' : `at least ${rateText(perSecond)} with `
  return {
    clause: url,
    documented: `${rate}p99 within ${p99} ms, errors at most ${errors} %`,
    conclusion: judgedBy(outcome, options) ?? { outcome: came, observed, because },
    found: {
      ...{ of: 'capacity', capacity, baseline },
      objective: {
        p99Ms: p99,
        errorsPercent: errors,
        ...(perSecond !== undefined && { perSecond })
      },
      facts: capacity && [...capacityFacts(capacity), ...unsteadyFact(outcome, options)]
    }
  }
}

/** What was not steady, where the verdict is about a rate that is demanded and does not tell. */
function unsteadyFact({ capacity }: CapacityOutcome, { atLeast }: Options): [string, string][] {
  const { unsteady } = capacity ?? {}
  return unsteady === undefined || atLeast === undefined ? [] : [['unsteady', unsteady.because]]
}

/** The `--json` document; what was not found is null. */
function documentOf(outcome: CapacityOutcome, options: Options) {
  const { p99, errors, seed, atLeast: perSecond = null } = options
  const objective = { p99Ms: p99, errorsPercent: errors, perSecond }
  const { outcome: verdict = null } = judgedBy(outcome, options) ?? {}
  const { capacity, baseline = null } = outcome
  const { lower = null, upper = null, interval = null, confirmed = null } = capacity ?? {}
  const { binding = null, conditionalThroughput = null, unsteady = null } = capacity ?? {}
  const { undecided = null } = capacity ?? {}
  const { degradation = [], trials = [] } = capacity ?? {}
  const early = outcome.ended !== 'searched'
  return {
    ...{ lower, upper, interval, unsteady, undecided, confirmed, binding, trials },
    ...(early ? { ended: outcome.ended, because: outcome.because } : { ended: capacity!.ended }),
    ...{ conditionalThroughput, degradation, baseline, objective, verdict, seed }
  }
}
