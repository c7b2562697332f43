import { parentPort, workerData } from 'node:worker_threads'
import type { FromGuest, GuestData, ToGuest } from '../message.ts'
import { openSharedTurn } from '../shared-turn.ts'
import { createGuest } from './guest.ts'

// The thread that functions run on. From here on there is nothing but messages.
const port = parentPort!
const postMessage = port.postMessage.bind(port)
const { sharedTurn } = workerData as GuestData
const { take } = createGuest({
  sharedTurn: openSharedTurn(sharedTurn),
  post: (message: FromGuest) => postMessage(message)
})
port.on('message', (message: ToGuest) => take(message))
