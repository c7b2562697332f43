// Runtimes of other makes: what a KB is, what is tolerated, and what pages and records say.

import type { LogLine } from '../../../src/platform/functions/isolate/contract.ts'
import { openIsolates } from '../../../src/platform/functions/isolate/isolates.ts'
import { createTranscript } from '../../../src/platform/functions/isolate/transcript.ts'
import { limitsOn } from '../../../src/platform/functions/limits-on.ts'
import { refusal } from '../../../src/platform/functions/refusal.ts'
import type { slidingWindow, Window } from '../../../src/platform/functions/window.ts'
import type { Head } from './answer-stream.ts'
import { letGoAfter } from './instance-life.ts'
import type { Variant } from './variant.ts'

const about = (
  name: string,
  allowed: string,
  functions: NonNullable<Variant['rules']>['functions'],
  areas: readonly string[]
): Variant => ({
  name,
  allowed,
  rules: { functions },
  areas: areas.map((one) => `functions/${one}`)
})

const sizes = [
  ...['env-variable-size', 'function-size', 'console', 'memory-free', 'memory-bundled'],
  ...['memory-standard', 'exceeded-memory', 'one-operation', 'cache-object-size']
]
const pages = [
  ...['burst', 'daily', 'exceeded-memory', 'cpu-free', 'disconnect', 'same-zone'],
  ...['abuse', 'abuse-refusals']
]
const overruns = ['cpu-free', 'cpu-custom', 'cpu-custom-events', 'cpu-overruns', 'cpu-scheduled']
const lives = [
  ...['memory-free', 'memory-bundled', 'memory-standard', 'exceeded-memory', 'one-operation'],
  ...['eviction', 'instances', 'cpu-free', 'cpu-custom', 'cpu-overruns', 'cpu-scheduled'],
  ...['console', 'deadlock', 'disconnect', 'freed', 'services', 'stored-forms', 'events'],
  ...['subrequests', 'subrequests-behind', 'internal-calls', 'internal-calls-bindings'],
  ...['wait-until', 'wait-until-really', 'plan-moved']
]
const rates = ['burst', 'daily', 'every-way-counts', 'rates-by-account', 'paid-requests']
const windowAllowed = 'where a minute of the burst limit begins is not said'

type WindowSize = Parameters<typeof slidingWindow>[0]

/** A limit that begins anew: with each minute of `origin`, for a key whose first is `first`. */
const fixedWindow =
  (origin: (first: number) => number) =>
  ({ most, windowMs }: WindowSize): Window => {
    const counts = new Map<string, { began: number; taken: number }>()
    return (key, now) => {
      const known = counts.get(key)
      const isOver = known === undefined || now - known.began >= windowMs
      const current = isOver ? { began: origin(now), taken: 0 } : known
      counts.set(key, current)
      if (current.taken >= most) return current.began + windowMs - now
      current.taken++
      return 0
    }
  }

/** A limit that slides, and counts what it refuses as well. */
const strictWindow = ({ most, windowMs }: WindowSize): Window => {
  const asked = new Map<string, number[]>()
  return (key, now) => {
    const recent = (asked.get(key) ?? []).filter((at) => now - at < windowMs)
    asked.set(key, [...recent, now])
    return recent.length < most ? 0 : windowMs
  }
}

/** Two runtimes that know nothing of each other, and have invocations in turn. */
const onTwoServers: typeof openIsolates = (options) => {
  const servers = [openIsolates(options), openIsolates(options)] as const
  let turn = 0
  return {
    check: servers[0].check,
    invoke: (...given) => servers[turn++ % 2]!.invoke(...given),
    evict: (id) => servers.forEach((server) => void server.evict(id)),
    close: async () => void (await Promise.all(servers.map((server) => server.close())))
  }
}

/** Of output that is too much whole lines are left out: the last ones, or the first. */
const wholeLines = (kept: 'first' | 'last'): NonNullable<Variant['rules']>['functions'] => ({
  openIsolates: (options) => openIsolates({ ...options, transcribe: (limit) => lined(limit, kept) })
})

