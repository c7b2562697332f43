import { calledName, instead, type Operator, type Place, type Syntax, textOf } from '../syntax.ts'

const methods = ['map', 'flatMap', 'filter', 'every', 'some', 'forEach']

/** The call of a method of whatever a member expression has before its dot. */
function isMethodCall({ type, callee }: Syntax): boolean {
  return type === 'CallExpression' && callee.type === 'MemberExpression' && !callee.computed
}

/** Only the first item of a list is looked at. */
export const firstOnly: Operator = {
  name: 'first-only',
  edits({ node, text }) {
    if (node.type === 'ForOfStatement' && !node.await)
      return [instead(node.right, `[...(${textOf(node.right, text)})].slice(0, 1)`)]
    if (node.type === 'ArrayExpression') return firstElement(node, text)
    if (!isMethodCall(node) || !methods.includes(calledName(node))) return []
    const { object } = node.callee
    return [{ start: object.end, end: object.end, after: '.filter((_, at) => at === 0)' }]
  }
}

/** A written list of which only the first is there. */
function firstElement({ elements, start, end }: Syntax, text: string) {
  if (elements.length < 2 || elements.some((one: Syntax | null) => one?.type === 'SpreadElement'))
    return []
  return [{ start, end, after: `[${textOf(elements[0], text)}]` }]
}

/** What is not meant is not left out. */
export const dropFilter: Operator = {
  name: 'drop-filter',
  edits: ({ node, text }) =>
    isMethodCall(node) && calledName(node) === 'filter' && node.arguments.length > 0
      ? [instead(node, textOf(node.callee.object, text))]
      : []
}

const backwards: Record<string, string> = { sort: 'reverse', toSorted: 'toReversed' }

/** The order is the other one. */
export const reverseSort: Operator = {
  name: 'reverse-sort',
  edits({ node, text }) {
    if (!isMethodCall(node)) return []
    const name = calledName(node)
    if (Object.hasOwn(backwards, name))
      return [instead(node, `${textOf(node, text)}.${backwards[name]}()`)]
    return Object.values(backwards).includes(name)
      ? [instead(node, textOf(node.callee.object, text))]
      : []
  }
}

/** A statement of the database is about more rows than meant, or in the other order. */
export const query: Operator = {
  name: 'query',
  edits({ node }) {
    const said = node.type === 'Literal' ? node.raw : node.value?.raw
    const isText = node.type === 'TemplateElement' || typeof node.value === 'string'
    if (!isText || !/\b(SELECT|UPDATE|DELETE|WHERE|AND)\b/.test(said)) return []
    const shift = node.type === 'TemplateElement' ? quasiShift({ node }) : 0
    const found = [...said.matchAll(/(?<=\b(?:WHERE|AND|OR) )[\w.]+ = \?|ORDER BY \w+\b/g)]
    return found.map(({ 0: all, index }) => {
      const start = node.start + shift + index
      const after = all.startsWith('ORDER') ? `${all} DESC` : `(${all} OR true)`
      return { start, end: start + all.length, after }
    })
  }
}

/** Some parsers count the backtick to what stands behind it; this one's spans are looked at. */
function quasiShift({ node }: Pick<Place, 'node'>): number {
  return node.end - node.start > node.value.raw.length ? 1 : 0
}
