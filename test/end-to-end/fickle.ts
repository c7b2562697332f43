import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { paced } from '../paced.ts'

/** How a target fails: it never answers, answers a byte at a time, or is there no more. */
export type Failing = 'hangs' | 'drips' | 'dies'

/** A target that answers until it is told to fail. */
export type Fickle = {
  url: string
  asked: () => number
  fail(how: Failing): void
  /** Fails once it was asked so often: whoever would ask more meets it, however slow. */
  failAfter(how: Failing, requests: number): void
}

const dripMs = 200

function drip(reply: ServerResponse): void {
  reply.writeHead(200, { 'content-length': 1_000_000 })
  const dripping = setInterval(() => reply.write('x'), dripMs)
  reply.on('close', () => clearInterval(dripping))
}

/** Starts one that ends with the test. */
export async function startFickle(): Promise<Fickle> {
  let failing: Failing | undefined
  let asked = 0
  let later: { how: Failing; requests: number } | undefined
  const take = paced({ atOnce: 4, ms: 4 })
  const server = createServer((_, reply) => {
    asked++
    if (later && asked > later.requests) fail(later.how)
    if (failing === 'drips') drip(reply)
    else if (failing === undefined) take(reply, () => reply.end('ok'))
  })
  function end() {
    server.close()
    server.closeAllConnections()
  }
  function fail(how: Failing) {
    failing = how
    later = undefined
    if (how === 'dies') end()
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(end)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked: () => asked,
    fail,
    failAfter(how, requests) {
      if (requests === 0) fail(how)
      else later = { how, requests }
    }
  }
}
