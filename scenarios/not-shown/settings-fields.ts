import { check } from 'plimsoll'
import { item, quoted } from '../_reply.ts'

const clause = 'unspecified.settings.more-fields'

export default check({
  title: 'Which settings can be updated besides the flag',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, observe }) {
    const { id } = await adapter.zone('enterprise')
    const path = `/zones/${id}/page_shield`
    const before = await management.get(path)
    const { enabled, ...settings } = item(before)
    const more = Object.keys(settings).filter((field) => typeof settings[field] === 'boolean')
    for (const field of [...more, 'no_such_setting']) {
      const update = await management.put(path, { json: { enabled, [field]: !settings[field] } })
      const after = await management.get(path)
      const [was, is] = [quoted(settings[field]), quoted(item(after)[field])]
      const seen = `${field}: ${update.because}, was ${was}, is ${is}`
      observe(clause, seen, before, update, after)
    }
  }
})
