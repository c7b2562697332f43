import type { KeptAnswer } from './answer.ts'
import { fieldsOf, valuesAt } from './field.ts'
import type { Witnessed } from './witnessed.ts'

/** Texts and numbers that are as short stand for too much to be replaced. */
const shortest = { text: 6, number: 10 }

/** The accept of one request made out to be that of another, with what it says of the one. */
export function forged(accept: Witnessed, other: Witnessed): KeptAnswer {
  const { answer } = accept
  if (answer.text === undefined) return answer
  const facts = factsOf(accept).map((fact, index) => [fact, factsOf(other)[index]] as const)
  let text = answer.text
  for (const [one, its] of [...facts, ...fieldFacts(accept, other)]) {
    if (one === its || its === undefined) continue
    if (typeof one === 'number' && one >= shortest.number)
      text = text.replaceAll(new RegExp(`(?<![\\w.])${one}(?![\\w.])`, 'g'), `${its}`)
    if (typeof one === 'string' && one.length >= shortest.text)
      text = text.replaceAll(inner(one), inner(`${its}`))
  }
  return { ...answer, text, json: undefined }
}

/** A text as it stands in JSON, without its quotes. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** What an answer may say of the request that it answers. */
function factsOf({ asked }: Witnessed): (string | number)[] {
  const { path, headers, body, bodyBytes, sha256 } = asked
  const all = Object.entries(headers)
  const headersBytes = all.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  const said = body.length > 2_000 ? '' : body
  return [sha256, path, said, bodyBytes, path.length, headersBytes]
}

/** The same of the fields of a body that is JSON: their values, and how long those are. */
function fieldFacts(
  one: Witnessed,
  other: Witnessed
): [string | number, string | number | undefined][] {
  const [mine, its] = [one, other].map(({ asked }) => parsed(asked.body))
  return fieldsOf(mine).flatMap((path) => {
    const [[value], [another]] = [valuesAt(mine, path), valuesAt(its, path)]
    if (typeof value === 'number' && typeof another === 'number') return [[value, another]]
    if (typeof value !== 'string' || typeof another !== 'string') return []
    return [
      [value, another],
      [value.length, another.length]
    ]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
