/** An error of JSON-RPC 2.0, before it is written. */
export type Fault = { code: number; message: string; data?: unknown }

/** The text is not JSON. */
export const unparsable = (because: string): Fault => ({
  code: -32_700,
  message: `Parse error: ${because}`
})

/** The JSON is no call, or no batch of calls. */
export const invalidRequest = (because: string): Fault => ({
  code: -32_600,
  message: `Invalid Request: ${because}`
})

/** No method that is open to callers has this name. */
export const unknownMethod = (method: string): Fault => ({
  code: -32_601,
  message: `Method not found: ${method.slice(0, 100)}`
})

/** The gateway, or the node behind it, has a defect. */
export const internal = (because: string): Fault => ({
  code: -32_603,
  message: `Internal error: ${because}`
})

/** The path names no network (the code is EIP-1474's, as are those below). */
export const notFound = (because: string): Fault => ({ code: -32_001, message: because })

/** The node is not there, or takes too long. */
export const unavailable = (because: string): Fault => ({ code: -32_002, message: because })

/** More was asked for than the gateway gives. */
export const limitExceeded = (because: string): Fault => ({ code: -32_005, message: because })
