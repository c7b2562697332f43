// How much processor time a request over HTTP/2 costs, beside other load generators: all against
// one nginx, without TLS, one after the other within each round, client and server on a core each.
// `node http2.ts [rounds] [seconds]`
import { numbersOf } from '../usage.ts'
import { machine } from './machine.ts'
import { startNginx } from './nginx.ts'
import { http2Peers } from './peers.ts'
import { compareClients } from './rounds.ts'

const connections = 10
const [rounds, seconds] = numbersOf(import.meta.url, [7, 3])

/** What the project sets itself: requests per processor second, as a multiple of the peer's. */
const goals = { http2: { h2load: 1, undici: 8 } }

console.log(machine())
const { url, stop } = await startNginx({ http2: true })
try {
  for (const pipelining of [10, 100]) {
    // On a busy machine the compiler takes that long until it is through.
    const setting = { url, connections, pipelining, seconds, warmUp: 9 }
    await compareClients(setting, http2Peers(), { ours: ['http2'], rounds, goals })
  }
} finally {
  await stop()
}
