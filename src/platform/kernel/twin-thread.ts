// A platform in a thread of its own: it tells where it answers, and is ended from outside.
import { parentPort, workerData } from 'node:worker_threads'

const { module, options } = workerData
const { startPlatform } = await import(module)
const { announcement } = await startPlatform(options)
parentPort!.postMessage(announcement)
