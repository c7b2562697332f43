import { once } from 'node:events'
import { createServer } from 'node:http'
import { Validator } from '@cfworker/json-schema'
import { answerOf, refusal } from '../answer.ts'
import { admission } from '../credential.ts'
import { jsonSchema, operationsOf } from '../inlined.ts'
import { read } from '../parameter.ts'

const draft = '2020-12'

/** What an operation asks of a request, made ready. */
function route(operation) {
  const names = []
  const path = operation.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  const pattern = path.replace(/\{([^}]+)\}/g, (_, name) => {
    names.push(name)
    return '([^/]+)'
  })
  const validator = (schema) => new Validator(jsonSchema(schema ?? {}), draft)
  const content = operation.piece.requestBody?.content ?? {}
  return {
    operation,
    names,
    pattern: new RegExp(`^${pattern}$`),
    parameters: operation.parameters.map((one) => ({ one, validator: validator(one.schema) })),
    bodies: Object.entries(content).map(([type, { schema }]) => [type, validator(schema)])
  }
}

/** The texts that a request has for a parameter; none where it is not sent. */
function sentFor({ name, in: place }, { url, headers, params }) {
  if (place === 'path') return [params[name]]
  if (place === 'query') return url.searchParams.getAll(name)
  return place === 'header' && headers[name.toLowerCase()] ? [headers[name.toLowerCase()]] : []
}

/** What is wrong with the parameters of a request. */
function wrongParameters({ parameters }, asked) {
  return parameters.flatMap(({ one, validator }) => {
    if (one.in === 'cookie') return []
    const sent = sentFor(one, asked)
    if (sent.length === 0) return one.required ? [`${one.name} is missing`] : []
    return validator.validate(read(one, sent)).valid ? [] : [`${one.name} is not valid`]
  })
}

/** A refusal of the body of a request, or what it is. */
function bodyOf({ operation, bodies }, headers, text) {
  if (bodies.length === 0) return {}
  if (text === '') {
    return operation.piece.requestBody.required ? { status: 422, wrong: 'the body is missing' } : {}
  }
  const type = (headers['content-type'] ?? '').split(';')[0].trim()
  const [, validator] = bodies.find(([one]) => takes(one, type)) ?? []
  if (validator === undefined) return { status: 415, wrong: `${type} is not taken` }
  let body
  try {
    body = JSON.parse(text)
  } catch {
    return { status: 400, wrong: 'the body is not JSON' }
  }
  return validator.validate(body).valid ? { body } : { status: 422, wrong: 'the body is not valid' }
}

const takes = (one, type) => one === '*/*' || one.split(';')[0] === type

function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What a request is answered. */
function answered(routes, schemes, request, text) {
  const url = new URL(request.url, 'http://localhost')
  const method = request.method.toLowerCase()
  const found = routes.find((one) => {
    return one.operation.method === method && one.pattern.test(url.pathname)
  })
  if (found === undefined) return refusal(404, 'there is no such operation')
  const { operation, names, pattern } = found
  const { headers } = request
  const status = admission(operation, schemes, headers)
  if (status !== 200) return refusal(status, 'not with this credential', operation.piece)
  const values = pattern.exec(url.pathname).slice(1).map(decoded)
  const params = Object.fromEntries(names.map((name, index) => [name, values[index]]))
  const [wrong] = wrongParameters(found, { url, headers, params })
  if (wrong !== undefined) return refusal(422, wrong, operation.piece)
  const sent = bodyOf(found, headers, text)
  return sent.wrong === undefined
    ? answerOf(operation, sent.body)
    : refusal(sent.status, sent.wrong, operation.piece)
}

/** A server by Node alone and a validator that is not Ajv; it answers 422 to what is not valid. */
export async function serve(document) {
  const routes = operationsOf(document).map(route)
  const schemes = document.components?.securitySchemes ?? {}
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const { status, headers, body } = answered(routes, schemes, request, text)
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, close }
}
