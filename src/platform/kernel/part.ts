import type { Env, Hono } from 'hono'
import type { Operation } from './api/operation.ts'
import type { ControlEnv } from './control-call.ts'
import type { Credentials } from './credential.ts'
import type { FiledTable } from './data/filed.ts'
import type { Egress, Place } from './egress/egress.ts'
import type { Extensions } from './extension.ts'
import type { Service } from './http/listener.ts'
import type { Mutant, Unenforced } from './mutant.ts'
import type { Plan } from './plan.ts'
import type { KernelRules } from './rules.ts'
import type { Migration } from './schema.ts'
import type { Store } from './store.ts'
import type { Time } from './time.ts'
import type { Zone } from './zone.ts'

/** What a running platform gives each of its parts. */
export type Kernel = {
  rules: KernelRules
  store: Store
  time: Time
  egress: Egress
  credentials: Credentials
  extensions: Extensions
  /** The folder everything is kept in; without one nothing outlives the platform. */
  data?: string
  /** The operations of all parts, each with the rules of its part. */
  operations: readonly { operation: Operation; rules: object }[]
  /** Adds a zone, with what every part gives a new one. */
  addZone(zone: Zone): void
  /** Opens a listener on loopback that is only for the platform itself. */
  openWithin(service: Service): Promise<Place>
}

/** A listener that is announced: by its key, at the port of the first one and so many more. */
export type PartListener = {
  key: string
  /** What it is called in a sentence: `the gateway`. */
  words: string
  offset: number
  service: Service
  /** What its address ends in. */
  path?: string
}

/** A part that has been opened; what is left out it has no need of. */
export type RunningPart = {
  listener?: PartListener
  /** What adapters can ask of it. */
  control?: Hono<ControlEnv> | Hono<Env>
  /** Every listener is open. */
  start?(): Promise<void>
  /** The platform's clock was moved. */
  moved?(): void
  /** The store is about to be emptied and seeded anew; what is returned is done after that. */
  reset?(): () => Promise<void>
  close?(): Promise<void>
}

/** The known ways to break a part, and the one in which it enforces nothing. */
export type Breaks<Own = any> = {
  mutants: readonly Mutant<Own>[]
  unenforced?: Unenforced<Own>
}

/** A zone that is being added: when, and by which name if it is there from the start. */
export type ZoneOrigin = { now: number; seededAs?: string }

/**
 * Something a platform can do, in a folder of its own: all that the rest needs to know of it. The
 * kernel knows parts by this shape and none by name; `parts.ts` lists them.
 */
export type Part<Name extends string = string, Own extends object = any, Options = any> = {
  /** The member of the platform's rules that holds its rules. */
  name: Name
  /**
   * Its numbers (`limits`), its decisions, and its operations of the management API
   * (`operations`). It enforces what it is given when it is opened, which may be these with an
   * override.
   */
  rules: Own
  /** Its tables. */
  migrations?: readonly Migration[]
  /** Those of its tables whose rows stand for files in the data folder. */
  filed?: readonly FiledTable[]
  /** The names of columns of its tables whose text is JSON, beside `record`. */
  jsonColumns?: readonly string[]
  /** Other folders that it keeps in the data folder. */
  folders?: readonly string[]
  /** Tables whose rows belong to no zone, and go when the platform is reset. */
  ownTables?: readonly string[]
  /** Zones that are there from the start, by name. */
  zones?: Readonly<Record<string, Plan>>
  /** Gives a zone that was just added what it begins with. */
  furnish?(store: Store, zone: Zone, origin: ZoneOrigin): void
  open(kernel: Kernel, given: { rules: Own; options: Options }): RunningPart
  /** Every known way to break it; imported only when a platform is to be broken, or asked for. */
  breaks?(): Promise<Breaks<NoInfer<Own>>>
}

/** A part as it is written down: the same, with its name and rules known to the compiler. */
export function part<const Name extends string, Own extends object, Options>(
  definition: Part<Name, Own, Options>
): Part<Name, Own, Options> {
  return definition
}
