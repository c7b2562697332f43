import type { Clause } from './clause.ts'

/**
 * A document that says just what clauses quote, by section: for clauses that came without the
 * document they were drawn from. A quotation that is part of a longer one of its section is not
 * said twice.
 */
export function quotedText(clauses: readonly Clause[], title: string): string {
  const bySection = Map.groupBy(
    clauses.filter(({ quote }) => quote !== undefined),
    ({ section }) => section
  )
  const parts = [...bySection].flatMap(([section, those]) => {
    const all = [...new Set(those.map(({ quote }) => quote!))]
    const whole = all.filter((one) => !all.some((other) => other !== one && other.includes(one)))
    const heading = section === '' ? [] : [`## ${section}`]
    return [...heading, ...whole.map((quote) => quote.replace(/\s+/g, ' '))]
  })
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`
}
