import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import fastify from 'fastify'
import { answerOf, refusal } from '../answer.ts'
import { admission } from '../credential.ts'
import { jsonSchema, operationsOf } from '../inlined.ts'
import { isJoined } from '../parameter.ts'

/** What Fastify is told of the parameters in one place, which it has as texts. */
function schemaOf(parameters, place) {
  const those = parameters.filter((one) => one.in === place)
  const nameOf = ({ name }) => (place === 'header' ? name.toLowerCase() : name)
  return {
    type: 'object',
    properties: Object.fromEntries(those.map((one) => [nameOf(one), jsonSchema(one.schema ?? {})])),
    required: those.filter((one) => one.required).map(nameOf)
  }
}

/** Bodies have types of their own; whatever else is sent is text, which has to be read as one. */
function validators() {
  const make = (coerceTypes) => {
    const ajv = new Ajv({ coerceTypes, strict: false, logger: false })
    formats(ajv)
    return ajv
  }
  const [body, text] = [make(false), make('array')]
  return ({ schema, httpPart }) => (httpPart === 'body' ? body : text).compile(schema)
}

/** What a route asks of its requests. */
function schemasOf({ parameters, piece }) {
  const { content = {}, required = false } = piece.requestBody ?? {}
  const body = jsonSchema((content['application/json'] ?? content['*/*'])?.schema)
  return {
    params: schemaOf(parameters, 'path'),
    querystring: schemaOf(parameters, 'query'),
    headers: schemaOf(parameters, 'header'),
    ...(body && { body: required ? body : { anyOf: [body, { type: 'null' }] } })
  }
}

/** Lists that are written with commas, which Fastify leaves as they are. */
function separate({ parameters }, { query }) {
  for (const one of parameters) {
    const text = query[one.name]
    if (one.in === 'query' && isJoined(one) && typeof text === 'string') {
      query[one.name] = text.split(',')
    }
  }
}

/** Takes bodies of any type for JSON. */
function takeEverything(server) {
  server.addContentTypeParser('*', { parseAs: 'string' }, async (_, text) => JSON.parse(text))
}

const isEmpty = (headers) =>
  headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)

/** Refuses a request as its operation says that it is refused. */
function refuse(reply, { piece }, { status, message }) {
  const answer = refusal(status, message, piece)
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

/** A route that answers what an operation is asked. */
function routeOf(operation, schemes) {
  return {
    method: operation.method.toUpperCase(),
    url: operation.path.replace(/\{([^}]+)\}/g, ':$1'),
    schema: schemasOf(operation),
    async onRequest({ headers }, reply) {
      const status = admission(operation, schemes, headers)
      if (status !== 200)
        return refuse(reply, operation, { status, message: 'not with this credential' })
    },
    async preValidation(request, reply) {
      separate(operation, request)
      // Where there is no body Fastify holds null against its schema, and one without a type takes
      // that.
      const isMissing = request.body === undefined || request.body === null
      if (isMissing && isEmpty(request.headers) && operation.piece.requestBody?.required) {
        return refuse(reply, operation, { status: 400, message: 'the body is missing' })
      }
    },
    async handler({ body }, reply) {
      const answer = answerOf(operation, body)
      return reply.code(answer.status).headers(answer.headers).send(answer.body)
    }
  }
}

/** A server by Fastify, with its schema validation; it answers 400 to what is not valid. */
export async function serve(document) {
  const schemes = document.components?.securitySchemes ?? {}
  const server = fastify({ bodyLimit: 2 ** 24, routerOptions: { maxParamLength: 2 ** 14 } })
  server.setValidatorCompiler(validators())
  for (const operation of operationsOf(document)) {
    // Each in a scope of its own: which types of bodies are taken is a matter of the scope.
    server.register(async (scope) => {
      if ('*/*' in (operation.piece.requestBody?.content ?? {})) takeEverything(scope)
      scope.setErrorHandler(({ statusCode = 500, message }, _, reply) =>
        refuse(reply, operation, { status: statusCode, message })
      )
      scope.route(routeOf(operation, schemes))
    })
  }
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address()
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
