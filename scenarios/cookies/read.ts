import { readCheck } from '../_read-check.ts'

export default readCheck({
  title: 'A cookie of the list can be read by itself',
  clause: 'page-protection.cookie.get',
  kind: 'cookies',
  same: ['id', 'name']
})
