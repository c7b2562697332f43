import { isRedirect } from '../client/reply.ts'
import { percent } from '../number.ts'

/** Whether a status, as it is counted by, leads elsewhere. */
export const leadsElsewhere = (status: string) => isRedirect(Number(status))

/** How many answers lead elsewhere, of how many, and by which statuses, in words. */
export function elsewhereIn(statuses: Record<string, number>) {
  const all = Object.entries(statuses)
  const away = all.filter(([status]) => leadsElsewhere(status))
  const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0)
  return { many: sum(away), answers: sum(all), seen: away.map(([status]) => status).join(', ') }
}

/**
 * That a larger share of answers leads elsewhere than `most`, in words; else undefined. What was
 * asked for is in none of those.
 */
export function redirectsIn(statuses: Record<string, number>, most = 1): string | undefined {
  const { many, answers, seen } = elsewhereIn(statuses)
  const share = many / Math.max(1, answers)
  if (share <= most) return undefined
  const told = `${percent(share)} of the answers lead elsewhere (${seen})`
  return `${told}, and say nothing of what is there: give the URL where they lead`
}
