import { join } from 'node:path'
import { type Client, createClient } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import { clock } from '../../clock.ts'
import type { Stop } from '../../engine/stop.ts'
import { against, type Baseline, findBaseline, shortfallOf } from '../../limit/baseline.ts'
import type { ClaimFinding } from '../../limit/claims/row.ts'
import type { RequestCounts } from '../../limit/count.ts'
import { type DimensionName, dimensionsOf, type Ordinary } from '../../limit/dimension.ts'
import { probeRate } from '../../limit/rate-probe.ts'
import type { CountedReading } from '../../limit/reading.ts'
import { surveyDimension } from '../../limit/survey.ts'
import type { VariantBoundary } from '../../limit/variants.ts'
import { grouped } from '../../report/quantity.ts'
import type { Endpoint } from '../../target/target.ts'
import type { Command } from '../command.ts'
import { exit } from '../failure.ts'
import { isTime, type Method, type ProbeFlags, probeFlags } from '../flags/probe-flags.ts'
import { requestOf } from '../flags/request-flags.ts'
import { tlsOf } from '../flags/tls-flags.ts'
import { type Live, withLive } from '../live/live.ts'
import { beginCommand, keepCommand } from '../saved/command-run.ts'
import { openFolder } from '../saved/out-folder.ts'
import { placeOf } from '../saved/run-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'
import { authoriseUrl } from '../targets/authorised-url.ts'
import { type TimeGiven, timeGiven } from '../targets/time-given.ts'
import {
  type Entry,
  isClear,
  isHurried,
  rateEntry,
  sizeEntry,
  withdrawn
} from '../terminal/probe-entry.ts'
import { createProbeProgress, type ProbeProgress } from '../terminal/probe-progress.ts'
import { claimsText, entryText } from '../terminal/probe-text.ts'
import { claimsHeld } from './probe-claims.ts'
import { claimConclusions, limitConclusions } from './probe-conclusions.ts'
import { insistOnTime, timesFound } from './probe-times.ts'
import { writeFound } from './probe-written.ts'

/** How often each side of a boundary is asked. */
const repeats = 3

/** Requests in flight at once while it is found out how the rate is limited. */
const parallel = 16

/** `plimsoll probe URL`: where an endpoint draws its lines, documented or not. */
export const command: Command<ProbeFlags> = {
  builder: (yargs) =>
    probeFlags(yargs)
      .example('$0 probe http://127.0.0.1:8080/', 'every limit that can be looked for')
      .example('$0 probe http://127.0.0.1:8080/upload -m POST --limits body', 'one of them')
      .example(
        '$0 probe http://127.0.0.1:8080/ --limits rate --time 20m',
        'windows of several minutes'
      )
      .example('$0 probe http://127.0.0.1:8080/ --claims', 'does Retry-After tell the truth?')
      .example('$0 probe http://127.0.0.1:8080/ --write limits', 'and scenarios of what was found')
      .epilogue(
        'GET becomes POST where a body is sent. Exit codes: 0 all is clear, ' +
          '2 something is not, or the service does not answer well. ' +
          'With --claims: 1 a header lies, 4 none says anything.'
      ) as never,
  async handler(options) {
    const tls = tlsOf([options.url], options)
    const { route } = await authoriseUrl(options.url, { ...options, seconds: options.time, tls })
    insistOnTime(options)
    if (options.out !== undefined) openFolder(options.out)
    const { origin, pathname, search } = new URL(options.url)
    const request = requestOf(options.url, { ...options, body: undefined })
    const headers = Object.entries(request.headers ?? {}).map(
      ([name, values]): [string, string] => [name, [values].flat().join(', ')]
    )
    const ordinary = { method: options.method, path: `${pathname}${search}`, headers }
    const endpoint = { url: origin, verifyTls: !options.insecure, route }
    process.exitCode = await withLive(options.ui, 'probe', async (live) => {
      const looking = begin(options, { endpoint, ordinary, live })
      const { client, paced } = looking
      return perform(looking).finally(() => Promise.all([client, paced].map((one) => one.close())))
    })
  }
}

