import { once } from 'node:events'
import express from 'express'
import { middleware } from 'express-openapi-validator'
import { answerOf, refusal } from '../answer.ts'
import { standing } from '../credential.ts'
import { operationsOf } from '../inlined.ts'

/** Who is let in, by the name that the file has for the way to sign in. */
function handlersOf(schemes) {
  const handler = (scheme) => (request, scopes) => {
    const status = standing(scheme, scopes, request.headers)
    if (status === 403) throw { status, message: 'not with this credential' }
    return status === 200
  }
  return Object.fromEntries(Object.entries(schemes).map(([name, one]) => [name, handler(one)]))
}

/** A server by Express, held to its file by express-openapi-validator. */
export async function serve(document) {
  const app = express()
  const handlers = handlersOf(document.components?.securitySchemes ?? {})
  // Which types are taken is for the file to say.
  app.use(express.json({ limit: 2 ** 24, strict: false, type: () => true }))
  app.use(
    middleware({
      apiSpec: { ...structuredClone(document), servers: [{ url: '/' }] },
      validateApiSpec: false,
      validateRequests: { allowUnknownQueryParameters: true },
      validateResponses: false,
      validateSecurity: { handlers }
    })
  )
  for (const operation of operationsOf(document)) {
    const path = operation.path.replace(/\{([^}]+)\}/g, ':$1')
    app[operation.method](path, ({ body, headers }, response, next) => {
      // Where any type is taken, the validator takes no body for an empty one.
      const isMissing = operation.piece.requestBody?.required && isEmpty(headers)
      if (isMissing) next({ status: 400, message: 'the body is missing' })
      else answer(response, answerOf(operation, body))
    })
  }
  app.use(({ status = 500, message }, request, response, _next) => {
    answer(response, refusal(status, message, request.openapi?.schema))
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, close }
}

const isEmpty = (headers) =>
  headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)

function answer(response, { status, headers, body }) {
  response.writeHead(status, headers).end(body)
}
