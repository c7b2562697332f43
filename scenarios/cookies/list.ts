import { listCheck } from '../_list-check.ts'

export default listCheck({
  title: 'A zone’s cookies can be listed',
  clause: 'page-protection.cookie.list',
  kind: 'cookies',
  knownBy: ['name', 'secure_attribute']
})
