import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import { Stopped } from '../../engine/stop.ts'
import type { Route } from '../../route.ts'
import type { Usage } from '../../verdict/trial.ts'
import { Failure } from '../failure.ts'
import { listeningSince, listensOn, portsOf } from './listener.ts'
import { beganAt, isRunning, placesOf, usageOf } from './process-usage.ts'
import { pinGroups } from './processors.ts'

/** A command that serves a URL, started and ended by this process. */
export type SpawnedServer = {
  /** What its processes have spent so far; undefined where the system does not tell. */
  usage(): Usage | undefined
  /** Has all its processes run on one processor from now on. */
  pin(processor: number): void
  /** Whether it is on that one alone, all of it, and what answers is of it; or has ended. */
  isOn(processor: number): boolean
  /**
   * Ends it and whatever it started: asks first, and insists after a few seconds, or at once when
   * everything is to stop.
   */
  stop(): Promise<void>
}

const patienceMs = 30_000
const lookMs = 20
/** Whoever serves before the start has so long to say so. */
const othersMs = 5_000
/** An answer may take so long, all of it, and each time that it takes longer, twice as long. */
const answerMs = 1_000
/** Who says 503 may not be ready yet, and is asked again for so long. */
const unreadyMs = 3_000
const politenessMs = { usual: 3_000, hurried: 500 }

/** Who went into the background to serve is waited for so long, when its command is over. */
const backgroundMs = 5_000

const seconds = (ms: number) => `${(ms / 1_000).toFixed(0)} s`

const isOver = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** A command that was started, and all that it started. */
type Started = {
  /** Process groups: its own, and those of what it had go into the background. */
  groups: number[]
  /** Counts who serves the port in its name in the background among them. */
  adopt(port: number): void
  /** Why there will be no answer; undefined while there may be one. */
  ended(): string | undefined
  end(): Promise<void>
}

/** Sends a signal to process groups. */
function signal(groups: readonly number[], name: NodeJS.Signals): void {
  for (const group of groups) {
    try {
      process.kill(-group, name)
    } catch {
      // Nobody of the group is left.
    }
  }
}

/** Starts a command by the shell; everything hurries when `stop` says so. */
function start(command: string, stop: AbortSignal): Started {
  // Where we keep what Node made of our files is none of its business, as it would run without us.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  // A group of its own, so that what the command starts can be ended with it, and Ctrl-C is ours.
  const child = spawn(command, {
    env,
    shell: true,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const groups = [child.pid!]
  const tick = beganAt(`${child.pid}`)
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2_000)
  })
  const told = () => {
    const { exitCode, signalCode } = child
    const how = exitCode === null ? `by ${signalCode}` : `with exit code ${exitCode}`
    return `it ended ${how}${complaint.trim() === '' ? '' : `: ${complaint.trim()}`}`
  }
  let overAt = Infinity
  child.once('exit', (code) => {
    overAt = performance.now() + (code === 0 ? backgroundMs : 0)
  })
  const kill = () => signal(groups, 'SIGKILL')
  process.once('exit', kill)
  /** Waits until nothing of it runs any more, but not for ever. */
  const untilGone = async () => {
    const began = performance.now()
    const mostMs = () => (stop.aborted ? politenessMs.hurried : politenessMs.usual)
    const isGone = () => isOver(child) && !isRunning(groups)
    while (!isGone() && performance.now() - began < mostMs()) await sleep(lookMs)
  }
  return {
    groups,
    adopt(port) {
      if (listensOn(port, groups) === false) groups.push(...listeningSince(port, tick))
    },
    ended: () => (performance.now() >= overAt ? told() : undefined),
    async end() {
      signal(groups, 'SIGTERM')
      await untilGone()
      kill()
      await untilGone()
      process.off('exit', kill)
    }
  }
}

/** A URL, and where it leads. */
type Place = { url: string; route?: Route }

/** What came of asking, and whether it was that there is no service yet. */
type Heard = { kind: Reply['kind']; isUnready: boolean }

