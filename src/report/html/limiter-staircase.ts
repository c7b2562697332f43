import type { LimitFound } from '../../verdict/command-found.ts'
import { duration, grouped } from '../quantity.ts'
import { type Markup, markup } from './markup.ts'

type Limiter = { burst: number; perSecond: number; windowMs: number; isWindow: boolean }
type Step = { ms: number; taken: number }

const room = 180

/** Steps that are drawn of one limiter. */
const mostSteps = 400

const round = (value: number) => Math.round(value * 100) / 100

/** A limiter of which enough is known to be drawn. */
function limiterOf({
  algorithm,
  burst,
  perSecond,
  windowMs
}: NonNullable<LimitFound['rate']>): Limiter | undefined {
  if (burst === null || !(burst > 0)) return undefined
  const isWindow = algorithm.includes('window')
  const pace = perSecond ?? (windowMs !== null ? (burst * 1_000) / windowMs : null)
  if (pace === null || !(pace > 0) || !Number.isFinite(pace)) return undefined
  const window = windowMs !== null && windowMs > 0 ? windowMs : (burst * 1_000) / pace
  if (!Number.isFinite(3 * window)) return undefined
  return { burst, perSecond: pace, windowMs: window, isWindow }
}

/** What it lets through of a client that always asks, over three of its windows. */
function stepsOf({ burst, perSecond, windowMs, isWindow }: Limiter): { steps: Step[]; ms: number } {
  const ms = 3 * windowMs
  if (isWindow) {
    const steps = [1, 2, 3].map((turn) => ({ ms: (turn - 1) * windowMs, taken: turn * burst }))
    return { steps, ms }
  }
  const after = Math.min(mostSteps, Math.floor((perSecond * ms) / 1_000))
  const each = (perSecond * ms) / 1_000 / Math.max(1, after)
  const later = Array.from({ length: after }, (_, step) => {
    return { ms: ((step + 1) * ms) / Math.max(1, after), taken: burst + each * (step + 1) }
  })
  return { steps: [{ ms: 0, taken: burst }, ...later], ms }
}

/** The limiter that was found as a staircase: how many are taken of a client that always asks. */
export function limiterStaircase(rate: NonNullable<LimitFound['rate']>): Markup | undefined {
  const limiter = limiterOf(rate)
  if (limiter === undefined) return undefined
  const { steps, ms } = stepsOf(limiter)
  const highest = steps.at(-1)!.taken * 1.08
  const x = (at: number) => round((100 * at) / ms)
  const y = (taken: number) => round(100 - (100 * taken) / highest)
  const points = steps.flatMap(({ ms: at, taken }, index) => {
    const before = index === 0 ? 0 : steps[index - 1]!.taken
    return [`${x(at)},${y(before)}`, `${x(at)},${y(taken)}`]
  })
  const line = [...points, `100,${y(steps.at(-1)!.taken)}`].join(' ')
  const last = round((room * y(highest / 1.08)) / 100)
  const first = round((room * y(limiter.burst)) / 100)
  return markup`<figure class="curve">
<svg class="framed" role="img"
aria-label="What the limiter lets through over ${duration(ms)}"
width="100%" height="${room + 24}">
<line class="grid" x1="0" x2="100%" y1="${first}" y2="${first}"/>
<line class="grid" x1="0" x2="100%" y1="${room}" y2="${room}"/>
<svg x="0" y="0" width="100%" height="${room}" viewBox="0 0 100 100" preserveAspectRatio="none">
<polyline class="response" points="${line}"/>
</svg>
<text x="100%" y="${first - 4}" text-anchor="end">${grouped(limiter.burst)} at once</text>
<text class="on-axis" x="0" dx="-6" y="${last + 4}">${grouped(Math.round(highest / 1.08))}</text>
<text class="on-axis" x="0" dx="-6" y="${room}">0 taken</text>
<text x="0" y="${room + 18}">0</text>
<text x="100%" y="${room + 18}" text-anchor="end">${duration(ms)}</text>
</svg>
<figcaption>${rate.algorithm.replace('-', ' ')}: what is taken of a client that always asks,
${grouped(Number(limiter.perSecond.toPrecision(3)))} a second in the long run</figcaption>
</figure>`
}
