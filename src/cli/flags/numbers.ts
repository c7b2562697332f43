import { grouped } from '../../report/quantity.ts'

/** The largest numbers that anybody can mean; what is beyond them is a slip of the pen. */
export const most = {
  /** Threads of one machine. */
  workers: 1_024,
  times: 1e12,
  /** The longest time, and the longest latency that is an objective. */
  hours: 10_000,
  latencyMs: 3_600_000,
  /** Per cent: a budget beyond it could never be overrun. */
  budget: 10_000
}

/** A yargs coercion that lets only numbers above zero pass, up to `top`. */
export function aboveZero(name: string, top: number) {
  return (value: number) => {
    if (value > 0 && value <= top) return value
    throw new Error(`--${name} must be more than 0, and ${grouped(top)} at most`)
  }
}

/** A yargs coercion that lets only numbers from 0 to 100 pass. */
export function percentage(name: string) {
  return (value: number | undefined) => {
    if (value === undefined || (value >= 0 && value <= 100)) return value
    throw new Error(`--${name} must be a percentage, from 0 to 100`)
  }
}

/** A yargs coercion that lets only 1, 2, 3 … pass, up to `top`. */
export function whole(name: string, top = most.times) {
  return (value: number | undefined) => {
    const isWhole = Number.isInteger(value) && value! > 0 && value! <= top
    if (value === undefined || isWhole) return value as number
    throw new Error(`--${name} must be a whole number from 1 to ${grouped(top)}`)
  }
}
