import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { Context } from '../../src/scenario/context.ts'
import { alteredCredential, judgeCredentials } from '../../src/scenario/letting-in.ts'
import { operation } from '../../src/scenario/operation.ts'
import type { Judge } from '../../src/scenario/scenario.ts'

const basic = (text: string) => `Basic ${btoa(text)}`

test.each([
  ['Bearer secret', ['Bearer secre', 'Bearer secret00']],
  ['secret', ['secre', 'secret00']],
  ['Bearer c2VjcmV0cw==', ['Bearer c2VjcmV0c', 'Bearer c2VjcmV0cw00']],
  [basic('jo:secret'), [basic('jo:secre'), basic('jo:secretx')]],
  ['token abc', ['token ab', 'token abc00']],
  ['x', undefined],
  [basic('jo:'), undefined],
  ['Digest username="jo", response="x"', undefined]
])('%s is cut short and continued', (right, altered) => {
  expect(alteredCredential(right)).toEqual(altered)
})

/** Who reads keys and signatures as bytes takes for one what is another text. */
test.each(['hex', 'base64', 'base64url'] as const)(
  'no %s of a key reads the same when altered',
  (by) => {
    for (let size = 8; size < 40; size++) {
      const right = Buffer.alloc(size, 0xa5).toString(by)
      for (const one of alteredCredential(right)!) {
        expect(Buffer.from(one, by).equals(Buffer.from(right, by))).toBe(false)
      }
    }
  }
)

let letsIn = (_: string | undefined) => false
const server = createServer(({ headers, url }, response) => {
  const key = new URL(url!, 'http://here').searchParams.get('key') ?? undefined
  response.writeHead(letsIn(headers.authorization ?? key) ? 200 : 401).end()
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
afterAll(() => void server.close().closeAllConnections())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** What comes of a clause about altered credentials that are at some places. */
async function outcome(places: string[], headers: Record<string, string>): Promise<string[]> {
  const looks: string[] = []
  const context = {
    service: createClient({ endpoint: { url, headers } }),
    verify: (_: string, { holds, saw }: { holds: boolean; saw: string }) =>
      looks.push(`${holds}: ${saw}`),
    observe: (_: string, saw: string) => looks.push(saw),
    leave: (_: string, saw: string) => looks.push(saw)
  }
  const samples = new URL('none/samples.yaml', import.meta.url)
  const get = operation({ name: 'a', method: 'GET', path: '/', samples })
  await judgeCredentials(get, { c: places }, context as unknown as Context & Judge)
  return looks
}

const right = 'Bearer secret'
test.each<[string, (shown: string) => boolean, string]>([
  ['the whole', (shown) => shown === right, 'true: 2 asked'],
  [
    'what it begins with',
    (shown) => shown.startsWith(right),
    'false: 1 of 2 asked do not, as with'
  ],
  [
    'what begins it',
    (shown) => right.startsWith(shown),
    'false: 1 of 2 asked do not, as cut short'
  ],
  ['its first letters', (shown) => shown.slice(0, 9) === right.slice(0, 9), 'false: 2 of 2 asked']
])('who compares %s lets in what it lets in', async (_, compare, told) => {
  letsIn = (shown) => shown !== undefined && compare(shown)
  const [first] = await outcome(['authorization', 'query.key'], { authorization: right })
  expect(first).toContain(told)
})

test('where no right one is known, that is told', async () => {
  letsIn = () => true
  expect(await outcome(['authorization'], {})).toEqual([
    'no credential was shown that could be cut short'
  ])
})
