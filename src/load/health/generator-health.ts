import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks'
import type { Timeline } from '../arrivals/timeline.ts'

/** What a thread observes of itself while it generates load. */
export type Observed = {
  /** How long it watched, and the thread's processor time in it. */
  wallMs: number
  cpuMs: number
  /** Share of the time in which the event loop was not waiting; spinning counts as not waiting. */
  eventLoopUtilization: number
  eventLoopDelayP99Us: number
  /** Garbage collection: all pauses together, and the longest one. */
  gcMs: number
  gcLongestMs: number
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

type InFlight = {
  inFlight: () => number
  /** Whether this moment is of the load that is measured. */
  counts: () => boolean
}

const wallAhead = () => Date.now() - (performance.timeOrigin + performance.now())

/** Begins to watch this thread; the function it returns ends that and says what was seen. */
export function watchGenerator(timeline: Timeline, load: InFlight): () => Observed {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const began = timeline.now()
  const cpu = process.threadCpuUsage()
  const loop = performance.eventLoopUtilization()
  const ahead = wallAhead()
  let gcMs = 0
  let gcLongestMs = 0
  const collect = ({ duration }: { duration: number }) => {
    gcMs += duration
    gcLongestMs = Math.max(gcLongestMs, duration)
  }
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(collect))
  observer.observe({ entryTypes: ['gc'] })
  const endLooks = lookInFlight(timeline, load)
  delay.enable()
  return () => {
    delay.disable()
    observer.takeRecords().forEach(collect)
    observer.disconnect()
    const { user, system } = process.threadCpuUsage(cpu)
    return {
      wallMs: timeline.now() - began,
      cpuMs: (user + system) / 1_000,
      eventLoopUtilization: performance.eventLoopUtilization(loop).utilization,
      eventLoopDelayP99Us: delay.percentile(99) / 1_000,
      gcMs,
      gcLongestMs,
      clockStrayMs: wallAhead() - ahead,
      ...endLooks()
    }
  }
}
