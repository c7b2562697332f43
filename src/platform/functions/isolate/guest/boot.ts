import { parentPort, workerData } from 'node:worker_threads'
import type { FromGuest, GuestData, ToGuest } from '../message.ts'
import { shareMemory } from '../shared.ts'
import { createGuest } from './guest.ts'

// The thread that functions run on. From here on there is nothing but messages.
const port = parentPort!
const { shared } = workerData as GuestData
const { take } = createGuest({
  shared: shareMemory(shared),
  post: (message: FromGuest) => port.postMessage(message)
})
port.on('message', (message: ToGuest) => take(message))
