import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleOf } from '../openapi/answer.ts'
import { signedIn } from '../openapi/credential.ts'
import { askedHonest, askedRound, imported, isExact, roundsOf } from '../openapi/imported.ts'
import { inlined, type Operation, operationsOf, type Tree } from '../openapi/inlined.ts'
import { type Generated, moved, movesOf } from '../openapi/off-by-one.ts'
import { documents, makes, serving } from '../openapi/served.ts'

const folder = 'test/openapi/documents'
const read = (name: string): Tree => JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8'))

/** A request with all that an operation may be sent, as a valid one is. */
function valid({ method, path, parameters, piece }: Operation, change: Tree = {}): Request {
  const query = new URLSearchParams()
  const values = parameters.map(
    (one): Tree => ({ ...one, value: one.example ?? sampleOf(one.schema) })
  )
  const inPath = values.filter((one) => one.in === 'path')
  for (const { name, value, ...one } of values) {
    if (one.in === 'query') for (const text of [value].flat()) query.append(name, `${text}`)
  }
  const place = inPath.reduce((url, { name, value }) => url.replace(`{${name}}`, value), path)
  const schema = piece.requestBody?.content['application/json']?.schema
  const sent = schema && { ...sampleOf(schema), ...change }
  const headers = { ...signedIn, ...(sent && { 'content-type': 'application/json' }) }
  const body = sent && JSON.stringify(sent)
  const url = `http://127.0.0.1${place}?${query}`
  return new Request(url, { method: method.toUpperCase(), headers, body })
}

/** What a server answers a request that is written for any. */
async function ask(server: string, request: Request): Promise<number> {
  const { pathname, search } = new URL(request.url)
  const response = await fetch(new Request(`${server}${pathname}${search}`, request))
  await response.text()
  return response.status
}

const all = documents.flatMap((name) => makes.map((make) => ({ name, make })))

test.each(all)(
  '$make takes what the file of $name says is valid, signed in',
  async ({ name, make }) => {
    const { document } = inlined(read(name))
    await using server = await serving(make, document)
    const found = await Promise.all(
      operationsOf(document).map(async (operation) => {
        const request = valid(operation)
        const stranger = new Request(request.clone())
        stranger.headers.delete('authorization')
        const { security, path } = operation
        return {
          path,
          isTaken: (await ask(server.url, request)) < 300,
          isSignedIn: ((await ask(server.url, stranger)) === 401) === security.length > 0
        }
      })
    )
    expect(found.filter(({ isTaken, isSignedIn }) => !isTaken || !isSignedIn)).toEqual([])
  }
)

/** Clauses by hand, with what is sent to see whether they hold. */
const clauses: { name: string; clause: Generated; at: Tree; beyond: Tree }[] = [
  {
    name: 'github',
    clause: {
      id: 'campaigns-create-campaign.body.name.max-length',
      section: 'POST /orgs/{org}/campaigns',
      pointer:
        '/paths/~1orgs~1{org}~1campaigns/post/requestBody/content/application~1json' +
        '/schema/properties/name/maxLength'
    },
    at: { name: 'x'.repeat(50) },
    beyond: { name: 'x'.repeat(51) }
  },
  {
    name: 'square',
    clause: {
      id: 'create-gift-card.body.idempotency-key.max-length',
      section: 'POST /v2/gift-cards',
      pointer: '/components/schemas/CreateGiftCardRequest/properties/idempotency_key/maxLength'
    },
    at: { idempotency_key: 'x'.repeat(128) },
    beyond: { idempotency_key: 'x'.repeat(129) }
  }
]

test.each(clauses.flatMap((one) => makes.map((make) => ({ ...one, make }))))(
  '$make draws the line of $clause.id where it is told',
  async ({ name, clause, at, beyond, make }) => {
    const source = read(name)
    const isTaken = async (document: Tree) => {
      await using server = await serving(make, document)
      const operation = operationsOf(document).find(({ method, path }) => {
        return `${method.toUpperCase()} ${path}` === clause.section
      })!
      return await Promise.all(
        [at, beyond].map(async (change) => (await ask(server.url, valid(operation, change))) < 300)
      )
    }
    expect(await isTaken(inlined(source).document)).toEqual([true, false])
    const [more, less] = movesOf(clause)
    expect(await isTaken(moved(source, [more!]))).toEqual([true, true])
    expect(await isTaken(moved(source, [less!]))).toEqual([false, false])
  }
)

const patience = 240_000

test(
  'what init writes holds of servers of each make, and fails exactly where one is off by one',
  async () => {
    using those = await imported('square')
    const ids = ['create-gift-card']
    for (const make of makes) {
      const honest = await askedHonest(those, make, ids)
      const outcomes = [...honest].map(([clause, { outcome }]) => `${clause}: ${outcome}`)
      expect([make, outcomes.filter((one) => !one.endsWith(': pass'))]).toEqual([make, []])
      expect(outcomes.length).toBeGreaterThan(20)
      const { rounds } = roundsOf(those, ({ id }) => honest.has(id))
      // Another constraint with each make: the sweep asks about all of them.
      const round = rounds[7 * makes.indexOf(make) + 2]!
      const results = await askedRound(those, { make, round, honest, ids })
      expect(results.filter((one) => !isExact(one))).toEqual([])
      expect(results).toHaveLength(1)
    }
  },
  patience
)
