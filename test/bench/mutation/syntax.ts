import { type ParserOptions, parse } from '@babel/parser'

/** A node of a syntax tree (ESTree), with whatever fields its kind has. */
export type Syntax = { type: string; start: number; end: number } & Record<string, any>

const options: ParserOptions = {
  sourceType: 'module',
  plugins: ['typescript', 'estree'],
  createParenthesizedExpressions: true,
  attachComment: false
}

/** A node where it stands: the text of its file, and what it is within, the nearest first. */
export type Place = { node: Syntax; text: string; within: readonly Syntax[] }

/** What one operator does to a text: what stands from `start` to `end` becomes `after`. */
export type Edit = { start: number; end: number; after: string }

/** One kind of fault that is put in wherever the syntax has room for it. */
export type Operator = { name: string; edits(place: Place): Edit[] }

/** Every node of a program that lives on when types are stripped, outermost first. */
export function placesIn(text: string): Place[] {
  const places: Place[] = []
  walk(parse(text, options).program as Syntax, [])
  return places

  function walk(node: Syntax, within: readonly Syntax[]) {
    if (isOfTypes(node)) return
    places.push({ node, text, within })
    const inner = [node, ...within]
    for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, inner)
  }
}

const isNode = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** These have code in them, though they are TypeScript's. */
const codeWithTypes = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']

function isOfTypes({ type, ...node }: Syntax): boolean {
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return true
  if (type === 'ExportNamedDeclaration') return node.exportKind === 'type' || node.source !== null
  return type.startsWith('TS') && !codeWithTypes.includes(type)
}

/** The text of a node. */
export const textOf = (node: Syntax, text: string): string => text.slice(node.start, node.end)

/** An edit of a whole node. */
export function instead(node: Syntax, after: string): Edit {
  return { start: node.start, end: node.end, after }
}

/** A node without the parentheses and types around it. */
export function bare(node: Syntax): Syntax {
  const isAround = node.type === 'ParenthesizedExpression' || codeWithTypes.includes(node.type)
  return isAround ? bare(node.expression) : node
}

/** What a call calls, as the last word of it: `run` of `store.run(…)` and of `run(…)`. */
export function calledName({ callee }: Syntax): string {
  if (callee?.type === 'Identifier') return callee.name
  return callee?.type === 'MemberExpression' && !callee.computed ? callee.property.name : ''
}

/** The names that the functions around a place are given, members of objects included. */
export function givenNames({ within }: Place): Set<string> {
  return new Set(
    within.flatMap(({ params }) => (Array.isArray(params) ? params : []).flatMap(named))
  )
}

function named(pattern: Syntax | null): string[] {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'AssignmentPattern') return named(pattern.left)
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(named)
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((one: Syntax) => named(one.value ?? one.argument))
}
