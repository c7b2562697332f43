import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '../../src/client/client.ts'
import { importOpenApi } from '../../src/import/openapi.ts'
import { parseSource } from '../../src/import/source.ts'
import { search } from '../../src/limit/search.ts'
import * as plimsoll from '../../src/plimsoll.ts'
import type { CheckScenario, LimitScenario } from '../../src/scenario/scenario.ts'

/** What a service is asked: `body` is undefined where it is no JSON. */
export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: any
  text: string
}

/** What it answers: a status, what is sent as JSON, or as a text of another type, and headers. */
export type Answered = [
  status: number,
  body?: unknown,
  type?: string,
  headers?: Record<string, string>
]

/** A service of a document, written by hand. */
export type Service = (asked: Asked) => Answered

/** How a document is asked. */
export type Manner = { headers?: Record<string, string>; samples?: string }

async function listening(service: Service) {
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const { pathname, searchParams } = new URL(request.url!, 'http://here')
    const { method = '', headers } = request
    const path = decodeURIComponent(pathname)
    const asked = { method, path, query: searchParams, headers, body: parsed(text), text }
    const [status, body, type, more] = service(asked)
    const isText = typeof body === 'string' && type !== undefined && !type.includes('json')
    const kind = type ?? 'application/json'
    response.writeHead(status, { ...(body !== undefined && { 'content-type': kind }), ...more })
    response.end(body === undefined || isText ? (body as string) : JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return { server, url: `http://127.0.0.1:${port}` }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Has a generated file do what it does when it is imported. */
function exported(files: Record<string, string>, place: string, base: string): any {
  const text = stripTypeScriptTypes(files[place]!)
    .replaceAll(/^import \{(.*)\} from 'plimsoll'$/gm, 'const {$1} = plimsoll')
    .replaceAll(
      /^import \{ request \} from '.*'$/gm,
      "const request = other('_request.ts').request"
    )
    .replaceAll(/^import schemas from .*$/gm, 'const schemas = defs')
    .replaceAll('import.meta.url', 'base')
    .replaceAll(/^export default /gm, 'const scenario = ')
    .replaceAll(/^export const /gm, 'const ')
  const name = place.endsWith('_request.ts') ? 'request' : 'scenario'
  const other = (file: string) => exported(files, place.replace(/[^/]+$/, file), base)
  const defs = JSON.parse(files['limits/_schemas.json']!)
  const make = new Function('plimsoll', 'other', 'defs', 'base', `${text}\nreturn { ${name} }`)
  return make(plimsoll, other, defs, base)
}

/** Of two conclusions about a clause the worse one stands, as in a run. */
const worstFirst = ['fail', 'left', 'blocked', 'observed', 'pass', 'untested']

/** What all that an import writes of a document comes to, asked of a service: by clause. */
export async function verdicts(
  document: object,
  service: Service,
  { headers = {}, samples = '' }: Manner = {}
): Promise<Record<string, string>> {
  const { files, clauses } = importOpenApi(
    parseSource(JSON.stringify(document), 'a.json'),
    'limits'
  )
  const { server, url } = await listening(service)
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-asked-'))
  writeFileSync(join(folder, 'samples.yaml'), samples)
  const base = pathToFileURL(join(folder, 'a', '_request.ts')).href
  const found: Record<string, string> = Object.fromEntries(
    clauses.map(({ id }) => [id, 'untested'])
  )
  const note = (clause: string, outcome: string) => {
    const [before, own] = [found[clause]!, outcome].map((one) => worstFirst.indexOf(one))
    if (own! < before!) found[clause] = outcome
  }
  const context: any = {
    service: createClient({ endpoint: { url, headers } }),
    random: () => 0,
    verify: (clause: string, seen: boolean | { holds: boolean }) =>
      note(clause, (typeof seen === 'boolean' ? seen : seen.holds) ? 'pass' : 'fail'),
    observe: (clause: string) => note(clause, 'observed'),
    leave: (clause: string) => note(clause, 'left')
  }
  for (const place of Object.keys(files)) {
    if (!place.endsWith('.ts') || place.endsWith('_request.ts')) continue
    const { scenario } = exported(files, place, base)
    if (scenario.kind === 'check') await asCheck(scenario, context, note)
    else note(scenario.clause(''), await asLimit(scenario, context).catch(ifBlocked))
  }
  server.close().closeAllConnections()
  await context.service.close()
  return found
}

function ifBlocked(cause: unknown): string {
  if (!(cause instanceof plimsoll.Blocked)) throw cause
  return 'blocked'
}

async function asCheck(
  { run, clauses }: CheckScenario,
  context: any,
  note: (clause: string, outcome: string) => void
): Promise<void> {
  try {
    await run(context)
  } catch (cause) {
    if (!(cause instanceof plimsoll.Blocked)) throw cause
    for (const clause of clauses) note(clause, 'blocked')
  }
}

async function asLimit(scenario: LimitScenario, context: any): Promise<string> {
  const max = scenario.each['']!
  const { smallest, resolution, ceiling, probe } = scenario
  const searching = search({
    ...{ readings: [max], smallest, resolution, ceiling: max * ceiling, repeats: 1 }
  })
  let next = searching.next()
  while (!next.done) next = searching.next(await probe(next.value, context, ''))
  const { kind, accepted, rejected } = next.value
  if (kind === 'unclear') return 'left'
  if (kind === 'closed') return 'blocked'
  return accepted === max && rejected === max + resolution ? 'pass' : 'fail'
}

/** The clauses that did not pass. */
export async function odd(...given: Parameters<typeof verdicts>): Promise<Record<string, string>> {
  const found = await verdicts(...given)
  return Object.fromEntries(Object.entries(found).filter(([, outcome]) => outcome !== 'pass'))
}
