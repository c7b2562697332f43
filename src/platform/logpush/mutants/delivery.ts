import { Failure, invalid } from '../../kernel/api/failure.ts'
import type { Call } from '../../kernel/api/operation.ts'
import { dashed } from '../../kernel/api/wrong-operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import { deleteJob, listJobs, readJob, writeJob } from '../job.ts'
import { output } from '../output.ts'
import type { LogpushRules } from '../rules.ts'
import { selection } from '../selection.ts'
import { instead, unavailable } from './operation.ts'

/** The operation that takes jobs. */
export const create = 'logpush.job.create'

type Body = Call['body']

/** Creating a job is refused when its body is of a kind. */
export function refusing(isOfKind: (body: Body) => boolean): Override<LogpushRules> {
  return instead([create], (call, run) => {
    if (isOfKind(call.body)) throw invalid('this job is refused')
    return run(call)
  })
}

const fields = ['name', 'output_options', 'filter']
const options = ['field_names', 'sample_rate', 'timestamp_format', 'CVE-2021-44228']

const optionsOf = ({ output_options }: Body) =>
  (output_options ?? {}) as { field_names?: string[]; sample_rate?: number }

const refusedFields = fields.map(
  (field): Mutant<LogpushRules> => ({
    name: `logpush-job-${dashed(field)}-refused`,
    clause: `logpush.job.field.${dashed(field)}`,
    description: `A log-push job is refused when it has a field ${field}.`,
    change: refusing((body) => field in body)
  })
)

const refusedOptions = options.map((option): Mutant<LogpushRules> => {
  const name = dashed(option).toLowerCase()
  return {
    name: `logpush-option-${name}-refused`,
    clause: `logpush.job.field.output-options.${name}`,
    description: `A log-push job is refused when its output options have ${option}.`,
    change: refusing(({ output_options: given }) => option in ((given as object) ?? {}))
  }
})

