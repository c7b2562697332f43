import { type Context, check, type Judge } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isDefect, isServed, item, items, quoted } from '../_reply.ts'
import { type Configuration, configurationIn, type Stage, stage } from './_stage.ts'

const compatible = 'waf-migration.eligibility.check-false-for-ineligible'
const cannot = 'waf-migration.transition.ineligible-cannot-migrate'
const again = 'waf-migration.transition.override-deleted-makes-eligible'

const override = (...urls: string[]) => ({ urls, groups: {}, rules: {}, description: 'Plimsoll' })
/** An override for several URIs that does nothing at present, which is one all the same. */
const paused = { ...override('*/import/*', '*/upload'), paused: true }

/** Has a zone with overrides migrate, which it must not. */
async function judgeHeld(
  { verify }: Context & Judge,
  { on, sent, left }: { on: Stage; sent: Configuration; left: string }
): Promise<boolean> {
  const asked = await on.check()
  const told = item(asked).compatible
  if (isServed(asked))
    verify(compatible, { holds: told === false, saw: `${left}: compatible ${quoted(told)}` }, asked)
  const update = await on.migrate('pending', sent)
  const state = await on.state()
  verify(cannot, { holds: state === 'start', saw: `${left}: state ${quoted(state)}` }, update)
  return state === 'start'
}

export default check({
  title: 'A zone can migrate once the last of its URI-based overrides is deleted by the API',
  clauses: [compatible, cannot, again],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, random, verify } = context
    const [on, other] = [await stage(context, 'pro'), await stage(context, 'pro')]
    const sent = configurationIn(await other.config())
    // The document shows no path for them; this is the one the service is known for.
    const pathOf = ({ path }: Stage) => `${path}/firewall/waf/overrides`
    const ids: string[] = []
    for (const json of [override('*/legacy/*'), paused]) {
      const made = await management.post(pathOf(on), { json })
      // Whether there are such as are paused is not said.
      const { id } = item(
        isServed(made) ? made : await management.post(pathOf(on), { json: override('*/import/*') })
      )
      if (typeof id === 'string') ids.push(id)
    }
    if (ids.length < 2 || sent === undefined) return
    const [first, second] = ids
    // Neither what is not there nor what is by way of another zone takes one of them away.
    await management.delete(`${pathOf(on)}/${freshId(random)}`)
    await management.delete(`${pathOf(other)}/${first}`)
    if (!(await judgeHeld(context, { on, sent, left: 'two overrides' }))) return
    const deleted = await management.delete(`${pathOf(on)}/${first}`)
    const listed = items(await management.get(pathOf(on)))
    const isOther = listed.length === 1 && listed[0]!.id === second
    const saw = `one of two deleted: ${deleted.because}, ${listed.length} listed`
    // Where neither can be deleted so, there may be another way to do it.
    const isThere =
      isServed(deleted) ||
      isDefect(deleted) ||
      isServed(await management.delete(`${pathOf(on)}/${second}`))
    if (!isThere) return
    verify(again, { holds: isServed(deleted) && isOther, saw }, deleted)
    if (!isServed(deleted)) return
    if (!(await judgeHeld(context, { on, sent, left: 'one override' }))) return
    const last = await management.delete(`${pathOf(on)}/${second}`)
    const update = await on.migrate('pending', sent)
    const state = await on.state()
    const holds = isServed(update) && state !== undefined && state !== 'start'
    const told = `both deleted; pending: ${update.because}, state ${quoted(state)}`
    verify(again, { holds, saw: told }, last, update)
  }
})
