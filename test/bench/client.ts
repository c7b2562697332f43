// One measured stretch of one of the clients that run in Node, as a process of its own:
// `node client.ts <wire|uring|autocannon> <url> <connections> <pipelining> <seconds>`.
import autocannon from 'autocannon'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed } from '../../src/load/load.ts'
import { sendPart } from '../load/ask.ts'

const [client, url, ...numbers] = process.argv.slice(2) as [string, string, ...string[]]
const [connections, pipelining, seconds] = numbers.map(Number) as [number, number, number]

/** Loads for so long, and says how many requests that were once nothing is measured any more. */
type Measure = (seconds: number) => Promise<() => number>

const withPlimsoll: Measure = async (seconds) => {
  const transport = client as 'wire' | 'uring'
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

const measure = client === 'autocannon' ? withAutocannon : withPlimsoll
// A first stretch lets the compiler finish, as it has when a load has lasted a while.
await measure(1)
const before = process.cpuUsage()
const requests = await measure(seconds)
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ requests: requests(), cpuMs: (user + system) / 1_000 }))
