import { check } from 'plimsoll'
import { bearing } from '../_credential.ts'
import { reach } from '../_reach.ts'
import { isRefused, isServed, item } from '../_reply.ts'
import { settingsLock } from '../_settings.ts'
import { largest } from '../_zone.ts'

const clause = 'auth.permissions-must-match'

export default check({
  title: 'A token does what it has the permission for, and nothing else',
  clauses: [clause],
  needs: ['management'],
  alone: [settingsLock],
  async run({ management, zones, credentials, verify }) {
    const { readOnlyToken, noPermissionToken } = { ...credentials }
    const zone = largest(zones)
    const path = `/zones/${zone}/page_shield`
    if (!isServed(await reach(management, zone))) return
    const { enabled } = item(await management.get(path))
    // Were it served, it would still change nothing.
    const write = { json: { enabled } }
    if (readOnlyToken !== undefined) {
      const reader = bearing(readOnlyToken, management)
      const [read, wrote] = [await reach(reader, zone), await reader.put(path, write)]
      const saw = `may only read: reads ${read.because}, writes ${wrote.because}`
      verify(clause, { holds: isServed(read) && isRefused(wrote), saw }, read, wrote)
    }
    if (noPermissionToken !== undefined) {
      const nobody = bearing(noPermissionToken, management)
      const [read, wrote] = [await reach(nobody, zone), await nobody.put(path, write)]
      const saw = `may do nothing: reads ${read.because}, writes ${wrote.because}`
      verify(clause, { holds: isRefused(read) && isRefused(wrote), saw }, read, wrote)
    }
  }
})
