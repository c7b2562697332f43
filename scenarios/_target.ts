import type { TargetParts } from 'plimsoll'
import type { Zone } from './_zone.ts'

type Names = Readonly<Record<string, string>>

declare module 'plimsoll' {
  interface Tables {
    /** Ids of zones, by plan or by another name. */
    zones: Names
    /** The hosts of these zones by the same names: what the edge is asked for. */
    hosts: Names
    /** Other credentials than the one in the headers of `management`, such as `readOnlyToken`. */
    credentials: Names
  }
  interface Adapter {
    /** A zone, by plan or by name, that may be used up: what is done to it need not be undone. */
    disposableZone?: (name: string) => Promise<Zone>
  }
}

/** What a target has beside its endpoints. */
export const target: TargetParts = {
  tables: ['zones', 'hosts', 'credentials'],
  disposable: 'zones',
  capabilities: ({ zones, hosts, disposable = [] }) => ({
    /** One that a person has given up by name; nothing would bring any other back. */
    async disposableZone(name) {
      const id = zones[name]!
      if (disposable.includes(name)) return { id, host: name in hosts ? hosts[name]! : '' }
      throw new Error(`"${name}" would be used up: allow it with --allow-irreversible ${name}`)
    }
  })
}
