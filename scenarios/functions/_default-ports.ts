import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Context, Look } from 'plimsoll'
import { fetching } from './_command.ts'
import { muteness, told } from './_mute.ts'
import type { Probe } from './_stage.ts'

/** By scheme: its port, and how what comes there begins, in hex: `GET `, and a handshake of TLS. */
const schemes = { http: [80, '47455420'], https: [443, '1603'] } as const

/**
 * Listens at a port of this machine, and tells what the connections there begin with; undefined
 * where somebody else does, or nobody may.
 */
async function listenerAt(port: number) {
  const begun: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      begun.push(bytes.toString('hex', 0, 4))
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  })
  server.listen({ port, host: '127.0.0.1', exclusive: true })
  const isThere = await once(server, 'listening').then(
    () => true,
    () => false
  )
  return isThere ? { begun, [Symbol.dispose]: () => void server.close() } : undefined
}

/**
 * Whether a fetch of a URL that names no port goes to the one of its scheme: of functions that find
 * this machine as itself, and as far as this machine lets somebody listen there.
 */
export async function defaultPorts({ adapter }: Context, probe: Probe): Promise<Look[]> {
  const looks: Look[] = []
  for (const [scheme, [port, beginning]] of Object.entries(schemes)) {
    using listener = await listenerAt(port)
    const url = new URL((await adapter.reach(port)).replace(/^\w+/, scheme)).href
    if (!listener || url !== `${scheme}://127.0.0.1/`) continue
    const asked = `${scheme} without a port`
    const said = await told(probe, () => fetching(url))
    const mute = muteness(asked, said)
    const { begun } = listener
    const holds = begun.length > 0 && begun.every((one) => one.startsWith(beginning))
    const saw = `${begun.length} connections came to ${port}, ${said.reply.because}`
    looks.push(mute ?? { asked, holds, saw, reply: said.reply })
  }
  return looks
}
