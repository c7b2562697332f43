import type { LetIn } from './credential.ts'
import { type Inlined, inlined, type Operation, operationsOf, type Tree } from './inlined.ts'

/** What is known of a clause that came from an OpenAPI file. */
export type Generated = { id: string; section?: string; pointer?: string }

/** A piece of an operation, and the names of the fields that lead to it. */
type Place = { piece: Tree; fields: string[] }

/** A name as the ids of clauses have it. */
export const kebab = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Everything within a schema that has a place of its own in what is sent. */
function places(schema: any, fields: string[]): Place[] {
  if (schema === null || typeof schema !== 'object') return []
  const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
  const named = Object.entries<Tree>(properties)
  return [
    { piece: schema, fields },
    ...named.flatMap(([name, one]) => places(one, [...fields, kebab(name)])),
    ...places(items, [...fields, 'items']),
    ...[...allOf, ...anyOf, ...oneOf].flatMap((one) => places(one, fields))
  ]
}

/** All pieces of what an operation is asked. */
function requestPlaces({ piece, parameters }: Operation): Place[] {
  const { requestBody } = piece
  return [
    ...parameters.flatMap((one) => {
      const fields = [one.in, kebab(one.name)]
      return [{ piece: one, fields }, ...places(one.schema, fields)]
    }),
    ...(requestBody ? [{ piece: requestBody, fields: ['body'] }] : []),
    ...Object.values<Tree>(requestBody?.content ?? {}).flatMap(({ schema }) =>
      places(schema, ['body'])
    )
  ]
}

const byOne = (key: string) => (piece: Tree, by: number) => {
  piece[key] += by
}
const without = (key: string) => (piece: Tree) => {
  delete piece[key]
}

/** How each constraint is moved: to let one more in, and one less. */
const moves: Record<string, Record<string, (piece: Tree, field: string) => void>> = {
  ...Object.fromEntries(
    ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'minimum'].map((key) => [
      key,
      {
        [`${key} + 1`]: (piece: Tree) => byOne(key)(piece, 1),
        [`${key} - 1`]: (piece: Tree) => byOne(key)(piece, -1)
      }
    ])
  ),
  ...Object.fromEntries(
    ['minLength', 'minItems', 'minProperties'].map((key) => [
      key,
      {
        [`${key} - 1`]: (piece: Tree) => byOne(key)(piece, -1),
        [`${key} + 1`]: (piece: Tree) => byOne(key)(piece, 1)
      }
    ])
  ),
  enum: {
    'enum gone': without('enum'),
    'enum one less': (piece) => {
      // Without any value nothing would be taken, which is no limit that is off by one.
      if (piece.enum.length > 1) piece.enum = piece.enum.slice(0, -1)
    }
  },
  required: {
    'required no more': (piece, field) => {
      if (!Array.isArray(piece.required)) piece.required = false
      else piece.required = piece.required.filter((name: string) => kebab(name) !== field)
    }
  },
  type: {
    'another type': (piece) => {
      // Without a type a parameter stays a text, of which no bound is looked at.
      if (piece.type === 'integer') piece.type = 'number'
      else delete piece.type
      // These say the type again: int64 is whole, and what is nullable has to have a type.
      delete piece.nullable
      if (/^int/.test(piece.format)) delete piece.format
    }
  },
  const: { 'const gone': without('const') },
  pattern: { 'pattern gone': without('pattern') },
  format: { 'format gone': without('format') },
  multipleOf: { 'multipleOf gone': without('multipleOf') },
  uniqueItems: { 'uniqueItems gone': without('uniqueItems') },
  additionalProperties: { 'additionalProperties allowed': without('additionalProperties') },
  exclusiveMinimum: { 'exclusiveMinimum gone': inclusive('exclusiveMinimum', 'minimum') },
  exclusiveMaximum: { 'exclusiveMaximum gone': inclusive('exclusiveMaximum', 'maximum') }
}

/** The same bound, which is now allowed itself. */
function inclusive(key: string, bound: string): (piece: Tree) => void {
  return (piece) => {
    if (typeof piece[key] === 'number') piece[bound] = piece[key]
    delete piece[key]
  }
}

/** What is moved of an operation as a whole, by the end of its clause's id. */
const wholeMoves: [
  RegExp,
  string,
  (operation: Operation, document: Tree, clause: Generated) => void
][] = [
  [/\.auth\.none$/, 'who does not sign in is let in', letIn('nobody')],
  [/\.auth\.wrong$/, 'whatever signs in is let in', letIn('anybody')],
  [/\.auth\.altered$/, 'a part of a credential is let in', letIn('altered')],
  [/\.auth\.scope$/, 'who has no scope is let in', letIn('limited')],
  [
    /\.body\.content-type$/,
    'every type of body is taken',
    ({ piece }) => {
      const [content] = Object.values(piece.requestBody.content)
      piece.requestBody.content['*/*'] = structuredClone(content)
    }
  ],
  [
    /\.choice$/,
    'an alternative less',
    (operation, _, { id }) => {
      const fields = id.split('.').slice(1, -1).join('.')
      for (const { piece, fields: own } of requestPlaces(operation)) {
        const name = own.join('.') === fields ? ['oneOf', 'anyOf'].find((one) => piece[one]) : ''
        if (name) piece[name].pop()
      }
    }
  ],
  [
    /\.answers\.status$/,
    'another status',
    ({ piece }) => {
      const answer = success(piece)
      // What is documented by default may have any status, and so has to be of another type.
      const isUsual = piece.responses.default !== undefined
      const [content] = Object.values<Tree>(answer.content ?? {})
      if (isUsual) answer.content = { 'text/x-plimsoll': content ?? {} }
      piece.responses = { 226: answer }
    }
  ],
  [
    /\.answers\.content-type$/,
    'another type',
    ({ piece }) => {
      const answer = success(piece)
      answer.content = { 'text/x-plimsoll': Object.values(answer.content)[0] }
    }
  ],
  [/\.answers\.body$/, 'an answer of another shape', ({ piece }) => reshape(success(piece))],
  [
    /\.answers\.(4\d\d|4xx|default)\.body$/,
    'a refusal of another shape',
    ({ piece }, _, { id }) => {
      const [, status] = /([^.]+)\.body$/.exec(id)!
      reshape(piece.responses[status === '4xx' ? '4XX' : status!])
    }
  ],
  [
    /\.answers\.header\.[^.]+$/,
    'a header less',
    ({ piece }) => {
      success(piece).headers = {}
    }
  ]
]

