// How often `probe` names a rate limiter wrongly, or not at all: simulated limiters whose windows
// begin at any time, met over ways with jitter and stalls. Nothing is waited for.
// `node limiters.ts [--runs 10] [--seed 1000] [--used]`; `--used`: by others, until it begins
import type { RateLimit } from '../../src/limit/rate-limit.ts'
import { random } from '../../src/random.ts'
import {
  fixedAligned,
  fixedAnchored,
  identify,
  jitter,
  type Limiter,
  type Size,
  slidingCounter,
  slidingLog,
  spaced,
  tokenBucket
} from '../limit/rate-limiters.ts'
import { flagsOf } from '../usage.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    runs: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1000' },
    used: { type: 'boolean', default: false }
  }
})
const runs = Number(values.runs)
const mostMs = 360_000

type Kind = {
  name: string
  make: (size: Size) => Limiter
  algorithm: RateLimit['algorithm']
  /** Least limit, and least time between two requests in ms, from which it can be told. */
  from?: { limit?: number; spacingMs?: number }
}

const kinds: Kind[] = [
  { name: 'fixed window, by the clock', make: fixedAligned, algorithm: 'fixed-window' },
  { name: 'fixed window, from the first', make: fixedAnchored, algorithm: 'fixed-window' },
  { name: 'sliding log', make: slidingLog, algorithm: 'sliding-log' },
  {
    name: 'sliding counter',
    make: slidingCounter,
    algorithm: 'sliding-counter',
    from: { limit: 5 }
  },
  { name: 'token bucket', make: tokenBucket, algorithm: 'token-bucket' },
  { name: 'spaced', make: spaced, algorithm: 'token-bucket', from: { spacingMs: 100 } }
]

const sizes = [1, 2, 5, 10, 60, 100, 500, 1_000, 5_000].flatMap((limit) =>
  [100, 1_000, 10_000, 60_000]
    .filter((windowMs) => limit <= windowMs / 5)
    .map((windowMs) => ({ limit, windowMs }))
)

/** Of a limit of one, a window or a log from the first request acts as plain spacing does. */
function isRight({ make, algorithm }: Kind, limit: number, found: RateLimit): boolean {
  const isAlike = limit === 1 && (make === fixedAnchored || make === slidingLog)
  return found.algorithm === (isAlike ? 'token-bucket' : algorithm)
}

function meet(kind: Kind, { limit, windowMs }: Omit<Size, 'phaseMs'>, seed: number) {
  const next = random(seed, `${kind.name} ${limit} ${windowMs}`)
  const decide = kind.make({ limit, windowMs, phaseMs: next() * windowMs })
  const before = Array.from({ length: values.used ? 1.2 * limit * next() : 0 }, () => {
    return -windowMs * next()
  })
  for (const ms of before.sort((a, b) => a - b)) decide(ms)
  const found = identify({ decide, latency: jitter(next, 0.2 + 3 * next()) }, { mostMs })
  const burst = kind.make === spaced ? 1 : limit
  const rate = found.perSecond === undefined ? 0 : (found.perSecond * windowMs) / 1_000 / limit - 1
  const isClear = found.algorithm !== 'unclear'
  return {
    isClear,
    isWrong: isClear && !isRight(kind, limit, found),
    isOff: isClear && found.burst !== undefined && found.burst !== burst,
    isOpen: isClear && found.burst === undefined,
    rate: isClear ? Math.abs(rate) : 0
  }
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7)

console.log(`${runs} of each kind and size, at most ${mostMs / 60_000} minutes each`)
console.log(`${''.padEnd(30)}     n  wrong  unclear  burst off  or a range   rate off, at most`)
for (const kind of kinds) {
  const { limit: least = 1, spacingMs = 0 } = kind.from ?? {}
  const met = sizes
    .filter(({ limit, windowMs }) => limit >= least && windowMs / limit >= spacingMs)
    .flatMap((size) => Array.from({ length: runs }, (_, run) => [size, run] as const))
    .map(([size, run]) => meet(kind, size, Number(values.seed) + run))
  const count = (of: (one: (typeof met)[number]) => boolean) => met.filter(of).length
  const wrong = String(count(({ isWrong }) => isWrong)).padStart(5)
  const unclear = percent(count(({ isClear }) => !isClear) / met.length)
  const off = percent(count(({ isOff }) => isOff) / met.length)
  const open = percent(count(({ isOpen }) => isOpen) / met.length)
  const rates = met.map(({ rate }) => rate).sort((a, b) => a - b)
  const [usual, most] = [rates[Math.floor(0.95 * rates.length)]!, rates.at(-1)!].map(percent)
  const head = `${kind.name.padEnd(30)}${String(met.length).padStart(6)}`
  console.log(
    `${head}  ${wrong}  ${unclear}    ${off}     ${open}    ${usual} of 95 %, ${most} of all`
  )
}
