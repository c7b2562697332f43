import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { oneLine } from '../../report/printable.ts'
import { Failure } from '../failure.ts'
import { shellWords } from './shell-words.ts'

/** A request as flags say it; its body is text, or `@` and a file. */
export type Written = { url: string; method?: string; header: string[]; body?: string }

const text = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

/** What is read of curl, and by which letter. */
const options = {
  ...{ request: { ...text, short: 'X' }, header: { ...text, short: 'H' }, url: text },
  ...{ data: { ...text, short: 'd' }, 'data-ascii': text, 'data-raw': text, 'data-binary': text },
  ...{ json: text, user: { ...text, short: 'u' }, cookie: { ...text, short: 'b' } },
  ...{ 'user-agent': { ...text, short: 'A' }, referer: { ...text, short: 'e' } },
  ...{ head: { ...flag, short: 'I' }, get: { ...flag, short: 'G' }, compressed: flag },
  // What only says how curl shows an answer is passed over.
  ...{ silent: { ...flag, short: 's' }, 'show-error': { ...flag, short: 'S' } },
  ...{ include: { ...flag, short: 'i' }, verbose: { ...flag, short: 'v' }, 'http1.1': flag }
} satisfies ParseArgsOptionsConfig

type CurlFlag = keyof typeof options

const known = Object.keys(options).map((name) => `--${name}`)

function fail(why: string): never {
  throw new Failure(`--curl ${why}`)
}

function wordsIn(command: string): string[] {
  try {
    return shellWords(command.trim())
  } catch (cause) {
    return fail((cause as Error).message)
  }
}

/** The values of each flag, in the order given; `''` is what is no flag. */
function valuesIn(words: string[]): Map<CurlFlag | '', string[]> {
  const values = new Map<CurlFlag | '', string[]>()
  const add = (name: CurlFlag | '', value: string) =>
    values.set(name, [...(values.get(name) ?? []), value])
  try {
    const { tokens } = parseArgs({ args: words, options, allowPositionals: true, tokens: true })
    for (const token of tokens) {
      if (token.kind === 'positional') add('', token.value)
      else if (token.kind === 'option') add(token.name as CurlFlag, token.value ?? '')
    }
  } catch (cause) {
    const [, name] = /Unknown option '([^']+)'/.exec((cause as Error).message) ?? []
    if (name === undefined) fail((cause as Error).message)
    fail(`${name} is not among what is read of curl: ${known.join(', ')}`)
  }
  return values
}

/** Of headers that are given, what curl sends: `x:` takes one of its own out, `x;` has no value. */
const sentOf = (given: readonly string[]) =>
  given.filter((one) => !/^[^:]+:\s*$/.test(one)).map((one) => one.replace(/^([^:]+);\s*$/, '$1: '))

/** A URL with what `-G` adds to its query. */
function queried(url: string, added: string): string {
  if (added.startsWith('@')) fail('-G puts text into the URL, and no file')
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(url) ?? []
  return `${before}${before.includes('?') ? '&' : '?'}${added}${fragment}`
}

const asHeader = (name: string, values: string[] = []) => values.map((one) => `${name}: ${one}`)

/** A header for a user and a password. */
export function basicAuth(user: string): string {
  return `authorization: Basic ${Buffer.from(user).toString('base64')}`
}

/** Why a command is none of curl's: what it begins with, and how one is given. */
function notCurl(command: string): string {
  const given = `"${oneLine(command, 40)}" does not begin with curl`
  return `${given}: give the whole command as one word, such as --curl 'curl http://a.test/'`
}

/** The bodies of all flags that give one, put together as curl does. */
function bodyOf(values: ReturnType<typeof valuesIn>): string | undefined {
  const of = (name: CurlFlag) => values.get(name) ?? []
  const read = [...of('data'), ...of('data-ascii'), ...of('data-binary'), ...of('json')]
  const files = read.filter((one) => one.startsWith('@'))
  const raw = of('data-raw')
  if (files.length === 0) {
    const all = [...read, ...raw]
    if (raw.some((one) => one.startsWith('@')) && all.length > 0)
      fail('--data-raw that begins with @ is no file there, and would be one here')
    return all.length > 0 ? all.join(of('json').length > 0 ? '' : '&') : undefined
  }
  if (read.length + raw.length > 1) fail('can put together bodies of text only, and no files')
  if (of('data').length + of('data-ascii').length > 0)
    fail(`-d ${files[0]} takes out line breaks: give it as --data-binary ${files[0]}`)
  return files[0]
}

/**
 * The request that a curl command sends, as a shell and curl read it: a strict subset, which ends
 * the command for whatever else there is in it.
 */
export function curlRequest(command: string): Written {
  const [name, ...words] = wordsIn(command)
  if (name !== 'curl') fail(notCurl(command))
  const values = valuesIn(words)
  const urls = [...(values.get('') ?? []), ...(values.get('url') ?? [])]
  if (urls.length !== 1) fail(`names ${urls.length} URLs, and one is sent to`)
  const cookies = values.get('cookie') ?? []
  const file = cookies.find((one) => !one.includes('='))
  if (file !== undefined) fail(`-b ${file} is a file of cookies: give them as "name=value"`)
  const given = values.get('header') ?? []
  const isGiven = (header: string) =>
    given.some((one) => one.toLowerCase().startsWith(`${header}:`))
  const data = bodyOf(values)
  const isQuery = values.has('get')
  const body = isQuery ? undefined : data
  const json = values.has('json')
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  const header = [
    ...sentOf(given),
    ...(body !== undefined && !isGiven('content-type') ? [`content-type: ${type}`] : []),
    ...(json && !isGiven('accept') ? ['accept: application/json'] : []),
    ...asHeader('user-agent', values.get('user-agent')?.slice(-1)),
    ...asHeader('referer', values.get('referer')?.slice(-1)),
    ...(cookies.length > 0 ? [`cookie: ${cookies.join('; ')}`] : []),
    ...(values.get('user') ?? []).slice(-1).map(basicAuth),
    ...(values.has('compressed') ? ['accept-encoding: deflate, gzip, br, zstd'] : [])
  ]
  if (values.has('head') && body !== undefined) fail('-I takes no body: give the method as -X HEAD')
  const usual = values.has('head') ? 'HEAD' : body === undefined ? 'GET' : 'POST'
  const [written] = urls as [string]
  if (/[{}]|\[[^\]]*[-,]/.test(written)) fail(`"${written}" is a pattern of curl's: name one URL`)
  const whole = /^\w+:\/\//.test(written) ? written : `http://${written}`
  const url = isQuery && data !== undefined ? queried(whole, data) : whole
  return { url, method: values.get('request')?.at(-1) ?? usual, header, body }
}
