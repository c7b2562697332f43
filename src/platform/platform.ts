import { randomBytes } from 'node:crypto'
import type { GatewayOptions } from './gateway/part.ts'
import { control } from './kernel/control.ts'
import { type Credentials, credentials } from './kernel/credential.ts'
import { moveAside } from './kernel/data/aside.ts'
import { createEgress, placeOf } from './kernel/egress/egress.ts'
import { createExtensions } from './kernel/extension.ts'
import { createListeners } from './kernel/http/listeners.ts'
import { locked } from './kernel/http/lock.ts'
import { type Override, override } from './kernel/override.ts'
import type { Kernel, Part, RunningPart } from './kernel/part.ts'
import { addZone, hostOf, reset, seed, seededPlans } from './kernel/seed.ts'
import { openStore } from './kernel/store.ts'
import { openTime } from './kernel/time.ts'
import { createTwins } from './kernel/twins.ts'
import { zoneByHost } from './kernel/zone.ts'
import type { LogpushOptions } from './logpush/outlets.ts'
import { brokenBy, listMutants } from './mutants.ts'
import { folders, layout, parts, type Rules } from './parts.ts'

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
export type PlatformOptions = GatewayOptions &
  LogpushOptions & {
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
    /**
     * What log push, functions and the gateway may reach beside the open Internet, as `HOST:PORT`;
     * never the platform's own listeners.
     */
    allowEgress?: readonly string[]
    /** Name of the mutant to be broken by. */
    break?: string
    /** What is decided otherwise than promised, as a platform of another make would. */
    otherwise?: Override<Rules>
  }

/** Starts a platform; resolves when every listener answers. An unknown mutant is an error. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const rules = override<Rules>(await brokenBy(options.break), options.otherwise ?? {})
  const egress = createEgress({ allowed: options.allowEgress })
  if (options.data !== undefined && options.folder === 'new') moveAside(options.data, folders)
  const store = openStore(options.data, {
    ...layout,
    seed: (fresh) => seed(fresh, parts, rules.kernel),
    isRepaired: options.folder === 'repair'
  })
  const listeners = createListeners(egress, options)
  const running: RunningPart[] = []
  const twins = twinsOf(options)
  const close = async () => {
    await Promise.all([listeners.close(), twins.close()])
    for (const part of running.toReversed()) await part.close?.()
    store.close()
  }
  try {
    const time = openTime(store)
    const kernel: Kernel = {
      ...{ rules: rules.kernel, store, time, egress, data: options.data },
      credentials: credentials(store),
      extensions: createExtensions(),
      operations: operationsOf(rules),
      addZone: (zone) => addZone(store, zone, { parts, now: time.now() }),
      openWithin: async (service) => placeOf(await listeners.openWithin(service))
    }
    for (const { name, open } of parts as readonly Part[])
      running.push(open(kernel, { rules: rules[name as keyof Rules], options }))
    const known = {
      ...{ kernel, parts: running, mutants: listMutants, twins },
      reset: () => reset(store, parts, rules.kernel)
    }
    const { addresses, controlToken } = await openListeners(listeners, running, control(known))
    for (const part of running) await part.start?.()
    return {
      announcement: {
        ...(addresses as Addresses),
        controlToken,
        ...kernel.credentials,
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

/** Platforms that are made as this one is, but for what is none of a plain value. */
function twinsOf({ allowEgress, break: mutant }: PlatformOptions) {
  return createTwins(import.meta.url, { port: 0, allowEgress, break: mutant })
}

/** The operations of all parts, each with the rules of its part. */
function operationsOf(rules: Rules): Kernel['operations'] {
  return Object.values(rules).flatMap((own) =>
    'operations' in own
      ? Object.values(own.operations).map((operation) => ({ operation, rules: own }))
      : []
  )
}

type Addresses = Pick<Announcement, 'management' | 'gateway' | 'edge' | 'control'>

/** Opens the listeners of all parts and that of control, behind a new lock; their addresses. */
async function openListeners(
  { openAll }: ReturnType<typeof createListeners>,
  running: readonly RunningPart[],
  doors: ReturnType<typeof control>
) {
  const controlToken = randomBytes(32).toString('hex')
  const own = running.flatMap(({ listener }) => (listener ? [listener] : []))
  const lock = { service: locked(doors, controlToken), isNear: true }
  const all = [...own, { key: 'control', words: 'control', offset: 3, path: '', ...lock }]
  const [first, ...others] = all.sort((one, other) => one.offset - other.offset)
  const urls = await openAll(first!.service, others)
  const addresses = [first!, ...others].map(({ key, path = '' }, at) => [key, urls[at]! + path])
  return { addresses: Object.fromEntries(addresses), controlToken }
}

function byName(value: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.keys(seededPlans(parts)).map((name) => [name, value(name)]))
}
