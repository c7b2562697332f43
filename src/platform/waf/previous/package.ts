import { idOf } from '../../kernel/id.ts'
import { type Category, categories, type Signature, signatures } from '../signature.ts'

/** A rule of a package. */
export type PackageRule = { id: string; group: string; signature: Signature }

/** A package of the previous WAF: one that acts on each match, or one that adds up scores. */
export type Package = {
  id: string
  name: string
  description: string
  detection: 'traditional' | 'anomaly'
  groups: readonly { id: string; category: Category }[]
  rules: readonly PackageRule[]
}

function packageOf(
  name: string,
  { chosen, ...rest }: Pick<Package, 'description' | 'detection'> & { chosen: readonly Signature[] }
): Package {
  const group = (category: Category) => idOf(`${name} group ${category}`)
  return {
    id: idOf(`${name} package`),
    name,
    ...rest,
    groups: categories.map((category) => ({ id: group(category), category })),
    rules: chosen.map((signature) => ({
      id: idOf(`${name} rule ${signature.name}`),
      group: group(signature.category),
      signature
    }))
  }
}

/** The service's own rules, each of which acts by itself. */
export const servicePackage = packageOf('Service WAF', {
  description: 'Each rule acts by itself',
  detection: 'traditional',
  chosen: signatures.filter(({ paranoia }) => paranoia === 1)
})

/** Rules whose scores add up, as version 2.x of the OWASP core rule set had it: without levels. */
export const owaspPackage = packageOf('OWASP ModSecurity Core Rule Set', {
  description: 'Scores add up; follows version 2.x',
  detection: 'anomaly',
  chosen: signatures.filter(({ paranoia }) => paranoia <= 2)
})

/** The packages of the previous WAF. */
export const packages: readonly Package[] = [servicePackage, owaspPackage]
