import { idOf } from '../../src/platform/id.ts'
import { type Kind, kinds } from '../../src/platform/management/detection.ts'
import type { Announcement } from '../../src/platform/platform.ts'
import { api, door } from './api.ts'
import { head, talk } from './wire.ts'

const MiB = 1_048_576

/** A part of what a platform can be asked. */
export type Part = Kind['name'] | 'sizes' | 'settings' | 'policies' | 'pages' | 'callers'

const detections = kinds.map(({ name }) => name)

/** Everything a platform can be asked. */
export const everything: Part[] = [
  ...detections,
  'sizes',
  'settings',
  'policies',
  'pages',
  'callers'
]

/** The parts in which a mutant of a clause shows. */
export function partsAbout(clause: string): Part[] {
  if (/^(limits\.request|error\.body)/.test(clause)) return ['sizes']
  if (/^page-protection\.(settings|enabled)/.test(clause)) return ['settings']
  if (clause.startsWith('page-protection.list')) return detections
  if (clause.startsWith('policy.semantics')) return ['pages']
  if (clause.startsWith('policy')) return ['policies']
  const kind = detections.find((name) => clause.startsWith(`page-protection.${name}.`))
  return kind ? [kind] : ['callers', 'policies', 'script']
}

/** What a platform answers to a fixed list of questions, without what differs from run to run. */
export async function transcript(said: Announcement, parts: Part[]): Promise<string> {
  const log: unknown[] = [said.zones, new URL(said.management).pathname]
  for (const part of parts) log.push(await questions[part](said))
  const now = /20(2[5-9]|[3-9]\d)-\d\d-\d\dT[\d:.]+Z/g
  return JSON.stringify(log).replace(now, '(now)')
}

type Ask = ReturnType<typeof asker>

function asker(said: Announcement) {
  const call = api(said)
  return async (...asked: Parameters<typeof call>) => {
    const { status, text } = await call(...asked)
    return { asked: asked.slice(0, 2), status, text }
  }
}

