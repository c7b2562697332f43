import { listCheck } from '../_list-check.ts'

export default listCheck({
  title: 'A zone’s connections can be listed',
  clause: 'page-protection.connection.list',
  kind: 'connections',
  knownBy: ['url', 'host']
})
