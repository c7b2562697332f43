import { instead, type Operator, type Place, type Syntax, textOf } from '../syntax.ts'

/** A number is one more, one less, or twice as much. */
export const number: Operator = {
  name: 'number',
  edits({ node, within: [parent] }) {
    if (node.type !== 'Literal' || typeof node.value !== 'number') return []
    if (parent?.type === 'Property' && parent.key === node) return []
    const others = [node.value + 1, node.value - 1, node.value * 2]
    return [...new Set(others)]
      .filter((one) => one !== node.value)
      .map((one) => instead(node, one < 0 ? `(${one})` : `${one}`))
  }
}

/** Whether a value is written down, not worked out. */
function isConstant({ type, ...node }: Syntax): boolean {
  if (type === 'BinaryExpression') return isConstant(node.left) && isConstant(node.right)
  return type === 'Literal' || (type === 'Identifier' && /^[A-Z][iK]?B$/.test(node.name))
}

const kindOf = (node: Syntax) => (typeof node.value === 'string' ? 'text' : 'number')

/** Two constants that stand side by side in a list or an object change places. */
function swapped(values: readonly Syntax[], text: string) {
  return values.slice(1).flatMap((next, at) => {
    const one = values[at]!
    const [mine, other] = [textOf(one, text), textOf(next, text)]
    if (!isConstant(one) || !isConstant(next) || kindOf(one) !== kindOf(next)) return []
    if (mine === other) return []
    const between = text.slice(one.end, next.start)
    return [{ start: one.start, end: next.end, after: other + between + mine }]
  })
}

/** What stands together in lists of words, by word: the one behind it. */
const knownLists = new Map<string, Map<string, string>>()

function nextWords(text: string): Map<string, string> {
  const known = knownLists.get(text)
  if (known) return known
  const next = new Map<string, string>()
  for (const [list] of text.matchAll(/(?:'[\w-]+'\s*[,|]\s*)+'[\w-]+'/g)) {
    const words = list.match(/'[\w-]+'/g)!
    for (const [at, word] of words.entries()) next.set(word, words[(at + 1) % words.length]!)
  }
  knownLists.set(text, next)
  return next
}

/** Two constants of one list are taken for each other. */
export const swapConstants: Operator = {
  name: 'swap-constants',
  edits(place) {
    const { node, text } = place
    if (node.type === 'ArrayExpression') return swapped(node.elements.filter(Boolean), text)
    if (node.type === 'ObjectExpression') {
      const next = nextWords(text)
      const isAlike = (one: Syntax) => kindOf(one) === 'number' || next.has(one.raw)
      return swapped(node.properties.map((one: Syntax) => one.value ?? one).filter(isAlike), text)
    }
    return isWord(place) ? [instead(node, nextWords(text).get(node.raw)!)] : []
  }
}

/** Whether a text is one of a list that its file has somewhere, and stands elsewhere. */
function isWord({ node, text, within: [parent] }: Place): boolean {
  if (node.type !== 'Literal' || typeof node.value !== 'string') return false
  if (parent?.type === 'ArrayExpression' || parent?.key === node) return false
  const next = nextWords(text).get(node.raw)
  return next !== undefined && next !== node.raw
}

/** A member of an object is not there. */
export const dropProperty: Operator = {
  name: 'drop-property',
  edits({ node }) {
    if (node.type !== 'ObjectExpression') return []
    const { properties } = node
    return properties.map((one: Syntax, at: number) => {
      const [before, next] = [properties[at - 1], properties[at + 1]]
      if (next) return { start: one.start, end: next.start, after: '' }
      return { start: before?.end ?? one.start, end: one.end, after: '' }
    })
  }
}
