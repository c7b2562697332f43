import type { Context } from 'plimsoll'

/** A zone made for one scenario, to be used up and thrown away. */
export type Zone = { id: string; host: string }

/** The id of the zone on the largest plan a target names, where the fewest fields can be absent. */
export function largest(zones: Context['zones']): string {
  const { enterprise, business, pro, free } = zones
  const id = enterprise ?? business ?? pro ?? free ?? Object.values(zones)[0]
  if (id === undefined) throw new Error('the target names no zone: add one to its `zones`')
  return id
}
