import type { Calls } from '../calls.ts'

const { TransformStream } = globalThis

/** Where a socket leads: `host:port`, or the two apart. */
export type SocketAddress = string | { hostname: string; port: number }

/** Makes the `connect` of the module `edge:sockets`: plain TCP, or TLS with `secureTransport`. */
export function createConnect({ call }: Calls) {
  return (address: SocketAddress, options: { secureTransport?: 'off' | 'on' } = {}) => {
    const { hostname, port } = typeof address === 'string' ? new URL(`tcp://${address}`) : address
    const secure = options.secureTransport === 'on'
    const sending = new TransformStream<Uint8Array, Uint8Array>()
    const receiving = new TransformStream<Uint8Array, Uint8Array>()
    const args = [{ hostname, port: Number(port), secure }]
    const asked = { service: 'socket', method: 'connect', args, body: sending.readable }
    const connected = call(asked)
    const opened = connected.then(({ value }) => value)
    const closed = connected.then(({ body }) => body!.pipeTo(receiving.writable))
    for (const promise of [opened, closed]) promise.catch(() => {})
    opened.catch((error) => receiving.writable.abort(error).catch(() => {}))
    const { readable } = receiving
    const { writable } = sending
    return {
      readable,
      writable,
      opened,
      closed,
      async close(): Promise<void> {
        if (!writable.locked) await writable.close().catch(() => {})
        if (!readable.locked) await readable.cancel().catch(() => {})
        await closed.catch(() => {})
      }
    }
  }
}
