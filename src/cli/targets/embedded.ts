import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Target } from '../../target/target.ts'
import { exit, Failure } from '../failure.ts'
import { demandPackages } from '../optional-packages.ts'

/** A target that this process started and ends. */
export type Running = { target: Target; stop: () => Promise<void> }

/** What `plimsoll platform --json` prints when every listener answers. */
type Announcement = {
  management: string
  gateway: string
  edge: string
  control: string
  controlToken: string
  token: string
  readOnlyToken: string
  noPermissionToken: string
  email: string
  apiKey: string
  zones: Record<string, string>
  hosts: Record<string, string>
}

/** A platform that has not ended by itself by then is ended. */
const stopPatienceMs = 30_000

const launcher = fileURLToPath(new URL('../../launch.js', import.meta.url))
const packed = fileURLToPath(new URL('../../../../src/launch.js', import.meta.url))

/** The target behind an announced platform. */
export function targetOf(said: Announcement, options: { name: string; adapter?: string }): Target {
  const { zones, hosts, token, readOnlyToken, noPermissionToken, email, apiKey } = said
  const credentials = { token, readOnlyToken, noPermissionToken, email, apiKey }
  const tables = { zones, hosts, credentials }
  return {
    name: options.name,
    endpoints: {
      management: {
        url: said.management,
        headers: { authorization: `Bearer ${said.token}` }
      },
      gateway: { url: said.gateway },
      edge: { url: said.edge },
      control: {
        url: said.control,
        headers: { authorization: `Bearer ${said.controlToken}` }
      }
    },
    ...tables,
    adapter: options.adapter
  }
}

async function announcement(child: ChildProcess): Promise<Announcement> {
  let complaint = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-4_000)
  })
  const line = once(createInterface({ input: child.stdout! }), 'line')
  const ended = once(child, 'exit').then(() => undefined)
  const [text] = (await Promise.race([line, ended])) ?? []
  if (text === undefined) throw new Failure(`the platform did not start: ${complaint}`, exit.fault)
  return JSON.parse(text)
}

/** The module that knows what a platform can do beyond a document, in that document's folder. */
export function adapterIn(scenarios: string): string | undefined {
  return ['_adapter.ts', '_adapter.js']
    .map((name) => join(scenarios, name))
    .find((file) => existsSync(file))
}

/** What a platform under test may reach: the servers that scenarios start, on any port. */
export const allowEgress = ['127.0.0.1:*']

/** The reference platform on its way; `ready` resolves once every listener of it answers. */
export type Launched = {
  ready(options: { scenarios: string }): Promise<Running>
  /** Ends it, whether it is ready or not. */
  stop(): Promise<void>
}

/** Begins to start the reference platform in a process of its own. */
export function launchEmbedded(): Launched {
  demandPackages(
    'platform',
    'no --target is named, and the embedded reference platform, which is tested then,'
  )
  const program = existsSync(launcher) ? launcher : packed
  const flags = ['--port', '0', ...allowEgress.flatMap((place) => ['--allow-egress', place])]
  const child = spawn(process.execPath, [program, 'platform', '--json', ...flags], {
    // The platform ends when its standard input does, so it cannot outlive a killed parent; its own
    // process group keeps Ctrl-C from ending it before the last answers are in.
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, PLIMSOLL_PARENT: String(process.pid) }
  })
  const said = announcement(child)
  // Nobody may ever ask whether it started.
  said.catch(() => {})
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const unheard = setTimeout(() => child.kill('SIGKILL'), stopPatienceMs)
    await once(child, 'exit')
    clearTimeout(unheard)
  }
  return {
    async ready({ scenarios }) {
      const adapter = adapterIn(scenarios)
      return { target: targetOf(await said, { name: 'platform', adapter }), stop }
    },
    stop
  }
}
