import * as v from 'valibot'

const longest = 2_048
const text = v.pipe(v.string(), v.maxLength(longest, `must not be longer than ${longest}`))

/** A violation report as browsers post it to a `report-uri`; what is not used here may be there. */
export const reportBody = v.object({
  'csp-report': v.object({
    'document-uri': text,
    'blocked-uri': text,
    'effective-directive': v.optional(text),
    'violated-directive': v.optional(text),
    disposition: v.optional(v.picklist(['enforce', 'report']), 'enforce')
  })
})

/** What a browser says it met on a page. */
export type Violation = {
  /** The page's address, without query and fragment. */
  page: string
  /** The page's host name. */
  host: string
  /** The address of what was met without query and fragment, or a word such as `inline`. */
  blocked: string
  directive: string
  disposition: 'enforce' | 'report'
}

/** What a report says; undefined when it is about no page of the web. */
export function violationIn(body: v.InferOutput<typeof reportBody>): Violation | undefined {
  const { 'csp-report': report } = body
  const page = webAddress(report['document-uri'])
  if (page === undefined) return undefined
  const named = report['effective-directive'] ?? report['violated-directive'] ?? ''
  return {
    page,
    host: new URL(page).hostname,
    blocked: webAddress(report['blocked-uri']) ?? report['blocked-uri'],
    directive: named.split(' ')[0]!.toLowerCase(),
    disposition: report.disposition
  }
}

/** An address of the web without query, fragment and credentials; undefined for any other text. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, host, pathname } = new URL(text)
  return /^https?:$/.test(protocol) ? `${protocol}//${host}${pathname}` : undefined
}