/** What can be wrong with log-push jobs, and with what they deliver. */
export const logPushMutants: readonly Mutant<LogpushRules>[] = [
  ...refusedFields,
  ...refusedOptions,
  {
    name: 'logpush-job-create-unavailable',
    clause: create,
    description: 'Creating a log-push job is answered with 404.',
    change: unavailable(create)
  },
  {
    name: 'logpush-filter-mandatory',
    clause: 'logpush.job.filter-optional',
    description: 'A log-push job without a filter is refused.',
    change: refusing(({ filter }) => filter == null)
  },
  {
    name: 'logpush-dataset-ignored',
    clause: 'logpush.job.field.dataset',
    description: 'Log-push jobs deliver HTTP requests, whichever dataset they are on.',
    change: instead([create], (call, run) => {
      const { dataset, output_options, ...body } = call.body
      if (dataset === 'http_requests') return run(call)
      return run({ ...call, body: { ...body, dataset: 'http_requests' } })
    })
  },
  {
    name: 'logpush-destination-of-the-first-job',
    clause: 'logpush.job.field.destination-conf',
    description: 'All log-push jobs of a zone deliver to the destination of the first one.',
    change: instead([create], (call, run) => {
      const [{ destination_conf } = call.body] = listJobs(call.store, call.zone.id)
      return run({ ...call, body: { ...call.body, destination_conf } })
    })
  },
  {
    name: 'logpush-region-of-the-first-job',
    clause: 'logpush.job.field.destination-conf',
    description: 'All log-push jobs of a zone sign for the region of the first one.',
    change: instead([create], (call, run) => {
      const [first] = listJobs(call.store, call.zone.id)
      const [region] = /region=[^&]+/.exec(first?.destination_conf ?? '') ?? []
      const own = `${call.body.destination_conf}`
      const destination_conf = region ? own.replace(/region=[^&]+/, region) : own
      return run({ ...call, body: { ...call.body, destination_conf } })
    })
  },
  {
    name: 'logpush-storage-refused',
    clause: 'logpush.job.field.destination-conf',
    description: 'Log-push jobs are refused whose destination is a storage service.',
    change: refusing(({ destination_conf }) => `${destination_conf}`.startsWith('s3:'))
  },
  {
    name: 'logpush-name-breaks-down',
    clause: 'logpush.job.field.name',
    description: 'A log-push job whose name is no string gets a 500.',
    change: instead([create], (call, run) => {
      if (['string', 'undefined'].includes(typeof call.body.name)) return run(call)
      throw new Failure(500, [{ code: 0, message: 'a mutant breaks down' }])
    })
  },
  {
    name: 'logpush-one-object',
    clause: 'logpush.job.field.destination-conf',
    description: 'All batches for a storage service are one object, whose content is the last.',
    change: { handling: { nameOf: () => 'batch' } }
  },
  {
    name: 'logpush-nothing-delivered',
    clause: 'logpush.job.delivers-records',
    description: 'What log-push jobs deliver is empty.',
    change: { handling: { lines: () => '' } }
  },
  {
    name: 'logpush-records-twice',
    clause: 'logpush.job.delivers-records',
    description: 'Every record is delivered twice, with nothing that tells it is the same.',
    change: { handling: { lines: ({ lines }) => lines + lines } }
  },
  {
    name: 'logpush-last-record-missing',
    clause: 'logpush.job.delivers-records',
    description: 'Of each batch the last record is not delivered.',
    change: {
      handling: { lines: ({ lines }) => lines.replace(/[^\n]*\n$/, '') }
    }
  },
  {
    name: 'logpush-only-200-is-an-arrival',
    clause: 'logpush.job.delivers-records',
    description: 'A batch goes again and again to a destination that takes it with a 201 or a 204.',
    change: { handling: { hasTaken: (status) => status === 200 } }
  },
  {
    name: 'logpush-jobs-deleted-together',
    clause: 'logpush.job.delivers-records',
    description: 'With a log-push job that is deleted, those of its zone that are older go, too.',
    change: instead(['logpush.job.delete'], (call, run) => {
      const older = listJobs(call.store, call.zone.id).filter(({ id }) => id < Number(call.id))
      for (const { id } of older) deleteJob(call.store, id)
      return run(call)
    })
  },
  {
    name: 'logpush-one-field-refused',
    clause: 'logpush.job.field.output-options.field-names',
    description: 'A log-push job is refused when it asks for a single field.',
    change: refusing((body) => optionsOf(body).field_names?.length === 1)
  },
  {
    name: 'logpush-fields-of-data-refused',
    clause: 'logpush.job.field.output-options.field-names',
    besides: ['logpush.job.field.filter'],
    description: 'A log-push job is refused when it names fields, as its filter does, too.',
    change: refusing((body) => 'filter' in body || 'field_names' in optionsOf(body))
  },
  {
    name: 'logpush-sample-of-a-few-refused',
    clause: 'logpush.job.field.output-options.sample-rate',
    description: 'A log-push job is refused when it asks for less than a tenth of the records.',
    change: refusing((body) => (optionsOf(body).sample_rate ?? 1) < 0.1)
  },
  {
    name: 'logpush-filter-ignored',
    clause: 'logpush.job.filter-narrows',
    description: 'Filters are taken, and log-push jobs deliver everything.',
    change: instead([create], (call, run) => {
      const payload = run(call)
      const { id } = payload.result as { id: number }
      const { store, zone } = call
      writeJob(store, id, { ...readJob(store, zone.id, `${id}`)!, filter: null })
      return payload
    })
  },
  {
    name: 'logpush-field-dropped',
    clause: 'logpush.job.field.output-options.field-names',
    description: 'Records are delivered without the last of the fields that were asked for.',
    change: {
      output: { chosen: (names, all) => output.chosen(names, all).slice(0, -1) }
    }
  },
  {
    name: 'logpush-field-names-ignored',
    clause: 'logpush.job.field.output-options.field-names',
    description: 'Records are delivered with all fields, whichever were asked for.',
    change: { output: { chosen: (_names, all) => all } }
  },
  {
    name: 'logpush-sampling-ignored',
    clause: 'logpush.job.field.output-options.sample-rate',
    description: 'All records are delivered, whatever the sample rate.',
    change: { selection: { isSampled: () => true } }
  },
  {
    name: 'logpush-a-fifth-of-the-sample',
    clause: 'logpush.job.field.output-options.sample-rate',
    description: 'Of the share that the sample rate says, a fifth is delivered.',
    change: {
      selection: { isSampled: (rate, of) => selection.isSampled(rate < 1 ? rate / 5 : 1, of) }
    }
  },
  {
    name: 'logpush-filtered-sampled-twice',
    clause: 'logpush.job.field.output-options.sample-rate',
    description: 'Of what passes a filter a share is delivered of the share that was asked for.',
    change: instead([create], (call, run) => {
      const { sample_rate: rate } = optionsOf(call.body)
      if (call.body.filter == null || rate === undefined) return run(call)
      const output_options = { ...optionsOf(call.body), sample_rate: rate ** 2 }
      return run({ ...call, body: { ...call.body, output_options } })
    })
  },
  {
    name: 'logpush-filter-ignored-in-samples',
    clause: 'logpush.job.filter-narrows',
    description: 'A log-push job that delivers a sample takes it of all records, despite a filter.',
    change: instead([create], (call, run) => {
      const { sample_rate: rate = 1 } = optionsOf(call.body)
      if (rate === 1) return run(call)
      const { filter: _ignored, ...body } = call.body
      return run({ ...call, body })
    })
  },
  {
    name: 'logpush-timestamps-in-local-time',
    clause: 'logpush.job.field.output-options.timestamp-format',
    description: 'Timestamps are those of another time zone, and say that they are UTC.',
    change: {
      output: { moment: { rfc3339: (ms) => output.moment.rfc3339!(ms + 5.5 * 3_600_000) } }
    }
  },
  {
    name: 'logpush-timestamps-unix',
    clause: 'logpush.job.field.output-options.timestamp-format',
    description: 'Timestamps are seconds since the epoch, whatever format was asked for.',
    change: { output: { moment: { rfc3339: output.moment.unix! } } }
  },
  {
    name: 'logpush-cve-option-ignored',
    clause: 'logpush.job.field.output-options.cve-2021-44228',
    description: 'The option CVE-2021-44228 is taken, and records are delivered as they are.',
    change: { output: { disarm: (line) => line } }
  }
]
