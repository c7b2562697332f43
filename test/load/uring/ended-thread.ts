// Threads that each send by a ring, and are ended in the midst of it: `node ended-thread.ts URL N`.
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { closed } from '../../../src/load/load.ts'
import { createPartSender } from '../../../src/load/sender.ts'

const file = new URL(import.meta.url)

async function send(url: string): Promise<void> {
  const load = closed({ users: 8, seconds: 30 })
  const sender = createPartSender({ index: 0, count: 1 })
  await sender.open([{ request: { url }, transport: 'uring', ...load }])
  setTimeout(() => parentPort!.postMessage('sending'), 20)
  await sender.trial(0, { load, seed: 1, stopped: () => false })
}

async function endMany(url: string, count: number): Promise<void> {
  for (let left = count; left > 0; left--) {
    const thread = new Worker(file, { workerData: url })
    await once(thread, 'message')
    await thread.terminate()
  }
  process.stdout.write('all ended\n')
}

if (isMainThread) await endMany(process.argv[2]!, Number(process.argv[3]))
else await send(workerData)
