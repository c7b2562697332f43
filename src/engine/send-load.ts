import { createMeter } from '../caps.ts'
import { clock } from '../clock.ts'
import { Faulty } from '../fault.ts'
import { hdr } from '../load/figures/hdr.ts'
import { heardOfLost } from '../load/figures/lost-parts.ts'
import { idle, type LoadResult, mergeShares, type ShareResult } from '../load/figures/result.ts'
import {
  between,
  createLiveMemory,
  type Reading,
  readLive,
  type Window
} from '../load/health/live-counters.ts'
import { durationMs, type Load } from '../load/load.ts'
import { headStartMs, usefulWorkers } from '../load/share.ts'
import type { FinalSilence } from '../verdict/final-silence.ts'
import type { Objectives } from '../verdict/judge-load.ts'
import {
  AllLost,
  type Destination,
  type LoadWorker,
  type LoadWorkers,
  Refused
} from './load-worker.ts'
import { createObjectiveWatch } from './objective-watch.ts'
import { createSilenceWatch } from './silence-watch.ts'
import { createStop, type Stop, Stopped } from './stop.ts'

/** One load for a sender. */
export type Sending = {
  load: Load
  seed: number
  /** Hears at the start, and four times a second from then on, how it goes. */
  onReading?: (reading: Reading) => void
  /** Ends this load, and not what comes after it. */
  signal?: AbortSignal
}

/** Sends loads over connections that stay from one to the next, by all of its workers. */
export type Sender = {
  /**
   * Makes all connections to these destinations, anew where there were some. Rejects with
   * `Stopped`, as `trial` does, and with `AllLost` where a worker is gone.
   */
  open(destinations: readonly Destination[], withinMs?: number): Promise<void>
  /**
   * Sends a load to the n-th destination, each worker its part of it. A stop cuts it short. Rejects
   * with `AllLost` where no worker is left that brought anything home, or had told anything.
   */
  trial(destination: number, sending: Sending): Promise<LoadResult>
  /**
   * Sends a closed load to each of several destinations, in turns of an iteration or a few, so that
   * what disturbs one disturbs all; with results in the same order. Rejects as `trial` does.
   */
  inTurns(destinations: readonly number[], sending: Sending): Promise<LoadResult[]>
  close(): Promise<void>
}

const readEveryMs = 250

/** Tells `onReading` how a load goes on, until the function returned is called. */
function watch(
  memories: SharedArrayBuffer[],
  startAt: number,
  onReading: (reading: Reading) => void
): () => void {
  const read = () => onReading(readLive(memories, Math.max(0, clock.now() - startAt)))
  const timer = setInterval(read, readEveryMs)
  read()
  return () => clearInterval(timer)
}

/** The same work; rejects with `Stopped` when it is not done so long after a stop. */
function hurried<Value>(
  work: Promise<Value>,
  { signal }: Stop,
  patienceMs: number
): Promise<Value> {
  const tooLate = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const hurry = () => {
    const stopped = new Stopped('stopped before it had ended')
    timer = setTimeout(tooLate.reject, patienceMs, stopped)
  }
  if (signal.aborted) hurry()
  else signal.addEventListener('abort', hurry)
  return Promise.race([work, tooLate.promise]).finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', hurry)
  })
}

/** Whether a worker says why it did not send; whatever else one throws, it is lost. */
const isAnswer = (cause: unknown) =>
  [Stopped, Refused, Faulty].some((kind) => cause instanceof kind)

/** What to throw where nothing came of any of these: an answer, if one of them is, or the loss. */
function lossOf(causes: readonly Error[]): Error {
  const reasons = new Set(causes.map(({ message }) => message))
  return causes.find(isAnswer) ?? new AllLost([...reasons].join('; '), { cause: causes[0] })
}

/**
 * Puts together what there is of a load whose parts ended like this. A part that was lost spoils
 * the load, and not what the others measured, nor what it had told in its live memory; throws when
 * that is nothing.
 */
function gathered(
  load: Load,
  parts: readonly PromiseSettledResult<ShareResult>[],
  memories: readonly SharedArrayBuffer[]
): LoadResult {
  const shares = parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : []))
  const lost = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason as Error] : []))
  const told = heardOfLost(memories.filter((_, index) => parts[index]!.status === 'rejected'))
  if (shares.length === 0 && told === undefined) throw lossOf(lost)
  const reasons = [...new Set(lost.map(({ message }) => message))]
  return { ...mergeShares(shares.length > 0 ? shares : [idle(load)], reasons), told }
}

/** What came of a worker's part, to the n-th of those it went to. */
function partTo(
  part: PromiseSettledResult<ShareResult[]>,
  at: number
): PromiseSettledResult<ShareResult> {
  return part.status === 'fulfilled' ? { ...part, value: part.value[at]! } : part
}

/** Has everybody who wants to know hear of a load to a destination until it has ended. */
function hearing(
  { observe }: LoadWorkers,
  load: {
    destination: Destination
    memories: SharedArrayBuffer[]
    startAt: number
    onReading: Sending['onReading']
  }
) {
  const { destination, memories, startAt, onReading } = load
  for (const { caps } of Object.values(destination.routes ?? {})) {
    if (caps) createMeter(caps).begin(startAt)
  }
  const observed = observe?.begin(destination, startAt)
  const see = (reading: Reading) => {
    onReading?.(reading)
    observed?.see(reading)
  }
  const unwatch = (onReading ?? observed) && watch(memories, startAt, see)
  return {
    memories,
    /** Stops it; throws what the result throws. */
    ended(result: () => LoadResult): LoadResult {
      unwatch?.()
      observed?.see(readLive(memories, Math.max(0, clock.now() - startAt)))
      const found = result()
      observed?.end(found)
      return found
    }
  }
}

