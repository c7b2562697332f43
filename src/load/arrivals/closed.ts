import { random } from '../../random.ts'
import { type ClosedLoad, durationMs, peak } from '../load.ts'
import { numberOf, usersBelow } from '../share.ts'
import type { Beginning, Conditions, Executor } from './executor.ts'
import { levelAt } from './pacer.ts'
import type { Turn } from './turns.ts'

/** How often the number of users follows a ramp, and how often an early stop is looked for. */
const lookMs = 20

type ClosedParts = { load: ClosedLoad; seed: number; turn?: Turn | undefined }

/**
 * Carries out one worker's part of a closed load: each of its users asks, waits, and asks again;
 * where it takes turns with another, only in its own.
 */
export function createClosed(given: Conditions & ClosedParts): Executor {
  const { load, seed, share, timeline, stopped, turn } = given
  const endMs = durationMs(load.phases)
  const chance = random(seed, `think ${share.index}`)
  const users = usersBelow(peak(load.phases), share)
  const total = Math.min(load.iterations, users * load.iterationsEach)
  const made = new Uint32Array(users)
  const isBusy = new Uint8Array(users)
  const over = Promise.withResolvers<number>()
  let iterations: Beginning
  let [wanted, begun, done] = [0, 0, 0]

  const begin = (user: number, due: number) => {
    isBusy[user] = 1
    made[user]!++
    iterations.begin(numberOf(begun++, share), due, user)
  }
  const has = (user: number) => begun < total && made[user]! < load.iterationsEach
  const mayBegin = (user: number, ms: number) =>
    user < wanted && has(user) && ms < endMs && !stopped() && (turn?.take() ?? true)
  const think = (user: number) => {
    const { from, to } = load.thinkMs
    timeline.after(from + (to - from) * chance(), () => {
      const ms = timeline.now()
      if (!mayBegin(user, ms)) isBusy[user] = 0
      else begin(user, ms)
      iterations.flush()
    })
  }
  const beginIdle = (ms: number) => {
    for (let user = 0; user < wanted; user++) {
      if (isBusy[user] === 0 && mayBegin(user, ms)) begin(user, ms)
    }
    iterations.flush()
  }
  const look = () => {
    const ms = timeline.now()
    wanted = usersBelow(levelAt(load.phases, ms), share)
    beginIdle(ms)
    const isLate = stopped() || ms >= endMs + 2 * load.timeoutMs + lookMs
    const isOver = isLate || ((ms >= endMs || done >= total) && begun === done)
    if (isOver) over.resolve(begun - done)
    else timeline.after(lookMs, look)
  }
  return {
    run(given) {
      iterations = given
      turn?.onBegin(() => beginIdle(timeline.now()))
      look()
      return over.promise
    },
    inFlight: () => begun - done,
    begun: () => begun,
    finished(user, end) {
      if (++done === total) over.resolve(0)
      if (!mayBegin(user, end)) isBusy[user] = 0
      else if (load.thinkMs.to > 0) think(user)
      else begin(user, end)
      if (begun === done) turn?.pass()
    }
  }
}
