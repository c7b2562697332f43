import type { Clock } from '../../src/clock.ts'
import { type Arm, type Arms, oneByOne } from '../../src/engine/pairing.ts'
import { durationMs, type Load } from '../../src/load/load.ts'
import { random } from '../../src/random.ts'
import type { Trial } from '../../src/verdict/trial.ts'
import { trialOfUs } from '../verdict/pairs.ts'

/** What a simulated target does in its n-th trial since it was made anew, and how often it was. */
export type Behaviour = (arm: Arm, n: number, renewals: number, load: Load) => Partial<Trial>

/** Time that passes only while a trial runs, or targets are made anew. */
export function createVirtualClock(): Clock & { pass(ms: number): void } {
  let now = 0
  return {
    now: () => now,
    async until(time) {
      now = Math.max(now, time)
    },
    pass(ms) {
      now += ms
    }
  }
}

/**
 * Two targets that take a millisecond, times what the machine's weather makes of it, which drifts
 * and is the same for both, times noise of a trial's own.
 */
export function createVirtualArms(
  behave: Behaviour,
  options: {
    noise?: number | ((trialMs: number) => number)
    /** What it takes to make them anew, for the n-th time. */
    renewMs?: (n: number) => number
    /** How many times as long as it should a trial takes, as on a machine that others use. */
    slowedBy?: number
  } = {}
) {
  const { noise = 0.02, renewMs = () => 50, slowedBy = 1 } = options
  const clock = createVirtualClock()
  const next = random(7, 'weather')
  const asked: Arm[] = []
  let renewals = 0
  let weather = 0
  let n = 0
  const trial = async (arm: Arm, load: Load): Promise<Trial> => {
    clock.pass(slowedBy * (durationMs(load.phases) + 20))
    asked.push(arm)
    weather = 0.95 * weather + 0.05 * (next() - 0.5)
    const width = typeof noise === 'number' ? noise : noise(durationMs(load.phases))
    const own = width * 2 * (next() - 0.5)
    const changes = behave(arm, n++, renewals, load)
    const factor = Math.exp(weather + own)
    const base = trialOfUs(changes.p50Us === undefined ? 1_000 : changes.p50Us)
    const p50Us = base.p50Us === null ? null : base.p50Us * factor
    return { ...trialOfUs(p50Us), ...changes, p50Us }
  }
  const arms: Arms = {
    async renew() {
      clock.pass(renewMs(renewals++))
      n = 0
    },
    pair: (first, load) => oneByOne(first, (arm) => trial(arm, load))
  }
  return { arms, clock, asked, renewals: () => renewals }
}
