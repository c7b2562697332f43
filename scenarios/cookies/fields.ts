import { sightings } from '../_detections.ts'
import * as type from '../_field-type.ts'
import { fieldsCheck, onSingleRead } from '../_fields.ts'
import { largest } from '../_zone.ts'

export default fieldsCheck({
  title: 'A cookie has the documented fields, each of its type',
  clause: 'page-protection.cookie.field',
  fields: {
    id: type.hex,
    type: type.text,
    name: type.text,
    host: type.text,
    domain_attribute: type.text,
    expires_attribute: type.timestamp,
    http_only_attribute: type.boolean,
    max_age_attribute: type.integerOrNull,
    path_attribute: type.text,
    same_site_attribute: type.text,
    secure_attribute: type.boolean,
    first_seen_at: type.timestamp,
    last_seen_at: type.timestamp,
    first_page_url: type.text,
    // Scripts show theirs on the single read only; of cookies the document does not say where.
    page_urls: onSingleRead(type.arrayOf(type.text))
  },
  required: 'every read',
  read: ({ management, zones }) => sightings(management, largest(zones), 'cookies')
})
