/**
 * By what a target is known over TLS, and what the client shows of itself: PEM texts, plain data.
 * Without them a target is known by the authorities that Node comes with, under its own name.
 */
export type TlsProof = {
  /** Authorities that are trusted in place of the usual ones. */
  ca?: string
  cert?: string
  key?: string
  /** The name that is asked for and has to be in the certificate. */
  servername?: string
}
