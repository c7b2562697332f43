import {
  bare,
  calledName,
  givenNames,
  instead,
  type Operator,
  type Syntax,
  textOf
} from '../syntax.ts'

const isTest = (node: Syntax, parent?: Syntax) =>
  (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression') &&
  parent.test === node

const opposite: Record<string, string> = { '===': '!==', '!==': '===' }

/** A condition is taken for its opposite. */
export const negate: Operator = {
  name: 'negate',
  edits({ node, text, within: [parent] }) {
    if (isTest(node, parent)) return [instead(node, `!(${textOf(node, text)})`)]
    if (node.type === 'UnaryExpression' && node.operator === '!')
      return [instead(node, `!!(${textOf(node.argument, text)})`)]
    return node.type === 'BinaryExpression' && node.operator in opposite
      ? [operatorEdit(node, text, opposite[node.operator]!)]
      : []
  }
}

/** The operator between two operands is another one. */
function operatorEdit({ left, right, operator }: Syntax, text: string, after: string) {
  const start = left.end + text.slice(left.end, right.start).indexOf(operator)
  return { start, end: start + operator.length, after }
}

/** What was to be done under a condition is done always. */
export const always: Operator = {
  name: 'always',
  edits: ({ node }) =>
    node.type === 'IfStatement' && !isGuard(node) ? [instead(node.test, 'true')] : []
}

const leaving = ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']

/** Whether an `if` is there to leave early. */
function isGuard({ consequent, alternate }: Syntax): boolean {
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent
  return !alternate && leaving.includes(last?.type)
}

const demanding = /^(check|demand|require|assert|refuse|insist|ensure|authorise|verify)([A-Z]|$)/

/** A guard is not there: an early return or throw, or a call that only checks. */
export const dropGuard: Operator = {
  name: 'drop-guard',
  edits({ node, within: [parent] }) {
    if (node.type === 'IfStatement' && isGuard(node)) return [instead(node, ';')]
    if (node.type !== 'ExpressionStatement' || parent?.type === 'ArrowFunctionExpression') return []
    return demanding.test(calledName(bare(node.expression))) ? [instead(node, ';')] : []
  }
}

/** Who may read may do it, though it changes something. */
export const dropPermission: Operator = {
  name: 'drop-permission',
  edits({ node, text }) {
    if (node.type !== 'Property' || node.key.name !== 'permission') return []
    const value = textOf(node.value, text)
    // It may stand in a constant of the file.
    const [, constant = value] = text.match(new RegExp(`const ${value} = ('[^']+')`)) ?? []
    return constant.endsWith(":read'")
      ? []
      : [instead(node, `permission: (${value}).replace(':write', ':read')`)]
  }
}

const shifted: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** A comparison is off by one. */
export const boundary: Operator = {
  name: 'boundary',
  edits: ({ node, text }) =>
    node.type === 'BinaryExpression' && node.operator in shifted
      ? [operatorEdit(node, text, shifted[node.operator]!)]
      : []
}

/** What may be told apart, with an expression that is true of one of the many. */
const narrowing: Record<string, string> = {
  plan: "plan === 'enterprise'",
  method: "method === 'POST'",
  zone: "(zone.plan ?? 'pro') === 'pro'",
  call: "(call.zone?.plan ?? 'pro') === 'pro'"
}

/** A condition is looked at on one plan, or for one method, only. */
export const oneOnly: Operator = {
  name: 'one-plan-only',
  edits(place) {
    const { node, text } = place
    if (node.type !== 'IfStatement') return []
    const given = givenNames(place)
    return Object.keys(narrowing)
      .filter((name) => given.has(name))
      .map((name) => instead(node.test, `(${textOf(node.test, text)}) && ${narrowing[name]}`))
  }
}

/** One of two ways is never gone: of `||`, `&&`, `??`, a ternary, an `else` or a `case`. */
export const dropBranch: Operator = {
  name: 'drop-branch',
  edits({ node, text, within: [parent] }) {
    const only = (kept: Syntax) => {
      const isStatement = parent?.type === 'ExpressionStatement' && parent.start === node.start
      return instead(node, `${isStatement ? ';' : ''}(${textOf(kept, text)})`)
    }
    if (node.type === 'LogicalExpression') return [only(node.left), only(node.right)]
    if (node.type === 'ConditionalExpression') return [only(node.consequent), only(node.alternate)]
    if (node.type === 'IfStatement' && node.alternate)
      return [{ start: node.consequent.end, end: node.end, after: '' }]
    return node.type === 'SwitchCase' && node.test && node.consequent.length > 0
      ? [instead(node, '')]
      : []
  }
}
