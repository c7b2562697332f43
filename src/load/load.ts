/** A stretch of a load during which its level moves in a straight line. */
export type Phase = {
  /** Level at the beginning and at the end: arrivals a second if open, users if closed. */
  from: number
  to: number
  /** How long it lasts; Infinity only in the last phase. */
  seconds: number
  /** Whether arrivals are spaced evenly, or by chance as independent users' are. */
  arrivals: 'even' | 'poisson'
  /** False for warm-up: what arrives in it is asked but not measured. */
  measured: boolean
}

type Shared = {
  phases: Phase[]
  /** Connections kept open, over all workers. */
  connections: number
  /** Requests in flight on one connection at most. */
  pipelining: number
  /** A request without a complete response after this long is given up. */
  timeoutMs: number
}

/** The largest numbers that anybody can mean; what is beyond them is a slip of the pen. */
export const largest = {
  ...{ level: 1e7, connections: 1e5, pipelining: 1e4, timeoutMs: 3_600_000, inFlight: 1e6 }
}

/** Iterations arrive on their own schedule, whatever the target does. */
export type OpenLoad = Shared & {
  model: 'open'
  /** Arrivals in all at most. */
  iterations: number
  /** An arrival that finds this many unfinished ones is dropped, and counted. */
  maxInFlight: number
  /**
   * Whether each thread spends a core on letting arrivals go within microseconds of their moments.
   * Default: it sleeps in between, and lets them go some tens of microseconds late.
   */
  precise?: boolean
}

/** A number of users, each asking again when its last iteration is over. */
export type ClosedLoad = Shared & {
  model: 'closed'
  /** Iterations in all, and of each user, at most; both Infinity when only time ends the load. */
  iterations: number
  iterationsEach: number
  /** Pause of a user after an iteration, drawn evenly from this range. */
  thinkMs: { from: number; to: number }
}

/** How iterations arrive: plain data, the same on every worker. */
export type Load = OpenLoad | ClosedLoad

/** Phases as scenario authors write them: one, or a flight of several such as `stairs` gives. */
export type Phases = Phase | readonly Phase[]

/** What a request is given, unless it is said. */
export const defaultTimeoutMs = 10_000
const defaultConnections = 50

function require(holds: boolean, message: string): void {
  if (!holds) throw new RangeError(message)
}

function phase(from: number, to: number, seconds: number): Phase {
  require(from >= 0 && Number.isFinite(from), `a level cannot be ${from}`)
  require(to >= 0 && Number.isFinite(to), `a level cannot be ${to}`)
  require(seconds > 0, `a phase cannot last ${seconds} s`)
  require(seconds < Infinity || from === to, 'a ramp must end')
  return { from, to, seconds, arrivals: 'even', measured: true }
}

/** The level moves evenly between two values: arrivals a second if open, users if closed. */
export function ramp(options: { from: number; to: number; seconds: number }): Phase {
  return phase(options.from, options.to, options.seconds)
}

/**
 * The level stays: `rate` is arrivals a second of an open load, `users` the users of a closed one.
 */
export function hold(options: { seconds: number } & ({ rate: number } | { users: number })): Phase {
  const level = 'rate' in options ? options.rate : options.users
  return phase(level, level, options.seconds)
}

/** The level rises or falls in `count` equal stairs, the first at `from` and the last at `to`. */
export function stairs(options: {
  from: number
  to: number
  count: number
  seconds: number
}): Phase[] {
  const { from, to, count, seconds } = options
  require(Number.isInteger(count) && count >= 2, `a flight cannot have ${count} stairs`)
  return Array.from({ length: count }, (_, stair) => {
    const level = from + ((to - from) * stair) / (count - 1)
    return phase(level, level, seconds / count)
  })
}

/** The same phases with arrivals spaced by seeded chance (a Poisson process) in place of evenly. */
export function poisson(phases: Phases): Phase[] {
  return [phases].flat().map((phase) => ({ ...phase, arrivals: 'poisson' }))
}

/** The same phases, asked but not measured. */
export function warmUp(phases: Phases): Phase[] {
  return [phases].flat().map((phase) => ({ ...phase, measured: false }))
}

/** How long all phases take, in milliseconds. */
export function durationMs(phases: readonly Phase[]): number {
  return phases.reduce((sum, phase) => sum + phase.seconds * 1_000, 0)
}

