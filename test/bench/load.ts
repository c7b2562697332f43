// How much processor time a request costs, beside other load generators: all against one nginx,
// one after the other within each round, client and server on a core each.
// `node load.ts [rounds] [seconds] [clients to compare with, as wrk,ab]`
import { flagsOf } from '../usage.ts'
import { machine } from './machine.ts'
import { startNginx } from './nginx.ts'
import { ours, peers } from './peers.ts'
import { compareClients } from './rounds.ts'

const connections = 50
const { positionals } = flagsOf(import.meta.url, { allowPositionals: true })
const [rounds, seconds] = [Number(positionals[0] ?? 7), Number(positionals[1] ?? 3)]
/** Many short rounds against one client tell more, on a machine whose speed changes, than few. */
const only = positionals[2]?.split(',')
/** After so many seconds nothing is compiled any more. */
const warmUp = 2

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
    const setting = { url, connections, pipelining, seconds, warmUp }
    const hold = { uring: goals.uring[pipelining], wire: goals.wire[pipelining] }
    const { present, absent } = peers(pipelining)
    const isAsked = (name: string) => ours.some((our) => our === name) || only!.includes(name)
    const clients = only ? present.filter(({ name }) => isAsked(name)) : present
    const compared = { present: clients, absent: only ? [] : absent }
    await compareClients(setting, compared, { ours, rounds, goals: hold })
  }
} finally {
  await stop()
}
