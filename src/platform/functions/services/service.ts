import type { Call, Caller, Result } from '../isolate/contract.ts'

/** One service of the platform: what it does, by method. */
export type Service = Record<string, (call: Call, caller: Caller) => Promise<Result>>

/** The most that one page of a listing names. */
const mostListed = 1_000

/** How many a page names, whatever a function's code asked for. */
export function pageOf(limit: unknown, most = mostListed): number {
  const asked = limit ?? most
  if (asked === most || (Number.isSafeInteger(asked) && Number(asked) >= 1))
    return Math.min(Number(asked), most)
  throw new RangeError('A limit is a whole number from 1 on.')
}
