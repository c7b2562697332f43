import { workerData } from 'node:worker_threads'
import type { ReaderData } from './reading.ts'
import { recordSources } from './sources.ts'

// What a plan is made of are also the modules that make it: they load once they are recorded.
const { isWatched }: ReaderData = workerData
if (isWatched) recordSources()
await import('./reading.ts')
