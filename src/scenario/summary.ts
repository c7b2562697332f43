import type { Reply } from '../client/reply.ts'
import type { Seen } from './scenario.ts'

/**
 * One question of many about the same statement: what was asked, and whether it held. `of` is how
 * many things there were to look at, where there may be none.
 */
export type Look = { asked: string; holds: boolean; saw: string; reply: Reply; of?: number }

/** What `verify` takes after the clause: what was seen, and the replies that show it. */
export type Verified = [seen: Seen, ...evidence: [Reply, ...Reply[]]]

/** As many questions as a sentence can tell, and a report has the replies of. */
const most = 3

/** Whether a look shows anything: of nothing each statement holds. */
export function isTelling({ holds, of }: Look): boolean {
  return !holds || of !== 0
}

/**
 * What many questions about one statement came to: it holds when it held in each of them. Only some
 * are told: those in which it did not hold, or else the first ones. Undefined where none was asked,
 * or there was nothing to look at.
 */
export function summary(all: readonly Look[]): Verified | undefined {
  const looks = all.filter(isTelling)
  const odd = looks.filter(({ holds }) => !holds)
  const holds = odd.length === 0
  const shown = (holds ? looks : odd).slice(0, most)
  const [first, ...others] = shown.map(({ reply }) => reply)
  if (first === undefined) return undefined
  const count = holds ? `${looks.length} asked` : `${odd.length} of ${looks.length} asked do not`
  const more = (holds ? looks : odd).length > most ? '; …' : ''
  const told = shown.map(({ asked, saw }) => `${asked}: ${saw}`).join('; ')
  return [{ holds, saw: `${count}, as ${told}${more}` }, first, ...others]
}
