import { connect, isIP } from 'node:net'
import autocannon from 'autocannon'
import { bare, type Routes, routeTo } from '../../route.ts'
import { createSample, type Ending } from '../figures/sample.ts'
import { addressOf } from '../http1/dial.ts'
import type { Delivery, Kit, Link, SendTarget } from '../link.ts'
import { durationMs, type Load } from '../load.ts'
import { headerLines, methodOf, originOf, type Request, requestBytes } from '../requests/request.ts'
import { countFailed } from './cause.ts'
import { endingOf } from './failure.ts'
import { noConnections } from './transport.ts'

/** It only looks whether it should stop when it takes a sample, every so many milliseconds. */
const sampleMs = 20

/** Errors in a row after which it is stopped: it connects anew after each one without any pause. */
const errorsInARow = 100

/** What it cannot do with several requests, or with whatever an iteration makes of them. */
const notOne = 'send more than one request'

/** How long one of several addresses is given to answer. */
const reachMs = 1_000

function refuse(holds: boolean, what: string): void {
  if (holds) throw new RangeError(`autocannon cannot ${what}: use the transport "wire" or "undici"`)
}

/**
 * The one request of a load that autocannon can carry out truthfully. Throws a RangeError for all
 * others.
 */
export function feasible(
  load: Load,
  options: { request: unknown; verifyTls?: boolean; traced?: number }
): Request {
  const { request, verifyTls = true, traced = 0 } = options
  const [only, ...more] = [request].flat() as [Request, ...unknown[]]
  refuse(load.model !== 'closed', 'keep an arrival rate')
  refuse(typeof only === 'function' || more.length > 0, notOne)
  refuse(only.events !== undefined, 'listen to events')
  refuse(traced > 0, 'send with each request another context, as --traces asks')
  refuse(load.timeoutMs < 1_000, 'give up a request in less than a second')
  const places = load.connections * load.pipelining
  const isSteady = load.phases.every(({ from, to }) => from === places && to === places)
  refuse(!isSteady, 'have users come and go, or share connections')
  if (load.model === 'closed') {
    refuse(load.thinkMs.to > 0, 'pause between requests')
    refuse(load.iterationsEach < Infinity, 'count the iterations of each user')
    refuse(load.iterations < load.connections, 'use more connections than it makes requests')
  }
  refuse(verifyTls && only.url.startsWith('https:'), 'verify certificates')
  return only
}

/** Whether something listens at an address; it is told in the time a connection may take. */
function listens(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.setTimeout(reachMs, () => end(false))
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}

/** Where a request leads; throws a RangeError where that is nowhere, or under caps. */
function addressesOf({ url }: Request, routes: Routes | undefined): readonly [string, ...string[]] {
  const { origin, hostname } = new URL(url)
  const { addresses, caps, tls } = routeTo(origin, routes)
  const [first, ...others] = addresses
  refuse(caps !== undefined, 'keep to what is authorised')
  refuse(tls !== undefined, 'show a certificate, or know one')
  refuse(first === undefined, `find an address of ${hostname}`)
  return [first!, ...others]
}

/** The first of several addresses that listens, since autocannon knows one. */
async function listening(
  { url }: Request,
  [first, ...others]: readonly [string, ...string[]]
): Promise<string> {
  if (others.length === 0) return first
  const { protocol, port } = new URL(url)
  for (const address of [first, ...others]) {
    if (await listens(address, Number(port) || (protocol === 'https:' ? 443 : 80))) return address
  }
  return first
}

/** A request by an address that was checked: autocannon would ask for the name's again. */
function located({ url }: Request, address: string) {
  const named = new URL(url)
  const { host, hostname } = named
  named.hostname = isIP(address) === 6 ? `[${address}]` : address
  return { url: named.href, host, servername: isIP(bare(hostname)) ? undefined : hostname }
}

function given(request: Request, load: Load, address: string): autocannon.Options {
  const { connections, pipelining, timeoutMs, iterations, phases } = load
  const { url, host, servername } = located(request, address)
  const lines = headerLines(request)
  const isNamed = lines.some(([name]) => name.toLowerCase() === 'host')
  const limit =
    iterations < Infinity ? { amount: iterations } : { duration: durationMs(phases) / 1_000 + 1 }
  return {
    url,
    servername,
    method: methodOf(request) as autocannon.Request['method'],
    headers: { ...(isNamed ? {} : { host }), ...Object.fromEntries(lines) },
    body: request.body === undefined ? undefined : Buffer.from(request.body),
    connections,
    pipelining,
    timeout: timeoutMs / 1_000,
    sampleInt: sampleMs,
    ...limit
  }
}