/** A sender of no connections yet; at most as many of the workers take part as have one each. */
export function createSender(workers: LoadWorkers, stop: Stop): Sender {
  const { patienceMs } = workers
  let destinations: readonly Destination[] = []
  let used: readonly LoadWorker[] = []
  const each = <Value>(order: (worker: LoadWorker, index: number) => Promise<Value>) =>
    used.map((worker, index) => hurried(order(worker, index), stop, patienceMs))
  const send: Sender['inTurns'] = async (to, { load, seed, onReading, signal }) => {
    // The load may end before the run does, and ends when the run is stopped.
    const own = createStop()
    const ends = [stop.signal, ...(signal ? [signal] : [])]
    if (ends.some(({ aborted }) => aborted)) own.request()
    for (const end of ends) end.addEventListener('abort', own.request)
    const leadMs = workers.leadMs()
    const startAt = clock.now() + leadMs
    const heard = to.map((one) => {
      const memories = used.map(() => createLiveMemory())
      return hearing(workers, { destination: destinations[one]!, memories, startAt, onReading })
    })
    const { traced } = workers.observe ?? {}
    const order = { to, load, seed, startAt, stop: own.buffer, traced }
    const limitMs = leadMs + durationMs(load.phases) + 2 * load.timeoutMs
    const parts = await Promise.allSettled(
      each((worker, index) => {
        const live = heard.map(({ memories }) => memories[index]!)
        return worker.trial({ ...order, live }, limitMs)
      })
    )
    for (const end of ends) end.removeEventListener('abort', own.request)
    return heard.map(({ ended }, at) =>
      ended(() =>
        gathered(
          load,
          parts.map((part) => partTo(part, at)),
          heard[at]!.memories
        )
      )
    )
  }
  return {
    async open(given, withinMs = Infinity) {
      destinations = given
      used = workers.all.slice(0, Math.min(...given.map(({ connections }) => connections)))
      const count = used.length
      const longest = given.map(({ connections, timeoutMs }) => connections * timeoutMs)
      const limitMs = Math.min(withinMs, Math.max(...longest))
      const order = { destinations: given, withinMs }
      const opened = each((worker, index) =>
        worker.open({ ...order, share: { index, count } }, limitMs)
      )
      await Promise.all(opened).catch((cause) => {
        throw lossOf([cause])
      })
    },
    trial: async (destination, sending) => (await send([destination], sending))[0]!,
    inTurns: send,
    async close() {
      await Promise.allSettled(each((worker) => worker.close()))
    }
  }
}

/** Makes the connections to these destinations, lets `work` use them, and closes them. */
export async function withSender<Result>(
  { workers, stop, withinMs }: { workers: LoadWorkers; stop: Stop; withinMs?: number },
  destinations: readonly Destination[],
  work: (sender: Sender) => Promise<Result>
): Promise<Result> {
  // What adds up the parts is read before their connections have taken all descriptors.
  hdr()
  const sender = createSender(workers, stop)
  try {
    await sender.open(destinations, withinMs)
    return await work(sender)
  } finally {
    await sender.close()
  }
}

/** What a load came to, which of its objectives it broke on the way, and how silent it ended. */
export type Sent = { result: LoadResult; broken: string[]; silence?: FinalSilence | undefined }

/** Sends one load: makes the connections, carries it out over them, and closes them again. */
export async function sendLoad(options: {
  load: Load
  seed: number
  destination: Pick<Destination, 'source' | 'transport' | 'verifyTls' | 'routes'>
  workers: LoadWorkers
  stop: Stop
  /** Hears four times a second what happened since the last time. */
  onWindow?: (window: Window) => void
  /** Objectives to watch; the load ends once they cannot be met any more. */
  objectives?: Objectives
}): Promise<Sent> {
  const { load, seed, destination, workers, stop, onWindow, objectives = {} } = options
  const { connections, pipelining, timeoutMs } = load
  const { source } = destination
  const useful = workers.all.slice(0, usefulWorkers(load, workers.all.length))
  const hopeless = new AbortController()
  const onHopeless = () => hopeless.abort()
  const vigil = createObjectiveWatch({ load, seed, source, objectives, onHopeless })
  const silence = createSilenceWatch({ load, seed })
  let earlier: Reading | undefined
  const onReading = (reading: Reading) => {
    if (earlier) onWindow?.(between(earlier, reading))
    earlier = reading
    vigil.see(reading)
    silence.see(reading)
  }
  // A target that makes no connections is loaded all the same, and fails what it is asked.
  const given = { workers: { ...workers, all: useful }, stop, withinMs: headStartMs(load) }
  const sent = [{ ...destination, connections, pipelining, timeoutMs }]
  const result = await withSender(given, sent, (sender) =>
    sender.trial(0, { load, seed, onReading, signal: hopeless.signal })
  )
  return { result, broken: vigil.broken(), silence: silence.found(result) }
}
