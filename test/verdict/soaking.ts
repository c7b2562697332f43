import { random } from '../../src/random.ts'
import { createStretches, type Stretch } from '../../src/verdict/stretch.ts'
import { remembering } from '../statistics/noise.ts'

/** What the memory of a simulated server does, in MB; at first it holds 100. */
export type Habit = {
  /** Never given back, an hour. */
  leak?: number
  /** After what share of the soak that begins; from the first on unless given. */
  leakAfter?: number
  /** Cached by the end of the soak, most of it early. */
  fill?: number
  /** What a cache still takes after the soak's first third, and its time constant as a share. */
  settle?: number
  constant?: number
  /** What the logarithm of time adds between the first third and the end. */
  log?: number
  /** What a tooth takes and gives back at once, and how long it is, as a share of the soak. */
  tooth?: number
  toothShare?: number
  /** What a wave as long as that adds and takes, from its middle. */
  wave?: number
  /** What a collector lets pile up before it clears it away, and how long that takes. */
  pile?: number
  collectSeconds?: number
  /** Lost at once, after so much of the soak; how often, evenly from there to the end. */
  step?: number
  stepAfter?: number
  steps?: number
  /** Noise of minutes, in MB. */
  noise?: number
}

/** What a habit adds to the level, at a share of the soak and an hour of it; `from` is a phase. */
function added(habit: Habit, { share, hour, from }: { share: number; hour: number; from: number }) {
  const { leak = 0, leakAfter = 0, fill = 0, settle = 0, constant = 1 / 3, log = 0 } = habit
  const { tooth = 0, wave = 0, toothShare = 0.6, step = 0, stepAfter = 0.6, steps = 1 } = habit
  const kept = (at: number) => Math.exp(-at / constant)
  const each = (1 - stepAfter) / steps
  const taken = share > stepAfter ? Math.min(steps, 1 + Math.floor((share - stepAfter) / each)) : 0
  const phase = share / toothShare + from
  return (
    (share > leakAfter ? leak * hour * (1 - leakAfter / share) : 0) +
    fill * (1 - Math.exp(-4 * share)) +
    (settle * (1 - kept(share))) / (kept(1 / 3) - kept(1)) +
    (log * Math.log1p(60 * share)) / Math.log(61 / 21) +
    tooth * (phase - Math.floor(phase)) +
    wave * Math.sin(2 * Math.PI * phase) +
    step * taken
  )
}

/**
 * The stretches of a soak of a simulated server that is looked at once a second; its first minutes
 * are warm-up, and its memory is noisy for minutes at a time.
 */
export function soaked(hours: number, habit: Habit, seed: number): readonly Stretch[] {
  const { pile = 0, collectSeconds = 75, noise: wide = 1.2 } = habit
  const kept = createStretches()
  const noise = remembering(0.9, random(seed, 'noise'))
  const from = random(seed, 'phase')()
  const lasting = 30
  const count = (hours * 3_600) / lasting
  for (let n = 0; n < count; n++) {
    const hour = (n * lasting) / 3_600
    const level =
      100 +
      20 * (1 - Math.exp(-hour * 12)) +
      added(habit, { share: n / count, hour, from }) +
      wide * noise()
    const piled = Array.from({ length: lasting }, (_, second) => {
      return (pile * ((n * lasting + second + seed) % collectSeconds)) / collectSeconds
    })
    const heap = (level + Math.min(...piled)) * 1e6
    kept.add({ seconds: lasting, voidSeconds: 0, floors: { heap }, process: '1' })
  }
  return kept.all()
}