/** What comes of asking at the URL, whatever it is that they say: one that drips says nothing. */
async function heardAt(
  { url, route }: Place,
  { mostMs, signal }: { mostMs: number; signal?: AbortSignal }
): Promise<Heard> {
  const { origin, pathname, search } = new URL(url)
  // Who it is that answers is for the comparison to mind, or not to.
  const client = createClient({ endpoint: { url: origin, route, verifyTls: false }, signal })
  const path = `${pathname}${search}`
  const reply = await client.get(path, { timeoutMs: mostMs, deadlineMs: mostMs })
  await client.close()
  return { kind: reply.kind, isUnready: reply.status === 503 }
}

/**
 * Waits until the URL answers or everything is to stop; returns what was heard there last, and why
 * it does not answer in the end. Who is too slow to answer is asked again and has longer each time;
 * who says that it is not in service, for a while.
 */
async function awaitAnswer(
  place: Place,
  { ended, stop }: { ended: () => string | undefined; stop: AbortSignal }
): Promise<{ heard?: Reply['kind']; because?: string | undefined }> {
  const from = performance.now()
  const [until, readyBy] = [from + patienceMs, from + unreadyMs]
  let heard: Reply['kind'] | undefined
  const over = new AbortController()
  const watch = setInterval(() => {
    if (stop.aborted || ended() !== undefined) over.abort()
  }, lookMs)
  const { signal } = over
  try {
    for (let mostMs = answerMs; !stop.aborted; await sleep(lookMs)) {
      const began = performance.now()
      const told = await heardAt(place, { mostMs: Math.min(mostMs, until - began), signal })
      heard = told.kind
      // Another may answer at its port while the command fails to.
      const gone = ended()
      const now = performance.now()
      const isUp = heard === 'answered' && (!told.isUnready || now >= readyBy)
      if (gone !== undefined || isUp) return { heard, because: gone }
      if (now + lookMs >= until) {
        const each = mostMs > answerMs ? `, nor to one question within ${seconds(mostMs)}` : ''
        return { heard, because: `no answer within ${seconds(patienceMs)}${each}` }
      }
      // Nobody there is known at once; who is there and too slow, after all that time.
      if (now - began > mostMs / 2) mostMs = Math.min(2 * mostMs, until - now)
    }
    return heard === undefined ? {} : { heard }
  } finally {
    clearInterval(watch)
  }
}

/** What there was in place of an answer over HTTP on the port, where that is known. */
function insteadOf(
  port: number,
  { heard, groups }: { heard: Reply['kind'] | undefined; groups: readonly number[] }
): string {
  if (heard === 'garbage') return '; what answers there is no HTTP'
  const ports = portsOf(groups)
  if (ports.length === 0 || ports.includes(port)) return ''
  return `; it listens on port ${ports.join(', ')}`
}

/**
 * Starts a command by the shell and waits until its URL answers; ends the command otherwise. Throws
 * `Stopped` when it was not there yet as everything was to stop.
 */
export async function spawnServer(
  command: string,
  { stop, ...place }: Place & { stop: AbortSignal }
): Promise<SpawnedServer> {
  const { url } = place
  if ((await heardAt(place, { mostMs: othersMs })).kind === 'answered') {
    const left = 'or, where the last start left it behind, have it stay in the foreground'
    throw new Failure(`${url} is served by somebody else already: end that, ${left}`, 2)
  }
  const { port, protocol } = new URL(url)
  const served = Number(port) || (protocol === 'https:' ? 443 : 80)
  const { groups, adopt, ended, end } = start(command, stop)
  const { heard, because } = await awaitAnswer(place, { ended, stop })
  adopt(served)
  if (because === undefined && !stop.aborted) {
    return {
      usage: () => usageOf(groups),
      pin: (processor) => pinGroups(groups, processor),
      isOn(processor) {
        const places = placesOf(groups)
        if (places.length === 0) return true
        return places.join() === `${processor}` && listensOn(served, groups) !== false
      },
      stop: end
    }
  }
  const instead = insteadOf(served, { heard, groups })
  await end()
  if (because === undefined)
    throw new Stopped(`"${command}" had not served ${url} by then${instead}`)
  throw new Failure(`"${command}" does not serve ${url}: ${because}${instead}`, 2)
}
