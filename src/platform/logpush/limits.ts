const MiB = 1_048_576

/** Every number log push enforces, each inclusive. */
export const logpushLimits = {
  /** Size of a filter (document: about 30 operators, 1000 bytes). */
  filterBytes: 1_000,
  filterOperators: 30,
  /** Jobs of a zone; the document is silent on all that follows. */
  jobs: 100,
  /** Records and bytes, before compression, of a batch. */
  batchRecords: 5_000,
  batchBytes: MiB,
  /** How long records wait for more, and the longest a job can ask for. */
  intervalSeconds: { usual: 1, most: 300 },
  /** How long a delivery may take. */
  deliveryMs: 30_000,
  /** How long to wait after a batch did not arrive: twice as long each time. */
  retryMs: { first: 500, most: 60_000 },
  /** Bytes that wait for one job; what comes when there is no room for it is lost. */
  spoolBytes: 32 * MiB
}

/** The shape of `logpushLimits`. */
export type LogpushLimits = typeof logpushLimits
