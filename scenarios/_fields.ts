import { check, isAnswered, type Reply } from 'plimsoll'
import type { Type } from './_field-type.ts'
import { type Item, isItem, quoted } from './_reply.ts'

type Read = 'list' | 'single'

/** What a reply showed where a record should be: one of a list, or one that was asked for alone. */
export type Sighting = { value: unknown; read: Read; reply: Reply }

/** A field of a record, which must be there wherever `when` is true. */
type Field = { name: string; type: Type; when: (item: Item, read: Read) => boolean }

/** What a table says of a field; a type alone must be there wherever the table asks for fields. */
type Described = Type | Omit<Field, 'name'>

/** A field that only the single read has to show. */
export function onSingleRead(type: Type): Described {
  return { type, when: (_item, read) => read === 'single' }
}

/** A field that the single read shows when another one, a flag, is true. */
export function whenever(flag: string, type: Type): Described {
  return { type, when: (item, read) => read === 'single' && item[flag] === true }
}

type Finding = { holds: boolean; saw: string; reply: Reply }

/** Judges one field by all that was seen; undefined when nothing shows it and nothing has to. */
function judge({ name, type, when }: Field, seen: Sighting[]): Finding | undefined {
  const records = seen.flatMap(({ value, ...rest }) =>
    isItem(value) ? [{ item: value, ...rest }] : []
  )
  const shown = records.filter(({ item }) => name in item)
  const odd = shown.find(({ item }) => !type.is(item[name]))
  if (odd) {
    const saw = `${name} is ${quoted(odd.item[name])}, which is not ${type.name}`
    return { holds: false, saw, reply: odd.reply }
  }
  const bare = records.find(({ item, read }) => !(name in item) && when(item, read))
  if (bare) {
    return { holds: false, saw: `${name} is missing (${bare.read} read)`, reply: bare.reply }
  }
  const [first] = shown
  return first && { holds: true, saw: `${type.name} (${shown.length} seen)`, reply: first.reply }
}

type Options = {
  title: string
  /** What the ids of the fields' clauses begin with. */
  clause: string
  fields: { [name: string]: Described }
  /** Where fields must be present; present ones must be of their type wherever they are. */
  required: 'every read' | 'single read'
  /** Asks for records and tells what was seen; a reply without any is told of too. */
  read: (context: Parameters<Parameters<typeof check>[0]['run']>[0]) => Promise<Sighting[]>
}

/** A check of a record's fields, written as the document writes it: a table of names and types. */
export function fieldsCheck({ title, clause, fields, required, read }: Options) {
  const when: Field['when'] = (_item, read) => required === 'every read' || read === 'single'
  const table = Object.entries(fields).map(([name, described]) => ({
    clause: `${clause}.${name.replaceAll('_', '-')}`,
    field: { name, ...('type' in described ? described : { type: described, when }) }
  }))
  return check({
    title,
    clauses: table.map((row) => row.clause),
    needs: ['management'],
    async run(context) {
      const seen = await read(context)
      const silent = seen.find(({ reply }) => !isAnswered(reply))
      for (const row of table) {
        const found = judge(row.field, seen)
        if (found) context.verify(row.clause, found, found.reply)
        else if (silent) context.verify(row.clause, false, silent.reply)
      }
    }
  })
}
