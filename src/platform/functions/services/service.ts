import type { Call, Caller, Result } from '../isolate/contract.ts'

/** One service of the platform: what it does, by method. */
export type Service = Record<string, (call: Call, caller: Caller) => Promise<Result>>
