import { check, type Reply } from 'plimsoll'
import { isBesideThePoint, isRefused, isServed } from '../_reply.ts'
import { and, eq, or, where } from './_filter.ts'
import { stage } from './_stage.ts'

const method = eq('ClientRequestMethod', 'GET')
const path = eq('ClientRequestPath', '/a')
const odd = eq('ClientRequestPath', '/a "quoted" \\ path')
const { key, operator, value } = method

/**
 * Filters that must be taken, filters that must not, and those of which it is not said: whatever
 * is made of them, none may lead to a defect.
 */
type Judged = { taken: string[]; refused: string[]; odd?: string[] }

/** A filter that nobody can read. */
const broken = '{"where":'

/** What stands in a filter where it cannot be meant. */
const nonsense = [7, null, 'constructor', true, [], {}]

const string = 'logpush.filter.escaped-json-string'
const clauses = [
  ...[string, 'logpush.filter.and-array', 'logpush.filter.or-array'],
  ...['logpush.filter.nesting-allowed', 'logpush.filter.where-required'],
  ...['logpush.filter.condition-three-members', 'logpush.filter.condition-value-string']
]

/** What is judged of each clause, where it does not matter by a word that is known to work. */
function judged(clause: string, word: typeof and): Judged {
  const all: { [clause: string]: Judged } = {
    [string]: { taken: [where(word(odd))], refused: ['ClientRequestMethod eq GET', broken] },
    'logpush.filter.and-array': {
      taken: [where(and(method)), where(and(method, path, method))],
      refused: [],
      odd: nonsense.flatMap((one) => [where({ and: one }), where({ and: [one] })])
    },
    'logpush.filter.or-array': {
      taken: [where(or(method)), where(or(method, path, method))],
      refused: [],
      odd: nonsense.flatMap((one) => [where({ or: one }), where({ or: [one] })])
    },
    'logpush.filter.nesting-allowed': {
      taken: [where(word(method, word(path))), where(word(word(word(method), path), path))],
      refused: []
    },
    'logpush.filter.where-required': {
      taken: [where(word(method))],
      refused: [word(method), method, {}].map((filter) => JSON.stringify(filter)),
      odd: nonsense.flatMap((one) => [JSON.stringify(one), JSON.stringify({ where: one })])
    },
    'logpush.filter.condition-three-members': {
      taken: [where(word(method))],
      refused: [
        { operator, value },
        { key, value },
        { key, operator }
      ].map((part) => where(word(part))),
      odd: nonsense.flatMap((one) =>
        ['key', 'operator'].map((name) => where(word({ ...method, [name]: one })))
      )
    },
    'logpush.filter.condition-value-string': {
      // It is one of any letters, also of such as numbers have.
      taken: [where(word(method)), where(word(eq('ClientRequestPath', '200')))],
      refused: [],
      odd: nonsense.map((value) => where(word({ key, operator, value })))
    }
  }
  return all[clause]!
}

export default check({
  title: 'A filter has the form that the document describes, and no other',
  clauses,
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const ask = (filter?: string) => on.offer({ filter })
    const plain = [
      { word: and, reply: await ask(where(and(method))) },
      { word: or, reply: await ask(where(or(method))) }
    ]
    const word = plain.find(({ reply }) => isServed(reply))?.word
    if (word === undefined) {
      const replies = plain.map(({ reply }) => reply) as [Reply, Reply]
      const isAboutFilters = isServed(await ask()) && !replies.some(isBesideThePoint)
      if (isAboutFilters) context.verify(string, false, ...replies)
      return
    }
    // Of who takes anything nothing that is taken is known to be understood.
    const isChoosy = isRefused(await ask(broken))
    // That a filter can ask about a number is not said; where it can, its value is a string.
    const numeric = (value: unknown) => ask(where(word({ ...eq('EdgeResponseStatus', ''), value })))
    const [text, number] = [await numeric('200'), await numeric(200)]
    const isTold = isServed(text) ? isChoosy : isServed(number)
    if (!isBesideThePoint(text) && isTold) {
      const saw = `for the value "200" ${text.because}, for 200 ${number.because}`
      context.verify('logpush.filter.condition-value-string', { holds: isServed(text), saw }, text)
    }
    for (const clause of clauses) {
      const { taken, refused, odd = [] } = judged(clause, word)
      for (const filter of [...taken, ...refused, ...odd]) {
        const reply = await ask(filter)
        if (isBesideThePoint(reply)) continue
        const holds = odd.includes(filter)
          ? isServed(reply) || isRefused(reply)
          : taken.includes(filter)
            ? isServed(reply)
            : isRefused(reply)
        if (holds && isServed(reply) && !isChoosy) continue
        const fate = isServed(reply) ? 'taken' : `refused, ${reply.because}`
        const saw = `${fate}: ${filter.slice(0, 70)}`
        context.verify(clause, { holds, saw }, reply)
      }
    }
  }
})