/** Begins to look, in the time there is. */
function begin(
  options: ProbeFlags,
  asked: { endpoint: Endpoint; ordinary: Ordinary; live: Live }
): Looking {
  const { endpoint, ordinary, live } = asked
  const isHeld = options.claims || options.race
  const view = createProbeProgress({
    ...{ stream: process.stderr, output: process.stdout, silent: options.json, page: live },
    of: isHeld ? 1 : options.limits.length
  })
  const given = timeGiven(options.time, { note: view.note, routes: [endpoint.route] })
  view.begin(given.deadline)
  const { signal } = given.stop
  const client = createClient({ endpoint, signal })
  const paced = createClient({ endpoint, perSecond: options.rate, signal })
  const nothing = { known: [], taken: [], limits: [], boundaries: new Map() }
  return { options, endpoint, client, paced, ordinary, ...nothing, given, view, live }
}

/** Who is asked, at what pace sizes are, and what is usually asked. */
type Asked = { client: Client; paced: Client; ordinary: Ordinary }

/** All that a search for limits goes by. */
type Looking = Asked & {
  endpoint: Endpoint
  /** Status of the usual answer, once it is known. */
  usual?: number
  options: ProbeFlags
  /** What was found to be counted so far; added to. */
  known: CountedReading[]
  /** What may have been counted of the largest requests that were taken; added to. */
  taken: RequestCounts[]
  /** What was found out so far; added to. */
  limits: Entry[]
  /** Every question of each limit on sizes; added to. */
  boundaries: Map<string, readonly VariantBoundary[]>
  /** What came of holding headers to their word, where that was asked. */
  claims?: ClaimFinding[]
  given: TimeGiven
  view: ProbeProgress
  live: Live
}

async function perform(looking: Looking): Promise<number> {
  const { options, limits, given, view, live } = looking
  const { url, json, out } = options
  const run = beginCommand(url, options)
  live.tell(run.header)
  const because = await Promise.race([look(looking), patienceAfter(given.stop)])
  given.end()
  view.end()
  if (given.deadline.leftMs() === 0) view.note('The time is up.')
  const document = `${JSON.stringify({ url, limits, claims: looking.claims, because }, null, 2)}\n`
  if (json) process.stdout.write(document)
  if (out !== undefined) writeWhole(join(out, 'limits.json'), document)
  const { usual } = looking
  const written = usual === undefined ? '' : writeFound(limits, { ...options, usual })
  if (written !== '') view.note(written)
  const isWhole = limits.length === options.limits.length
  const isAllClear = because === undefined && isWhole && limits.every(isClear)
  const isHeld = options.claims || options.race
  const judged = isHeld ? claimsCode(looking.claims, because) : isAllClear ? 0 : 2
  const code = given.isInterrupted() ? exit.interrupted : judged
  const told = limitConclusions(limits, looking.boundaries)
  await keepCommand(run, [...told, ...claimConclusions(looking.claims ?? [])], code)
  if (!json) process.stdout.write(placeOf(out))
  await live.end(out)
  return code
}

/** 1 where a header lies, 2 where it could not be asked in full, 4 where none says anything. */
function claimsCode(claims: readonly ClaimFinding[] | undefined, because?: string): number {
  if (claims?.some(({ verdict }) => verdict === 'false')) return 1
  if (claims === undefined || because !== undefined) return 2
  return claims.some(({ verdict }) => verdict === 'true') ? 0 : exit.nothingChecked
}

/** How long what is under way may go on once a stop was requested; most of it ends at once. */
const stopPatienceMs = 1_000

function patienceAfter({ signal }: Stop): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      setTimeout(resolve, stopPatienceMs, 'stopped on the way').unref()
    })
  })
}

/**
 * Looks for each limit in turn; returns why nothing could be found out of the service itself, if
 * so.
 */
