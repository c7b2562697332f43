import { newId } from '../kernel/id.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import { type EdgeFunction, functionById } from './function.ts'
import type { Invocation, Run } from './isolate/contract.ts'
import type { FunctionLimits } from './limits.ts'
import { type Batch, dueBatches, nextMessage, settle } from './services/queue.ts'
import { type Alarm, dueAlarms, nextAlarm, settleAlarm } from './services/stateful.ts'
import { dueTriggers, nextTrigger } from './trigger.ts'

/** What functions are started by besides requests: schedules, messages and alarms. */
export type Scheduler = {
  /** Does what is due, and waits for what will be; to be told whenever that may have changed. */
  wake(): void
  /** Starts a function as a schedule does; resolves when that has ended. */
  fire(target: EdgeFunction, cron?: string): Promise<void>
  close(): void
}

/** As often as this the clock is looked at, in case it was moved. */
const longestMs = 60_000
/** How long a failed alarm waits before it goes off again: twice as long each time. */
const firstRetryMs = 2_000

/** Begins to watch the platform's clock. */
export function openScheduler(
  { store, time, limits }: { store: Store; time: Time; limits: FunctionLimits },
  run: (target: EdgeFunction, invocation: Invocation) => Run
): Scheduler {
  const { attempts, batchMessages } = limits
  const busy = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** Work that nothing else of the same name may be done beside; afterwards the rest is due. */
  function during(name: string, work: Promise<void>) {
    busy.add(name)
    const done = () => {
      busy.delete(name)
      wake()
    }
    work.then(done, (error) => {
      process.emitWarning(error)
      done()
    })
  }

  async function fire(target: EdgeFunction, cron = '', scheduledMs = time.now()) {
    await run(target, { ...invocation(), kind: 'scheduled', cron, scheduledMs }).record
  }

  async function deliver(target: EdgeFunction, batch: Batch) {
    const queue = batch.queue.slice(batch.queue.indexOf('/') + 1)
    const { messages } = batch
    const { answer, record } = run(target, { ...invocation(), kind: 'queue', queue, messages })
    const verdict = await answer.then(({ queue }) => queue).catch(() => undefined)
    const isOk = (await record).outcome === 'ok'
    if (!isClosed) settle(store, batch, { verdict, isOk, most: attempts.queue })
  }

  async function ring(target: EdgeFunction, alarm: Alarm) {
    const { address: object, at: scheduledMs } = alarm
    const tried = alarm.attempts + 1
    const event = { kind: 'alarm', object, scheduledMs, attempts: tried } as const
    const { outcome } = await run(target, { ...invocation(), ...event }).record
    if (isClosed) return
    const isOver = outcome === 'ok' || tried >= attempts.alarm
    const again = time.now() + firstRetryMs * 2 ** alarm.attempts
    settleAlarm(store, alarm, isOver ? undefined : again)
  }

  function wake() {
    if (isClosed) return
    const now = time.now()
    for (const { function: id, cron, due } of dueTriggers(store, now))
      fire(functionById(store, id)!, cron, due)
    for (const batch of dueBatches(store, { now, busy, most: batchMessages }))
      during(batch.queue, deliver(functionById(store, batch.function)!, batch))
    for (const alarm of dueAlarms(store, now, busy))
      during(alarm.object, ring(functionById(store, alarm.function)!, alarm))
    const next = [nextTrigger(store), nextMessage(store, busy), nextAlarm(store, busy)]
    const dueMs = Math.min(...next.filter((at) => at !== undefined))
    clearTimeout(timer)
    if (dueMs === Infinity) return
    timer = setTimeout(wake, Math.min(longestMs, Math.max(0, dueMs - time.now()))).unref()
  }

  return {
    wake,
    fire,
    close() {
      isClosed = true
      clearTimeout(timer)
    }
  }
}

function invocation() {
  return { id: newId(), context: { depth: 0 } }
}