/** Where a request leads, and which of these addresses is the one that answers. */
type Reach = { addresses: readonly [string, ...string[]]; reached: string }

/** One part of a load, carried out by autocannon at that address. */
function deliver(
  { part: load, timeline, metrics, recorder, stopped }: Kit,
  request: Request,
  { addresses, reached, verifyTls = true }: Reach & Pick<SendTarget, 'verifyTls'>
): Delivery {
  const places = load.connections * load.pipelining
  const endMs = durationMs(load.phases)
  const sample = { ...createSample(), bytesSent: requestBytes(request).length }
  const counts = { ...noConnections(), transport: 'autocannon' }
  const route = metrics.routeNumber(request.route)
  let [finished, errors] = [0, 0]
  // It does not tell of its connections; what it was refused, or not, does.
  const address = addressOf(originOf(request), { verifyTls, route: { addresses } })
  let isReached = false

  const record = (ending: Ending, status: number, bytesReceived: number, ms: number) => {
    const end = timeline.now()
    finished++
    recorder.begin(end - ms)
    const times = { due: end - ms, sent: end - ms, first: end, end }
    recorder.record(Object.assign(sample, { ending, status, route, bytesReceived }, times))
  }
  const run = () =>
    new Promise<number>((resolve, reject) => {
      const { setupClient, halt } = createHalt()
      const instance = autocannon({ ...given(request, load, reached), setupClient }, (error) => {
        clearInterval(timer)
        if (error) reject(error)
        else resolve(load.iterations < Infinity ? 0 : places)
      })
      const timer = setInterval(() => {
        if (stopped() || timeline.now() >= endMs || errors >= errorsInARow) instance.stop()
      }, sampleMs)
      instance.on('response', (client, status, bytes, ms) => {
        if (timeline.now() >= endMs) return halt()
        if (status < 200) return recorder.fault(interims)
        errors = 0
        isReached = true
        counts.protocol = 'HTTP/1.1'
        if (isOrphaned(client, load.pipelining)) recorder.fault(orphans)
        record('answered', status, bytes, ms)
      })
      instance.on('reqError', (error: Error) => {
        if (++errors >= errorsInARow) halt()
        const isLate = error.message === 'request timed out'
        const ending = isLate ? 'timeout' : endingOf(error, { secure: false })
        if (ending === 'refused') countFailed(counts, ending, { address, error })
        else isReached = true
        record(ending, 0, 0, isLate ? load.timeoutMs : 0)
      })
    })
  return {
    run,
    begun: () => finished,
    inFlight: () => places,
    connections: () => ({ ...counts, opened: isReached ? load.connections : 0 })
  }
}

/**
 * Autocannon as a transport: for closed loads of one request, as a cross-check by a program that
 * shares no line with this one. It is only listened to; the counting and the arithmetic are ours.
 * Its connections do not outlast a load.
 */
export function createAutocannon(target: SendTarget): Link {
  const [first] = [target.request].flat()
  let reach: Reach
  return {
    async open() {
      refuse(typeof first === 'function', notOne)
      const addresses = addressesOf(first as Request, target.routes)
      reach = { addresses, reached: await listening(first as Request, addresses) }
    },
    begin: (kit) => deliver(kit, feasible(kit.load, target), { ...target, ...reach }),
    end() {},
    close() {}
  }
}

/**
 * Ends all clients, which then connect no more: where sockets fail at once, or answers come without
 * end, no timer is heard.
 */
function createHalt() {
  const clients: autocannon.Client[] = []
  return {
    setupClient: (client: autocannon.Client) => void clients.push(client),
    halt: () => clients.forEach(destroy)
  }
}

/** Ends a client, which then connects no more. */
function destroy(client: autocannon.Client): void {
  ;(client as unknown as { destroy(): void }).destroy()
}

const interims = new Error('autocannon takes interim responses for answers')

const orphans = new Error(
  'autocannon matches responses with the wrong requests once the target closes a connection'
)

/** Whether a client waits for more responses than it can have asked for. */
function isOrphaned(client: autocannon.Client, pipelining: number): boolean {
  const { pipelinedRequests } = client as unknown as { pipelinedRequests: { size(): number } }
  return pipelinedRequests.size() >= pipelining + 1
}
