import type { Reply } from '../client/reply.ts'
import { type Clock, clock as machineClock } from '../clock.ts'
import { against, type Baseline, findBaseline, shortfallOf } from '../limit/baseline.ts'
import type { Boundary } from '../limit/boundary.ts'
import { withType } from '../limit/dimension.ts'
import { probe } from '../limit/probe.ts'
import type { RateLimit } from '../limit/rate-limit.ts'
import type { App, AppAsker, AppQuestion } from './app.ts'
import { refuseMisuse } from './misuse.ts'

/** How an app is asked. */
export type AppOptions = {
  /** Path and query; by default that of the URL, or `/`. */
  path?: string
  method?: string
  headers?: Record<string, string>
  /**
   * Whose time it is: with a clock that is moved by hand, nothing is waited for where the app is in
   * this process and goes by the same one. `until` moves it on to a time, and resolves.
   */
  clock?: Clock
  /** How long an answer is waited for, in ms of the machine's time; default ten seconds. */
  patienceMs?: number
  /** How many a second have to be accepted before it is said that there is no limit; 1,000. */
  upTo?: number
}

/** What of a request a boundary is looked for in. */
export type AppDimension = 'body' | 'url' | 'header'

/** For how long an app is asked about its rate at most, in ms. */
const mostMs = 360_000

/**
 * The same by a clock that is moved by hand, on which windows of a day cost no more than those of a
 * second, and how much of the machine's time that may take.
 */
const moved = { mostMs: 366 * 86_400_000, realMs: 60_000 }

const usualPatienceMs = 10_000
// As it is when this is loaded: a test may have its timers moved by hand by the time it asks.
const { setTimeout: later, clearTimeout: never } = globalThis
const machineMs = performance.now.bind(performance)

/** For how long an app that answers 429 is left alone, twice as long each time, in ms. */
const firstWaitMs = 100
const longestWaitMs = 60_000

/** Finds out how an app limits the rate of requests; rejects where it does not answer. */
export async function limiter(app: App, options: AppOptions = {}): Promise<RateLimit> {
  const isHere = typeof app !== 'string' && !(app instanceof URL)
  refuseMisuse('limiter', options)
  return asking(app, options, async (asker) => {
    const usualLoad = performance.eventLoopUtilization()
    const found = await rateOf(asker, options, options.clock ? 1 : 16)
    const { utilization } = performance.eventLoopUtilization(usualLoad)
    const isDoubtful = isHere && utilization > mostBusy && isByDelay(found)
    if (options.clock || !isDoubtful) return found
    // One at a time none waits for another of ours.
    const again = await rateOf(asker, options, 1)
    if (!isByDelay(again)) return again
    const busy = `this process was busy for ${Math.round(100 * utilization)} % of the time`
    const because = `${busy}, so that answers may have waited for that: ${again.because}`
    return { algorithm: 'unclear', because, repeats: '0/1' }
  })
}

/** Which part of the time a process may be busy whose apps hold answers up, and do not wait. */
const mostBusy = 0.5

/** Whether it is told by how late answers came, as they do as well where all wait for one loop. */
function isByDelay({ algorithm, status }: RateLimit): boolean {
  const isUntold = algorithm === 'unclear' && status === undefined
  const delays = ['leaky-queue', 'queued-window', 'queued-log', 'slow-down']
  return isUntold || delays.includes(algorithm)
}

async function rateOf(asker: AppAsker, options: AppOptions, parallel: number): Promise<RateLimit> {
  const { clock = machineClock, upTo } = options
  const question = ordinary(options, asker)
  // Who takes one at a time is waited for, which takes none where time is moved by hand.
  const mostWaitMs = options.clock && moved.mostMs
  const baseline = await usual(() => asker.ask(question), clock, mostWaitMs)
  const { probeRate } = await import('../limit/rate-probe.ts')
  const began = machineMs()
  const isLong = () => machineMs() - began > moved.realMs
  const given = options.clock
    ? { mostMs: moved.mostMs, stopped: isLong, lookUpMs: Number.POSITIVE_INFINITY }
    : { mostMs, stopped: () => false }
  const found = await probeRate({
    async ask() {
      const reply = await asker.ask(question)
      // Where time is moved by hand an answer takes none, and no window would ever end.
      if (options.clock) await clock.until(clock.now() + 1)
      const answer = against(reply, baseline, { crowding: [], isSame: true })
      return { ...answer, bytes: reply.received }
    },
    ...{ ...given, clock, mostRequests: 20_000, parallel, upTo },
    before: baseline.asked
  })
  return { ...found, because: hereabouts(found.because, options.clock !== undefined) }
}

