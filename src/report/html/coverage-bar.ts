import type { Outcome } from '../../verdict/outcome.ts'
import { legend } from '../legend.ts'
import { standingOrder } from '../standing.ts'
import { type Markup, markup } from './markup.ts'

/** How many clauses stand where. */
export type OutcomeShare = { outcome: Outcome; count: number }

/** How often each outcome occurs, in the order of the page. */
export function sharesOf(outcomes: readonly Outcome[], untested = 0): OutcomeShare[] {
  const counts = new Map(standingOrder.map((outcome): [Outcome, number] => [outcome, 0]))
  for (const outcome of outcomes) counts.set(outcome, counts.get(outcome)! + 1)
  counts.set('untested', counts.get('untested')! + untested)
  return [...counts]
    .map(([outcome, count]) => ({ outcome, count }))
    .filter(({ count }) => count > 0)
}

/** `✘ 3 fail ✔ 41 pass`, each in its colour and with its mark. */
export function sharesText(shares: readonly OutcomeShare[]): Markup {
  return markup`${shares.map(
    ({ outcome, count }) =>
      markup`<span class="${outcome} share">${legend[outcome].mark} ${count} ${outcome}</span> `
  )}`
}

/** Clauses as one bar, each part an outcome; what nobody asked is the empty end. */
export function coverageBar(shares: readonly OutcomeShare[], height: number): Markup {
  const total = shares.reduce((sum, { count }) => sum + count, 0)
  const told = shares.filter(({ outcome }) => outcome !== 'untested')
  let from = 0
  const parts = told.map(({ outcome, count }) => {
    const x = from
    from += count
    return markup`<rect class="${outcome}" x="${percent(x, total)}" width="${percent(count, total)}"
height="100%"><title>${count} ${outcome}</title></rect>`
  })
  return markup`<svg role="img" aria-label="${from} of ${total} clauses have a verdict"
width="100%" height="${height}">
${parts}</svg>`
}

function percent(part: number, total: number): string {
  return `${Math.round((1e5 * part) / total) / 1e3}%`
}