function success({ responses }: Tree): Tree {
  const [status] = Object.keys(responses).filter((code) => /^[23]/.test(code))
  return responses[status!]
}

/** Takes a field from an answer that is required, or makes it a text where none is. */
function reshape({ content }: Tree): void {
  const [answer] = Object.values<Tree>(content)
  const wide = places(answer!.schema, []).toSorted((one, other) => depthOf(one) - depthOf(other))
  const found = wide.find(({ piece }) => piece.required?.length > 0 && piece.properties)
  if (found === undefined) {
    answer!.schema = { type: answer!.schema.type === 'object' ? 'array' : 'object' }
    return
  }
  const [name, ...others] = found.piece.required
  delete found.piece.properties[name]
  found.piece.required = others
}

const depthOf = ({ fields }: Place) => fields.length

function letIn(who: LetIn) {
  return ({ piece, security }: Operation, document: Tree) => {
    const scheme = { type: 'oauth2', flows: {}, 'x-lets-in': who }
    document.components.securitySchemes[who] = scheme
    piece.security = [...security, { [who]: [] }]
  }
}

/** One way to move the constraint of a clause; says whether there was anything to move. */
export type Move = {
  how: string
  apply: (whole: Inlined) => boolean
  /** Whether no value is left then, as where there are at least two of at most one. */
  isEmpty?: (source: Tree) => boolean
}

function operationOf({ section }: Generated, { document }: Inlined): Operation | undefined {
  return operationsOf(document).find(
    ({ method, path }) => `${method.toUpperCase()} ${path}` === section
  )
}

/**
 * The pieces of an operation that say the constraint of a clause: by the fields in its id, since a
 * schema made of several may say it in each of them, else by where it stands in the file.
 */
function piecesOf(
  clause: Generated,
  { operation, whole }: { operation: Operation; whole: Inlined },
  { keyword, parent }: { keyword: string; parent: string }
): Tree[] {
  const all = requestPlaces(operation).filter(({ piece }) => keyword in piece)
  const there = all.filter(({ piece }) => whole.pointerOf(piece) === parent)
  const isOfField = keyword === 'required' && Array.isArray(there[0]?.piece.required)
  const words = clause.id.replace(/-\d+$/, '').split('.')
  const wanted = words.slice(1, isOfField ? -2 : -1).join('.')
  const named = all.filter(({ piece, fields }) => {
    return fields.join('.') === wanted && Array.isArray(piece.required) === isOfField
  })
  const plain = all.filter(({ fields }) => fields.join('.') === wanted)
  const found = keyword === 'required' ? named : plain
  return (found.length > 0 ? found : there).map(({ piece }) => piece)
}

/** The ways to move the constraint of a clause by one unit; none where nobody knows one. */
export function movesOf(clause: Generated): Move[] {
  const ending = wholeMoves.find(([end]) => end.test(clause.id))
  if (ending !== undefined) {
    const [, how, move] = ending
    const apply = (whole: Inlined) => {
      const operation = operationOf(clause, whole)
      if (operation !== undefined) move(operation, whole.document, clause)
      return operation !== undefined
    }
    return [{ how, apply }]
  }
  const steps = clause.pointer?.replace(/^#/, '').split('/') ?? []
  const keyword = steps.findLast((step) => step in moves) ?? ''
  const parent = steps.slice(0, steps.lastIndexOf(keyword)).join('/')
  const piecesIn = (whole: Inlined) => {
    const operation = operationOf(clause, whole)
    return operation ? piecesOf(clause, { operation, whole }, { keyword, parent }) : []
  }
  return Object.entries(moves[keyword] ?? {}).map(([how, move]) => {
    const apply = (whole: Inlined) => {
      const pieces = piecesIn(whole)
      const before = JSON.stringify(pieces)
      for (const piece of pieces) move(piece, clause.id.split('.').at(-2)!)
      return JSON.stringify(pieces) !== before
    }
    const isEmpty = (source: Tree) => {
      const whole = inlined(source)
      apply(whole)
      return piecesIn(whole).some((piece) =>
        ['Length', 'Items', 'Properties', 'imum'].some(
          (of) => piece[`min${of}`] > piece[`max${of}`]
        )
      )
    }
    return { how, apply, isEmpty }
  })
}

/** A server's file in which constraints are moved, each of another operation. */
export function moved(source: Tree, all: readonly Move[]): Tree {
  const whole = inlined(source)
  for (const { apply } of all) apply(whole)
  return whole.document
}
