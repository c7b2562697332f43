import type { Context } from 'plimsoll'

/** A zone made for one scenario, to be used up and thrown away. */
export type Zone = { id: string; host: string }

/** The id of the zone on the largest plan a target names, where the fewest fields can be absent. */
export function largest(zones: Context['zones']): string {
  const { enterprise, business, pro, free } = { ...zones }
  return enterprise ?? business ?? pro ?? free ?? Object.values(zones)[0] ?? zones.pro
}
