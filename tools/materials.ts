import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** We change these parts of a CycloneDX document; the rest is npm's. */
interface Materials {
  serialNumber: string
  metadata: { timestamp?: string; component: { name: string; type: string; version: string; [more: string]: unknown } }
  components: { readonly name: string; readonly 'bom-ref': string; readonly [more: string]: unknown }[]
  dependencies: { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** These packages name no licence, and have only its text. */
const LICENCE_BY_TEXT: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

export class MaterialsError extends Error {}

const isBill = (value: unknown): value is Materials =>
  typeof value === 'object' && value !== null && 'components' in value && 'metadata' in value && 'dependencies' in value

/**
 * Makes a bill of materials as CycloneDX JSON from the lockfile alone: no registry is asked.
 *
 * @param root where package.json and package-lock.json are
 * @param chosen names of the packages that are in it; by default all that run
 * @throws MaterialsError with npm's own words
 */
export function billOfMaterials(root: string, name: string, version: string, chosen?: ReadonlySet<string>): string {
  const words = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
    ...(chosen ? [] : ['--omit', 'dev']),
  ]
  const { status, stdout, stderr } = spawnSync('npm', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new MaterialsError(`npm sbom failed: ${stderr.trim()}`)
  const bill: unknown = JSON.parse(stdout)
  if (!isBill(bill)) throw new MaterialsError('npm sbom wrote no CycloneDX document.')
  const self = `${name}@${version}`
  const old = String(bill.metadata.component['bom-ref'])
  bill.metadata.component = {
    type: 'application',
    'bom-ref': self,
    name,
    version,
    licenses: bill.metadata.component.licenses,
  }
  // The same sources give the same bill.
  delete bill.metadata.timestamp
  bill.components = bill.components.map((one) => {
    const id = LICENCE_BY_TEXT[one.name]
    return id === undefined ? one : { ...one, licenses: [{ license: { id } }] }
  })
  if (chosen) bill.components = bill.components.filter((one) => chosen.has(one.name))
  const refs = new Set(bill.components.map((one) => one['bom-ref']))
  bill.dependencies = bill.dependencies.flatMap(({ ref, dependsOn = [] }) => {
    if (ref === old) return [{ ref: self, dependsOn: chosen ? [...refs] : dependsOn }]
    return refs.has(ref) ? [{ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }] : []
  })
  bill.serialNumber = ''
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** Makes a UUID of version 8 (RFC 9562) from our own hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Returns each package whose modules are among these files. */
export function packagesOf(files: readonly string[]): ReadonlySet<string> {
  const names = files.map((file) =>
    /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replace('\\', '/'),
  )
  return new Set(names.filter((name) => name !== undefined))
}
