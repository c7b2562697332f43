import { existsSync, realpathSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { type Schema, Validator } from '@cfworker/json-schema'

/** What an agent may call: a command, and which of its flags. */
export type Tool = {
  name: string
  description: string
  inputSchema: Schema & { type: 'object' }
  /** Whether it sends anything. */
  sends: boolean
  /** The words of the command line, for what was asked of a project. */
  wordsFor(input: Input, project: string): string[]
}

/** What a tool was asked, after it was held against its schema. */
type Input = Record<string, any>

/** Longest load, comparison or search that one call may ask for, in seconds. */
const mostSeconds = 600

const url: Schema = { type: 'string', pattern: '^https?://[^/?#\\s]+\\S*$', maxLength: 2_000 }

/** Names of scenarios and of runs: never a flag, and nothing above the folder. */
const plainName = '^(?!.*\\.\\.)[A-Za-z0-9_][A-Za-z0-9_./-]*$'

const name: Schema = { type: 'string', pattern: plainName, maxLength: 200 }

const ids: Schema = {
  ...{ type: 'array', items: name, maxItems: 100 },
  description: 'Scenarios, or folders of them; all where none is named'
}

const scenarios: Schema = { type: 'string', maxLength: 500, description: 'Folder of the document' }

const seconds = (least: number): Schema => ({
  type: 'number',
  minimum: least,
  maximum: mostSeconds
})

const percent: Schema = { type: 'number', minimum: 0, maximum: 100 }

const milliseconds: Schema = { type: 'number', exclusiveMinimum: 0 }

const request: Record<'method' | 'headers' | 'body', Schema> = {
  method: { type: 'string', pattern: '^[A-Za-z]{1,20}$' },
  headers: {
    ...{ type: 'array', maxItems: 50 },
    items: { type: 'string', pattern: '^[^:\\s-][^:\\s]*:[^\\r\\n]*$', maxLength: 8_000 },
    description: 'Lines of the form "name: value"'
  },
  body: {
    // To Plimsoll, `@` begins the name of a file, and an agent would have it sent somewhere.
    ...{ type: 'string', pattern: '^(?!@)', maxLength: 131_000 },
    description: 'As it is sent, of at most 131,000 bytes; not the name of a file'
  }
}

const schema = (properties: Record<string, Schema>, required: string[] = []) => ({
  ...({ type: 'object', additionalProperties: false } as const),
  ...{ properties, required }
})

/** Flags as single words, so that no value can be taken for a flag; without what is not given. */
function flags(given: Record<string, unknown>): string[] {
  return Object.entries(given).flatMap(([flag, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [`--${flag}=${one}`]))
  )
}

/** A path of the project, relative to it; throws an Error for one that leads out, by links too. */
export function insideOf(project: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const home = realpathSync(project)
  let real: string
  try {
    real = realpathSync(resolve(home, path))
  } catch {
    throw new Error(`there is no ${path} in the project`)
  }
  if (real !== home && !real.startsWith(`${home}${sep}`))
    throw new Error(`${path} is outside the project`)
  return relative(home, real) || '.'
}

/** Whom a run asks: an address, the reference platform, or a file of the project. */
function targetOf(target: string | undefined, project: string): string | undefined {
  if (target === undefined || target === 'platform' || /^https?:\/\//.test(target)) return target
  return insideOf(project, target)
}

/** A run by its name, at either place where one is looked for. */
function runIn(project: string, run: string): string {
  const places = [run, join('reports', run)].filter((place) => existsSync(resolve(project, place)))
  for (const place of places) insideOf(project, place)
  return run
}

const requestFlags = ({ method, headers, body }: Input) => flags({ method, header: headers, body })

const objectives = { p50: milliseconds, p95: milliseconds, p99: milliseconds, errors: percent }

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  {
    name: 'list',
    description: 'The scenarios of this project, and which clauses each claims. Sends nothing.',
    inputSchema: schema({ ids, scenarios }),
    sends: false,
    wordsFor: (input, project) => [
      ...['list', ...(input.ids ?? [])],
      ...flags({ scenarios: insideOf(project, input.scenarios) })
    ]
  },
  {
    name: 'clauses',
    description: 'What the document states, clause by clause, with its quotations. Sends nothing.',
    inputSchema: schema({ scenarios }),
    sends: false,
    wordsFor: ({ scenarios }, project) => [
      'clauses',
      ...flags({ scenarios: insideOf(project, scenarios) })
    ]
  },
  {
    name: 'run',
    description:
      'Runs scenarios and judges the clauses they claim. Answers with counts, and each verdict ' +
      'that is not a pass.',
    inputSchema: schema({
      ids,
      scenarios,
      target: {
        ...{ type: 'string', pattern: '^[^-]', maxLength: 2_000 },
        description: 'A URL, a target file of the project, or "platform"'
      }
    }),
    sends: true,
    wordsFor: (input, project) => [
      ...['run', ...(input.ids ?? [])],
      ...flags({
        scenarios: insideOf(project, input.scenarios),
        target: targetOf(input.target, project)
      })
    ]
  },
  {
    name: 'load',
    description:
      'Loads a URL at a rate, or with so many connections, and measures response times; ' +
      'objectives (milliseconds, percent) make it a gate.',
    inputSchema: schema(
      {
        url,
        rate: { type: 'number', exclusiveMinimum: 0, maximum: 100_000 },
        connections: { type: 'integer', minimum: 1, maximum: 1_000 },
        seconds: seconds(0.1),
        ...request,
        ...objectives
      },
      ['url']
    ),
    sends: true,
    wordsFor: (input) => {
      const { url, rate, connections, seconds = 10, p50, p95, p99, errors } = input
      const how = { rate, connections, duration: `${seconds}s`, p50, p95, p99, errors }
      return ['load', url, ...requestFlags(input), ...flags(how)]
    }
  },
  {
    name: 'probe',
    description: 'Finds limits of a URL: sizes, how many at once, how many a second.',
    inputSchema: schema(
      {
        url,
        limits: {
          type: 'array',
          items: { type: 'string', pattern: '^[a-z][a-z-]*$' },
          maxItems: 20
        },
        seconds: seconds(1),
        method: request.method,
        headers: request.headers
      },
      ['url']
    ),
    sends: true,
    wordsFor: ({ url, limits, seconds, method, headers }) => [
      ...['probe', url],
      ...flags({
        ...{ limits: limits?.join(','), method, header: headers },
        time: seconds && `${seconds}s`
      })
    ]
  },
  {
    name: 'compare',
    description: 'Whether B is slower than A: short trials in pairs, an interval, a verdict.',
    inputSchema: schema(
      {
        ...{ a: url, b: url },
        metric: { type: 'string', pattern: '^[a-z0-9]+(=[0-9.]+)?(,[a-z0-9]+(=[0-9.]+)?)*$' },
        budget: percent,
        seconds: seconds(20),
        ...request
      },
      ['a', 'b']
    ),
    sends: true,
    wordsFor: (input) => {
      const { a, b, metric, budget, seconds = 60 } = input
      const how = { a, b, metric, budget, time: `${seconds}s` }
      return ['compare', ...requestFlags(input), ...flags(how)]
    }
  },
  {
    name: 'report',
    description: 'A saved run of this project, judged again from its evidence. Sends nothing.',
    inputSchema: schema({ run: { ...name, description: 'Its name; default: latest' } }),
    sends: false,
    wordsFor: ({ run = 'latest' }, project) => ['report', runIn(project, run)]
  }
]

/** Bytes of the longest word of a command line, of what Linux takes, with its closing NUL. */
const mostBytes = 131_071

/** A word as an operating system takes it; throws an Error that says which is none. */
function asWord({ name }: Tool, word: string): string {
  const flag = /^--([a-z0-9]+)=/.exec(word)?.[1] ?? word.slice(0, 40)
  if (word.includes('\0')) throw new Error(`${name}: ${flag}: holds a NUL, which no command takes`)
  if (Buffer.byteLength(word) <= mostBytes) return word
  throw new Error(`${name}: ${flag}: longer than the ${mostBytes} bytes that a command takes`)
}

/** What a property may be, as far as it is said by more than its type. */
function allowed(property: Schema | boolean): string {
  if (typeof property === 'boolean') return ''
  const { enum: choices, pattern, minimum, maximum, description } = property
  const told = [
    choices && `one of ${choices.join(', ')}`,
    pattern && `of the form ${pattern}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    description
  ].filter(Boolean)
  return told.length === 0 ? '' : ` Allowed: ${told.join('; ')}`
}

/** The words for a call; throws an Error that says what is wrong with what was asked. */
export function wordsOf(tool: Tool, input: unknown, project: string): string[] {
  const { valid, errors } = new Validator(tool.inputSchema, '2020-12', false).validate(input)
  if (valid) return tool.wordsFor(input as Input, project).map((word) => asWord(tool, word))
  // The first are about what holds the wrong thing, and say only that it does.
  const { instanceLocation, error } = errors.at(-1)!
  const at = instanceLocation.split('/').slice(1)
  const { properties = {} } = tool.inputSchema
  // A property that is none is refused by the schema `false`, which says nothing to anybody.
  const why =
    at.length === 1 && !Object.hasOwn(properties, at[0]!)
      ? `not taken; it takes ${Object.keys(properties).join(', ')}`
      : `${error}${allowed(properties[at[0] ?? ''] ?? {})}`
  throw new Error(`${tool.name}: ${at.join('/') || 'what was given'}: ${why}`)
}
