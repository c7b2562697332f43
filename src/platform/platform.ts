import { randomBytes } from 'node:crypto'
import { edge } from './edge/edge.ts'
import { openFunctions } from './functions/functions.ts'
import { zoneOrigin } from './functions/zone-origin.ts'
import { gateway } from './gateway/gateway.ts'
import { control } from './kernel/control.ts'
import { type Credentials, credentials } from './kernel/credential.ts'
import { moveAside } from './kernel/data/aside.ts'
import { createEgress, placeOf } from './kernel/egress/egress.ts'
import { createListeners } from './kernel/http/listeners.ts'
import { locked } from './kernel/http/lock.ts'
import { hostOf, seed, seededPlans } from './kernel/seed.ts'
import { openStore } from './kernel/store.ts'
import { openTime } from './kernel/time.ts'
import { zoneByHost } from './kernel/zone.ts'
import { makeRoot } from './logpush/folder.ts'
import { openLogs } from './logpush/logs.ts'
import { management } from './management/management.ts'
import { brokenBy } from './mutants.ts'

/** Where a platform answers and what it takes to be let in; printed as one line of JSON. */
export type Announcement = Credentials & {
  /** Base address of the management API. */
  management: string
  gateway: string
  edge: string
  control: string
  /** Opens the control listener, as `Authorization: Bearer`; another one at each start. */
  controlToken: string
  /** Zone ids by name. */
  zones: Record<string, string>
  /** The host name each zone answers to on the edge. */
  hosts: Record<string, string>
}

/** A platform that runs in this process until it is closed. */
export type Platform = {
  announcement: Announcement
  /** Which listeners are elsewhere than where they were to follow, and why: one sentence each. */
  moved: string[]
  /** What a repair of the data folder could not keep, one sentence each. */
  losses: readonly string[]
  close(): Promise<void>
}

/** How to start a platform. */
export type PlatformOptions = {
  /** Address of the listeners; control stays on loopback. Default: 127.0.0.1. */
  host?: string
  /** Port of the management API, 0 for any; the other listeners follow it. Default: 8787. */
  port?: number
  /** Folder to keep everything in; without it everything is in memory. */
  data?: string
  /**
   * What to do with a folder that is there: `repair` keeps what can be kept, `new` moves it aside
   * and begins anew. By default a damaged one is an error.
   */
  folder?: 'repair' | 'new'
  /** Addresses of JSON-RPC nodes by network, in place of the development chains. */
  gateway?: Record<string, string>
  /**
   * What log push, functions and the gateway may reach beside the open Internet, as `HOST:PORT`;
   * never the platform's own listeners.
   */
  allowEgress?: readonly string[]
  /** Folder below which log push may write files, made if need be; without it none are written. */
  logFiles?: string
  /** Name of the mutant to be broken by. */
  break?: string
}

/** Starts a platform; resolves when every listener answers. An unknown mutant is an error. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const rules = brokenBy(options.break)
  const egress = createEgress({ allowed: options.allowEgress })
  const outlets = { egress, files: options.logFiles }
  if (outlets.files !== undefined) makeRoot(outlets.files)
  if (options.data !== undefined && options.folder === 'new') moveAside(options.data)
  const store = openStore(options.data, {
    seed: (fresh) => seed(fresh, rules.zoneId),
    isRepaired: options.folder === 'repair'
  })
  const listeners = createListeners(egress, options)
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    await listeners.close()
    for (const end of closing) await end()
    store.close()
  }
  try {
    const time = openTime(store)
    const known = credentials(store)
    const logs = openLogs({ rules, store, time, outlets })
    const functions = openFunctions({ rules, store, time, logs, egress, data: options.data })
    closing.push(functions.close, logs.close)
    const controlToken = randomBytes(32).toString('hex')
    const blockchain = gateway({ rules, store, upstreams: options.gateway, egress })
    const edges = edge({ rules, store, time, logs, functions })
    const doors = control({ rules, store, time, logs, functions, gateway: blockchain })
    const api = management({ rules, store, time, known, outlets })
    const [apiAt, gatewayAt, edgeAt, controlAt] = await listeners.openAll(api, [
      { name: 'the gateway', service: blockchain },
      { name: 'the edge', service: edges },
      { name: 'control', service: locked(doors, controlToken), isNear: true }
    ])
    const behind = await listeners.openWithin(zoneOrigin({ store, functions }))
    const deeper = { ...edges, close: undefined }
    functions.settle({
      inside: placeOf(behind),
      open: async () => placeOf(await listeners.openWithin(deeper))
    })
    return {
      announcement: {
        management: apiAt! + rules.base,
        gateway: gatewayAt!,
        edge: edgeAt!,
        control: controlAt!,
        controlToken,
        ...known,
        zones: byName((name) => zoneByHost(store, hostOf(name))!.id),
        hosts: byName(hostOf)
      },
      moved: listeners.moved,
      losses: store.losses,
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}

function byName(value: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.keys(seededPlans).map((name) => [name, value(name)]))
}
