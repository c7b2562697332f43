/** The status codes of gRPC, each at its number. */
export const grpcStatuses = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED'
] as const

/** The name of a status of gRPC. */
export type GrpcStatus = (typeof grpcStatuses)[number]

/** The name of a status by its number as a header has it; undefined where it is none. */
export function grpcStatusOf(text: string | undefined): GrpcStatus | undefined {
  if (text === undefined || !/^\d{1,4}$/.test(text)) return undefined
  return grpcStatuses[Number(text)] ?? 'UNKNOWN'
}
