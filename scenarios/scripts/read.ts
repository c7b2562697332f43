import { readCheck } from '../_read-check.ts'

export default readCheck({
  title: 'A script of the list can be read by itself, with its pages and versions',
  clause: 'page-protection.script.get',
  kind: 'scripts',
  same: ['id', 'url'],
  adds: ['page_urls', 'versions']
})
