// How much processor time a request costs to who starts a program for it: start and end included.
// `node whole.ts [rounds] [seconds]`
import { numbersOf } from '../usage.ts'
import { machine } from './machine.ts'
import { startNginx } from './nginx.ts'
import { ours, wholePeers } from './peers.ts'
import { compareClients } from './rounds.ts'

const [rounds, seconds] = numbersOf(import.meta.url, [5, 10])
const goals = { uring: {}, wire: {} }

console.log(`${machine()}, whole programs`)
const { url, stop } = await startNginx()
try {
  const setting = { url, connections: 50, pipelining: 1, seconds }
  await compareClients(setting, wholePeers(), { ours, rounds, goals })
} finally {
  await stop()
}
