import { closeSync, openSync, readSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

/** How long it was between two beats, and of that on a processor, or ready for one; ms. */
export type Beat = { wallMs: number; ranMs: number; waitMs: number }

/** How often a beat is due. A thread may be idle for so long between two, and no longer. */
export const beatMs = 10

/** A timer is late by less of itself, and times on a processor are told as late as by a tick. */
const slackMs = 5

/**
 * How long a thread stood still between two beats, as who is stopped by a signal, frozen, or on a
 * machine that is suspended: the second one is late, and neither work nor a wait accounts for it.
 */
export function stoodStillMs({ wallMs, ranMs, waitMs }: Beat): number {
  const lateMs = wallMs - beatMs - ranMs - waitMs
  return lateMs > slackMs ? lateMs : 0
}

/** What a schedstat says, in ms; undefined where the system counts nothing. */
function timesIn(schedstat: string): Omit<Beat, 'wallMs'> | undefined {
  const [ranNs = '', waitNs] = schedstat.split(' ')
  if (!(Number(ranNs) > 0) || waitNs === undefined) return
  return { ranMs: Number(ranNs) / 1e6, waitMs: Number(waitNs) / 1e6 }
}

/** This thread's times so far by its schedstat, which stays open; undefined where there is none. */
function openTimes() {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r')
    const bytes = Buffer.alloc(128)
    return {
      read: () => timesIn(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0))),
      close: () => closeSync(file)
    }
  } catch {
    return
  }
}

/**
 * Has this thread beat; the function returned ends that and says for how long in ms it stood still
 * in all, or nothing where the system does not tell.
 */
export function watchStandstill(): () => number | undefined {
  const times = openTimes()
  let before = times?.read()
  if (times === undefined || before === undefined) {
    times?.close()
    return () => undefined
  }
  let sumMs = 0
  let beganMs = performance.now()
  const beat = () => {
    const [now, after] = [performance.now(), times.read() ?? before!]
    const [ranMs, waitMs] = [after.ranMs - before!.ranMs, after.waitMs - before!.waitMs]
    sumMs += stoodStillMs({ wallMs: now - beganMs, ranMs, waitMs })
    before = after
    beganMs = now
  }
  const timer = setInterval(beat, beatMs).unref()
  return () => {
    clearInterval(timer)
    beat()
    times.close()
    return sumMs
  }
}
