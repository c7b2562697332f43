import { readCheck } from '../_read-check.ts'

export default readCheck({
  title: 'A connection of the list can be read by itself',
  clause: 'page-protection.connection.get',
  kind: 'connections',
  same: ['id', 'url']
})
