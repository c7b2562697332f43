import { isAnswered, isOk, isRedirect, type Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { DocumentedAnswers } from './documented-answer.ts'
import type { Changes } from './request-parts.ts'

/** Statuses that lead elsewhere and are answers by themselves. */
const redirecting: readonly number[] = [300, 301, 302, 303, 307, 308]

/** Whether a status, or a class of them, only leads elsewhere. */
export const isLeading = (status: string): boolean =>
  /^3XX$/i.test(status) || redirecting.includes(Number(status))

/** The statuses by which a status, or a class, leads elsewhere; none of another. */
export const redirectsOf = (status: string): readonly number[] =>
  isLeading(status) ? redirecting.filter((one) => /x/i.test(status) || one === Number(status)) : []

/** Where one signs in: who is led there has not been served. */
const signIn = /(^|[/_.-])(log-?in|log-?on|sign-?in|auth|sso)([/_.-]|$)/i

/** A segment of a path that names one thing: a number, or a long name without a meaning. */
const isName = (segment: string) => /\d/.test(segment) || segment.length >= 16

/**
 * Where a redirect leads, but for the names of things: `/jobs/17?from=2` as `/jobs/*?from`.
 * Undefined where that is a place to sign in at, or one that tells what was wrong.
 */
function leadOf(reply: Reply): string | undefined {
  const { location } = reply.headers
  const { url } = reply.request
  if (location === undefined || !URL.canParse(location, url)) return 'nowhere'
  const { origin, pathname, searchParams } = new URL(location, url)
  if (signIn.test(pathname) || isFault(reply)) return
  const segments = pathname.split('/').map((one) => (isName(one) ? '*' : one))
  return `${origin}${segments.join('/')}?${[...searchParams.keys()].toSorted().join('&')}`
}

/** A parameter that says that something was wrong: `?error=name`. */
const fault = /^((.*[_-])?(err|error|errors|failure|invalid|problem)|.*Errors?)$/

/** Whether a redirect leads to where it is told what was wrong, as forms are led back with. */
function isFault({ headers: { location }, request: { url } }: Reply): boolean {
  if (location === undefined || !URL.canParse(location, url)) return false
  const { pathname, searchParams } = new URL(location, url)
  const isTold = ([name, value]: [string, string]) =>
    fault.test(name) && !['', '0', 'false'].includes(value)
  return !signIn.test(pathname) && [...searchParams].some(isTold)
}

/** Redirects by which a request is turned down. */
const turnedBack = new WeakSet<Reply>()

/** Whether a reply is a redirect that says what was wrong, where one is what should come. */
export const isTurnedBack = (reply: Reply): boolean => turnedBack.has(reply)

/** Redirects that serve their requests. */
const served = new WeakSet<Reply>()

/** Whether a reply serves its request: 200 to 299, or a redirect where that is what should come. */
export const isServed = (reply: Reply): boolean => isOk(reply) || served.has(reply)

/** Sends the valid request, changed in some way or not at all. */
type Ask<Manner> = (context: Context, changes?: Changes, manner?: Manner) => Promise<Reply>

/** What notes of the redirects of an operation whether they serve their requests. */
export type Redirects = {
  /** Whether it is a success, or a redirect that is documented as one. */
  mayServe: (reply: Reply) => boolean
  /** Asks as before, and notes the reply. */
  noting: <Manner>(ask: Ask<Manner>) => Ask<Manner>
  /** Notes the answer to the valid request, or to another: whether that serves it. */
  note: (reply: Reply, isValid: boolean) => boolean
}

/**
 * Redirects that are successes, where a document has no other: `303` of a form that was sent. Only
 * such a one serves a request as leads where that of the valid request does: many a service has who
 * sent something wrong led back to the form, and others to where one signs in.
 */
export function createRedirects(answers: DocumentedAnswers = {}): Redirects {
  const statuses = Object.keys(answers)
  const isOnly = !statuses.some((one) => /^2/.test(one))
  const documented = isOnly ? statuses.filter(isLeading) : []
  let lead: string | undefined
  const isDocumented = (reply: Reply) =>
    isAnswered(reply) &&
    isRedirect(reply.status) &&
    documented.some((one) => one === String(reply.status) || /^3XX$/i.test(one))
  const note: Redirects['note'] = (reply, isValid) => {
    const own = isDocumented(reply) ? leadOf(reply) : undefined
    if (isDocumented(reply) && isFault(reply)) turnedBack.add(reply)
    if (isValid) lead ??= own
    if (own !== undefined && (isValid || own === lead)) served.add(reply)
    return isServed(reply)
  }
  return {
    mayServe: (reply) => isOk(reply) || isDocumented(reply),
    note,
    noting:
      (ask) =>
      async (context, ...how) => {
        const reply = await ask(context, ...how)
        // Where it should lead, the valid request shows.
        if (lead === undefined && isDocumented(reply)) note(await ask(context), true)
        note(reply, false)
        return reply
      }
  }
}
