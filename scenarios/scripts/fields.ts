import { sightings } from '../_detections.ts'
import * as type from '../_field-type.ts'
import { fieldsCheck, onSingleRead, whenever } from '../_fields.ts'
import { largest } from '../_zone.ts'

const version = type.objectOf({
  hash: type.hash,
  js_integrity_score: type.integer,
  fetched_at: type.timestamp
})

export default fieldsCheck({
  title: 'A script has the documented fields, each of its type',
  clause: 'page-protection.script.field',
  fields: {
    id: type.hex,
    url: type.url,
    added_at: type.timestamp,
    first_seen_at: type.timestamp,
    last_seen_at: type.timestamp,
    host: type.hostname,
    domain_reported_malicious: type.boolean,
    url_reported_malicious: type.boolean,
    malicious_domain_categories: whenever('domain_reported_malicious', type.arrayOf(type.text)),
    malicious_url_categories: whenever('url_reported_malicious', type.arrayOf(type.text)),
    first_page_url: type.url,
    status: type.text,
    url_contains_cdn_cgi_path: type.boolean,
    hash: type.hash,
    js_integrity_score: type.integer,
    obfuscation_score: type.integer,
    dataflow_score: type.integer,
    fetched_at: type.timestamp,
    page_urls: onSingleRead(type.arrayOf(type.url)),
    versions: onSingleRead(type.arrayOf(version))
  },
  // A plan may leave fields out, and a list may; the single read of the largest plan has them all.
  required: 'single read',
  read: ({ management, zones }) => sightings(management, largest(zones), 'scripts')
})
