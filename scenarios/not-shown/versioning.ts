import { check } from 'plimsoll'
import { largest } from '../_zone.ts'

const prefix = 'unspecified.versioning.api-v4-prefix'
const policy = 'unspecified.versioning.policy'

/** Response headers by which services announce versions and their end. */
const announcements = /^(deprecation|sunset|warning|link|api-version|x-api-version)$/

export default check({
  title: 'Whether /api/v4 is the same API, and what answers say of versions',
  clauses: [prefix, policy],
  needs: ['management'],
  async run({ management, zones, credentials, observe }) {
    const path = `/zones/${largest(zones)}/page_shield`
    const reply = await management.get(path)
    const told = Object.entries(reply.headers).filter(([name]) => announcements.test(name))
    const announced = told.map(([name, value]) => `${name}: ${value}`).join(', ')
    observe(policy, announced || 'no header announces a version', reply)

    // The client does not leave its base address, so this one request is made without it.
    const other = `${management.url}${path}`.replace('/client/v4/', '/api/v4/')
    if (other.startsWith(management.url)) return
    const headers = { authorization: `Bearer ${{ ...credentials }.token}` }
    const answer = await fetch(other, { headers, redirect: 'manual' }).catch(() => undefined)
    await answer?.body?.cancel()
    const said = answer ? `HTTP ${answer.status}` : 'no answer'
    observe(prefix, `/client/v4: ${reply.because}, /api/v4: ${said}`, reply)
  }
})
