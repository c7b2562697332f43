import { sightings } from '../_detections.ts'
import * as type from '../_field-type.ts'
import { fieldsCheck, whenever } from '../_fields.ts'
import { largest } from '../_zone.ts'

export default fieldsCheck({
  title: 'A connection has the documented fields, each of its type',
  clause: 'page-protection.connection.field',
  fields: {
    id: type.hex,
    url: type.url,
    added_at: type.timestamp,
    first_seen_at: type.timestamp,
    last_seen_at: type.timestamp,
    host: type.hostname,
    domain_reported_malicious: type.boolean,
    malicious_domain_categories: whenever('domain_reported_malicious', type.arrayOf(type.text)),
    url_reported_malicious: type.boolean,
    malicious_url_categories: whenever('url_reported_malicious', type.arrayOf(type.text)),
    first_page_url: type.url,
    status: type.text,
    url_contains_cdn_cgi_path: type.boolean
  },
  required: 'every read',
  read: ({ management, zones }) => sightings(management, largest(zones), 'connections')
})
