import { Failure } from '../kernel/api/failure.ts'

/** Codes of refusals; those up to 10055 are the real service's, the rest this platform's own. */
const codes = {
  startup: 10_021,
  size: 10_027,
  functions: 10_037,
  variableSize: 10_054,
  variables: 10_055,
  triggers: 10_072,
  routes: 10_073,
  zones: 10_074,
  pattern: 10_075,
  taken: 10_076,
  foreign: 10_077,
  cron: 10_078,
  cpu: 10_079,
  binding: 10_080,
  modules: 10_081
}

/** What is refused about functions. */
export type Refused = keyof typeof codes

/** Something well-formed that the platform will not do; status 422, told from a fault by it. */
export function refusal(part: Refused, because: string): Failure {
  return new Failure(422, [{ code: codes[part], message: because }])
}
