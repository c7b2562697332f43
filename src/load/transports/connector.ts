import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { connectorAlong } from '../../tunnel.ts'
import type { Ending } from '../figures/sample.ts'
import { addressOf } from '../http1/dial.ts'
import { countFailed } from './cause.ts'
import { endingOf } from './failure.ts'
import type { Connections, TransportOptions } from './transport.ts'

/** Makes undici's connections. */
export type Connector = {
  /** Makes one ahead of time, which is kept until undici asks for one. */
  prepare(): Promise<void>
  connect: buildConnector.connector
  /** How a request ended that met with this error. */
  endingOf(error: Error): Ending
  close(): void
}

/** A connector that speaks HTTP/2 where the target offers it; `counts` says what became of all. */
export function createConnector(options: TransportOptions, counts: Connections): Connector {
  const { verifyTls, timeoutMs, now, onConnect, route } = options
  const connect = connectorAlong(route, {
    rejectUnauthorized: verifyTls,
    timeout: timeoutMs,
    allowH2: true,
    preferH2: true
  })
  const { hostname, protocol, port } = new URL(options.origin)
  const target = { hostname, protocol, port }
  const address = addressOf(options.origin, options)
  const made: Socket[] = []
  const endings = new WeakMap<Error, Ending>()
  const make: buildConnector.connector = (given, callback) => {
    const since = now()
    connect(given, (...[error, socket]) => {
      if (error) {
        const ending = endingOf(error, { secure: protocol === 'https:' })
        countFailed(counts, ending, { address, error })
        endings.set(error, ending)
        return callback(error, null)
      }
      counts.opened++
      onConnect(now() - since)
      socket.on('close', () => void counts.lost++)
      counts.protocol = (socket as TLSSocket).alpnProtocol === 'h2' ? 'HTTP/2' : 'HTTP/1.1'
      callback(null, socket)
    })
  }
  return {
    /** Makes one connection ahead of time. */
    prepare: () =>
      new Promise<void>((resolve) => {
        make(target, (...[, socket]) => {
          if (socket) made.push(socket.on('error', () => {}))
          resolve()
        })
      }),
    connect(given, callback) {
      const ready = made.pop()
      if (ready === undefined || ready.destroyed) make(given, callback)
      // Undici is not prepared for a connection that is there before it has finished asking.
      else setImmediate(callback, null, ready)
    },
    endingOf: (error) => endings.get(error) ?? endingOf(error, { secure: false }),
    close() {
      for (const socket of made) socket.destroy()
    }
  }
}