/**
 * When all iterations of an open load are expected to have arrived, or its phases to be over, in
 * milliseconds after the start; of a closed one it is not known when its iterations are made.
 */
export function arrivedMs({ phases, iterations }: OpenLoad): number {
  if (iterations === Infinity) return durationMs(phases)
  let left = iterations
  let ms = 0
  for (const { from, to, seconds } of phases) {
    const all = ((from + to) / 2) * seconds
    if (left > all) {
      left -= all
      ms += seconds * 1_000
      continue
    }
    const slope = (to - from) / seconds
    // The root of `from t + slope t² / 2 = left`, written so that it holds without a slope too.
    return ms + (2_000 * left) / (from + Math.sqrt(Math.max(0, from ** 2 + 2 * slope * left)))
  }
  return ms
}

/** When the first measured phase begins, in milliseconds after the start. */
export function measuredFrom(phases: readonly Phase[]): number {
  const first = phases.findIndex(({ measured }) => measured)
  return durationMs(phases.slice(0, Math.max(0, first)))
}

/** The highest level any of the phases reaches. */
export function peak(phases: readonly Phase[]): number {
  return phases.reduce((highest, phase) => Math.max(highest, phase.from, phase.to), 0)
}

function checked<Checked extends Load>(load: Checked): Checked {
  const { connections, pipelining, timeoutMs, iterations, phases } = load
  require(phases.length > 0, 'a load needs at least one phase')
  require(phases
    .slice(0, -1)
    .every((phase) => phase.seconds < Infinity), 'only the last phase can go on for ever')
  require(Number.isInteger(connections) &&
    connections > 0, `cannot open ${connections} connections`)
  require(Number.isInteger(pipelining) && pipelining > 0, `cannot pipeline ${pipelining} requests`)
  require(timeoutMs > 0 && timeoutMs < Infinity, `a timeout cannot be ${timeoutMs} ms`)
  require(iterations > 0, `a load cannot have ${iterations} iterations`)
  return load
}

/**
 * An open load: arrivals at given rates. Spread it to change more: `{ ...open(…), connections: 8
 * }`.
 */
export function open(...phases: Phases[]): OpenLoad {
  const flat = phases.flat()
  const timeoutMs = defaultTimeoutMs
  return checked({
    model: 'open',
    phases: flat,
    connections: defaultConnections,
    pipelining: 1,
    timeoutMs,
    iterations: Infinity,
    // As many as a target that stops answering could leave unanswered before they time out.
    maxInFlight: Math.min(1_000_000, Math.max(1_000, Math.ceil(peak(flat) * timeoutMs * 0.001)))
  })
}

/**
 * What a closed load is made of; one of `seconds`, phases of `users`, or iterations must end it.
 */
export type ClosedOptions = {
  /** How many users, or phases of them; default: one for each place on the connections. */
  users?: number | readonly Phases[]
  /** Default: as many as the most users need, so that none waits for another. */
  connections?: number
  /** Default: 1. */
  pipelining?: number
  seconds?: number
  /** Shared by all users. */
  iterations?: number
  /** Of every user. */
  iterationsEach?: number
  /** One length of pause, or a range. */
  thinkMs?: number | { from: number; to: number }
  timeoutMs?: number
}

/** A closed load: a number of users, each asking again when its last iteration is over. */
export function closed(options: ClosedOptions): ClosedLoad {
  const { pipelining = 1, seconds = Infinity, timeoutMs = defaultTimeoutMs } = options
  const { iterations = Infinity, iterationsEach = Infinity, thinkMs = 0 } = options
  const { users = (options.connections ?? defaultConnections) * pipelining } = options
  const phases = typeof users === 'number' ? [phase(users, users, seconds)] : users.flat()
  require(durationMs(phases) < Infinity ||
    iterations < Infinity ||
    iterationsEach <
      Infinity, 'a closed load must end: give it `seconds`, `iterations` or `iterationsEach`')
  const { connections = Math.ceil(peak(phases) / pipelining) } = options
  const range = typeof thinkMs === 'number' ? { from: thinkMs, to: thinkMs } : thinkMs
  require(range.from >= 0 && range.to >= range.from, 'a pause cannot be negative')
  return checked({
    model: 'closed',
    phases,
    connections,
    pipelining,
    timeoutMs,
    iterations,
    iterationsEach,
    thinkMs: range
  })
}
