import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The program of a server whose every request keeps a core busy for so many microseconds. */
const program = (us: number) => `
  const { createServer } = require('node:http')
  const server = createServer((_, reply) => {
    const end = performance.now() + ${us} / 1000
    while (performance.now() < end);
    reply.end('ok')
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().on('end', () => process.exit())`

/** A server in a process of its own. */
export type Busy = { url: string; stop: () => void }

/** Starts such a server; it ends with `stop`, or with this process. */
export async function startBusy({ us }: { us: number }): Promise<Busy> {
  const child = spawn(process.execPath, ['-e', program(us)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  const stop = () => void child.stdin.end()
  return { url: `http://127.0.0.1:${String(port).trim()}/`, stop }
}