/** What was found in words that name flags of the command, as they are here. */
function hereabouts(because: string, isMoved: boolean): string {
  const told = because
    .replaceAll('(--up-to rate=N)', '(upTo)')
    .replaceAll(/; --[^;]*/g, '')
    .replaceAll(/ ?\(--[^)]*\)/g, '')
  const ended = /(?:not decided|no more was asked) in [\d,.]+ s$/
  if (!isMoved)
    return told.replace(ended, '$&; a clock moved by hand ({ clock }) has time for longer windows')
  const real = `not decided in ${moved.realMs / 1_000} s of the machine's time`
  return told
    .replace(/: it has to be left alone for [^;]* are left$/, '')
    .replace(ended, '$& by the clock given')
    .replaceAll(/\b\d{4,}(?= s\b)/g, (seconds) => inLong(Number(seconds)))
    .replaceAll(/(?<= (?:h|days)) s\b/g, '')
    .replace(/(?<=; )stopped$/, real)
}

/** Seconds that are many in hours or days, with the unit. */
function inLong(seconds: number): string {
  const hours = seconds / 3_600
  return hours < 48 ? `${hours.toFixed(1)} h` : `${Math.round(hours / 24)} days`
}

/**
 * Finds the largest size that an app accepts, in bytes of body unless `of` says otherwise: at
 * `expected` and one past it first, and anywhere up to `ceiling` where it is not there.
 */
export async function boundary(
  app: App,
  given: AppOptions & { expected?: number; ceiling?: number; of?: AppDimension } = {}
): Promise<Boundary & { status?: number }> {
  refuseMisuse('boundary', given)
  const { expected = 1_000_000, of = 'body', clock = machineClock, ...options } = given
  const { ceiling = 4 * expected } = options
  return asking(app, options, async (asker) => {
    const plain = ordinary(options, asker)
    const sized = (value: number) => asker.ask(sizedQuestion(of, value, plain))
    const smallest = of === 'url' ? plain.path.length + 2 : 1
    const baseline = await usual(() => sized(smallest), clock)
    const statuses = new Map<number, number>()
    const found = await probe({
      ...{ readings: [expected], smallest, resolution: 1, ceiling, repeats: 3 },
      async ask(value) {
        const reply = await sized(value)
        statuses.set(value, reply.status)
        return against(reply, baseline)
      },
      canary: async () => against(await sized(smallest), baseline),
      stopped: () => false
    })
    const status = statuses.get(found.rejected ?? Number.NaN)
    return { ...found, ...(status && { status }) }
  })
}

async function asking<Found>(
  app: App,
  { patienceMs = usualPatienceMs }: AppOptions,
  find: (asker: AppAsker) => Promise<Found>
): Promise<Found> {
  // Every scenario is loaded with this file, and what only some of them use takes long to load.
  const { askerOf } = await import('./app.ts')
  const asker = askerOf(app)
  try {
    return await find({ ...asker, ask: (question) => patiently(asker, question, patienceMs) })
  } finally {
    await asker.close()
  }
}

/** What an app answers; rejects where it does not, since nothing could be told of its limits. */
async function patiently(
  { ask }: AppAsker,
  question: AppQuestion,
  patienceMs: number
): Promise<Reply> {
  const { promise, reject } = Promise.withResolvers<never>()
  const because = `the app did not answer ${question.method} ${question.path} in ${patienceMs} ms`
  const timer = later(() => reject(new Error(because)), patienceMs)
  return Promise.race([ask(question), promise]).finally(() => never(timer))
}

/** What an app usually answers; it may have to recover from what was asked of it just before. */
async function usual(ask: () => Promise<Reply>, clock: Clock, mostMs?: number): Promise<Baseline> {
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    const baseline = await findBaseline(ask, clock, mostMs)
    const isOne = typeof baseline !== 'string'
    const shortfall = isOne ? shortfallOf(baseline) : { blocks: true, because: baseline }
    if (isOne && !shortfall?.blocks) return baseline
    const because = shortfall!.because
    if (!/\b429\b/.test(because) || waitMs > longestWaitMs) {
      throw new Error(`the app does not answer as usual: ${because}`)
    }
    await clock.until(clock.now() + waitMs)
  }
}

function ordinary(options: AppOptions, asker: AppAsker): AppQuestion {
  const { path = asker.path, method = 'GET', headers } = options
  return { path, method, ...(headers && { headers }) }
}

function sizedQuestion(of: AppDimension, size: number, question: AppQuestion): AppQuestion {
  const { path, headers, method } = question
  if (of === 'header')
    return { ...question, headers: { ...headers, 'x-plimsoll': 'a'.repeat(size) } }
  if (of === 'url')
    return { ...question, path: `${path}${path.includes('?') ? '&' : '?'}`.padEnd(size, 'a') }
  const filled = method === 'GET' || method === 'HEAD' ? 'POST' : method
  const typed = Object.fromEntries(withType(Object.entries(headers ?? {})))
  return { ...question, method: filled, headers: typed, body: new Uint8Array(size).fill(97) }
}
