import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** The program of a server whose every request keeps a core busy for so many microseconds. */
export const busyProgram = ({ us, port }: { us: number; port: number }) => `
  const { createServer } = require('node:http')
  const server = createServer((_, reply) => {
    const end = performance.now() + ${us} / 1000
    while (performance.now() < end);
    reply.end('ok')
  })
  server.listen(${port}, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().on('end', () => process.exit())`

/** Starts such a server in a process of its own; it ends with the test. */
export async function startBusy({ us }: { us: number }): Promise<{ url: string }> {
  const child = spawn(process.execPath, ['-e', busyProgram({ us, port: 0 })], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  onTestFinished(() => void child.kill())
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}/` }
}
