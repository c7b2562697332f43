import { join } from 'node:path'
import type { Reply } from '../../client/reply.ts'
import { clock } from '../../clock.ts'
import type { Stop } from '../../engine/stop.ts'
import { type Baseline, findBaseline, shortfallOf } from '../../limit/baseline.ts'
import type { ClaimFinding } from '../../limit/claims/row.ts'
import { isRpcName } from '../../limit/http2/rpc-message.ts'
import { isHttp2Name } from '../../limit/http2/survey.ts'
import { isSocketName } from '../../limit/websocket/survey.ts'
import type { Command } from '../command.ts'
import { exit } from '../failure.ts'
import { type GivenProbeFlags, isTime, probeFlags } from '../flags/probe-flags.ts'
import { withLive } from '../live/live.ts'
import { beginCommand, keepCommand } from '../saved/command-run.ts'
import { openFolder } from '../saved/out-folder.ts'
import { placeOf } from '../saved/run-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'
import { type Entry, isClear, isFault, isHurried, withdrawn } from '../terminal/probe-entry.ts'
import { claimsText, entryText } from '../terminal/probe-text.ts'
import { type ClaimsHeld, claimsHeld } from './probe-claims.ts'
import { claimConclusions, limitConclusions } from './probe-conclusions.ts'
import { lookOverGrpc, lookOverHttp2 } from './probe-http2.ts'
import { raceOf, replicasOf } from './probe-layers.ts'
import { lineOf, rateOf } from './probe-lines.ts'
import { begin, endAsking, type Looking, ordinarily, wanted } from './probe-looking.ts'
import { placeAt, settled } from './probe-places.ts'
import { lookOverSockets } from './probe-sockets.ts'
import { insistOnSpoken, spokenBy } from './probe-spoken.ts'
import { insistOnTime, timesFound } from './probe-times.ts'
import { writeFound } from './probe-written.ts'

