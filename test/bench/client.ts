// One measured stretch of one of the clients that run in Node, as a process of its own:
// `node client.ts <client> <url> <connections> <pipelining> <seconds> <seconds before>`.
import { credentials, loadPackageDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import autocannon from 'autocannon'
import { H2CClient } from 'undici'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { rpcRequest } from '../../src/load/grpc/call.ts'
import { readProto } from '../../src/load/grpc/method.ts'
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

const file = new URL('../load/grpc/greeter.proto', import.meta.url).pathname

/** Calls of a method, as `load grpc://…` makes them. */
const withGrpc: Measure = async (seconds) => {
  const method = (await readProto(file, 'demo.Greeter'))('Hello')
  const base = { url: `${new URL(url).origin}${method.path}` }
  const { rpc, ...call } = rpcRequest(base, method, { yourName: 'x' })
  const load = closed({ connections, pipelining, seconds })
  const share = await sendPart({ ...call, grpc: rpc.streams }, load, { transport: 'http2' })
  return () => {
    const { requests, errors, timeouts } = summary(mergeShares([share]))
    if (timeouts > 0 || Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors))
    return requests
  }
}

/** The same by the client of grpc-js. */
const withGrpcJs: Measure = async (seconds) => {
  const { Greeter } = loadPackageDefinition(loadSync(file)).demo
  const options = { 'grpc.use_local_subchannel_pool': 1 }
  const clients = Array.from({ length: connections }, () => {
    return new Greeter(new URL(url).host, credentials.createInsecure(), options)
  })
  const end = performance.now() + seconds * 1_000
  let requests = 0
  const ask = async (one: any) => {
    while (performance.now() < end) {
      await new Promise<void>((resolve, reject) => {
        one.Hello({ yourName: 'x' }, (cause: Error | null) => (cause ? reject(cause) : resolve()))
      })
      requests++
    }
  }
  await Promise.all(clients.flatMap((one) => Array.from({ length: pipelining }, () => ask(one))))
  for (const one of clients) one.close()
  return () => requests
}

const others: Record<string, Measure> = {
  ...{ autocannon: withAutocannon, undici: withUndici, grpc: withGrpc, 'grpc-js': withGrpcJs }
}
const measure = others[client] ?? withPlimsoll
// Stretches before it let the compiler finish, as it has when a load has lasted a while: what it
// made of functions that were made once it gives up when they are made a second time.
for (const part of [0.4, 0.3, 0.3]) await measure(before * part)
const used = process.cpuUsage()
const requests = await measure(seconds)
const { user, system } = process.cpuUsage(used)
console.log(JSON.stringify({ requests: requests(), cpuMs: (user + system) / 1_000 }))
