import { placeBelow } from '../scenario/place.ts'
import { code, inComment } from './code.ts'
import { headersIn } from './header-shapes.ts'
import type { Maker } from './makers.ts'
import { type ImportedOperation, successes } from './operations.ts'
import { nameOf, refusalsOf } from './refusals.ts'
import { isQuick, type OperationPlan } from './scenario-files.ts'
import type { Shapes } from './shapes.ts'
import { type ImportSource, type Located, pointerTo } from './source.ts'

/** The `_request.ts` of an operation: its valid request, and what it may be answered with. */
export function requestFile(
  { source, shapes }: { source: ImportSource; shapes: Shapes },
  { operation, request, rate, refusals }: OperationPlan,
  makers: Map<string, Maker>
): string {
  const { name, method, path, body, pointer, value } = operation
  const { requests, seconds } = Object(rate?.rate)
  const separators = Object.fromEntries(
    operation.parameters.flatMap((one) => (one.separator ? [[one.name, one.separator]] : []))
  )
  const deep = operation.parameters.flatMap((one) => (one.isDeep ? [one.name] : []))
  const files = body?.files ?? {}
  const own = [...makers.values()].find(({ by }) => by === name)
  const isOf = (item: string) =>
    path === item || ['/', ':'].some((next) => path.startsWith(`${item}${next}`))
  const maker = [...makers].find(([item]) => isOf(item))?.[1]
  const named = maker && placeBelow('path', maker.parameter)
  const make = maker && { by: maker.by, take: { [named!]: maker.field } }
  // An example says what such a thing is called, and not that it is there: what is made is.
  const isMade = named !== undefined && !request.fixed.includes(named)
  const unknown = [...new Set([...request.unknown, ...(isMade ? [named] : [])])]
  const fields = {
    ...{ name, method, path },
    valid: request.valid,
    ...(Object.keys(request.optional).length > 0 && { optional: request.optional }),
    ...(Object.keys(request.explicit).length > 0 && { explicit: request.explicit }),
    ...(Object.keys(separators).length > 0 && { separators }),
    ...(deep.length > 0 && { deep }),
    ...(Object.keys(files).length > 0 && { files }),
    ...(body && body.contentType !== 'application/json' && { contentType: body.contentType }),
    ...(request.fresh.length > 0 && { fresh: request.fresh }),
    ...(Object.keys(request.takes).length > 0 && { takes: request.takes }),
    ...(unknown.length > 0 && { unknown }),
    ...(make && unknown.length > 0 && { make }),
    ...(own?.removal !== undefined && { remove: own.removal }),
    ...(Object.keys(request.missing).length > 0 && { missing: request.missing }),
    ...(rate && isQuick(rate.rate) && { rate: { requests, seconds } }),
    answers: answersOf({ source, shapes }, operation, refusals)
  }
  const said = inComment(typeof value.summary === 'string' ? `: ${value.summary}` : '')
  const place = `${source.file}:${source.lineOf(pointer)}`
  const lines = Object.entries(fields).map(
    ([key, one]) => `  ${key}: ${code(one, 2, key.length + 4)},`
  )
  return `import { operation } from 'plimsoll'
import schemas from '../_schemas.json' with { type: 'json' }

/** ${inComment(`${method} ${path}, ${place}`)}${said} */
export const request = operation({
${lines.join('\n')}
  samples: new URL('../samples.yaml', import.meta.url),
  defs: schemas.$defs
})
`
}

function answersOf(
  { source, shapes }: { source: ImportSource; shapes: Shapes },
  operation: ImportedOperation,
  refusals: OperationPlan['refusals']
): object {
  const { default: usual } = operation.responses
  const all: [string, Located][] = [
    ...successes(operation),
    ...(usual ? [['default', usual] as [string, Located]] : []),
    ...refusalsOf(operation).filter(
      ([status]) => status !== 'default' && Object.hasOwn(refusals?.clauses ?? {}, status)
    )
  ]
  // What is named is not of its class, though nothing be said of its shape.
  const named = Object.keys(refusals ? operation.responses : {}).filter((one) => /^4/.test(one))
  return Object.fromEntries([
    ...named.map((status) => [nameOf(status), {}]),
    ...all.map(([status, { value, pointer }]) => {
      const headers = headersIn(source, shapes, { value, pointer }).map(
        ({ name, shape }) => [name.toLowerCase(), shape] as const
      )
      const content = Object.entries<any>(Object(value.content)).map(([type, media]) => {
        const at = pointerTo(pointer, 'content', type, 'schema')
        return [type, shapes.of({ value: media?.schema ?? true, pointer: at })]
      })
      return [
        nameOf(status),
        {
          ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
          ...(content.length > 0 && { content: Object.fromEntries(content) })
        }
      ]
    })
  ])
}
