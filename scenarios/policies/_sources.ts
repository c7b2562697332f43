import { type Judge, type Look, summary } from 'plimsoll'
import { inForce } from '../_csp.ts'
import { outcomes, outside, own, type Stage } from './_effects.ts'

const parent = 'example.test'
const other = `//${outside}/a.js`

/** Sources that nobody asks about, so many that the value with them is a long one. */
const fillers = Array.from({ length: 40 }, (_, n) => `n${n}.others.example.test`).join(' ')

/** Hosts whose names are not like those of most examples; none is below another. */
const odd = ['www.', 'www2.', 'm.', 'a-b.c--d.', '1.', 'xn--bcher-kva.', 'cdn.www.shop.']
const names = odd.map((label, n) => `${label}n${n}.example.test`)
const at = (host: string) => `//${host}/a.js`
/** Those that they are below. */
const parents = names.map((name) => at(name.slice(name.indexOf('.') + 1)))

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
      ['CDN.Example.TEST', [`//${own}/a.js`], [other]],
      [names.join(' '), names.map(at), names.map((name) => at(`a.${name}`))]
    ],
    'policy.semantics.hostname-excludes-parent': [
      [own, [], [at(parent)]],
      [names.join(' '), names.map(at), parents]
    ],
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

/** Judges by its clause what each kind of source lets run, or lets pass without a report. */
export async function judgeSources(on: Stage, { verify }: Judge) {
  for (const [clause, lists] of Object.entries(sourcesOf(on))) {
    const looks: Look[] = []
    for (const [nth, [sources, allowed, others]] of lists.entries()) {
      const action = nth % 2 === 0 ? 'allow' : 'log'
      const [reply] = await on.under({ action, value: `script-src ${sources}` }, '/')
      // A policy that is not in force is the matter of another clause.
      if (!reply || inForce(reply) <= inForce(on.bare)) continue
      const isViolated = (script: string) => {
        const { isBlocked, reports } = on.fate(reply, script)
        return isBlocked || reports > on.fate(on.bare, script).reports
      }
      const holds = !allowed.some(isViolated) && others.every(isViolated)
      const saw = outcomes(on, reply, [...allowed, ...others])
      looks.push({ asked: `${action} …${sources.slice(-60)}`, holds, saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
}
