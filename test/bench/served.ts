import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A server in a process of its own; it ends with `stop`, or with this process. */
export type Served = { url: string; pid: number; stop: () => void }

/**
 * Starts a program that gives `respond(request, reply)`, as a server on a port of its own; `flags`
 * are Node's.
 */
export async function startServer(program: string, flags: readonly string[] = []): Promise<Served> {
  const source = `${program}
    const server = require('node:http').createServer(respond)
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))
    process.stdin.resume().on('end', () => process.exit())`
  const child = spawn(process.execPath, [...flags, '-e', source], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const [port] = await once(child.stdout, 'data')
  const stop = () => void child.stdin.end()
  return { url: `http://127.0.0.1:${String(port).trim()}`, pid: child.pid!, stop }
}
