// One measured stretch of one of the clients that run in Node, as a process of its own:
// `node client.ts <client> <url> <connections> <pipelining> <seconds> <seconds before>`.
import autocannon from 'autocannon'
import { H2CClient } from 'undici'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed } from '../../src/load/load.ts'
import { sendPart } from '../load/ask.ts'

const [client, url, ...numbers] = process.argv.slice(2) as [string, string, ...string[]]
const [connections, pipelining, seconds, before] = numbers.map(Number) as [
  number,
  number,
  number,
  number
]

/** Loads for so long, and says how many requests that were once nothing is measured any more. */
type Measure = (seconds: number) => Promise<() => number>

const withPlimsoll: Measure = async (seconds) => {
  const transport = client as 'wire' | 'uring' | 'http2'
  const share = await sendPart({ url }, closed({ connections, pipelining, seconds }), { transport })
  return () => {
    const { requests, errors, timeouts, transport: sent } = summary(mergeShares([share]))
    if (sent !== client) throw new Error(`what sent is ${sent}`)
    if (timeouts > 0 || Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors))
    return requests
  }
}

const withAutocannon: Measure = async (seconds) => {
  const { requests } = await autocannon({ url, connections, pipelining, duration: seconds })
  return () => requests.total
}

/** Its requests over HTTP/2 without TLS, with as little as can be done about an answer. */
const withUndici: Measure = async (seconds) => {
  const { origin } = new URL(url)
  const clients = Array.from({ length: connections }, () => {
    return new H2CClient(origin, { maxConcurrentStreams: pipelining, pipelining })
  })
  const end = performance.now() + seconds * 1_000
  let requests = 0
  const ask = async (one: H2CClient) => {
    while (performance.now() < end) {
      const { statusCode, body } = await one.request({ path: '/', method: 'GET' })
      await body.dump()
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
      requests++
    }
  }
  await Promise.all(clients.flatMap((one) => Array.from({ length: pipelining }, () => ask(one))))
  await Promise.all(clients.map((one) => one.close()))
  return () => requests
}

const others: Record<string, Measure> = { autocannon: withAutocannon, undici: withUndici }
const measure = others[client] ?? withPlimsoll
// Stretches before it let the compiler finish, as it has when a load has lasted a while: what it
// made of functions that were made once it gives up when they are made a second time.
for (const part of [0.4, 0.3, 0.3]) await measure(before * part)
const used = process.cpuUsage()
const requests = await measure(seconds)
const { user, system } = process.cpuUsage(used)
console.log(JSON.stringify({ requests: requests(), cpuMs: (user + system) / 1_000 }))
