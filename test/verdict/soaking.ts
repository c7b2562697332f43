import { random } from '../../src/random.ts'
import { createStretches, type Stretch } from '../../src/verdict/stretch.ts'
import { remembering } from '../statistics/noise.ts'

/** What the memory of a simulated server does, in MB; at first it holds 100. */
export type Habit = {
  /** Never given back, an hour. */
  leak?: number
  /** Cached by the end of the soak, most of it early. */
  fill?: number
  /** What a collector lets pile up before it clears it away, and how long that takes. */
  pile?: number
  collectSeconds?: number
  /** Lost at once, after so much of the soak. */
  step?: number
  stepAfter?: number
}

/**
 * The stretches of a soak of a simulated server that is looked at once a second; its first minutes
 * are warm-up, and its memory is noisy for minutes at a time.
 */
export function soaked(hours: number, habit: Habit, seed: number): readonly Stretch[] {
  const { leak = 0, fill = 0, pile = 0, collectSeconds = 75, step = 0, stepAfter = 0.6 } = habit
  const kept = createStretches()
  const noise = remembering(0.9, random(seed, 'noise'))
  const lasting = 30
  const count = (hours * 3_600) / lasting
  for (let n = 0; n < count; n++) {
    const hour = (n * lasting) / 3_600
    const level =
      100 +
      20 * (1 - Math.exp(-hour * 12)) +
      leak * hour +
      fill * (1 - Math.exp((-4 * hour) / hours)) +
      (n > stepAfter * count ? step : 0) +
      1.2 * noise()
    const piled = Array.from({ length: lasting }, (_, second) => {
      return (pile * ((n * lasting + second + seed) % collectSeconds)) / collectSeconds
    })
    const heap = (level + Math.min(...piled)) * 1e6
    kept.add({ seconds: lasting, voidSeconds: 0, floors: { heap }, process: '1' })
  }
  return kept.all()
}
