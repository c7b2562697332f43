import { type Client, check, type Look, summary } from 'plimsoll'
import { contents, type Item, isDefect, isServed, item, items, quoted } from '../_reply.ts'
import { type Part, partsIn, told } from './_previous-parts.ts'
import { stage } from './_stage.ts'

const clauseOf = (part: string) => `waf-migration.after.previous-api-stops.${part}`
type Looks = (Look & Pick<Part, 'kind'>)[]

/** Reads every part, of groups and rules the first and the last: none of it is a defect. */
async function readIn(management: Client, all: string): Promise<Looks> {
  const looks: Looks = []
  const read = async (kind: Part['kind'], path: string) => {
    const reply = await management.get(path)
    const asked = `GET ${path.slice(all.length - 'packages'.length)}`
    // Where nothing is served there need not be such an API.
    if (isServed(reply) || isDefect(reply))
      looks.push({
        ...{ kind, asked, holds: isServed(reply), saw: reply.because, reply },
        of: contents(reply)
      })
    return items(reply)
  }
  for (const { id } of await read('packages', all)) {
    await read('packages', `${all}/${id}`)
    for (const kind of ['groups', 'rules'] as const) {
      const members = await read(kind, `${all}/${id}/${kind}`)
      for (const member of new Set([members[0], members.at(-1)]))
        if (member) await read(kind, `${all}/${id}/${kind}/${member.id}`)
    }
  }
  return looks
}

const fieldsOf = ({ mode, sensitivity, action_mode }: Item) =>
  quoted({ mode, sensitivity, action_mode })

/** Changes each package, and looks whether that changes anything else. */
async function asideOf(
  management: Client,
  { all, untouched }: { all: string; untouched: Map<string, Item> }
): Promise<Looks> {
  const looks: Looks = []
  for (const { id } of items(await management.get(all))) {
    // What a package has no field for changes nothing of another one.
    const [was, reply] = [
      await told(management, all),
      await management.patch(`${all}/${id}`, { json: { sensitivity: 'low' } })
    ]
    const odd = [...(await told(management, all))].filter(
      ([one, now]) => one !== id && fieldsOf(now) !== fieldsOf(was.get(one) ?? {})
    )
    const saw = `${odd.length} others changed`
    const asked = `sensitivity set to low at package ${id}`
    looks.push({ kind: 'packages', asked, holds: odd.length === 0, saw, reply })
    if (isServed(reply)) untouched.delete(`${id}`)
  }
  return looks
}

/** The last that was said of a field of a part. */
type Changed = Pick<Part, 'kind' | 'path'> & { field: string; word: string }

/** What was changed stays so, whatever was changed after it. */
async function stayed(management: Client, changes: readonly Changed[]): Promise<Looks> {
  const looks: Looks = []
  for (const { kind, path, field, word } of changes) {
    const reply = await management.get(path)
    const saw = `at last ${quoted(item(reply)[field])}`
    const asked = `${field} set to ${word} at ${kind}, and then others`
    looks.push({ kind, asked, holds: item(reply)[field] === word, saw, reply })
  }
  return looks
}

export default check({
  title:
    'What is to stop with the migration works before: a part of the previous WAF can be changed',
  clauses: (['packages', 'groups', 'rules'] as const).map(clauseOf),
  needs: ['management', 'disposableZone'],
  async run(context) {
    const { management, verify } = context
    const on = await stage(context, 'enterprise')
    const other = await stage(context, 'enterprise')
    const [all, twins] = [on, other].map(({ path }) => `${path}/firewall/waf/packages`) as [
      string,
      string
    ]
    const looks = await readIn(management, all)
    const before = await told(management, all)
    const untouched = new Map(before)
    const parts = await partsIn(management, all)
    looks.push(...(await asideOf(management, { all, untouched })))
    const last = new Map<string, Changed>()
    for (const { kind, path, fields } of parts) {
      // Each comes after each other, whatever it may undo, and may be another word than at first.
      const first = fields.map(([field, words]) => [field, words.slice(0, 1)] as const)
      const then = fields.slice(0, -1).map(([field, words]) => [field, words.slice(1, 2)] as const)
      for (const [field, words] of [...fields, ...first, ...then]) {
        for (const word of words) {
          const reply = await management.patch(path, { json: { [field]: word } })
          // Which words there are is nowhere said.
          if (!isServed(reply)) continue
          untouched.delete(path.split('/').at(-1)!)
          last.set(`${path} ${field}`, { kind, path, field, word })
          const read = await management.get(path)
          const saw = `${field} ${quoted(item(read)[field])}`
          const asked = `${field} set to ${word} at ${kind}`
          looks.push({ kind, asked, holds: item(read)[field] === word, saw, reply: read })
        }
      }
    }
    looks.push(...(await stayed(management, [...last.values()])))
    const reply = await management.get(all)
    for (const [place, whole] of [
      [all, untouched],
      [twins, before]
    ] as const) {
      const now = await told(management, place)
      const odd = [...whole].filter(([id, one]) => fieldsOf(now.get(id) ?? {}) !== fieldsOf(one))
      const saw = `${odd.length} of ${whole.size} are others than before`
      const asked = place === all ? 'parts nobody changed' : 'the parts of another zone'
      looks.push({ kind: 'rules', asked, holds: odd.length === 0, saw, reply, of: whole.size })
    }
    for (const part of ['packages', 'groups', 'rules'] as const) {
      const found = summary(looks.filter(({ kind }) => kind === part))
      if (found) verify(clauseOf(part), ...found)
    }
  }
})
