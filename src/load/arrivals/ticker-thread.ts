import { readlinkSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { workerData } from 'node:worker_threads'
import { clock } from '../../clock.ts'
import { openTickerMemory } from './ticker-memory.ts'

/** How long before its moment an order is answered, since the answer takes longer than that. */
const leadMs = 0.02

/** How late Linux may end a sleep to end several at once, in nanoseconds; by itself 50,000. */
const slackNs = 1_000

/** Has this thread's sleeps end on time, where the system lets it. */
function sleepLightly(): void {
  try {
    const id = basename(readlinkSync('/proc/thread-self'))
    writeFileSync(`/proc/${id}/timerslack_ns`, `${slackNs}`)
  } catch {
    // Not Linux, or /proc cannot be written to.
  }
}

const memory = openTickerMemory(workerData)
sleepLightly()
memory.setReady()
for (;;) {
  const order = memory.order()
  const left = memory.dueMs() - clock.now() - leadMs
  if (left > 0 && memory.sleep(order, left) !== 'timed-out') continue
  // The moment may be that of an order that has come since.
  if (memory.order() !== order) continue
  memory.answer(order)
  memory.tellUsed(process.threadCpuUsage())
  memory.sleep(order, Infinity)
}
