import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { faultOf, faultText } from '../fault.ts'
import { openDoor } from '../scenario/door.ts'
import type { Told } from './config-file.ts'

const file: string = workerData
const tell = (told: Told) => parentPort!.postMessage(told)

openDoor()
try {
  const { default: config } = await import(pathToFileURL(file).href)
  tell({ config })
} catch (cause) {
  tell({ fault: `does not load: ${faultText(faultOf(cause, file))}` })
}
