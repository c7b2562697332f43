import { parseExpression } from '../../../../src/platform/expression/expression.ts'
import type { Facts, Value } from '../../../../src/platform/expression/scheme.ts'
import { sourceOf } from '../../../../src/platform/expression/source.ts'
import type { Term } from '../../../../src/platform/expression/syntax.ts'
import { scheme } from '../arbitrary-value.ts'

const questions = [
  (call: string) => call,
  (call: string) => `${call} in {}`,
  (call: string) => `any(${call}[*] in {})`
]

/** The value of a call, as it is written in an expression, of some facts. */
export function call(source: string, facts: Facts = {}): Value | undefined {
  for (const question of questions) {
    const parsed = parseExpression(question(source), { scheme, characterLimit: 10_000 })
    if (!parsed.ok) continue
    const { expression } = parsed
    const comparison = expression.kind === 'quantifier' ? expression.inner : expression
    const { root } = (comparison as { left: Term }).left
    return sourceOf({ kind: 'term', root, indexes: [], type: 'Bytes' }, () => false)(facts)
  }
  throw new Error(`refused: ${source}`)
}
