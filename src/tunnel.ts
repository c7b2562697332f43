/// <reference path="./undici.d.ts" />
import { connect, isIP, type Socket } from 'node:net'
import buildConnector from 'undici/lib/core/connect.js'
import { type HttpProxy, lookupOf, proxyFailed, type Route } from './route.ts'

/** The answer of a proxy is a few lines; what goes on for longer is none. */
const longestHeadBytes = 16_384

/** Asks a proxy for a way to an address; rejects with an Error that says why there is none. */
function openTunnel(
  proxy: HttpProxy,
  { address, port, timeoutMs }: { address: string; port: number; timeoutMs: number }
): Promise<Socket> {
  const place = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
  const lines = [`CONNECT ${place} HTTP/1.1`, `Host: ${place}`]
  if (proxy.authorization !== undefined) lines.push(`Proxy-Authorization: ${proxy.authorization}`)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ ...proxy, lookup: lookupOf(proxy), noDelay: true })
  const fail = (because: string, code: string) => {
    socket.destroy()
    reject(Object.assign(new Error(`the proxy ${because}`), { code }))
  }
  let head = ''
  const take = () => {
    // Byte by byte nothing is taken that is no longer the proxy's.
    for (let byte = socket.read(1); byte !== null; byte = socket.read(1)) {
      head += (byte as Buffer).toString('latin1')
      if (head.length > longestHeadBytes) return fail('does not speak HTTP', proxyFailed)
      if (!head.endsWith('\r\n\r\n')) continue
      const [line = ''] = head.split('\r\n')
      if (!/^HTTP\/1\.\d 2\d\d/.test(line)) return fail(`says ${line}`, proxyFailed)
      socket.removeAllListeners().setTimeout(0)
      return resolve(socket)
    }
  }
  socket
    .setTimeout(timeoutMs, () => fail('does not answer in time', 'ETIMEDOUT'))
    .on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    .on('readable', take)
    .on('error', ({ message }) => fail(`is not reached: ${message}`, proxyFailed))
    .on('end', () => fail('ended the connection', proxyFailed))
  return promise
}

/**
 * How undici connects along a route: straight to its addresses, or to the first of them through the
 * proxy that the route names. No variable of the environment is asked.
 */
export function connectorAlong(
  route: Route,
  options: buildConnector.BuildOptions & { timeout: number }
): buildConnector.connector {
  const direct = buildConnector({ ...options, ...route.tls, lookup: lookupOf(route) })
  const { proxy, addresses } = route
  if (proxy === undefined) return direct
  return (given, callback) => {
    const isSecure = given.protocol === 'https:'
    const port = Number(given.port) || (isSecure ? 443 : 80)
    const way = { address: addresses[0]!, port, timeoutMs: options.timeout }
    openTunnel(proxy, way).then(
      (socket) => {
        if (isSecure) direct({ ...given, httpSocket: socket }, callback)
        else callback(null, socket)
      },
      (error: Error) => callback(error, null)
    )
  }
}
