import { readFileSync } from 'node:fs'
import type { Adapter } from 'plimsoll'
import type { Binding, Deployment, FunctionPlan } from './_capabilities.ts'

/** The probe as it is wanted. */
export type Wanted = {
  plan: FunctionPlan
  /** Processor time it is to have, in milliseconds, where the target grants that. */
  cpuMs?: number
  /** Sets this probe apart from others that are wanted alike. */
  name?: string
  /** A second probe is to be behind SERVICE; others may do without. */
  withService?: true
}

/** Where a probe is to be asked. */
export type Place = {
  /** The host that leads to it at the edge, and the path at which it takes commands. */
  host: string
  path: string
  /** The listener that has it, where that is not `edge`. */
  endpoint?: string
  /** The module it imports to open sockets. */
  socketModule: string
  /** How many servers run it, where that is known. */
  servers?: number
  /** The processor time it has, where it was given what was wanted. */
  cpuMs?: number
  /** Its own id and its account's; '' where the target has no such thing. */
  function: string
  account: string
}

declare module 'plimsoll' {
  interface Adapter {
    /** A probe, deployed or found; see `_probe/README.md`. */
    probe?: (wanted: Wanted) => Promise<Place>
    /** The address at which functions find a server on this port of the harness's loopback. */
    reach?: (port: number) => Promise<string>
    /** How many requests a second from one address are abuse; a target that says so allows it. */
    abuseRate?: () => Promise<number>
  }
}

const file = new URL('./_probe/probe.js', import.meta.url)

/** The source of the probe: one ES module. */
export function probeSource(): string {
  return readFileSync(file, 'utf8')
}

/** The bindings that every probe is given. */
export const bindings: Record<string, Binding> = {
  KV: { kind: 'kv', name: 'probe' },
  OBJECTS: { kind: 'objects', name: 'probe' },
  QUEUE: { kind: 'queue', name: 'probe' },
  STATE: { kind: 'stateful', className: 'ProbeState' }
}

/** The binding to a second probe, which takes a deployment of its own. */
const service: Binding = { kind: 'service', function: 'other' }

/** What a target on this machine that can have functions deployed can do, probes included. */
export function withProbes(functions: Adapter): Adapter {
  const { account, deploy } = functions as Required<Adapter>
  return {
    ...functions,
    async probe({ plan, cpuMs, withService }) {
      const { id } = await account(plan)
      const place = async (name: string, given: Pick<Deployment, 'bindings' | 'cpuMs'>) => {
        const whole = { account: id, source: probeSource(), name, env: { NAME: name } }
        const wished = await deploy({ ...whole, ...given })
        const deployed = wished.accepted
          ? wished
          : await deploy({ ...whole, ...given, cpuMs: undefined })
        if (!deployed.accepted) throw new Error(`the probe was refused: ${deployed.because}`)
        return { ...deployed, cpuMs: wished.accepted ? given.cpuMs : undefined }
      }
      if (withService) await place('other', {})
      const all = withService ? { ...bindings, SERVICE: service } : bindings
      const { host, id: own, cpuMs: has } = await place('probe', { bindings: all, cpuMs })
      const known = { socketModule: 'edge:sockets', servers: 1, cpuMs: has }
      return { host, path: '/', ...known, function: own, account: id }
    },
    reach: async (port) => `http://127.0.0.1:${port}`,
    abuseRate: async () => 3_000
  }
}
