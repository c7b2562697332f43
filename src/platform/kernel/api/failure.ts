/** One entry of an envelope's `errors`; codes are those the real service is known to use. */
export type Fault = { code: number; message: string; error_chain?: Fault[] }

/** Why an operation of the management API did not happen; thrown by whatever finds out. */
export class Failure extends Error {
  status: number
  faults: Fault[]
  headers: Record<string, string>

  constructor(status: number, faults: Fault[], headers: Record<string, string> = {}) {
    super(faults[0]!.message)
    this.status = status
    this.faults = faults
    this.headers = headers
  }
}

const noRoute = (path: string): Fault => ({
  code: 7_003,
  message: `Could not route to ${path.slice(0, 200)}, perhaps your object identifier is invalid?`
})

/** Neither the legacy pair nor a token was sent, or it is not one that was handed out. */
export function unauthenticated(): Failure {
  return new Failure(401, [{ code: 10_000, message: 'Authentication error' }])
}

/** An Authorization header is there, but it does not read `Bearer <API_TOKEN>`. */
export function malformedCredential(): Failure {
  const error_chain = [{ code: 6_111, message: 'Invalid format for Authorization header' }]
  return new Failure(400, [{ code: 6_003, message: 'Invalid request headers', error_chain }])
}

/** The credential is good, but does not hold the permission the operation needs. */
export function forbidden(): Failure {
  return new Failure(403, [{ code: 9_109, message: 'Unauthorized to access requested resource' }])
}

/** No operation has this path. */
export function unknownRoute(path: string): Failure {
  return new Failure(404, [noRoute(path), { code: 7_000, message: 'No route for that URI' }])
}

/**
 * The path names something that does not exist. What belongs to another account is answered in the
 * same words, so that nobody learns that it exists.
 */
export function unknownObject(path: string): Failure {
  return new Failure(404, [noRoute(path)])
}

/** The path has operations, but none for this method. */
export function wrongMethod(method: string, allowed: string): Failure {
  const fault = { code: 7_001, message: `Method ${method} not available for that URI.` }
  return new Failure(405, [fault], { Allow: allowed })
}

/** The body or the query does not say what the operation needs; the message names what is wrong. */
export function invalid(message: string): Failure {
  return new Failure(400, [{ code: 1_004, message }])
}

/** The body is not JSON, or not JSON that can mean one thing only. */
export function malformedBody(because: string): Failure {
  const message = `Malformed JSON in request body: ${because}`
  return new Failure(400, [{ code: 6_007, message }])
}

/** The body is larger than the API reads. */
export function tooLarge(limitBytes: number): Failure {
  const message = `The request body is larger than ${limitBytes} bytes`
  return new Failure(413, [{ code: 10_413, message }])
}

/** The body is declared to be something else than JSON. */
export function wrongType(type: string): Failure {
  const message = `Content-Type must be application/json, not ${type.slice(0, 100)}`
  return new Failure(415, [{ code: 10_415, message }])
}

/** What reached the listener is not a request of HTTP. */
export function malformedRequest(status: number): Failure {
  return new Failure(status, [{ code: 6_003, message: 'Invalid request' }])
}

/** What was asked for has no room on the disk of the data folder, and did not happen. */
export function noRoom(): Failure {
  const message = 'The disk of the data folder is full: nothing was changed'
  return new Failure(507, [{ code: 10_507, message }])
}

/** A defect of the platform. */
export function defect(): Failure {
  return new Failure(500, [{ code: 10_500, message: 'Internal error' }])
}
