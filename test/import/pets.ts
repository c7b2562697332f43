import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An API with one of each constraint, as a service that was written by hand would document it. */
export const pets = `openapi: 3.0.3
info: { title: Pets, version: '1' }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
  schemas:
    Pet:
      type: object
      required: [name, kind]
      additionalProperties: false
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string, minLength: 2, maxLength: 40 }
        kind: { type: string, enum: [cat, dog] }
        age: { type: integer, minimum: 0, maximum: 30 }
        tags:
          type: array
          maxItems: 5
          uniqueItems: true
          items: { type: string, pattern: '^[a-z0-9]+$', maxLength: 10 }
    Kept:
      allOf:
        - $ref: '#/components/schemas/Pet'
        - type: object
          required: [id]
          properties: { parent: { $ref: '#/components/schemas/Kept' } }
security: [{ key: [] }]
paths:
  /pets:
    get:
      operationId: listPets
      security: []
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
        - { name: q, in: query, required: true, schema: { type: string, maxLength: 20 } }
      responses:
        '200':
          description: those there are
          headers: { x-total: { required: true, schema: { type: integer } } }
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Kept' } }
    post:
      operationId: createPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
      responses:
        '201':
          description: made
          content: { application/json: { schema: { $ref: '#/components/schemas/Kept' } } }
  /visits:
    get:
      operationId: countVisits
      security: []
      x-ratelimit: { limit: 5, window: 2s }
      responses: { '200': { description: counted } }
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, schema: { type: integer, minimum: 1 } }
    get:
      operationId: getPet
      responses:
        '200':
          description: the pet
          content: { application/json: { schema: { $ref: '#/components/schemas/Kept' } } }
    delete:
      operationId: deletePet
      responses: { '204': { description: gone } }
`

/** What the service does; each is as documented, and a test may have one otherwise. */
export const rules = {
  nameLeast: 2,
  nameMost: 40,
  kinds: ['cat', 'dog'] as string[],
  ageLeast: 0,
  ageMost: 30,
  tagsMost: 5,
  tagMost: 10,
  tagPattern: /^[a-z0-9]+$/,
  isUnique: true,
  isClosed: true,
  isKindNeeded: true,
  limitMost: 100,
  isQueryNeeded: true,
  isKeyChecked: true,
  isKeyCompared: true,
  made: 201,
  hasTotal: true,
  idType: 'number' as 'number' | 'string',
  types: ['application/json'] as string[],
  visitsMost: 5
}

/** A service by such rules; written by hand, so that it shares no line with what asks it. */
export type Rules = typeof rules

const fields = ['name', 'kind', 'age', 'tags']

function faultOf(pet: any, by: Rules): string | undefined {
  if (pet === null || typeof pet !== 'object' || Array.isArray(pet)) return 'no object'
  if (by.isClosed && Object.keys(pet).some((name) => !fields.includes(name))) return 'unknown field'
  const { name, kind, age, tags } = pet
  if (typeof name !== 'string' || name.length < by.nameLeast || name.length > by.nameMost)
    return 'name'
  if (kind === undefined ? by.isKindNeeded : !by.kinds.includes(kind)) return 'kind'
  const isAge = Number.isInteger(age) && age >= by.ageLeast && age <= by.ageMost
  if (age !== undefined && !isAge) return 'age'
  if (tags === undefined) return
  if (!Array.isArray(tags) || tags.length > by.tagsMost) return 'tags'
  const isTag = (tag: unknown) =>
    typeof tag === 'string' && by.tagPattern.test(tag) && tag.length <= by.tagMost
  if (!tags.every(isTag)) return 'tag'
  if (by.isUnique && new Set(tags).size < tags.length) return 'twins'
  return undefined
}

const kept = new Map<number, object>()

/** When the last requests were let in: a window of 2 s that slides. */
const visits: number[] = []

function isWithinRate(most: number): boolean {
  const now = performance.now()
  const isIn = visits.filter((at) => now - at < 2_000).length < most
  if (isIn) visits.push(now)
  return isIn
}

async function answer(request: IncomingMessage, by: Rules): Promise<[number, unknown, object?]> {
  const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1')
  const [, root, id] = pathname.split('/')
  if (root === 'visits') return [isWithinRate(by.visitsMost) ? 200 : 429, undefined]
  if (root !== 'pets') return [404, {}]
  if (request.method === 'GET' && id === undefined) {
    const limit = Number(searchParams.get('limit') ?? 1)
    const q = searchParams.get('q')
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= by.limitMost
    if (!isLimit || (q === null && by.isQueryNeeded) || (q ?? '').length > 20) return [400, {}]
    return [200, [...kept.values()].slice(0, limit), by.hasTotal ? { 'x-total': kept.size } : {}]
  }
  const key = request.headers.authorization
  if (by.isKeyChecked && key === undefined) return [401, {}]
  if (by.isKeyCompared && key !== undefined && key !== 'Bearer secret') return [401, {}]
  if (request.method === 'POST') {
    let text = ''
    for await (const part of request) text += part
    if (!by.types.includes(request.headers['content-type'] ?? '')) return [415, {}]
    const pet = parsed(text)
    const fault = faultOf(pet, by)
    if (fault !== undefined) return [422, { fault }]
    const own = kept.size === 0 ? 7 : Math.max(...kept.keys()) + 1
    kept.set(own, { ...pet, id: by.idType === 'number' ? own : `${own}` })
    return [by.made, kept.get(own)]
  }
  const number = Number(id)
  if (!Number.isInteger(number) || number < 1) return [400, {}]
  if (!kept.has(number)) return [404, {}]
  const pet = kept.get(number)
  if (request.method !== 'DELETE') return [200, pet]
  kept.delete(number)
  return [204, undefined]
}

function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, by: Rules): Promise<void> {
  const [status, body, headers = {}] = await answer(request, by)
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { ...type, ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

/** Starts the service on a free port of loopback. */
export async function startPets(
  by: Rules = rules
): Promise<{ url: string; server: Server; count: () => number }> {
  const server = createServer((request, response) => void serve(request, response, by))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server, count: () => kept.size }
}