function lined(limit: number, kept: 'first' | 'last') {
  const whole = createTranscript(Infinity)
  return {
    ...whole,
    recorded() {
      const { request, logs, exception } = whole.recorded()
      const others = [request?.url, ...(request?.headers.flat() ?? []), exception?.message]
      let room = limit - Buffer.byteLength(others.join(''))
      const fits = ({ text }: LogLine) => {
        room -= Buffer.byteLength(text)
        return room >= 0
      }
      const those = kept === 'first' ? logs.filter(fits) : logs.toReversed().filter(fits).reverse()
      return { ...whole.recorded(), logs: those, isTruncated: those.length < logs.length }
    }
  }
}

const evictedAllowed = 'nodes are evicted sometimes, how often and for what is not said'
const linesAllowed = 'which of the console output is left out, where it is too much, is not said'

/** Heads that do not tell when to come back. */
const withoutRetry = (head: Head): Head => ({
  ...head,
  headers: head.headers.filter(([name]) => !/^retry-after$/i.test(name))
})

/** Failures are pages for whoever asks. */
const asHtml = (head: Head): Head => ({
  ...head,
  headers: head.headers.map(([name, value]) =>
    head.status >= 400 && /^content-type$/i.test(name) ? [name, 'text/html'] : [name, value]
  )
})

const kbAllowed = 'a KB is 1,000 bytes or 1,024, an MB 1,000,000 or 1,048,576'

