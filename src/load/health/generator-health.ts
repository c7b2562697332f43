import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import type { Timeline } from '../arrivals/timeline.ts'
import { threadRing } from '../uring/thread-ring.ts'
import { watchStandstill } from './standstill.ts'

/** What a thread observes of itself while it generates load. */
export type Observed = {
  /** How long it watched, and the processor time in it of the thread and of what wakes it. */
  wallMs: number
  cpuMs: number
  /** Share of the time in which the thread was not waiting; spinning counts as not waiting. */
  eventLoopUtilization: number
  /** How late the event loop was, beyond how often it is looked. */
  eventLoopDelayP99Us: number
  /**
   * How long the thread was ready to go on and had no processor, and how often one was taken from
   * it; absent where the system does not tell.
   */
  waitMs?: number
  preempted?: number
  /**
   * How long it was neither idle, nor at work, nor ready for it, as who is stopped by a signal,
   * frozen, or on a machine that is suspended; absent where it was not. A collection of garbage,
   * in which it waits for other threads, is none.
   */
  standstillMs?: number
  /** Share of the machine's time that its host gave to others; absent where it does not tell. */
  stealShare?: number
  /** Garbage collection: all pauses together, and the longest one. */
  gcMs: number
  gcLongestMs: number
  /** The first pauses that can be seen in a latency: when, by the load's time, and how long. */
  pauses?: { atMs: number; ms: number }[]
  /** How far the wall clock strayed from the steady one. */
  clockStrayMs: number
  /** Iterations in flight on the average of so many looks. */
  meanInFlight: number
  looks: number
}

/** How often is looked how many iterations are in flight. */
const lookMs = 10

/** Looks now and then how many iterations are in flight. */
function lookInFlight({ after }: Timeline, { inFlight, counts }: InFlight) {
  let looks = 0
  let sum = 0
  let isOver = false
  const look = () => {
    if (isOver) return
    after(lookMs, look)
    if (!counts()) return
    looks++
    sum += inFlight()
  }
  after(lookMs, look)
  return () => {
    isOver = true
    return { meanInFlight: looks > 0 ? sum / looks : 0, looks }
  }
}

/** What a file of the system says; empty where there is none. */
function told(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** How often the loop is looked at: what is less is no delay. */
const resolutionMs = 10

/** Where steal stands among the columns of /proc/stat, of which the first eight are all time. */
const columns = { steal: 7, all: 8 }

/**
 * How long in ms a thread was ready without a processor, by its schedstat; undefined where the
 * system does not count it: a kernel without that says of every thread that it never ran either.
 */
export function waitedMs(schedstat: string): number | undefined {
  const [ranNs = '', waitedNs] = schedstat.split(' ')
  return Number(ranNs) > 0 && waitedNs !== undefined ? Number(waitedNs) / 1e6 : undefined
}

/** What the system says so far of this thread, and of the machine; undefined where it does not. */
function scheduled() {
  const [, preempted] =
    /^nonvoluntary_ctxt_switches:\s+(\d+)/m.exec(told('/proc/thread-self/status')) ?? []
  const [first = ''] = told('/proc/stat').split('\n')
  const ticks = first
    .split(/\s+/)
    .slice(1, 1 + columns.all)
    .map(Number)
  return {
    waitMs: waitedMs(told('/proc/thread-self/schedstat')),
    preempted: preempted === undefined ? undefined : Number(preempted),
    steal: ticks[columns.steal],
    ticks: ticks.reduce((sum, one) => sum + one, 0)
  }
}

type Scheduled = ReturnType<typeof scheduled>

/** What happened between two readings. */
function scheduledSince(before: Scheduled): Pick<Observed, 'waitMs' | 'preempted' | 'stealShare'> {
  const after = scheduled()
  const more = (of: 'waitMs' | 'preempted' | 'steal') =>
    before[of] === undefined || after[of] === undefined ? undefined : after[of] - before[of]
  const [waitMs, preempted, steal] = [more('waitMs'), more('preempted'), more('steal')]
  const ticks = after.ticks - before.ticks
  return {
    ...(waitMs !== undefined && { waitMs }),
    ...(preempted !== undefined && { preempted }),
    ...(steal !== undefined && ticks > 0 && { stealShare: steal / ticks })
  }
}

/** The share of the time in which a thread had something to do, with a processor or without. */
function busyShare(wallMs: number, cpuMs: number, waitMs = 0): number {
  return wallMs > 0 ? Math.min(1, (cpuMs + waitMs) / wallMs) : 0
}

type InFlight = {
  inFlight: () => number
  /** Whether this moment is of the load that is measured. */
  counts: () => boolean
}

/** Pauses shorter than this are usual, and of the others so many are told. */
const notablePauseMs = 10
const mostPauses = 50

const wallAhead = () => Date.now() - (performance.timeOrigin + performance.now())

/** Begins to watch this thread; the function it returns ends that and says what was seen. */
export function watchGenerator(timeline: Timeline, load: InFlight): () => Observed {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  const began = timeline.now()
  const cpu = process.threadCpuUsage()
  const waking = timeline.wakingMs()
  const before = scheduled()
  const loop = performance.eventLoopUtilization()
  const ahead = wallAhead()
  let gcMs = 0
  let gcLongestMs = 0
  const pauses: NonNullable<Observed['pauses']> = []
  // Entries tell this thread's own time.
  const toLoad = began - performance.now()
  const collect = ({ startTime, duration }: { startTime: number; duration: number }) => {
    gcMs += duration
    gcLongestMs = Math.max(gcLongestMs, duration)
    const isKept = duration >= notablePauseMs && pauses.length < mostPauses
    if (isKept) pauses.push({ atMs: startTime + toLoad, ms: duration })
  }
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(collect))
  observer.observe({ entryTypes: ['gc'] })
  const endLooks = lookInFlight(timeline, load)
  const endBeats = watchStandstill()
  delay.enable()
  return () => {
    delay.disable()
    observer.takeRecords().forEach(collect)
    observer.disconnect()
    const { user, system } = process.threadCpuUsage(cpu)
    const ownMs = (user + system) / 1_000
    const wallMs = timeline.now() - began
    const since = scheduledSince(before)
    const standstillMs = Math.max(0, (endBeats() ?? 0) - gcMs)
    const { utilization } = performance.eventLoopUtilization(loop)
    return {
      wallMs,
      cpuMs: ownMs + timeline.wakingMs() - waking,
      // A thread that waits in its ring is not in its loop, and has nothing to do all the same.
      eventLoopUtilization:
        threadRing() === undefined ? utilization : busyShare(wallMs, ownMs, since.waitMs),
      eventLoopDelayP99Us: Math.max(0, delay.percentile(99) / 1_000 - resolutionMs * 1_000),
      ...since,
      ...(standstillMs > 0 && { standstillMs }),
      gcMs,
      gcLongestMs,
      ...(pauses.length > 0 && { pauses }),
      clockStrayMs: wallAhead() - ahead,
      ...endLooks()
    }
  }
}