/** `plimsoll probe URL`: where an endpoint draws its lines, documented or not. */
export const command: Command<GivenProbeFlags> = {
  builder: (yargs) =>
    probeFlags(yargs)
      .example('$0 probe http://127.0.0.1:8080/', 'every limit that can be looked for')
      .example('$0 probe http://127.0.0.1:8080/upload -m POST --limits body', 'one of them')
      .example(
        '$0 probe http://127.0.0.1:8080/ --limits rate --time 20m',
        'windows of several minutes'
      )
      .example(
        '$0 probe http://127.0.0.1:8080/ --http 2',
        'streams, frames, resets, pings, windows'
      )
      .example('$0 probe ws://127.0.0.1:8080/', 'messages and sockets of a WebSocket')
      .example('$0 probe http://127.0.0.1:8080/ --claims', 'does Retry-After tell the truth?')
      .example('$0 probe http://127.0.0.1:8080/ --write limits', 'and scenarios of what was found')
      .example(
        '$0 probe --via http://127.0.0.1:80/ --origin http://127.0.0.1:3000/',
        'which of the two draws each line?'
      )
      .epilogue(
        'GET becomes POST where a body is sent. Exit codes: 0 all is clear, ' +
          '1 requests fail as the origin closes connections, ' +
          '2 something is not clear, or the service does not answer well. ' +
          'With --claims: 1 a header lies, 4 none says anything.'
      ) as never,
  async handler(given) {
    const options = settled(given)
    insistOnSpoken(options)
    const service = await placeAt(options.url, options)
    const origin =
      options.origin === undefined ? {} : { origin: await placeAt(options.origin, options) }
    const replicas = await Promise.all(options.replicas.map((url) => placeAt(url, options)))
    insistOnTime(options)
    if (options.out !== undefined) openFolder(options.out)
    if (options.write !== undefined) openFolder(options.write, '--write')
    process.exitCode = await withLive(options.ui, 'probe', async (live) => {
      const looking = begin(options, { service, ...origin, replicas, live })
      return perform(looking).finally(() => endAsking(looking))
    })
  }
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
  // What takes too long to answer has no usual answer, and is written down all the same.
  const isTimed = limits.some(({ limit }) => limit === 'response-time')
  const isWritten = usual !== undefined || isTimed
  const written = isWritten ? writeFound(limits, { ...options, usual: usual ?? 0 }) : ''
  if (written !== '') view.note(written)
  const isWhole = limits.length === wanted(options)
  const isAllClear = because === undefined && isWhole && limits.every(isClear)
  const isHeld = options.claims || options.race
  const isFaulty = limits.some(isFault)
  const judged = isHeld ? claimsCode(looking.claims, because) : isFaulty ? 1 : isAllClear ? 0 : 2
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

/** What looks for limits that go with something else than HTTP/1.1. */
const lookOver = { http2: lookOverHttp2, socket: lookOverSockets, grpc: lookOverGrpc }

/**
 * Looks for each limit in turn; returns why nothing could be found out of the service itself, if
 * so.
 */
async function look(looking: Looking): Promise<string | undefined> {
  const { options, limits, view } = looking
  const { note } = view
  const { url, method } = options
  const spoken = spokenBy(options)
  if (spoken !== 'http1') return lookOver[spoken](looking, (entry) => tell(entry, looking))
  const isHeld = options.claims || options.race
  if (!isHeld && options.limits.every((limit) => limit === 'response-time')) {
    // What takes too long to answer has no usual answer.
    for await (const entry of times(looking)) tell(entry, looking)
    return
  }
  let usual: Reply | undefined
  const ask = async () => {
    usual = await ordinarily(looking)
    return usual
  }
  const baseline = await findBaseline(ask, clock)
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
    const { findings, because } = await heldClaims(looking, baseline, usual!)
    looking.claims = findings
    view.found(claimsText(findings))
    return shortfall?.because ?? because
  }
  for await (const entry of found(looking, baseline)) {
    for (const text of withdrawn(limits, looking.told)) note(text)
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
    if (isHttp2Name(limit) || isSocketName(limit) || isRpcName(limit)) continue
    if (isTime(limit) || isOver()) continue
    if (limit === 'rate' || limit === 'keep-alive-race') continue
    view.asks(limit)
    yield await lineOf(limit, looking)
  }
  if (!isOver()) yield* times(looking)
  if (!isOver() && options.limits.includes('keep-alive-race')) {
    view.asks('keep-alive-race')
    yield await raceOf(looking)
  }
  if (isOver() || !options.limits.includes('rate')) return
  view.asks('rate')
  const { entry, found } = await rateOf(looking, baseline)
  yield entry
  if (looking.replicas.length === 0) return
  view.asks('replicas')
  yield await replicasOf(looking, baseline, found)
}

function times({ options, endpoint, ordinary, given, view }: Looking) {
  const { limits: names, upTo, rate: perSecond } = options
  const pace = perSecond === undefined ? {} : { perSecond }
  if (names.some(isTime)) view.asks('times')
  const { leftMs } = given.deadline
  const stopped = given.stop.requested
  return timesFound({ names, endpoint, ordinary, upTo, ...pace, stopped, leftMs, note: view.note })
}

function tell(entry: Entry, { limits, view }: Looking): void {
  limits.push(entry)
  view.found(entryText(entry))
}

async function heldClaims(looking: Looking, baseline: Baseline, usual: Reply): Promise<ClaimsHeld> {
  const { options, client, endpoint, ordinary, given, view } = looking
  const { stop, deadline } = given
  return claimsHeld({
    ...{ client, endpoint, question: ordinary, baseline, usual, stopped: stop.requested },
    ...{ signal: stop.signal, leftMs: deadline.leftMs, note: view.note },
    ...{
      asks: view.asks,
      ask: () => ordinarily(looking),
      mostRequests: options.requests,
      withClaims: options.claims,
      withRace: options.race
    }
  })
}
