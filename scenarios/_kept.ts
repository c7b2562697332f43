import { Agent, type ClientRequest, request } from 'node:http'
import { request as requestSecurely, Agent as SecureAgent } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Asked, type Connection, patienceMs, type Question, type Told } from './_http2.ts'
import { jsonOf, pieces } from './_http2-stream.ts'

/**
 * Asks whom a client asks, over HTTP/1.1 and one connection, as long as that is kept there; a body
 * of no announced length goes in chunks.
 */
export function keptTo({ url, headers, reach }: Asked): Connection | undefined {
  const { addresses, tls, proxy } = reach.route
  // What tunnels connections is not gone through here.
  if (proxy !== undefined) return undefined
  const { protocol, hostname, host, port } = new URL(url)
  const isSecure = protocol === 'https:'
  const at = { host: addresses[0]!, port: Number(port) || (isSecure ? 443 : 80) }
  const proof = { servername: hostname, ...tls, rejectUnauthorized: reach.verifyTls }
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 })
  const options = { ...at, ...(isSecure && proof), agent }
  const begin = isSecure ? requestSecurely : request
  return {
    async ask(question) {
      if ((await reach.turn()) === false) return 'no answer'
      const { method, path, headers: own = {} } = question
      // Those said in several fields come so, but for cookies, of which there is one.
      const named = { ...headers, host: headers.host ?? host, ...own }
      return answered(begin({ ...options, method, path, headers: named }), question)
    },
    close: () => agent.destroy()
  }
}

function answered(asked: ClientRequest, { body, forMs, restMs }: Question): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>()
  let isOver = false
  asked.on('response', (response) => {
    const { statusCode: status = 0, headers } = response
    const own = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
    const isTold = (all: string) => {
      isOver = body !== 'held back'
      resolve({ status, headers: Object.fromEntries(own), text: all, json: jsonOf(all) })
    }
    // What nobody reads waits.
    const take = () => void text(response).then(isTold, () => resolve('no answer'))
    if (restMs === undefined) take()
    else setTimeout(take, restMs)
  })
  asked.on('error', () => resolve('no answer'))
  // Leave to send what is held back is no answer, and none comes any more.
  if (body === 'held back') asked.on('continue', () => resolve('no answer'))
  const timer = setTimeout(() => resolve('no answer'), forMs ?? patienceMs)
  if (body === 'held back') asked.flushHeaders()
  else if (typeof body === 'number') Readable.from(pieces(body)).pipe(asked)
  else {
    if (body !== undefined) asked.write(body)
    asked.end()
  }
  return promise.finally(() => {
    clearTimeout(timer)
    if (!isOver) asked.destroy()
  })
}
