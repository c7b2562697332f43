import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { paced } from '../paced.ts'
import { start } from './plimsoll.ts'

/** How long a load may take to have begun, on however slow a machine. */
const untilMs = 50_000

/** A server that counts what it is asked, and can be waited for to have been asked so much. */
export async function startCounter(address = '127.0.0.1') {
  let asked = 0
  const take = paced({ atOnce: 4, ms: 4 })
  const server = createServer((_, reply) => {
    asked++
    take(reply, () => reply.end('ok'))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const until = async (wanted: number) => {
    const late = performance.now() + untilMs
    while (asked < wanted) {
      if (performance.now() > late) throw new Error(`it was asked ${asked} times, not ${wanted}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://${address}:${port}/`, port, asked: () => asked, until }
}

/** Starts an agent, of one thread if `more` does not say; resolves when it is ready. */
export async function startAgent(redis: string, ...more: string[]) {
  const threads = more.includes('--workers') ? [] : ['--workers', '1']
  const agent = start(['agent', '--redis', redis, ...threads, '--json', ...more])
  const ready = new Promise<string>((resolve) => agent.child.stdout.once('data', resolve))
  onTestFinished(async () => {
    agent.child.kill('SIGKILL')
    await agent.ended
  })
  return { ...agent, id: JSON.parse(await ready).agent as string }
}
