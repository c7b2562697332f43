import { type Judge, type Look, summary } from 'plimsoll'
import { enforced } from '../_csp.ts'
import { outcomes, outside, own, type Stage } from './_effects.ts'

const parent = 'example.test'
const other = `//${outside}/a.js`

/** Sources that nobody asks about, so many that the value with them is a long one. */
const fillers = Array.from({ length: 40 }, (_, n) => `n${n}.others.example.test`).join(' ')

/** Clauses about what a policy's sources let run. */
export const sourceClauses = [
  'policy.semantics.source-hostname',
  'policy.semantics.hostname-excludes-parent',
  'policy.semantics.source-full-url',
  'policy.semantics.source-self'
] as const

/** Lists of sources, the scripts that each allows, and scripts that it does not. */
type Sources = [sources: string, allowed: string[], others: string[]][]

/** What is asked, by clause. */
function sourcesOf({ address }: Stage) {
  const url = address(`//${own}/shop/pay.js`)
  const cased = address(`//${own}/Shop/2/Pay.Min-v1_a~B.JS`)
  const lower = new URL(cased).pathname.toLowerCase()
  return {
    'policy.semantics.source-hostname': [
      [own, [`//${own}/a.js`, `//${own}/A/B.JS`], []],
      [`${fillers} ${own}`, [`//${own}/a.js`], [other]],
      [`${own} ${fillers}`, [`//${own}/a.js`, '//n39.others.example.test/a.js'], [other]],
      ['CDN.Example.TEST', [`//${own}/a.js`], [other]]
    ],
    'policy.semantics.hostname-excludes-parent': [[own, [], [`//${parent}/a.js`]]],
    'policy.semantics.source-full-url': [
      [url, [url], [`//${own}/shop/other.js`]],
      // Paths are told apart by the case of their letters.
      [cased, [cased], [`//${own}${lower}`]],
      [`${fillers} ${cased}`, [cased], [`//${own}/Shop/2/`]]
    ],
    'policy.semantics.source-self': [
      ["'self'", ['/a.js', '/A/B.JS'], [other]],
      [`${fillers} 'self'`, ['/a.js'], [other]]
    ]
  } satisfies Record<(typeof sourceClauses)[number], Sources>
}

/** Judges by its clause what each kind of source lets run. */
export async function judgeSources(on: Stage, { verify }: Judge) {
  for (const [clause, lists] of Object.entries(sourcesOf(on))) {
    const looks: Look[] = []
    for (const [sources, allowed, others] of lists) {
      const [reply] = await on.under({ value: `script-src ${sources}` }, '/')
      // A policy that is not enforced is the matter of another clause.
      if (!reply || enforced(reply) <= enforced(on.bare)) continue
      const isBlocked = (script: string) => on.fate(reply, script).isBlocked
      const holds = !allowed.some(isBlocked) && others.every(isBlocked)
      const saw = outcomes(on, reply, [...allowed, ...others])
      looks.push({ asked: `…${sources.slice(-60)}`, holds, saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
}
