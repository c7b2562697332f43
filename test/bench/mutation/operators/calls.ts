import { bare, calledName, instead, type Operator, type Syntax, textOf } from '../syntax.ts'

const writes = [
  ...['run', 'exec', 'set', 'add', 'put', 'insert', 'update', 'delete', 'remove', 'write', 'save'],
  ...[
    'store',
    'push',
    'append',
    'clear',
    'change',
    'rewrite',
    'replace',
    'record',
    'mark',
    'touch'
  ],
  ...['keep', 'forget', 'reset']
]
const writing = new RegExp(`^(${writes.join('|')})([A-Z]|$)`)

/** What a statement keeps is not kept. */
export const skipWrite: Operator = {
  name: 'skip-write',
  edits({ node }) {
    if (node.type !== 'ExpressionStatement') return []
    const done = bare(node.expression)
    const { argument, left } = done
    const isAround = done.type === 'AwaitExpression' || done.operator === 'void'
    const call = isAround ? bare(argument) : done
    const isCall = call.type === 'CallExpression' && writing.test(calledName(call))
    const isChange = done.type === 'AssignmentExpression' && left.type === 'MemberExpression'
    return isCall || isChange ? [instead(node, ';')] : []
  }
}

const asking = /^(get|first|all|now|read|list|count|total|load)([A-Z]|$)/
const plain = ['Identifier', 'Literal', 'MemberExpression', 'TemplateLiteral', 'SpreadElement']

/** What was read once is what is read from then on, though it may be another by now. */
export const stale: Operator = {
  name: 'stale',
  edits({ node, text }) {
    if (node.type !== 'CallExpression' || !asking.test(calledName(node))) return []
    const given = node.arguments as Syntax[]
    if (given.some((one) => !plain.includes(one.type))) return []
    const [call, key] = [textOf(node, text), given.map((one) => textOf(one, text)).join(', ')]
    if (/\b(await|yield|arguments|Promise)\b/.test(call)) return []
    const named = `'${node.start}:' + [${key}].map((one) => one?.id ?? one).join()`
    const kept = '(globalThis.keptByMutation ??= new Map())'
    const once = `kept.has(key) ? kept.get(key) : kept.set(key, ${call}).get(key)`
    return [instead(node, `((kept, key) => ${once})(${kept}, ${named})`)]
  }
}

/** What is handed through everywhere, and is nothing that could be mistaken for another. */
const unmistakable = /^(store|call|kernel|v|context|rules|time|options|request|response)$/

const sortOf = ({ type, name, value }: Syntax) => {
  if (type === 'Literal') return typeof value
  return type === 'Identifier' && unmistakable.test(name) ? undefined : type
}

/** Two arguments of one kind change places. */
export const swapArguments: Operator = {
  name: 'swap-arguments',
  edits({ node, text }) {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return []
    const given = node.arguments as Syntax[]
    return given.slice(1).flatMap((next, at) => {
      const one = given[at]!
      const sort = sortOf(one)
      const isAlike = ['Identifier', 'MemberExpression', 'string', 'number'].includes(`${sort}`)
      const [mine, other] = [textOf(one, text), textOf(next, text)]
      if (!isAlike || sortOf(next) !== sort || mine === other) return []
      const between = text.slice(one.end, next.start)
      return [{ start: one.start, end: next.end, after: other + between + mine }]
    })
  }
}
