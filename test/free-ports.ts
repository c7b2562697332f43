import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where ports begin that connections are not given: those could be taken again at any moment. */
const lowest = 20_000
/** Where they end: from here on a system gives them to connections. */
const highest = 32_000

/** Takes a port until it is closed; rejects when somebody else has it. */
export async function squatter(port: number): Promise<{ close: () => Promise<unknown> }> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { close: () => once(server.close(), 'close') }
}

/** The first of so many ports in a row that nobody has taken, or was given by this before. */
export async function freePorts(
  count: number,
  first = lowest + 6 * (process.pid % 2_000)
): Promise<number> {
  let from = first
  for (let looks = 0; looks < highest - lowest; looks++, from++) {
    if (from + count > highest) from = lowest
    // All at once, so that two who ask at the same time do not take turns.
    if (isClaimed(from, count) && (await areFree(from, count))) return from
  }
  throw new Error(`there are no ${count} free ports in a row from ${lowest} to ${highest}`)
}

async function areFree(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port++) {
    const found = await squatter(port).catch(() => undefined)
    if (found === undefined) return false
    await found.close()
  }
  return true
}

/** Where each port that was given has a file with the process that it was given to. */
const folder = join(tmpdir(), 'plimsoll-ports')

/** The files that this process has claimed ports by, which several copies of this may share. */
const files = claimedFiles()

function claimedFiles(): Set<string> {
  const place = globalThis as { plimsollPorts?: Set<string> }
  if (place.plimsollPorts) return place.plimsollPorts
  const own = new Set<string>()
  place.plimsollPorts = own
  process.on('exit', () => {
    for (const file of own) rmSync(file, { force: true })
  })
  return own
}

/**
 * Whether ports are this process's now, among all that ask here: who was given one may not have
 * taken it yet, and of two programs that share ports, as two HAProxys do, none would say so.
 */
function isClaimed(first: number, count: number): boolean {
  mkdirSync(folder, { recursive: true })
  const own: string[] = []
  for (let port = first; port < first + count; port++) {
    const file = join(folder, String(port))
    if (files.has(file) || !isWritten(file)) {
      for (const one of own) rmSync(one, { force: true })
      return false
    }
    own.push(file)
  }
  for (const file of own) files.add(file)
  return true
}

function isWritten(file: string): boolean {
  if (isLeft(file)) rmSync(file, { force: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

/** Whether a file is of a process that has ended. */
function isLeft(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
