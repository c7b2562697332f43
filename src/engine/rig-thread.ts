import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../fault.ts'
import { createRig, type Rig, type RigOptions, type TrialTask } from './rig.ts'
import { createStop } from './stop.ts'

/** What a thread of a crew is started with. */
export type ThreadData = { targets: RigOptions[]; stop: SharedArrayBuffer }

/** What a thread is told; it answers each order, in turn, under the order's number. */
export type Order = { id: number; target: number } & (
  | { kind: 'open' }
  | { kind: 'trial'; task: TrialTask }
)

/** The answer to an order: what it brought, or why it failed. */
export type Answer = { id: number; result?: unknown; error?: string }

const { targets, stop } = workerData as ThreadData
const { requested } = createStop(stop)
const rigs: Rig[] = []

async function open(target: number): Promise<void> {
  rigs[target]?.close()
  rigs[target] = createRig(targets[target]!, requested)
  await rigs[target].open()
}

parentPort!.on('message', async (order: Order) => {
  const { id, target } = order
  try {
    const result = await (order.kind === 'open' ? open(target) : rigs[target]!.trial(order.task))
    parentPort!.postMessage({ id, result } satisfies Answer)
  } catch (cause) {
    parentPort!.postMessage({ id, error: messageOf(cause) } satisfies Answer)
  }
})