/** Platforms whose runtime is another. */
export const functionVariants: readonly Variant[] = [
  about(
    'decimal-sizes',
    kbAllowed,
    {
      limits: {
        variableBytes: { free: 5_000, paid: 5_000 },
        compressedBytes: { free: 1_000_000, paid: 10_000_000 },
        consoleBytes: 128_000,
        cacheObjectBytes: { free: 512e6, bundled: 512e6, unbound: 512e6, standard: 512e6 },
        memoryBytes: { free: 128e6, bundled: 128e6, unbound: 128e6, standard: 128e6 }
      }
    },
    sizes
  ),
  about(
    'minutes-by-the-clock',
    windowAllowed,
    { window: fixedWindow((now) => now - (now % 60_000)) },
    rates
  ),
  about('minutes-from-the-first', windowAllowed, { window: fixedWindow((now) => now) }, rates),
  about(
    'refused-requests-count',
    'whether what is refused counts toward the burst limit is not said',
    { window: strictWindow },
    rates
  ),
  about(
    'pages-in-other-words',
    'what an error page says beside its code is not said',
    { shownCode: (code) => `#${code}.`, errors: { 1101: { status: 502 - 2, because: 'Oops' } } },
    pages
  ),
  about(
    'pages-with-other-numbers',
    'what an error page says beside its code is not said',
    { shownCode: (code) => `1200-${code}` },
    pages
  ),
  about(
    'day-refused-with-503',
    'with which status error 1027 comes is not said',
    { errors: { 1027: { status: 503 }, 1102: { status: 500 } } },
    pages
  ),
  about(
    'day-refused-with-200',
    'with which status error 1027 comes is not said: visitors see a page',
    { errors: { 1027: { status: 200 } } },
    ['daily', 'lifted']
  ),
  {
    ...about(
      'pages-that-say-little',
      'what an error page says beside its code, and with which headers, is not said',
      { shownCode: (code) => `Code ${code}`, errors: { 1027: { status: 503, because: '' } } },
      pages
    ),
    ways: { edge: { head: withoutRetry } }
  },
  {
    ...about(
      'pages-of-html-for-all',
      'error pages have a code; what they are written in, and for whom, is not said',
      { shownCode: (code) => `<b>${code}</b>` },
      [...pages, 'rates-by-account']
    ),
    ways: { edge: { head: (head) => withoutRetry(asHtml(head)) } }
  },
  about(
    'connections-last-come-first',
    'attempts beyond six start when an open connection closes, in which order is not said',
    { isolate: { queueMoves: 'last first' } },
    [
      ...['connections', 'counted-connections', 'deadlock', 'freed', 'held-bodies', 'read-late'],
      ...['ways', 'services', 'disconnect', 'connections-free', 'connections-paid']
    ]
  ),
  about(
    'other-words-for-endings',
    'of the statuses of invocations only Exceeded Memory is shown',
    {
      statuses: {
        ok: 'ok',
        exception: 'exception',
        exceededCpu: 'exceededCpu',
        canceled: 'canceled',
        exceededDuration: 'timeout',
        internal: 'unknown'
      }
    },
    [
      ...['exceeded-memory', 'cpu-free', 'cpu-custom', 'disconnect', 'duration', 'console'],
      ...['wait-until-done', 'duration-of-events', 'exceeded-memory-of-events']
    ]
  ),
  about(
    'no-overrun-tolerated-for-long',
    'how many overruns are occasional is not said',
    { isolate: { overruns: { tolerated: 1, of: 10, factor: 4 } } },
    overruns
  ),
  about(
    'more-overruns-tolerated',
    'how many overruns are occasional is not said',
    { isolate: { overruns: { tolerated: 8, of: 40, factor: 3 } } },
    overruns
  ),
  about(
    'small-overruns-tolerated',
    'how many overruns are occasional is not said',
    { isolate: { overruns: { tolerated: 5, of: 40, factor: 2 } } },
    overruns
  ),
  about(
    'custom-limits-from-100-ms-on',
    'which limits of its own a function can be given is not said',
    {
      limitsOn(plan, limits, cpuMs) {
        if (cpuMs !== undefined && cpuMs < 100) throw refusal('cpu', 'no less than 100 ms')
        return limitsOn(plan, limits, cpuMs)
      }
    },
    ['cpu-custom', 'cpu-custom-events', 'cpu-scheduled', 'startup', 'plan-moved']
  ),
  about(
    'custom-limits-on-paid-plans-only',
    'which functions can be given limits of their own is not said',
    {
      limitsOn(plan, limits, cpuMs) {
        if (cpuMs !== undefined && plan === 'free') throw refusal('cpu', 'not on the free plan')
        return limitsOn(plan, limits, cpuMs)
      }
    },
    ['subrequests', 'cache-calls', 'startup', 'internal-calls-by-plan', 'plan-moved']
  ),
  about(
    'two-servers',
    'one instance runs per server, of which there may be more; nodes are sometimes evicted',
    { openIsolates: onTwoServers },
    [
      ...['eviction', 'memory-free', 'console', 'subrequests', 'connections', 'wait-until', 'env'],
      ...['disconnect', 'services', 'events', 'freed', 'ways', 'deadlock', 'service-binding'],
      ...['duration-of-events', 'exceeded-memory-of-events', 'lifted', 'daily', 'plan-moved'],
      ...['memory-standard', 'one-operation', 'wait-until-really', 'cpu-scheduled'],
      ...['subrequests-behind', 'internal-calls-bindings']
    ]
  ),
  about(
    'instances-let-go-after-some-events',
    evictedAllowed,
    { openIsolates: letGoAfter((chance) => ({ events: 18 + Math.floor(7 * chance()) })) },
    lives
  ),
  about(
    'instances-let-go-after-a-second',
    evictedAllowed,
    { openIsolates: letGoAfter(() => ({ ageMs: 1_000 })) },
    lives
  ),
  about('console-of-whole-lines', linesAllowed, wholeLines('first'), ['console']),
  about('console-of-last-lines', linesAllowed, wholeLines('last'), ['console']),
  about(
    'queues-count-as-external',
    'internal services are the key-value store and stateful objects; of queues nothing is said',
    { isolate: { quota: { queue: 'external', storage: 'internal' } } },
    [
      ...['subrequest-kinds', 'internal-calls', 'internal-calls-mixed', 'internal-calls-by-plan'],
      ...['internal-calls-bindings', 'subrequests', 'subrequests-behind'],
      ...['counted-connections', 'held-bodies', 'freed']
    ]
  )
]
