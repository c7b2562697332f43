// How much processor time a request costs, beside other load generators: all against one nginx,
// one after the other within each round, client and server on a core each.
import { machine } from './machine.ts'
import { startNginx } from './nginx.ts'
import { ours, peers } from './peers.ts'
import { compareClients } from './rounds.ts'

const connections = 50
const [rounds, seconds] = [Number(process.argv[2] ?? 7), Number(process.argv[3] ?? 3)]

/**
 * What the project sets itself: requests per processor second, as a multiple of the peer's, by how
 * many are in flight on each connection.
 */
const goals: Record<(typeof ours)[number], Record<number, Record<string, number>>> = {
  uring: { 1: { wrk: 1.1, autocannon: 2.3, hey: 2 }, 16: { wrk: 1, autocannon: 1.4 } },
  wire: { 1: { wrk: 0.9, autocannon: 1.6, hey: 2 }, 16: { autocannon: 1.4 } }
}

console.log(machine())
const { url, stop } = await startNginx()
try {
  for (const pipelining of [1, 16]) {
    const setting = { url, connections, pipelining, seconds }
    const hold = { uring: goals.uring[pipelining], wire: goals.wire[pipelining] }
    await compareClients(setting, peers(pipelining), { ours, rounds, goals: hold })
  }
} finally {
  await stop()
}
