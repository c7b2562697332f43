import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { type Fault, faultOf } from '../fault.ts'

/** What came of the code of others: a value, or what it threw. */
export type Confined<Value> = { ok: Value } | { fault: Fault }

/** Work that was begun, and what went wrong that nobody waited for. */
type Charge = {
  /** The scenario whose code it is. */
  owner: string
  file: string
  /** Told of the first thing; nobody is, once the work has ended. */
  onFault: ((fault: Fault) => void) | undefined
}

/** A fault of something that a scenario had left behind when it ended. */
export type Leftover = { kind: 'leftover'; scenario: string; fault: Fault }

/** How long work may go on once something of it threw where nobody waited. */
const graceMs = 2_000

const charges = new AsyncLocalStorage<Charge>()
let isGuarded = false
let latest: Charge | undefined
let tellLeftover: (leftover: Leftover) => void = () => {}

/** What a timer, or a promise that nobody waited for, threw: the fault of whoever began it. */
function onStray(thrown: unknown): void {
  const charge = charges.getStore() ?? latest
  if (charge === undefined) return
  const fault = faultOf(thrown, charge.file)
  if (charge.onFault) charge.onFault(fault)
  else tellLeftover({ kind: 'leftover', scenario: charge.owner, fault })
}

/** What would end the thread, or the whole run, under everybody else. */
function seal(): void {
  const refuse = (what: string) => () => {
    throw new Error(`calls process.${what}, and the run is not a scenario's to end`)
  }
  const { kill, stdout, stderr } = process
  const isOwn = (pid: number) => [process.pid, -process.pid, 0, -1].includes(Number(pid))
  const sealed = {
    exit: refuse('exit'),
    reallyExit: refuse('reallyExit'),
    abort: refuse('abort'),
    kill: (pid: number, signal?: string | number) =>
      isOwn(pid) && signal !== 0 ? refuse('kill on its own process')() : kill(pid, signal)
  }
  Object.assign(process, sealed)
  // Standard output is the report's: with --json there is one document on it, and nothing else.
  stdout.write = stderr.write.bind(stderr)
}

/**
 * Guards this thread, once, against what the code of others could do to everybody else in it; where
 * it is the main thread nothing is changed. `onLeftover` hears of what threw after its work ended.
 */
export function guard(onLeftover: (leftover: Leftover) => void): void {
  if (isMainThread || isGuarded) return
  isGuarded = true
  tellLeftover = onLeftover
  seal()
  process.on('uncaughtException', onStray)
  process.on('unhandledRejection', onStray)
}

/**
 * Does work that runs the code of others, as that of one scenario. Never rejects: whatever is
 * thrown, by the work itself or where nobody waited for it, is its fault.
 */
export async function confined<Value>(
  { owner, file }: { owner: string; file: string },
  work: () => Promise<Value>
): Promise<Confined<Value>> {
  const stray = Promise.withResolvers<{ fault: Fault }>()
  let strayed: { fault: Fault } | undefined
  let grace: NodeJS.Timeout | undefined
  const charge: Charge = {
    owner,
    file,
    onFault(fault) {
      if (strayed) return
      strayed = { fault }
      // Work that goes on meanwhile still holds its locks: it is given time to end by itself.
      grace = setTimeout(() => stray.resolve({ fault }), graceMs)
    }
  }
  latest = charge
  const done = charges.run(charge, async (): Promise<Confined<Value>> => {
    try {
      const ok = await work()
      // What nobody waited for is told only once the promises at hand are done with.
      await turn()
      return { ok }
    } catch (thrown) {
      return { fault: faultOf(thrown, file) }
    }
  })
  const ended = await Promise.race([done, stray.promise])
  clearTimeout(grace)
  charge.onFault = undefined
  return strayed ?? ended
}
