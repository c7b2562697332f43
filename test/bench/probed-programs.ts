// What the servers of `bench:probe` have in common: programs that listen and end with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/random.ts'

/** One limit of a server: what `--limits` looks for, and what of the answer has to be how. */
export type Probed = {
  name: string
  url: string
  limits: string
  /** Fields of the entry; numbers to 3 %, whole numbers of requests and bytes to the unit. */
  truth: Record<string, unknown>
}

/** A whole number from `least` to `most`. */
export function between(next: Random, least: number, most: number): number {
  return least + Math.floor(next() * (most - least + 1))
}

/** Programs that end with the bench, and their folder. */
export type Programs = { folder: string; stops: (() => Promise<unknown>)[] }

/** Serves from this process on a port of its own. */
export async function listen(handler: RequestListener, { stops }: Programs, options = {}) {
  const server = createServer(options, handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return { server, port: (server.address() as AddressInfo).port }
}

/** Starts a program and waits until it listens; rejects where it ends at once. */
export async function start(
  command: string,
  args: string[],
  { port, folder, stops }: Programs & { port: number }
) {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = `${said}${text}`.slice(-2_000)
  })
  const ended = once(child, 'exit')
  stops.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`${command} ended at once: ${said}`)
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isThere) return
    await sleep(50)
  }
  throw new Error(`${command} does not listen`)
}

/** Answers all of a request, once all of it is there; nothing where it is given up before. */
export const answering: RequestListener = async (request, response) => {
  try {
    for await (const _ of request);
    response.end('hello\n')
  } catch {
    response.destroy()
  }
}
