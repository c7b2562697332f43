import * as v from 'valibot'

/** What makes a request a call of gRPC, as plain data: which of its sides are streams. */
export const grpcSchema = v.strictObject({ request: v.boolean(), response: v.boolean() })

/** What makes a request a call of gRPC; see `grpcSchema`. */
export type GrpcAsked = v.InferOutput<typeof grpcSchema>
