import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../client/client.ts'
import { isAnswered } from '../client/reply.ts'
import type { Route } from '../route.ts'
import type { Usage } from '../verdict/trial.ts'
import { Failure } from './failure.ts'
import { isRunning, usageOf } from './process-usage.ts'

/** A command that serves a URL, started and ended by this process. */
export type Service = {
  /** What its processes have spent so far; undefined where the system does not tell. */
  usage(): Usage | undefined
  /** Ends it and whatever it started: asks first, and insists after a few seconds. */
  stop(): Promise<void>
}

const patienceMs = 30_000
const lookMs = 20
const politenessMs = 3_000

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Sends a signal to a command and all that it started; they share a group of their own. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, name)
  } catch {
    // Nobody of the group is left.
  }
}

/** Waits until nothing of a command's group runs any more, but not for ever. */
async function untilGone(child: ChildProcess): Promise<void> {
  const until = performance.now() + politenessMs
  const isGone = () => isOver(child) && !isRunning(child.pid!)
  while (!isGone() && performance.now() < until) await sleep(lookMs)
}

/** A URL, and where it leads. */
type Place = { url: string; route?: Route }

/** Whether anybody answers at the URL, whatever it is that they say. */
async function isServed({ url, route }: Place): Promise<boolean> {
  const { origin, pathname, search } = new URL(url)
  // Who it is that answers is for the comparison to mind, or not to.
  const client = createClient({ endpoint: { url: origin, route, verifyTls: false } })
  const reply = await client.get(`${pathname}${search}`, { timeoutMs: 1_000 })
  await client.close()
  return isAnswered(reply)
}

/** Waits until the URL answers, and returns why it does not in the end. */
async function awaitAnswer(
  place: Place,
  ended: () => string | undefined
): Promise<string | undefined> {
  const until = performance.now() + patienceMs
  while (!(await isServed(place))) {
    const gone = ended()
    if (gone !== undefined) return gone
    if (performance.now() > until) return `no answer within ${patienceMs / 1_000} s`
    await sleep(lookMs)
  }
}

/** Starts a command by the shell and waits until its URL answers; ends the command otherwise. */
export async function startService(command: string, place: Place): Promise<Service> {
  const { url } = place
  if (await isServed(place)) throw new Failure(`${url} is served by somebody else already`, 2)
  // A group of its own, so that what the command starts can be ended with it, and Ctrl-C is ours.
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2_000)
  })
  const end = () => signal(child, 'SIGKILL')
  process.once('exit', end)
  const stop = async () => {
    signal(child, 'SIGTERM')
    await untilGone(child)
    end()
    await untilGone(child)
    process.off('exit', end)
  }
  const because = await awaitAnswer(place, () =>
    isOver(child) ? `it ended: ${complaint.trim()}` : undefined
  )
  if (because !== undefined) {
    await stop()
    throw new Failure(`"${command}" does not serve ${url}: ${because}`, 2)
  }
  return { usage: () => usageOf(child.pid!), stop }
}
