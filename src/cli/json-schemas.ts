import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import { limitsSchema } from '../publish/limits-file.ts'
import { clausesSchema } from '../scenario/clause.ts'
import { authorisationsSchema } from '../target/authorise.ts'
import { expectationsSchema } from '../verdict/expectation.ts'
import { targetSchema } from './targets/target.ts'

// Part of the build, and of no command: editors complete and mark by these the files that people
// write, which name them as `$schema`. What no JSON schema can say is told when a file is read.
const [, , folder] = process.argv
const schemas = {
  clauses: clausesSchema,
  target: targetSchema,
  authorisation: authorisationsSchema,
  expectations: expectationsSchema,
  limits: limitsSchema
}
mkdirSync(folder!, { recursive: true })
for (const [name, schema] of Object.entries(schemas)) {
  // An address may have a variable in it, which is filled in before it is one.
  const json = toJsonSchema(schema, {
    ...{ typeMode: 'input', errorMode: 'ignore', ignoreActions: ['url'] }
  })
  writeFileSync(join(folder!, `${name}.schema.json`), `${JSON.stringify(json, null, 2)}\n`)
}
