import { resource, valuesCheck } from '../_values-check.ts'

export default valuesCheck({
  title: 'Each field of a connection shows what is true of it',
  kind: 'connections',
  clause: 'page-protection.connection.field',
  record: resource
})
