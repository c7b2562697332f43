import { isRedirect } from '../client/reply.ts'
import { percent } from '../number.ts'

/** Whether a status, as it is counted by, leads elsewhere. */
export const leadsElsewhere = (status: string) => isRedirect(Number(status))

/**
 * That a larger share of answers leads elsewhere than `most`, in words; else undefined. What was
 * asked for is in none of those.
 */
export function redirectsIn(statuses: Record<string, number>, most = 1): string | undefined {
  const all = Object.entries(statuses)
  const away = all.filter(([status]) => leadsElsewhere(status))
  const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0)
  const share = sum(away) / Math.max(1, sum(all))
  if (share <= most) return undefined
  const by = away.map(([status]) => status).join(', ')
  const told = `${percent(share)} of the answers lead elsewhere (${by})`
  return `${told}, and say nothing of what is there: give the URL where they lead`
}
