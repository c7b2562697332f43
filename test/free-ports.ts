import { once } from 'node:events'
import { createServer } from 'node:net'

/** Where ports begin that connections are not given: those could be taken again at any moment. */
const lowest = 20_000

/** Takes a port until it is closed; rejects when somebody else has it. */
export async function squatter(port: number): Promise<{ close: () => Promise<unknown> }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { close: () => once(server.close(), 'close') }
}

/** The first of so many ports in a row that nobody has taken. */
export async function freePorts(
  count: number,
  first = lowest + 6 * (process.pid % 2_000)
): Promise<number> {
  for (let port = first; port < first + count; port++) {
    const found = await squatter(port).catch(() => undefined)
    if (found === undefined) return freePorts(count, port + 1)
    await found.close()
  }
  return first
}
