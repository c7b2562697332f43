import type { AskedValue, Boundary } from '../../src/limit/boundary.ts'

const answers: Record<string, Omit<AskedValue, 'value'>> = {
  '+': { kind: 'accepted', proper: true, because: 'HTTP 200' },
  '-': { kind: 'rejected', proper: true, because: 'HTTP 413' },
  '!': { kind: 'rejected', proper: false, because: 'HTTP 500' },
  x: { kind: 'rejected', proper: false, lost: true, because: 'closed' },
  '?': { kind: 'unclear', proper: true, because: 'no answer' }
}

/** Questions and answers as in `50+ 51- 51! 60? 51x`: accepted, refused, improper, unclear, lost */
export function questions(notation: string): AskedValue[] {
  const words = notation.split(' ').filter(Boolean)
  return words.map((word) => ({ value: Number(word.slice(0, -1)), ...answers[word.at(-1)!]! }))
}

/** A boundary as a search reports it; where it lies follows from the questions. */
export function boundary(kind: Boundary['kind'], notation: string, because = ''): Boundary {
  const asked = questions(notation)
  const values = (wanted: AskedValue['kind']) =>
    asked.filter((one) => one.kind === wanted).map((one) => one.value)
  const largest = Math.max(...values('accepted'))
  const smallest = Math.min(...values('rejected'))
  const accepted = Number.isFinite(largest) ? largest : undefined
  const rejected = Number.isFinite(smallest) ? smallest : undefined
  const times = (value?: number) => asked.filter((one) => one.value === value).length
  const repeats = { accepted: times(accepted), rejected: times(rejected) }
  return { kind, accepted, rejected, repeats, because, asked }
}