async function look(looking: Looking): Promise<string | undefined> {
  const { options, limits, view } = looking
  const { note } = view
  const { url, method } = options
  const isHeld = options.claims || options.race
  if (!isHeld && options.limits.every((limit) => limit === 'response-time')) {
    // What takes too long to answer has no usual answer.
    for await (const entry of times(looking)) tell(entry, looking)
    return
  }
  const baseline = await findBaseline(() => ordinarily(looking), clock)
  if (typeof baseline === 'string') {
    note(`blocked: ${baseline}`)
    return baseline
  }
  const shortfall = shortfallOf(baseline)
  if (shortfall?.blocks) {
    note(`blocked: ${shortfall.because}`)
    return shortfall.because
  }
  note(`${method} ${url} is answered ${baseline.status}.`)
  looking.usual = baseline.status
  if (isHeld) {
    looking.claims = await heldClaims(looking, baseline)
    view.found(claimsText(looking.claims))
    return shortfall?.because
  }
  for await (const entry of found(looking, baseline)) {
    for (const text of withdrawn(limits, looking)) note(text)
    tell(entry, looking)
  }
  if (limits.some(isHurried)) note('Too much was asked at times: --rate N asks more slowly.')
  if (shortfall) note(`inconclusive: ${shortfall.because}`)
  return shortfall?.because
}

/** What is looked for, in its order; times all at once. */
async function* found(looking: Looking, baseline: Baseline): AsyncGenerator<Entry> {
  const { options, given, view } = looking
  const isOver = given.stop.requested
  for (const limit of options.limits) {
    if (isTime(limit) || limit === 'rate' || isOver()) continue
    view.asks(limit)
    yield await lineOf(limit, looking)
  }
  if (!isOver()) yield* times(looking)
  if (isOver() || !options.limits.includes('rate')) return
  view.asks('rate')
  yield await rateOf(looking, baseline)
}

function times({ options, endpoint, ordinary, given, view }: Looking) {
  const { limits: names, upTo, rate: perSecond } = options
  const pace = perSecond === undefined ? {} : { perSecond }
  if (names.some(isTime)) view.asks('times')
  return timesFound({ names, endpoint, ordinary, upTo, ...pace, stopped: given.stop.requested })
}

function tell(entry: Entry, { limits, view }: Looking): void {
  limits.push(entry)
  view.found(entryText(entry))
}

async function lineOf(limit: DimensionName, looking: Looking): Promise<Entry> {
  const { options, paced, ordinary, known, taken, boundaries, given, view } = looking
  const { unit } = dimensionsOf(ordinary)[limit]
  const found = await surveyDimension(limit, {
    ...{ client: paced, ordinary, repeats, clock, known, taken },
    ceiling: options.upTo[limit],
    stopped: given.stop.requested,
    onAnswer(value, variant, { kind }) {
      const way = variant === '' ? '' : ` (${variant})`
      view.asks(`${limit}${way}: ${grouped(value)} ${unit} → ${kind}`)
    }
  })
  if ('because' in found) return { limit, ...found }
  known.push(...found.readings.map(({ reading }) => reading))
  taken.push(...found.taken)
  boundaries.set(limit, found.boundaries)
  return sizeEntry(limit, found, { unit, repeats })
}

async function heldClaims(looking: Looking, baseline: Baseline): Promise<ClaimFinding[]> {
  const { options, client, ordinary, given } = looking
  return claimsHeld({
    ...{ client, question: ordinary, baseline, stopped: given.stop.requested },
    ...{
      ask: () => ordinarily(looking),
      mostRequests: options.requests,
      withClaims: options.claims,
      withRace: options.race
    }
  })
}

async function rateOf(looking: Looking, baseline: Baseline): Promise<Entry> {
  const { options, given, view } = looking
  const onProgress = (text: string) => {
    view.note(text)
    view.asks(`rate: ${text}`)
  }
  const found = await probeRate({
    async ask(isApart) {
      const { client, ordinary } = looking
      const reply = await (isApart ? client.send(ordinary) : ordinarily(looking))
      return against(reply, baseline, { crowding: [], isSame: true })
    },
    ...{ clock, parallel, stopped: given.stop.requested, onProgress },
    upTo: options.upTo.rate,
    mostRequests: options.requests,
    mostMs: given.deadline.leftMs()
  })
  return rateEntry(found)
}

/** Asks the ordinary request, over connections that stay. */
function ordinarily({ client, ordinary }: Pick<Asked, 'client' | 'ordinary'>): Promise<Reply> {
  const { method, path, headers } = ordinary
  return client.with(Object.fromEntries(headers))[method.toLowerCase() as Lowercase<Method>](path)
}
