import { join } from 'node:path'
import { type Client, createClient } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import { clock } from '../../clock.ts'
import type { Stop } from '../../engine/stop.ts'
import { against, type Baseline, findBaseline, shortfallOf } from '../../limit/baseline.ts'
import { type DimensionName, dimensionsOf, type Ordinary } from '../../limit/dimension.ts'
import { probeRate } from '../../limit/rate-probe.ts'
import type { CountedReading } from '../../limit/reading.ts'
import { surveyDimension } from '../../limit/survey.ts'
import type { Command } from '../command.ts'
import { exit } from '../failure.ts'
import { type Method, type ProbeFlags, probeFlags } from '../flags/probe-flags.ts'
import { requestOf } from '../flags/request-flags.ts'
import { tlsOf } from '../flags/tls-flags.ts'
import { openFolder } from '../saved/out-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'
import { authoriseUrl } from '../targets/authorised-url.ts'
import { type TimeGiven, timeGiven } from '../targets/time-given.ts'
import { type Entry, isClear, isHurried, rateEntry, sizeEntry } from '../terminal/probe-entry.ts'
import { entryText } from '../terminal/probe-text.ts'

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
      .epilogue(
        'GET becomes POST where a body is sent. Exit codes: 0 all is clear, ' +
          '2 something is not, or the service does not answer well.'
      ) as never,
  async handler(options) {
    const tls = tlsOf([options.url], options)
    const { route } = await authoriseUrl(options.url, { ...options, seconds: options.time, tls })
    if (options.out !== undefined) openFolder(options.out)
    const { origin, pathname, search } = new URL(options.url)
    const request = requestOf(options.url, { ...options, body: undefined })
    const headers = Object.entries(request.headers ?? {}).map(
      ([name, values]): [string, string] => [name, [values].flat().join(', ')]
    )
    const ordinary = { method: options.method, path: `${pathname}${search}`, headers }
    const endpoint = { url: origin, verifyTls: !options.insecure, route }
    const note = (text: string) => void (options.json || process.stderr.write(`${text}\n`))
    const given = timeGiven(options.time, { note, routes: [route] })
    const { signal } = given.stop
    const client = createClient({ endpoint, signal })
    const paced = createClient({ endpoint, perSecond: options.rate, signal })
    const looking = { options, client, paced, ordinary, known: [], limits: [], given, note }
    process.exitCode = await perform(looking).finally(() => {
      return Promise.all([client, paced].map((one) => one.close()))
    })
  }
}

/** Who is asked, at what pace sizes are, and what is usually asked. */
type Asked = { client: Client; paced: Client; ordinary: Ordinary }

/** All that a search for limits goes by. */
type Looking = Asked & {
  options: ProbeFlags
  /** What was found to be counted so far; added to. */
  known: CountedReading[]
  /** What was found out so far; added to. */
  limits: Entry[]
  given: TimeGiven
  note: (text: string) => void
}

async function perform(looking: Looking): Promise<number> {
  const { options, limits, given, note } = looking
  const { url, json, out } = options
  const because = await Promise.race([look(looking), patienceAfter(given.stop)])
  given.end()
  if (given.deadline.leftMs() === 0) note('The time is up.')
  const document = `${JSON.stringify({ url, limits, because }, null, 2)}\n`
  if (json) process.stdout.write(document)
  if (out !== undefined) writeWhole(join(out, 'limits.json'), document)
  if (given.isInterrupted()) return exit.interrupted
  const isWhole = limits.length === options.limits.length
  return because === undefined && isWhole && limits.every(isClear) ? 0 : 2
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
  const { options, limits, given, note } = looking
  const { url, method } = options
  const baseline = await findBaseline(() => ordinarily(looking))
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
  for (const limit of options.limits) {
    if (given.stop.requested()) break
    const entry = limit === 'rate' ? await rateOf(looking, baseline) : await lineOf(limit, looking)
    limits.push(entry)
    if (!options.json) process.stdout.write(`${entryText(entry)}\n`)
  }
  if (limits.some(isHurried)) note('Too much was asked at times: --rate N asks more slowly.')
  if (shortfall) note(`inconclusive: ${shortfall.because}`)
  return shortfall?.because
}

async function lineOf(limit: DimensionName, looking: Looking): Promise<Entry> {
  const { options, paced, ordinary, known, given } = looking
  const { unit } = dimensionsOf(ordinary)[limit]
  const found = await surveyDimension(limit, {
    ...{ client: paced, ordinary, repeats, clock, known },
    ceiling: options.upTo[limit],
    stopped: given.stop.requested
  })
  if ('because' in found) return { limit, ...found }
  known.push(...found.readings.map(({ reading }) => reading))
  return sizeEntry(limit, found, { unit, repeats })
}

async function rateOf(looking: Looking, baseline: Baseline): Promise<Entry> {
  const { options, given, note } = looking
  const found = await probeRate({
    ask: async () => against(await ordinarily(looking), baseline, { crowding: [] }),
    ...{ clock, parallel, stopped: given.stop.requested, onProgress: note },
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