const questions: Record<Part, (said: Announcement) => Promise<unknown>> = {
  sizes,
  script: (said) => reads(said, 'script'),
  connection: (said) => reads(said, 'connection'),
  cookie: (said) => reads(said, 'cookie'),
  async settings(said) {
    const ask = asker(said)
    const [zone, other] = [said.zones.free, said.zones.pro].map((id) => `/zones/${id}/page_shield`)
    const log = []
    for (const enabled of [false, true])
      log.push(
        await ask('GET', zone!),
        await ask('PUT', zone!, { body: { enabled } }),
        await ask('GET', zone!),
        await ask('GET', other!)
      )
    return log
  },
  policies: (said) => policies(asker(said), `/zones/${said.zones.free}/page_shield/policies`),
  pages,
  async callers(said) {
    const ask = asker(said)
    const zone = `/zones/${said.zones.free}/page_shield`
    const callers: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${said.readOnlyToken}` },
      { authorization: `Bearer ${said.noPermissionToken}` },
      { 'x-auth-email': said.email, 'x-auth-key': said.apiKey }
    ]
    const log = [await ask('GET', zone)]
    for (const headers of callers)
      log.push(
        await ask('GET', zone, { headers }),
        await ask('PUT', zone, { headers, body: { enabled: true } })
      )
    return log
  }
}

function reads(said: Announcement, kind: Kind['name']) {
  const ask = asker(said)
  const id = said.zones.free!
  const queries = ['?page=1', '?per_page=7', '?per_page=7&page=2', '?status=infrequent']
  const paths = [
    ...['', '?hosts=shop.free.zones.test', ...queries].map((query) => `${kind}s${query}`),
    // Malicious by domain, by URL and by both.
    ...[1, 2, 3].map((number) => `${kind}s/${idOf(`${id} ${kind} ${number}`)}`)
  ]
  return Promise.all(paths.map((path) => ask('GET', `/zones/${id}/page_shield/${path}`)))
}

async function policies(ask: Ask, path: string) {
  const policy = {
    description: 'One',
    expression: 'ssl',
    enabled: true,
    value: "script-src 'self'"
  }
  const created = [
    await ask('POST', path, { body: { ...policy, action: 'allow' } }),
    await ask('POST', path, { body: { ...policy, action: 'log' } })
  ]
  const ids = created.map(({ text }) => /"id":"([\w-]+)"/.exec(text)?.[1] ?? 'none')
  const one = `${path}/${ids[0]}`
  const log = [
    ...created,
    await ask('GET', one),
    await ask('GET', path),
    await ask('PUT', one, { body: { ...policy, action: 'allow', description: 'Two' } }),
    await ask('GET', one),
    await ask('GET', path),
    await ask('DELETE', one),
    await ask('GET', one),
    await ask('GET', path)
  ]
  // An id is as good as another, as long as it is hexadecimal.
  const digits = ids.flatMap((id) => /[0-9a-f]{32}/.exec(id) ?? [])
  return digits.reduce((text, id) => text.replaceAll(id, '(id)'), JSON.stringify(log))
}

/** The heads of pages with policies of every sort. */
async function pages(said: Announcement) {
  const ask = asker(said)
  const body = { plan: 'free', host: 'pages.test', origin: 'data:text/html,<p>' }
  const { json: zone } = await door(said)('POST', '/zones', body)
  const kinds = [
    { value: "script-src 'self'" },
    { action: 'log' },
    { value: 'script-src a.b.test' },
    { value: 'script-src http://b.test/a.js' },
    { expression: 'http.request.uri.path eq "/b"' },
    { enabled: false },
    { enabled: 'false' }
  ]
  const usual = { description: '', action: 'allow', expression: 'ssl or not ssl', enabled: true }
  for (const [number, kind] of kinds.entries()) {
    const policy = { ...usual, value: `script-src host-${number}.test`, ...kind }
    await ask('POST', `/zones/${zone.id}/page_shield/policies`, { body: policy })
  }
  const heads = ['/a', '/b'].map((path) =>
    talk(said.edge, [head(`GET ${path}`, `Host: ${zone.host}`, 'Connection: close')])
  )
  return (await Promise.all(heads)).map(({ text }) =>
    text.replaceAll(/[0-9a-f]{32}/g, '(id)').replace(/Date: .*/, '(now)')
  )
}

async function sizes({ edge }: Announcement): Promise<unknown> {
  const ask = (...lines: string[]) => head(lines[0]!, 'Host: free.zones.test', ...lines.slice(1))
  const line = (size: number) => `X: ${'x'.repeat(size - 1)}`
  const close = 'Connection: close'
  const heads = [15_999, 16_000, 16_384, 16_385, 99_999].flatMap((size) => [
    ask(`GET /echo?${'x'.repeat(size - 6)}`, close),
    ask('GET /echo', close, line(size))
  ])
  // Two of the headers are there already, with 34 bytes.
  const totals = [31_999, 32_000, 32_768, 32_769, 40_000].map((size) =>
    ask('GET /echo', close, line(12_000), line(12_000), line(size - 24_034))
  )
  const zones = { free: 100, pro: 100, business: 200, enterprise: 500 }
  const post = (zone: string, size: number, method = 'POST') =>
    head(
      `${method} /echo`,
      ...[`Host: ${zone}.zones.test`, 'Expect: 100-continue', `Content-Length: ${size}`]
    )
  const bodies = [
    ...Object.entries(zones).flatMap(([zone, limit]) =>
      [limit * 1_000_000, limit * MiB, limit * MiB + 1].map((size) => post(zone, size))
    ),
    ...['PUT', 'PATCH'].map((method) => post('free', 100 * MiB + 1, method))
  ]
  const answers = await Promise.all([
    ...[...heads, ...totals].map((request) => talk(edge, [request])),
    ...bodies.map((request) => talk(edge, [request], /\r\n\r\n/))
  ])
  return answers.map(({ statuses, body }) => [
    statuses,
    body.replace(/x+/, (run) => `${run.length}`)
  ])
}
